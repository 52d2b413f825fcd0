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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how a path becomes block groups, on a cluster of RS-3-2 whose files have 22 groups. The
 * documents are the test's.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestFileGroups {
  private static final int GROUPS = 22;
  private static final int CELL = 1 << 16;
  private static final Path FILE = new Path("/dir/file");

  @TempDir
  private static File directory;

  private MiniDFSCluster cluster;
  private DistributedFileSystem fileSystem;
  private CannedNameNode pages;
  private Configuration conf;

  @BeforeAll
  void start() throws Exception {
    Configuration settings = new HdfsConfiguration();
    settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
    settings.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, CELL);
    settings.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, CELL);
    // Groups stay as they are for the whole test.
    settings.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    settings.setInt("dfs.namenode.replication.max-streams-hard-limit", 0);
    cluster = new MiniDFSCluster.Builder(settings).numDataNodes(5).build();
    cluster.waitActive();
    fileSystem = cluster.getFileSystem();
    String policy = fileSystem.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", 3, 2), CELL)})[0].getPolicy().getName();
    fileSystem.enableErasureCodingPolicy(policy);
    fileSystem.mkdirs(FILE.getParent());
    fileSystem.setErasureCodingPolicy(FILE.getParent(), policy);
    DFSTestUtil.createFile(fileSystem, FILE, (long) GROUPS * 3 * CELL, (short) 1, 1);
    // Has one cell, so that two of its three data units do not exist.
    DFSTestUtil.createFile(fileSystem, new Path("/dir/short"), 1000, (short) 1, 1);
    DFSTestUtil.createFile(fileSystem, new Path("/copied"), 1000, (short) 1, 1);
    pages = new CannedNameNode().withAll();
    conf = new Configuration(cluster.getConfiguration(0));
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:" + pages.port());
  }

  @AfterAll
  void stop() {
    pages.close();
    cluster.shutdown();
  }

  private String group(Path file, int index) {
    try {
      LocatedStripedBlock group = (LocatedStripedBlock) fileSystem.getClient()
          .getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE).get(index);
      return "blk_" + group.getBlock().getBlockId();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void doubts(List<String> groups) {
    pages.json("/ppr/v1/doubts", groups.stream().map(group -> "{\"group\":\"" + group + "\"}")
        .collect(Collectors.joining(",", "{\"doubts\":[", "]}")));
  }

  private void explained(Path file, int groups) throws IOException {
    for (int i = 0; i < groups; i++) {
      String group = group(file, i);
      pages.json("/ppr/v1/explain/" + group, "{\"group\":\"" + group + "\",\"state\":\"whole\"}");
    }
  }

  private static void refused(ToolRun tool, String words, String... args) {
    assertEquals(1, tool.run(args), tool.out());
    assertEquals("", tool.out());
    assertEquals(1, tool.err().lines().count(), tool.err());
    assertTrue(tool.err().contains(words), tool.err());
    assertFalse(tool.err().contains("Exception"), tool.err());
  }

  @Test
  void aFilesGroupsAreExplained() throws IOException {
    explained(FILE, GROUPS);
    explained(new Path("/dir/short"), 1);
    doubts(List.of());
    ToolRun tool = new ToolRun(conf);
    assertEquals(0, tool.run("-explain", "/dir/file"), tool.err());
    assertEquals("'/dir/file' has 22 block groups: 22 are whole, 0 lack units\n", tool.out());
    assertEquals(0, tool.run("-explain", "-json", "/dir/file"), tool.err());
    assertEquals("{\"groups\":22,\"groups_whole\":22,\"groups_left_out\":0}\n", tool.out());
    assertEquals(0, tool.run("-explain", "/dir/short"), tool.err());
    assertEquals("'/dir/short' has 1 block group: 1 is whole, 0 lack units\n", tool.out());
    doubts(IntStream.range(0, GROUPS).mapToObj(i -> group(FILE, i)).collect(Collectors.toList()));
    try {
      assertEquals(0, tool.run("-explain", "/dir/file"), tool.err());
      assertEquals(41, tool.out().lines().count(), tool.out());
      assertTrue(tool.out().startsWith(group(FILE, 0) + ": whole\n\n" + group(FILE, 1)
          + ": whole\n"), tool.out());
      assertTrue(tool.out().endsWith("'/dir/file' has 22 block groups: 0 are whole, 0 lack units,"
          + " 22 are doubted; 2 more are not shown\n"), tool.out());
    } finally {
      pages.withAll();
    }
    refused(tool, "'/dir/file' has no block group that lacks units", "-prioritize", "/dir/file");
  }

  @Test
  void otherPathsAreRefused() throws Exception {
    ToolRun tool = new ToolRun(conf);
    for (String command : List.of("-explain", "-prioritize")) {
      refused(tool, "There is no file '/none'", command, "/none");
      refused(tool, "is a directory", command, "/dir");
      refused(tool, "'/copied' is not erasure-coded", command, "/copied");
      assertEquals(2, tool.run(command, "file:///tmp/x"));
      assertTrue(tool.err().contains("which is no HDFS"), tool.err());
    }
    fileSystem.setPermission(new Path("/copied"), new FsPermission((short) 0600));
    fileSystem.setPermission(FILE.getParent(), new FsPermission((short) 0700));
    try {
      UserGroupInformation alice =
          UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
      alice.doAs((PrivilegedExceptionAction<Void>) () -> {
        refused(tool, "Permission denied: user=alice", "-explain", "/dir/file");
        return null;
      });
    } finally {
      fileSystem.setPermission(FILE.getParent(), new FsPermission((short) 0755));
    }
  }

  /** A group that has lost a unit comes before the others. */
  @Test
  void groupsThatLackUnitsComeFirst() throws Exception {
    Path file = new Path("/dir/lacking");
    DFSTestUtil.createFile(fileSystem, file, 2L * 3 * CELL, (short) 1, 2);
    explained(file, 2);
    doubts(List.of());
    assertEquals(List.of(), FileGroups.of(conf, file.toString()).lacking);
    String first = group(file, 0);
    String second = group(file, 1);
    LocatedStripedBlock group = (LocatedStripedBlock) fileSystem.getClient()
        .getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE).get(1);
    RepairCluster.drop(cluster.getDataNode(RepairCluster.holders(group).get(4).getIpcPort()),
        RepairCluster.internalBlock(group, 4));
    cluster.triggerBlockReports();
    FileGroups groups = FileGroups.of(conf, file.toString());
    // The NameNode may work on a report a little later.
    while (groups.lacking.isEmpty()) {
      Thread.sleep(20);
      groups = FileGroups.of(conf, file.toString());
    }
    assertEquals(List.of(second), groups.lacking);
    assertEquals(List.of(first), groups.whole);
    ToolRun tool = new ToolRun(conf);
    assertEquals(0, tool.run("-explain", file.toString()), tool.err());
    assertEquals(second + ": whole\n\n'" + file + "' has 2 block groups: 1 is whole, 1 lacks"
        + " units\n", tool.out());
    // This NameNode has no plugin, and its RPC says so: the group was sent to it.
    assertEquals(1, tool.run("-prioritize", "-json", file.toString()), tool.out());
    assertTrue(tool.out().contains("\"argument\":\"" + second + "\""), tool.out());
    assertEquals(1, tool.out().lines().count(), tool.out());
  }
}
