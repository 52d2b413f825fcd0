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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.command.ToolRun;
import org.junit.jupiter.api.Test;

/** Commands of files ask the plugin of the cluster that their options or paths name. */
class TestClusterOfCommands extends OnCannedPlugins {
  @Test
  void aFullPathOrAnOptionChoosesIt() {
    Configuration conf = plugins.client();
    conf.set("fs.defaultFS", "hdfs://elsewhere.invalid");
    tool = new ToolRun(conf);
    assertEquals(0, tool.run("-convert", "-policy", "P", "hdfs://ns/a/b c", "hdfs://ns/d"),
        tool.err());
    assertEquals(List.of("/a/b c", "/d"), plugins.requests.get(0).paths);
    assertEquals(0, tool.run("-convert", "-policy", "P", "/e", "-fs", "hdfs://ns"), tool.err());
    assertEquals(List.of("/e"), plugins.requests.get(1).paths);
    assertEquals(0, tool.run("-convert", "-status", "-fs", "hdfs://ns"), tool.err());
    assertEquals(0, tool.run("-core", "-protect", "hdfs://ns/warm"), tool.err());
    assertEquals("protect /warm", plugins.actions.get(0).substring(0, 13));
    assertEquals(2, tool.run("-commit", "s3a://x/b"), tool.out());
    assertTrue(tool.err().contains("'s3a://x/b' is in s3a://x, which is no HDFS"), tool.err());
  }
}
