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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.files.FilesNameNodeParts;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.StatusNumber;

/** A cluster with both plugins, and the steps of tests of versions. */
@InterfaceAudience.Private
final class VersionCluster implements Closeable {
  static final int NODES = 11;
  static final int CELL = 16 << 10;
  static final long BLOCK = 2L * CELL;
  static final int K = 6;
  static final String RS = "RS-6-3-16k";
  static final String XOR = "HITCHHIKER-XOR-6-3-16k";
  static final String NONXOR = "HITCHHIKER-NONXOR-6-3-16k";
  static final String LRC = "LRC-RS-L2-6-4-16k";

  /** The plugin, found by the NameNode in which it runs. */
  public static class Plugin extends PprNameNodePlugin {
    private static final Map<Object, Plugin> OF =
        Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public synchronized void start(Object daemon) {
      super.start(daemon);
      OF.put(daemon, this);
    }
  }

  final RepairCluster cluster;

  private VersionCluster(RepairCluster cluster) {
    this.cluster = cluster;
  }

  static Configuration conf(File directory) throws IOException {
    return configure(new HdfsConfiguration(), directory);
  }

  /** Adds to {@code conf} the settings that the tests need. */
  static Configuration configure(Configuration conf, File directory) throws IOException {
    RepairCluster.configure(conf, directory);
    conf.set("dfs.namenode.plugins", Plugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, 2);
    return conf;
  }

  static VersionCluster start(File directory) throws IOException {
    return start(conf(directory));
  }

  static VersionCluster start(Configuration conf) throws IOException {
    VersionHooks.set(VersionHook.NONE);
    VersionCluster cluster = new VersionCluster(RepairCluster.start(conf, NODES));
    cluster.addPolicies();
    return cluster;
  }

  /** Takes a cluster that runs, with one NameNode. */
  static VersionCluster of(MiniDFSCluster mini) throws IOException {
    mini.waitActive();
    VersionHooks.set(VersionHook.NONE);
    VersionCluster cluster = new VersionCluster(RepairCluster.of(mini, mini.getFileSystem()));
    cluster.addPolicies();
    return cluster;
  }

  /** Starts a cluster with two NameNodes. The first one is active. */
  static VersionCluster startPair(File directory) throws IOException {
    VersionHooks.set(VersionHook.NONE);
    VersionCluster cluster = new VersionCluster(RepairCluster.startPair(conf(directory), NODES));
    cluster.addPolicies();
    return cluster;
  }

  /** Returns the index of the NameNode that is active. */
  int active() {
    return cluster.active();
  }

  /** Makes the other NameNode active. */
  void failOver() throws IOException {
    cluster.failOver();
  }

  private void addPolicies() throws IOException {
    for (String[] one : new String[][] {{"rs", "6", "3"}, {"hitchhiker-xor", "6", "3"},
        {"hitchhiker-nonxor", "6", "3"}, {"lrc-rs-l2", "6", "4"}}) {
      String name = fs().addErasureCodingPolicies(new ErasureCodingPolicy[] {
          new ErasureCodingPolicy(new ECSchema(one[0], Integer.parseInt(one[1]),
              Integer.parseInt(one[2])), CELL)})[0].getPolicy().getName();
      fs().enableErasureCodingPolicy(name);
    }
    fs().mkdirs(new Path("/ec"));
    fs().setErasureCodingPolicy(new Path("/ec"), RS);
  }

  DistributedFileSystem fs() {
    return cluster.fs;
  }

  MiniDFSCluster mini() {
    return cluster.mini();
  }

  /** Returns the engine of the only NameNode, when it is active and all DataNodes take part. */
  VersionEngine engine() {
    return engine(0);
  }

  VersionEngine engine(int namenode) {
    RepairCluster.await("the engine is active and the nodes have reported", () -> {
      VersionEngine engine = engineNow(namenode);
      return engine != null && engine.isActive()
          && service(namenode).status().get(StatusNumber.AGENTS) >= mini().getDataNodes().size();
    });
    return engineNow(namenode);
  }

  private ManagerService service(int namenode) {
    Plugin plugin = Plugin.OF.get(mini().getNameNode(namenode));
    return plugin == null ? null : plugin.service();
  }

  /**
   * Waits until the manager knows the policies. It looks at them once in a second, and stock
   * repairs groups of policies that the manager does not know.
   */
  void awaitPolicies() {
    engine();
    long sinceMs = service(0).status().made.ms;
    RepairCluster.await("the manager has looked at the policies", () ->
        service(0).status().made.ms - sinceMs > 2_000);
  }

  /** Returns how many repairs the manager of the only NameNode has ordered. */
  long repairs() {
    return service(0).metrics.counted(ManagerCounter.REPAIRS_STARTED);
  }

  private VersionEngine engineNow(int namenode) {
    ManagerService service = service(namenode);
    return service == null ? null : ((FilesNameNodeParts) service.parts).engine();
  }

  byte[] write(String path, int bytes, long seed) throws IOException {
    return cluster.write(new Path(path), bytes, BLOCK, seed);
  }

  VersionRequest.Builder request(String path, String policy) throws IOException {
    FileStatus status = fs().getFileStatus(new Path(path));
    return VersionRequest.of("job", path,
        ((HdfsFileStatus) status).getFileId())
        .user(System.getProperty("user.name")).policy(policy);
  }

  /** Ends the thread of a version as a crash does: nothing runs after it. */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Begins to convert a file to {@link #XOR}, and ends the version's thread as a crash does.
   *
   * @param wanted where the thread ends
   * @param time how often the thread has to come there, until it ends
   */
  void haltAt(VersionPoint wanted, int time, String path) throws Exception {
    AtomicInteger times = new AtomicInteger();
    VersionHooks.set((point, of) -> {
      // All later points belong to a dead worker, or to the janitor of the next one.
      if (of.equals(path) && point == wanted && times.incrementAndGet() == time) {
        throw new Halt();
      }
    });
    engine(active()).submit(request(path, XOR).build()).orElseThrow();
    RepairCluster.await("the version reaches " + wanted, () -> times.get() >= time);
    VersionHooks.set(VersionHook.NONE);
  }

  VersionOutcome make(VersionRequest request) throws Exception {
    return make(0, request);
  }

  VersionOutcome make(int namenode, VersionRequest request) throws Exception {
    return engine(namenode).submit(request).orElseThrow().get(120, TimeUnit.SECONDS);
  }

  VersionOutcome make(String path, String policy) throws Exception {
    return make(request(path, policy).build());
  }

  /** Returns what the only NameNode knows of a file. */
  TargetFile target(String path) throws IOException {
    return new NamespaceAccess(mini().getNamesystem(), mini().getConfiguration(0),
        VersionHook.NONE).file(path, request(path, XOR).build().inodeId,
        System.getProperty("user.name")).orElseThrow();
  }

  /** Converts a file to {@link #XOR} at the NameNode that is active. */
  VersionOutcome makeAtActive(String path) throws Exception {
    return make(active(), request(path, XOR).build());
  }

  String policyOf(String path) throws IOException {
    return fs().getErasureCodingPolicy(new Path(path)).getName();
  }

  /** Compares the content, and the content with a unit of every group gone. */
  void assertContent(String path, byte[] data) throws IOException {
    assertTrue(cluster.hasContent(new Path(path), data), path + " has its content");
  }

  /** Returns the directories of all versions. */
  List<String> left() throws IOException {
    List<String> paths = new ArrayList<>();
    for (VersionHome home : VersionHome.values()) {
      Path root = new Path(home.root);
      Path pattern = new Path(root, home.isSharded ? "*/*" : "*");
      for (FileStatus one : fs().exists(root) ? fs().globStatus(pattern) : new FileStatus[0]) {
        paths.add(one.getPath().toUri().getPath());
      }
    }
    return paths;
  }

  /** Waits until no version is left, and no replica that the NameNode does not know. */
  void awaitNothingLeft() throws IOException {
    RepairCluster.await("no version is left", () -> {
      try {
        return left().isEmpty();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /**
   * Waits until the DataNodes have exactly as many replicas as these files have units. A NameNode
   * that has just started takes no offence at replicas without a file in a node's first full block
   * report. Stock has them deleted after the next one, which comes hours later in production.
   */
  void awaitReplicas(int units) {
    try {
      mini().triggerBlockReports();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      RepairCluster.await("there are " + units + " replicas", () -> replicas() == units);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ", but " + replicas(), e);
    }
  }

  int replicas() {
    String pool = mini().getNamesystem(0).getBlockPoolId();
    int count = 0;
    for (DataNode node : mini().getDataNodes()) {
      FsDatasetSpi<?> data = node.getFSDataset();
      Map<DatanodeStorage, BlockListAsLongs> reports =
          data.getBlockReports(pool);
      for (BlockListAsLongs report : reports.values()) {
        count += report.getNumberOfBlocks();
      }
    }
    return count;
  }

  void restartNameNode() throws IOException {
    mini().restartNameNode(0, true);
  }

  /** Restarts the standby NameNode, and waits until it is up. */
  void restartStandby() throws IOException {
    cluster.restartStandby();
  }

  /**
   * Restarts the NameNode, and waits until DataNodes have reported all units of a file that it has
   * known of.
   */
  void restartNameNode(String path) throws IOException {
    int units = units(path);
    restartNameNode();
    awaitUnits(path, units);
  }

  /**
   * Waits until DataNodes have reported as many units of a file. A NameNode that starts leaves safe
   * mode when there are enough to read the file, and a stock client cannot decode all codes.
   */
  void awaitUnits(String path, int units) {
    RepairCluster.await(units + " units of " + path + " are reported", () -> {
      try {
        // The last units of a file that was just written may not have been reported before.
        return units(path) >= units;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private int units(String path) throws IOException {
    return cluster.groups(new Path(path)).stream()
        .mapToInt(group -> RepairCluster.holders(group).size()).sum();
  }

  @Override
  public void close() {
    VersionHooks.set(VersionHook.NONE);
    cluster.close();
  }
}
