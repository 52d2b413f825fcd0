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
package org.hdfsppr.client.files;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.command.ToolRun;
import org.hdfsppr.client.command.Transcript;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.Test;

/** The refusals that list all commands name those of files as well. */
class TestFilesRefusals {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-files-client", "refusals");

  @Test
  void refusalsListAllCommands() throws IOException {
    Transcript text = new Transcript();
    ToolRun tool = new ToolRun(new Configuration(false));
    for (String command : new String[] {"-nothing", "-status -conf /nothing/there",
        "-status -libjars a.jar"}) {
      text.run(tool, command.split(" "));
    }
    text.run(tool);
    RECORDED.assertSame("commands.txt", text.toString());
  }
}
