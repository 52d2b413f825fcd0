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
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user sees it: what it prints, and its exit codes. */
class TestVerifyCommand {
  private static final int FILE_BYTES = 3 << 20;

  private StringWriter out;
  private StringWriter err;

  private int run(Configuration conf, String... args) {
    out = new StringWriter();
    err = new StringWriter();
    return PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(err), args);
  }

  private void assertSentence(int expected, String text, int code) {
    assertEquals(expected, code, out + " " + err);
    assertTrue(err.toString().contains(text), err.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
    assertFalse(err.toString().contains("Exception"), err.toString());
  }

  @Test
  void filesAreVerified(@TempDir File directory) throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    // The NameNode repairs nothing meanwhile.
    conf.setInt("dfs.namenode.replication.max-streams", 0);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 0);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    try (RepairCluster cluster = RepairCluster.start(conf, 5)) {
      conf.set("fs.defaultFS", cluster.fs.getUri().toString());
      Path files = cluster.directory("/ec", "RS-3-2-1024k");
      for (int i = 0; i < 4; i++) {
        Path file = new Path(files, "f" + i);
        cluster.write(file, FILE_BYTES, 1 << 20, i);
        cluster.awaitUnits(file, 5);
      }
      cluster.fs.mkdirs(new Path("/replicated"));
      cluster.write(new Path("/replicated/f"), 1000, 1 << 20, 9);
      healthy(conf);
      sampled(conf);
      withoutPermission(cluster, conf);
      contradiction(cluster, conf, new Path(files, "f2"));
      cluster.fs.setPermission(new Path("/ec"), new FsPermission("755"));
      doubt(conf, cluster.groups(new Path(files, "f2")).get(0).getBlock().getBlockName());
    }
  }

  private void healthy(Configuration conf) {
    assertEquals(0, run(conf, "-verify", "/ec", "/replicated"), out + " " + err);
    assertTrue(out.toString().contains("4 block groups: 4 agree, 0 contradict"), out.toString());
    assertTrue(out.toString().contains("1 file is not erasure-coded"), out.toString());
    assertEquals("", err.toString());
    assertEquals(0, run(conf, "-verify", "/ec/f1", "-all-relations", "-parallel", "1"));
    assertTrue(out.toString().contains("1 block group: 1 agrees, 0 contradict"), out.toString());
    assertSentence(1, "/nowhere", run(conf, "-verify", "/nowhere"));
  }

  private void sampled(Configuration conf) throws IOException {
    assertEquals(0, run(conf, "-verify", "/ec", "-sample", "2", "-seed", "7", "-json"));
    JsonNode summary = new ObjectMapper().readTree(out.toString());
    assertEquals(2, summary.get("groups").asInt(), out.toString());
    assertEquals(4, summary.get("groups_found").asInt());
    assertEquals(7, summary.get("seed").asInt());
    assertTrue(summary.get("fine").asBoolean());
    assertEquals(2 * 5 << 20, summary.get("unit_bytes").asLong());
    assertEquals(0, run(conf, "-verify", "/ec", "-sample", "3"));
    assertTrue(out.toString().contains("A sample of 3 of 4 block groups; -seed "), out.toString());
  }

  private void withoutPermission(RepairCluster cluster, Configuration conf) throws Exception {
    cluster.fs.setPermission(new Path("/ec/f0"), new FsPermission("600"));
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    int code = alice.doAs((PrivilegedExceptionAction<Integer>) () -> run(conf, "-verify", "/ec"));
    assertEquals(1, code, out.toString());
    assertTrue(out.toString().contains("/ec/f0: block group blk_-"), out.toString());
    assertTrue(out.toString().contains("NOT CHECKED: Permission denied"),
        out.toString());
    assertTrue(out.toString().contains("4 block groups: 3 agree"), out.toString());
    cluster.fs.setPermission(new Path("/ec"), new FsPermission("700"));
    code = alice.doAs((PrivilegedExceptionAction<Integer>) () -> run(conf, "-verify", "/ec"));
    assertSentence(1, "Permission denied", code);
    code = alice.doAs((PrivilegedExceptionAction<Integer>) () -> run(conf, "-verify", "/"));
    assertSentence(1, "/ec could not be listed: Permission denied", code);
    assertTrue(out.toString().contains("1 directory could not be listed"), out.toString());
  }

  private void contradiction(RepairCluster cluster, Configuration conf, Path file)
      throws IOException {
    LocatedStripedBlock group = cluster.groups(file).get(0);
    BlockLocalPathInfo replica =
        cluster.datanode(RepairCluster.holders(group).get(1)).getFSDataset()
            .getBlockLocalPathInfo(RepairCluster.internalBlock(group, 1));
    // The unit gets the bytes and the checksums of another unit.
    BlockLocalPathInfo other =
        cluster.datanode(RepairCluster.holders(group).get(0)).getFSDataset()
            .getBlockLocalPathInfo(RepairCluster.internalBlock(group, 0));
    Files.write(Paths.get(replica.getBlockPath()),
        Files.readAllBytes(Paths.get(other.getBlockPath())));
    Files.write(Paths.get(replica.getMetaPath()),
        Files.readAllBytes(Paths.get(other.getMetaPath())));
    String block = RepairCluster.internalBlock(group, 1).getBlockName();
    assertEquals(1, run(conf, "-verify", "/ec"));
    assertTrue(out.toString().contains("/ec/f2: block group " + group.getBlock().getBlockName()
        + ": CONTRADICTION: its units contradict each other: unit 1 (" + block + " on "),
        out.toString());
    assertTrue(out.toString().contains("move its files " + block), out.toString());
    assertTrue(out.toString().contains("3 agree, 1 contradict"), out.toString());
    assertEquals(1, run(conf, "-verify", "/ec", "-json"));
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertEquals(2, lines.size(), out.toString());
    JsonNode finding = new ObjectMapper().readTree(lines.get(0));
    assertEquals("contradiction", finding.get("result").asText());
    assertEquals(1, finding.get("wrong_unit").asInt());
    assertEquals("/ec/f2", finding.get("file").asText());
    assertEquals(block, finding.get("suspects").get(0).get("block").asText());
    assertFalse(new ObjectMapper().readTree(lines.get(1)).get("fine").asBoolean());
  }

  private void doubt(Configuration conf, String group) throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    int code = alice.doAs((PrivilegedExceptionAction<Integer>) () ->
        run(conf, "-verify", "/ec/f2", "-doubt"));
    assertSentence(1, "Superuser privilege is required", code);
    assertEquals(1, run(conf, "-verify", "/ec/f2", "-doubt"));
    assertTrue(out.toString().contains(": " + group + " is doubted: every byte of its repairs"),
        out + " " + err);
    assertEquals(1, run(conf, "-verify", "/ec/f2", "-doubt", "-json"));
    JsonNode finding = new ObjectMapper().readTree(out.toString().lines().findFirst().get());
    assertTrue(finding.get("doubted").asBoolean(), out.toString());
    assertEquals("", err.toString());
    assertEquals(0, run(conf, "-undoubt", group), err.toString());
    assertEquals(1, run(conf, "-undoubt", group), "there is no doubt any more");
  }

  @Test
  void whatIsNotUnderstoodIsASentence() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "file:///");
    assertSentence(2, "is no HDFS", run(conf, "-verify", "/f"));
    assertSentence(2, "a command of its own", run(conf, "-verify", "hdfs://a/f", "hdfs://b/f"));
    assertSentence(2, "PATH", run(conf, "-verify"));
    assertSentence(2, "-sample must be", run(conf, "-verify", "/f", "-sample", "0"));
    assertSentence(2, "-seed", run(conf, "-verify", "/f", "-seed", "1"));
    assertSentence(2, "-parallel must be", run(conf, "-verify", "/f", "-parallel", "33"));
    assertEquals(0, run(conf, "-verify", "-help"));
    assertTrue(out.toString().contains("Example: hdfs ppr -verify"), out.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.setInt("ipc.client.connect.max.retries", 0);
    assertSentence(1, "Connection refused", run(conf, "-verify", "/f"));
  }
}
