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
package org.hdfsppr.datanode;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.conf.PprKeys;

/**
 * A MiniDFSCluster whose DataNodes run the plugin, and the steps of repair tests: write, remember,
 * lose, wait, compare.
 */
@InterfaceAudience.Private
public final class RepairCluster implements Closeable {
  private static final long WAIT_SECONDS = 120;
  /** The nameservice of a cluster with two NameNodes, and the NameNodes in their order. */
  private static final String NAMESERVICE = "minidfs-ns";
  private static final List<String> PAIR = List.of("nn1", "nn2");

  private final MiniDFSCluster cluster;
  public final DistributedFileSystem fs;

  private RepairCluster(MiniDFSCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  /** Takes a cluster that runs, and a client of it. */
  public static RepairCluster of(MiniDFSCluster cluster, FileSystem fs) {
    return new RepairCluster(cluster, (DistributedFileSystem) fs);
  }

  /** Returns a configuration with the plugin, in which the NameNode notices losses fast. */
  public static Configuration configuration(File directory) {
    return configure(new HdfsConfiguration(), directory);
  }

  /** Adds to {@code conf} the settings that the tests need. */
  public static Configuration configure(Configuration conf, File directory) {
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getAbsolutePath());
    conf.set("dfs.datanode.plugins", PprDataNodePlugin.class.getName());
    conf.set(PprKeys.DATANODE_ADDRESS_KEY, "127.0.0.1:0");
    // No server listens at this address. Without it, the test might send heartbeats to a manager of
    // another cluster on this machine.
    conf.setIfUnset(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:1");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, 512);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 50);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 50);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    return conf;
  }

  /**
   * Starts {@code nodes} DataNodes. {@code racks[i]} is the rack of node i; without racks, all
   * nodes are in one rack.
   */
  public static RepairCluster start(Configuration conf, int nodes, String... racks)
      throws IOException {
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(nodes)
        .racks(racks.length == 0 ? null : racks).build();
    cluster.waitActive();
    return new RepairCluster(cluster, cluster.getFileSystem());
  }

  /**
   * Starts a cluster with two NameNodes and {@code nodes} DataNodes. The first NameNode is active.
   * The plugin of each NameNode has a port of its own.
   */
  public static RepairCluster startPair(Configuration conf, int nodes) throws IOException {
    conf.unset(PprKeys.NAMENODE_RPC_ADDRESS_KEY);
    for (String namenode : PAIR) {
      conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + "." + NAMESERVICE + "." + namenode,
          "127.0.0.1:" + FreePort.choose());
    }
    conf.setInt("dfs.ha.tail-edits.period", 1);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(nodes)
        .nnTopology(MiniDFSNNTopology.simpleHATopology()).build();
    cluster.waitActive();
    cluster.transitionToActive(0);
    return new RepairCluster(cluster,
        (DistributedFileSystem) FileSystem.newInstance(clientConf(cluster)));
  }

  /** Returns the configuration of a client, which finds the NameNode that is active. */
  public Configuration clientConf() {
    return clientConf(cluster);
  }

  private static Configuration clientConf(MiniDFSCluster cluster) {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    if (cluster.getNumNameNodes() == 1) {
      conf.set(CommonConfigurationKeys.FS_DEFAULT_NAME_KEY, cluster.getURI().toString());
      return conf;
    }
    conf.set(CommonConfigurationKeys.FS_DEFAULT_NAME_KEY, "hdfs://" + NAMESERVICE);
    for (int i = 0; i < PAIR.size(); i++) {
      conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + NAMESERVICE + "." + PAIR.get(i),
          cluster.getNameNode(i).getNameNodeAddressHostPortString());
    }
    conf.set(HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + NAMESERVICE,
        ConfiguredFailoverProxyProvider.class.getName());
    conf.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_MAX_KEY, 1_000);
    return conf;
  }

  /** Returns the index of the NameNode that is active. */
  public int active() {
    for (int i = 0; i < cluster.getNumNameNodes(); i++) {
      if (cluster.getNameNode(i) != null && cluster.getNameNode(i).isActiveState()) {
        return i;
      }
    }
    throw new IllegalStateException("no NameNode is active");
  }

  /** Makes the other NameNode active. */
  public void failOver() throws IOException {
    int before = active();
    cluster.transitionToStandby(before);
    cluster.transitionToActive(1 - before);
  }

  /**
   * Restarts the standby NameNode, and waits until it has left safe mode. A standby that starts
   * reads ended segments of the edit log only, and waits in safe mode for blocks whose deletion it
   * has not read. So this method ends segments meanwhile; the standby asks for that every two
   * minutes only.
   */
  public void restartStandby() throws IOException {
    int active = active();
    int standby = 1 - active;
    cluster.restartNameNode(standby, false);
    await("the standby NameNode is up", () -> {
      try {
        cluster.getNameNode(active).getRpcServer().rollEditLog();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return cluster.isNameNodeUp(standby);
    });
    cluster.waitActive(standby);
  }

  public MiniDFSCluster mini() {
    return cluster;
  }

  /** Makes a directory under {@code policy}. */
  public Path directory(String name, String policy) throws IOException {
    Path path = new Path(name);
    fs.enableErasureCodingPolicy(policy);
    fs.mkdirs(path);
    fs.setErasureCodingPolicy(path, policy);
    return path;
  }

  /** Adds a policy of one of the project's codecs, and makes a directory under it. */
  public Path directory(PprCodec codec, LinearCode code, int cellBytes) throws IOException {
    AddErasureCodingPolicyResponse added = fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(
            new ECSchema(codec.codecName(), code.dataUnits(), code.parityUnits()), cellBytes)})[0];
    if (!added.isSucceed()) {
      throw new IOException(added.toString());
    }
    String name = added.getPolicy().getName();
    return directory("/" + name, name);
  }

  /** Writes a file of random bytes. */
  public byte[] write(Path path, int length, long blockSize, long seed) throws IOException {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    try (OutputStream out = fs.create(path, true, 4096, (short) 1, blockSize)) {
      out.write(data);
    }
    return data;
  }

  /** Returns whether the file has exactly these bytes. */
  public boolean hasContent(Path path, byte[] data) throws IOException {
    byte[] read = new byte[data.length];
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(read);
      return in.read() < 0 && Arrays.equals(read, data);
    }
  }

  /** Returns the block groups of a file as the NameNode knows them now. */
  public List<LocatedStripedBlock> groups(Path path) throws IOException {
    List<LocatedStripedBlock> groups = new ArrayList<>();
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(path.toString(), 0, Long.MAX_VALUE);
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      groups.add((LocatedStripedBlock) block);
    }
    return groups;
  }

  /** Returns the holder of each unit of a group. */
  public static Map<Integer, DatanodeInfo> holders(LocatedStripedBlock group) {
    Map<Integer, DatanodeInfo> holders = new HashMap<>();
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      holders.put((int) group.getBlockIndices()[i], group.getLocations()[i]);
    }
    return holders;
  }

  /** Returns the internal block of a unit. */
  public static ExtendedBlock internalBlock(LocatedStripedBlock group, int unit) {
    ExtendedBlock block = new ExtendedBlock(group.getBlock());
    block.setBlockId(group.getBlock().getBlockId() + unit);
    return block;
  }

  /**
   * Makes a DataNode delete a replica and report this to the NameNode. Returns when the replica is
   * gone. The DataNode deletes it in the background, and counts it as good until then. A repair may
   * have put another one in its place at once.
   */
  public static void drop(DataNode holder, ExtendedBlock block) throws IOException {
    String before = copy(holder, block);
    holder.getFSDataset().invalidate(
        block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
    await("the replica of " + block + " is gone", () -> {
      String now = copy(holder, block);
      return now == null ? !holder.getFSDataset().isValidBlock(block) : !now.equals(before);
    });
  }

  /** Returns where a replica is and when it was written; null if it is not there. */
  private static String copy(DataNode holder, ExtendedBlock block) {
    try {
      String path = holder.getFSDataset().getBlockLocalPathInfo(block).getBlockPath();
      return path + " of " + Files.getLastModifiedTime(Paths.get(path));
    } catch (IOException e) {
      // The DataNode has no replica, or is deleting it.
      return null;
    }
  }

  /** Flips bits of a byte of a unit. The checksums are those of the new bytes, or of the old. */
  public void spoil(LocatedStripedBlock group, int unit, int offset, boolean mended)
      throws IOException {
    ExtendedBlock block = internalBlock(group, unit);
    BlockLocalPathInfo files =
        datanode(holders(group).get(unit)).getFSDataset().getBlockLocalPathInfo(block);
    java.nio.file.Path file = Paths.get(files.getBlockPath());
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset % bytes.length] ^= 0x41;
    Files.write(file, bytes);
    if (!mended) {
      return;
    }
    java.nio.file.Path meta = Paths.get(files.getMetaPath());
    DataChecksum checksum;
    try (FileInputStream in = new FileInputStream(meta.toFile())) {
      checksum = BlockMetadataHeader.readHeader(in).getChecksum();
    }
    byte[] sums = Files.readAllBytes(meta);
    int header = BlockMetadataHeader.getHeaderSize();
    checksum.calculateChunkedSums(ByteBuffer.wrap(bytes),
        ByteBuffer.wrap(sums, header, sums.length - header).slice());
    Files.write(meta, sums);
  }

  /**
   * Reports units of a group as bad, in one call. The NameNode then learns of all of them before it
   * orders a repair, and takes none of them as a source.
   */
  public void report(LocatedStripedBlock group, int... units) throws IOException {
    Map<Integer, DatanodeInfo> holders = holders(group);
    LocatedBlock[] bad = new LocatedBlock[units.length];
    for (int i = 0; i < units.length; i++) {
      bad[i] = new LocatedBlock(internalBlock(group, units[i]),
          new DatanodeInfo[] {holders.get(units[i])});
    }
    fs.getClient().reportBadBlocks(bad);
  }

  /**
   * Waits until the NameNode has nothing to rebuild. On a slow machine it may learn late of a unit
   * that a client has just written, and may have ordered another one.
   */
  public void awaitQuiet() {
    await("the NameNode has nothing to rebuild", () ->
        cluster.getNamesystem().getLowRedundancyBlocks() == 0
            && cluster.getNamesystem().getPendingReconstructionBlocks() == 0);
  }

  /** Returns whether a DataNode that the NameNode knows holds a unit of a file's first group. */
  public boolean holds(Path path, int unit) {
    try {
      LocatedStripedBlock group = groups(path).get(0);
      DatanodeInfo holder = holders(group).get(unit);
      return holder != null && datanode(holder).getFSDataset()
          .isValidBlock(internalBlock(group, unit));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public DataNode datanode(DatanodeInfo info) {
    for (DataNode datanode : cluster.getDataNodes()) {
      if (datanode.getDatanodeUuid().equals(info.getDatanodeUuid())) {
        return datanode;
      }
    }
    throw new IllegalArgumentException(info + " is not running");
  }

  /** Stops a DataNode for good, and waits until the NameNode counts it as dead. */
  public MiniDFSCluster.DataNodeProperties kill(DatanodeInfo info) throws IOException {
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      if (cluster.getDataNodes().get(i).getDatanodeUuid().equals(info.getDatanodeUuid())) {
        MiniDFSCluster.DataNodeProperties properties = cluster.stopDataNode(i);
        cluster.setDataNodeDead(info);
        return properties;
      }
    }
    throw new IllegalArgumentException(info + " is not running");
  }

  /** Waits until every group of the file has {@code units} live units again. */
  public void awaitUnits(Path path, int units) {
    await("all units of " + path + " are back", () -> {
      try {
        for (LocatedStripedBlock group : groups(path)) {
          if (holders(group).size() < units) {
            return false;
          }
        }
        return true;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Waits for a condition, but no longer than a limit. */
  public static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("Not within " + WAIT_SECONDS + " s: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns the sum of a counter of the plugins' metrics over the running DataNodes. */
  public long counter(String name) {
    long sum = 0;
    for (DataNode datanode : cluster.getDataNodes()) {
      MetricsRecordBuilder record =
          MetricsAsserts.getMetrics("PprDataNode-" + datanode.getDisplayName()
              .replace(':', '-'));
      sum += MetricsAsserts.getLongCounterWithoutCheck(name, record);
    }
    return sum;
  }

  /** Returns the sum of a gauge of the plugins' metrics over the running DataNodes. */
  public long gauge(String name) {
    long sum = 0;
    for (DataNode datanode : cluster.getDataNodes()) {
      sum += MetricsAsserts.getIntGauge(name, MetricsAsserts.getMetrics(
          "PprDataNode-" + datanode.getDisplayName().replace(':', '-')));
    }
    return sum;
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
