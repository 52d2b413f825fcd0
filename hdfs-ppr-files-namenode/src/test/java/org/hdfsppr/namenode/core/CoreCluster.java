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
package org.hdfsppr.namenode.core;

import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.files.FilesNameNodeParts;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.PprClientTranslator;

/** A cluster with both plugins, whose NameNode forms CORE groups at once. */
final class CoreCluster implements Closeable {
  static final int NODES = 10;
  static final int CELL = 16 << 10;
  static final long BLOCK = 2L * CELL;
  static final int K = 3;
  static final int UNITS = 5;
  /** Bytes of file data in a full block group. */
  static final int GROUP = (int) BLOCK * K;
  static final String RS = "RS-3-2-16k";
  static final String CORE = "CORE-T3-3-2-16k";
  private static final int TIMEOUT_MS = 30_000;

  /** The plugin, found by the NameNode in which it runs. */
  public static final class Plugin extends PprNameNodePlugin {
    private static final Map<Object, Plugin> OF =
        Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public synchronized void start(Object daemon) {
      super.start(daemon);
      OF.put(daemon, this);
    }
  }

  private final RepairCluster cluster;
  private final int port;

  private CoreCluster(RepairCluster cluster, int port) {
    this.cluster = cluster;
    this.port = port;
  }

  static CoreCluster start(File directory) throws IOException {
    Configuration conf = configure(directory);
    int port = FreePort.choose();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + port);
    CoreCluster core = new CoreCluster(RepairCluster.start(conf, NODES), port);
    core.addPolicies();
    return core;
  }

  /** Starts two NameNodes, of which the first one is active. */
  static CoreCluster startPair(File directory) throws IOException {
    CoreCluster core = new CoreCluster(RepairCluster.startPair(configure(directory), NODES), 0);
    core.addPolicies();
    return core;
  }

  private static Configuration configure(File directory) {
    Configuration conf = new HdfsConfiguration();
    RepairCluster.configure(conf, directory);
    conf.set("dfs.namenode.plugins", Plugin.class.getName());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, 0);
    conf.setInt("dfs.ls.limit", 2);
    return conf;
  }

  private void addPolicies() throws IOException {
    for (String codec : new String[] {"rs", "core-t3"}) {
      String name = fs().addErasureCodingPolicies(new ErasureCodingPolicy[] {
          new ErasureCodingPolicy(new ECSchema(codec, K, UNITS - K), CELL)})[0].getPolicy()
          .getName();
      fs().enableErasureCodingPolicy(name);
    }
  }

  Path directory(String path, String policy) throws IOException {
    fs().mkdirs(new Path(path));
    fs().setErasureCodingPolicy(new Path(path), policy);
    return new Path(path);
  }

  DistributedFileSystem fs() {
    return cluster.fs;
  }

  MiniDFSCluster mini() {
    return cluster.mini();
  }

  RepairCluster repairs() {
    return cluster;
  }

  byte[] write(String path, int bytes, long seed) throws IOException {
    return cluster.write(new Path(path), bytes, BLOCK, seed);
  }

  ManagerService service() {
    RepairCluster.await("the plugin runs", () -> serviceNow() != null);
    return serviceNow();
  }

  private ManagerService serviceNow() {
    Plugin plugin = Plugin.OF.get(mini().getNameNode(cluster.active()));
    return plugin == null ? null : plugin.service();
  }

  PprClientTranslator client(UserGroupInformation user) throws IOException {
    int active = cluster.active();
    Configuration conf = mini().getConfiguration(active);
    int to = port > 0 ? port : NetUtils.createSocketAddr(conf.get(PprKeys.NAMENODE_RPC_ADDRESS_KEY
        + ".minidfs-ns.nn" + (active + 1))).getPort();
    return PprClientTranslator.of(new InetSocketAddress("127.0.0.1", to), user, conf, TIMEOUT_MS);
  }

  CoreDirectory protect(String path, boolean isRecursive, Integer files) throws IOException {
    awaitEngine();
    OptionalInt wanted = files == null ? OptionalInt.empty() : OptionalInt.of(files);
    CoreDirectory[] made = {null};
    IOException[] failure = {null};
    RepairCluster.await("the NameNode has read its groups", () -> {
      try (PprClientTranslator client = client(UserGroupInformation.getCurrentUser())) {
        made[0] = client.protectDirectory(path, isRecursive, wanted);
      } catch (RetriableException e) {
        // Clients of users ask again as well.
        return false;
      } catch (IOException e) {
        failure[0] = e;
      }
      return true;
    });
    if (failure[0] != null) {
      throw failure[0];
    }
    return made[0];
  }

  CoreDirectory unprotect(String path) throws IOException {
    try (PprClientTranslator client = client(UserGroupInformation.getCurrentUser())) {
      try {
        return client.unprotectDirectory(path);
      } catch (EOFException e) {
        // The connection is one from before a restart of the NameNode.
        return client.unprotectDirectory(path);
      }
    }
  }

  /** Returns the status as a user sees it. */
  CoreStatus status(UserGroupInformation user) throws IOException {
    try (PprClientTranslator client = client(user)) {
      try {
        return client.coreStatus(null);
      } catch (EOFException e) {
        // The connection is one from before a restart of the NameNode.
        return client.coreStatus(null);
      }
    }
  }

  /** Returns what is left below /.hdfs-ppr, as a superuser sees it. */
  Leftovers leftovers() throws IOException {
    try (PprClientTranslator client = client(UserGroupInformation.getCurrentUser())) {
      try {
        return client.leftovers(false);
      } catch (EOFException e) {
        // The connection is one from before a restart of the NameNode.
        return client.leftovers(false);
      }
    }
  }

  private FilesNameNodeParts parts() {
    return (FilesNameNodeParts) service().parts;
  }

  CoreStatus status() {
    return parts().core();
  }

  /** Waits until parity files can be made, by all nodes. */
  void awaitEngine() {
    RepairCluster.await("the engine is active and all nodes take part", () ->
        parts().engine() != null && parts().engine().isActive()
            && service().status().get(StatusNumber.AGENTS) >= mini().getDataNodes().size());
  }

  void awaitGroups(int groups) {
    RepairCluster.await("there are " + groups + " groups: " + describe(), () ->
        status().sum(Number.GROUPS) == groups && status().sum(Number.FORMING) == 0);
  }

  private String describe() {
    StringBuilder text = new StringBuilder(status().why + status().dissolved);
    status().directories.forEach(one -> text.append(one.path).append(one.waiting)
        .append(one.failure));
    return text.toString();
  }

  /** Returns the rows beside a block group of a file; null if it is in no group. */
  CoreRows rows(String path, int index) throws IOException {
    return parts().book().rowsOf(groups(path).get(index).getBlock().getBlockId())
        .orElse(null);
  }

  List<LocatedStripedBlock> groups(String path) throws IOException {
    return cluster.groups(new Path(path));
  }

  /** Returns the only parity file. */
  Path parity() throws IOException {
    List<Path> files = kept();
    if (files.size() != 1) {
      throw new IOException(files + " are not one parity file");
    }
    return files.get(0);
  }

  byte[] content(Path path) throws IOException {
    return DFSTestUtil.readFileAsBytes(fs(), path);
  }

  /** Returns all files that CORE keeps. */
  List<Path> kept() throws IOException {
    List<Path> files = new ArrayList<>();
    Path root = new Path(CoreFolder.ROOT);
    if (fs().exists(root)) {
      RemoteIterator<LocatedFileStatus> all = fs().listFiles(root, true);
      while (all.hasNext()) {
        files.add(all.next().getPath());
      }
    }
    return files;
  }

  /** Returns the nodes of each unit of a block group. */
  Map<Integer, Set<String>> nodes(String path, int index) throws IOException {
    Map<Integer, Set<String>> nodes = new HashMap<>();
    if (index < groups(path).size()) {
      RepairCluster.holders(groups(path).get(index)).forEach((unit, node) ->
          nodes.computeIfAbsent(unit, none -> new HashSet<>()).add(node.getDatanodeUuid()));
    }
    return nodes;
  }

  void restartNameNode() throws IOException {
    mini().restartNameNode(0, true);
    awaitEngine();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
