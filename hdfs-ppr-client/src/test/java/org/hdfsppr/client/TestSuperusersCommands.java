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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands of {@code hdfs ppr} that change a NameNode's state, over the real RPC. */
@Timeout(120)
class TestSuperusersCommands {
  private static final String GROUP = "blk_-9223372036854775792";

  @TempDir
  private File directory;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private Configuration conf(boolean withPlugin) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    if (withPlugin) {
      conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, PprNameNodePlugin.class.getName());
    }
    return conf;
  }

  private int run(Configuration conf, String... args) {
    out = new StringWriter();
    err = new StringWriter();
    return PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(err), args);
  }

  private void assertRefused(int expected, String text, int code) {
    assertEquals(expected, code, out + " " + err);
    assertTrue(err.toString().contains(text), err.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
    assertFalse(err.toString().contains("Exception"), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void aNameNodeIsAsked() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf(true)).numDataNodes(0).build()) {
      Configuration client = cluster.getConfiguration(0);
      assertRefused(1, "There is no doubt about " + GROUP, run(client, "-undoubt", GROUP));
      assertRefused(1, "There is no doubt about blk_-16",
          run(client, "-undoubt", "-9"));
      assertRefused(2, "'file' is no block", run(client, "-undoubt", "file"));
      assertRefused(1, "No DataNode 'dn7' is kept out", run(client, "-readmit", "dn7"));
      assertEquals(1, run(client, "-undoubt", "-json", GROUP), err.toString());
      JsonNode answer = new ObjectMapper().readTree(out.toString());
      assertEquals(GROUP, answer.get("argument").asText());
      assertFalse(answer.get("done").asBoolean());
      assertTrue(answer.get("answers").get(0).get("message").asText()
          .startsWith("There is no doubt about " + GROUP), out.toString());
      assertEquals("", err.toString());
      UserGroupInformation alice =
          UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
      int code = alice.doAs((PrivilegedExceptionAction<Integer>) () ->
          run(client, "-undoubt", GROUP));
      assertRefused(1, "Superuser privilege is required", code);
      // Hadoop's own command returns the exit code of the handler.
      assertEquals(1, new DFSAdmin(client).run(new String[] {"-refresh",
          "localhost:" + cluster.getNameNodePort(), "ppr", "undoubt", GROUP}));
      cluster.getNameNode().stop();
      // The NameNode refuses the connection, or the open connection ends.
      assertRefused(1, "it has not answered: ", run(client, "-undoubt", GROUP));
      assertFalse(err.toString().contains("null"), err.toString());
    }
  }

  /** A pause and its end, as a page of the same NameNode's web server sees them. */
  @Test
  void repairsArePausedAndResumed() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf(true)).numDataNodes(0).build()) {
      Configuration client = cluster.getConfiguration(0);
      client.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
          "127.0.0.1:" + cluster.getNameNode().getHttpAddress().getPort());
      assertRefused(1, "Repairs are neither paused here nor left to stock", run(client, "-resume"));
      UserGroupInformation alice =
          UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
      assertRefused(1, "Superuser privilege is required",
          alice.doAs((PrivilegedExceptionAction<Integer>) () -> run(client, "-pause")));
      assertEquals(0, run(client, "-pause", "-for", "1h30m"), err.toString());
      assertTrue(out.toString().contains("Repairs are paused for 1 h 30 min"), out.toString());
      // The next cycle of the manager publishes it.
      while (!pause(client).path("until").isTextual()) {
        Thread.sleep(50);
      }
      assertEquals(0, run(client, "-pause", "-json"), err.toString());
      JsonNode answer = new ObjectMapper().readTree(out.toString());
      assertTrue(answer.get("argument").isNull(), out.toString());
      assertTrue(answer.get("done").asBoolean(), out.toString());
      while (!pause(client).isObject() || !pause(client).path("until").isNull()) {
        Thread.sleep(50);
      }
      assertEquals(0, run(client, "-resume"), err.toString());
      while (!pause(client).isNull()) {
        Thread.sleep(50);
      }
      assertEquals(0, run(client, "-stock", "-for", "2h"), err.toString());
      assertTrue(out.toString().contains("All repairs are left to stock for 2 h"), out.toString());
      while (!status(client).path("left_to_stock").path("until").isTextual()) {
        Thread.sleep(50);
      }
      assertEquals(0, run(client, "-status"), err.toString());
      assertTrue(out.toString().contains("Left to stock"), out.toString());
      assertEquals(0, run(client, "-resume"), err.toString());
      while (!status(client).path("left_to_stock").isNull()) {
        Thread.sleep(50);
      }
      assertEquals(0, run(client, "-pressure", "urgent"), err.toString());
      assertTrue(out.toString().contains("Repairs press urgent"), out.toString());
      assertEquals(0, run(client, "-pressure"), err.toString());
      assertTrue(out.toString().contains("Repairs press urgent"), out.toString());
      assertRefused(2, "'soft' is no pressure", run(client, "-pressure", "soft"));
      assertEquals(1, run(client, "-prioritize", GROUP), out.toString());
      assertEquals(1, err.toString().lines().count(), err.toString());
      assertTrue(err.toString().contains(GROUP), err.toString());
    }
  }

  /** Returns the pause in the status, null or missing where there is none. */
  private JsonNode pause(Configuration client) throws Exception {
    return status(client).path("pause");
  }

  private JsonNode status(Configuration client) throws Exception {
    assertEquals(0, run(client, "-status", "-json"), out.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void aNameNodeWithoutThePluginSaysSo() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf(false)).numDataNodes(0).build()) {
      assertRefused(1, "hdfs-ppr does not run there",
          run(cluster.getConfiguration(0), "-undoubt", GROUP));
    }
  }

  /** Each NameNode has to forget the doubts that it knows, so the command asks all of them. */
  @Test
  void allNameNodesAreAsked() throws Exception {
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf(true)).numDataNodes(0)
        .nnTopology(MiniDFSNNTopology.simpleHATopology(2)).build()) {
      cluster.waitActive();
      cluster.transitionToActive(0);
      Configuration client = cluster.getConfiguration(0);
      HATestUtil.setFailoverConfigurations(cluster, client);
      assertRefused(1, "nn1: There is no doubt about " + GROUP,
          run(client, "-undoubt", GROUP));
      assertTrue(err.toString().contains("nn2: There is no doubt about"), err.toString());
    }
  }

  @Test
  void whatIsNoHdfsIsSaid() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "file:///");
    assertRefused(1, "which is no HDFS", run(conf, "-undoubt", GROUP));
    assertEquals(1, run(conf, "-readmit", "dn7", "-json"));
    assertTrue(out.toString().startsWith("{\"error\":\"fs.defaultFS is file:///"), out.toString());
    assertEquals("", err.toString());
    assertEquals(2, run(conf, "-undoubt"));
    assertEquals(2, run(conf, "-readmit"));
  }
}
