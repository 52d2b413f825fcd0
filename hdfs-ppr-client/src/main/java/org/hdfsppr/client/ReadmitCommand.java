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
package org.hdfsppr.client;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hdfs ppr -readmit}: ends a quarantine. */
@InterfaceAudience.Private
@Command(mixinStandardHelpOptions = true,
    description = "Lets a DataNode take part in repairs again that the NameNodes keep out, because"
        + " it seems to calculate wrongly or has failed often. For superusers.")
final class ReadmitCommand implements Callable<Integer> {
  private final Supplier<Configuration> conf;

  @Spec
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DATANODE",
      description = "its UUID, or its HOST:PORT with its transfer port")
  private String what;

  /** @param conf names the file system */
  ReadmitCommand(Supplier<Configuration> conf) {
    this.conf = conf;
  }

  @Override
  public Integer call() {
    try {
      return NameNodes.of(conf.get()).command(spec.commandLine().getOut(),
          spec.commandLine().getErr(), "readmit", what);
    } catch (IOException | IllegalArgumentException e) {
      spec.commandLine().getErr().println(e.getMessage());
      spec.commandLine().getErr().flush();
      return 1;
    }
  }
}
