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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.hdfsppr.it.util.CliErrors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The command answers a user's mistake with a sentence, and not with a class name or a stack trace.
 */
class TestClusterCli {

  private static String refusal(int exitCode, String... arguments) {
    StringWriter said = new StringWriter();
    int code = new CommandLine(new ClusterCli())
        .setExecutionExceptionHandler(CliErrors::report)
        .setOut(new PrintWriter(said)).setErr(new PrintWriter(said)).execute(arguments);
    assertEquals(exitCode, code, said.toString());
    assertTrue(said.toString().indexOf("Exception") < 0, said.toString());
    return said.toString();
  }

  @Test
  void nodesAreNamedAsStatusNamesThem() {
    ClusterCli.NodeConverter converter = new ClusterCli.NodeConverter();
    assertEquals(5, converter.convert("5"));
    assertEquals(5, converter.convert("dn5"));
    for (String other : new String[] {"", "dn", "nn", "-1", "5x", "99999"}) {
      assertThrows(CommandLine.TypeConversionException.class, () -> converter.convert(other));
    }
  }

  @Test
  void saysWhatANodeIsCalled() {
    assertTrue(refusal(2, "kill-node", "five").contains("Not a DataNode: 'five'"));
  }

  @Test
  void saysWhatARateIs() {
    assertTrue(refusal(2, "up", "--rate", "fast").contains("Not a rate: 'fast'; like 200mbit"));
    assertTrue(refusal(2, "rate", "1", "10kbit").contains("below 100kbit"));
  }

  @Test
  void saysThatThereIsNoSuchCluster() {
    assertTrue(refusal(1, "down", "--name", "nosuch").contains(
        "No cluster named 'nosuch' is up here; "));
    assertTrue(refusal(1, "kill-node", "--name", "nosuch", "1").contains("'nosuch'"));
  }

  @Test
  void saysWhichToolsThereAre() {
    assertTrue(refusal(1, "exec", "hdfs").contains("[debug, dfs, dfsadmin, ec, fs, fsck, ppr]"));
  }
}
