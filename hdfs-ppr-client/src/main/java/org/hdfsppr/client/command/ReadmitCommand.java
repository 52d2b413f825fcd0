/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.client.command;

import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code hdfs ppr -readmit}: lets a DataNode take part in repairs again after NameNodes have
 * excluded it.
 */
@InterfaceAudience.Private
@Command(name = "-readmit",
    description = "Lets a DataNode take part in repairs again that the NameNodes keep out, because"
        + " it seems to calculate wrongly or has failed often. For superusers.",
    footer = "%nExample: hdfs ppr -readmit dn7.example.com:9866")
final class ReadmitCommand extends SuperuserCommand {
  @Parameters(index = "0", paramLabel = "DATANODE",
      description = "its UUID, or its HOST:PORT with its transfer port")
  private String node;

  ReadmitCommand(Supplier<Configuration> conf) {
    super(conf, "readmit");
  }

  @Override
  String argument() {
    return node;
  }
}
