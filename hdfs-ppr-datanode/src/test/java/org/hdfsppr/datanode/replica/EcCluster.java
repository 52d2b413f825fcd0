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
package org.hdfsppr.datanode.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.datanode.RepairCluster;

/** A MiniDFSCluster with files in RS-3-2-1024k, and ways to lose blocks of them. */
public final class EcCluster implements Closeable {
  /** One node more than a group needs. */
  public static final int DATA_NODES = 6;
  public static final ErasureCodingPolicy POLICY = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_3_2_POLICY_ID);
  /** Well beyond the minute after which several of Hadoop's own waits give up. */
  public static final int WAIT_MS = 150_000;

  public final MiniDFSCluster cluster;
  public final DistributedFileSystem fs;

  public EcCluster(Path dir, Configuration conf) throws IOException {
    // The web server unpacks into this directory; the build names it, and the tests create it.
    Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    cluster = new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(DATA_NODES).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(POLICY.getName());
    fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/"), POLICY.getName());
  }

  public static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setLong("dfs.blocksize", 4L << 20);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 5);
    return conf;
  }

  /** Writes a file of one block group and waits until the NameNode knows all of its blocks. */
  public LocatedStripedBlock write(String name, byte[] bytes) throws Exception {
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(name))) {
      out.write(bytes);
    }
    int cells = (bytes.length - 1) / POLICY.getCellSize() + 1;
    awaitLive(name, Math.min(cells, POLICY.getNumDataUnits()) + POLICY.getNumParityUnits());
    return group(name);
  }

  public LocatedStripedBlock group(String name) throws IOException {
    return (LocatedStripedBlock)
        DFSTestUtil.getAllBlocks(fs, new org.apache.hadoop.fs.Path(name)).get(0);
  }

  public static ExtendedBlock unit(LocatedStripedBlock group, int index) {
    return StripedBlockUtil.constructInternalBlock(group.getBlock(), POLICY, index);
  }

  /** The DataNode that has block {@code index}. */
  public DataNode holder(LocatedStripedBlock group, int index) {
    for (int i = 0; i < group.getLocations().length; i++) {
      if (group.getBlockIndices()[i] == index) {
        return dataNode(group.getLocations()[i]);
      }
    }
    throw new AssertionError("No node has block " + index + " of " + group);
  }

  public DataNode dataNode(DatanodeInfo info) {
    return cluster.getDataNode(info.getIpcPort());
  }

  /** A DataNode without a block of the group. */
  public DataNode spare(LocatedStripedBlock group) {
    for (DataNode dn : cluster.getDataNodes()) {
      boolean has = false;
      for (DatanodeInfo location : group.getLocations()) {
        has |= location.getDatanodeUuid().equals(dn.getDatanodeUuid());
      }
      if (!has) {
        return dn;
      }
    }
    throw new AssertionError("All have a block of " + group);
  }

  /** Deletes the replica of block {@code index}; the NameNode learns of that soon. */
  public void lose(LocatedStripedBlock group, int index) throws IOException {
    RepairCluster.drop(holder(group, index), unit(group, index));
  }

  /** Waits until the NameNode names {@code count} replicas and all of them are there. */
  public void awaitLive(String name, int count) throws Exception {
    GenericTestUtils.waitFor(() -> {
      try {
        LocatedStripedBlock group = group(name);
        return group.getLocations().length == count && allThere(group);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }, 100, WAIT_MS);
  }

  /** Looks for the replicas themselves: the NameNode may still count a replica that is lost. */
  private boolean allThere(LocatedStripedBlock group) {
    for (int i = 0; i < group.getLocations().length; i++) {
      if (!dataNode(group.getLocations()[i]).getFSDataset().isValidBlock(
          unit(group, group.getBlockIndices()[i]))) {
        return false;
      }
    }
    return true;
  }

  public void assertReads(String name, byte[] expected) throws IOException {
    byte[] got = new byte[expected.length];
    try (org.apache.hadoop.fs.FSDataInputStream in =
        fs.open(new org.apache.hadoop.fs.Path(name))) {
      IOUtils.readFully(in, got, 0, got.length);
    }
    assertArrayEquals(expected, got);
  }

  /** Returns the output of {@code hdfs fsck} on the whole file system. */
  public String fsck() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream print = new PrintStream(out, true, "UTF-8")) {
      ToolRunner.run(new DFSck(fs.getConf(), print), new String[] {"/", "-files", "-blocks"});
    }
    return out.toString(StandardCharsets.UTF_8.name());
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
