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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.wire.RequestFeatures;

/** A cluster of four racks with both plugins and update logs, and a directory that is updatable. */
final class UpdateCluster implements Closeable {
  static final int NODES = 8;
  static final int K = 3;
  static final int CELL = 16 << 10;
  /** Bytes of a unit: three cells. */
  static final int UNIT = 3 * CELL;
  static final int GROUP = K * UNIT;
  static final String POLICY = "RS-3-2-16k";
  static final String DIRECTORY = "/images";
  private static final String[] RACKS =
      {"/a", "/a", "/b", "/b", "/c", "/c", "/d", "/d"};

  /** A key of this class: whether there are two NameNodes. */
  private static final String PAIR = "test.pair";
  /** A key of this class: how many DataNodes there are. */
  static final String WIDTH = "test.width";

  /** A key of this class: whether each DataNode is in a rack of its own. */
  static final String OWN_RACKS = "test.own-racks";

  /** A key of this class: how many of the first DataNodes do not know picked slices. */
  static final String OLDER = "test.older";

  /** The plugin looks for new policies this often, ms; see {@code ClusterWatch}. */
  private static final long LOOK_MS = 1_000;
  /** More than a cycle of the repair manager takes in a test, ms. */
  private static final long CYCLE_MS_MAX = 1_000;

  private final RepairCluster cluster;
  /** When the last policy was added. */
  private Instant addedAt;

  private UpdateCluster(RepairCluster cluster) {
    this.cluster = cluster;
  }

  /** @param settings keys and values of the cluster's configuration */
  static UpdateCluster start(Path directory, String... settings) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    return start(conf, directory, settings);
  }

  /** Starts a cluster with Kerberos, block tokens, and privacy on all wires. */
  static UpdateCluster withPrivacy(Kerberos kerberos, Path directory, String... settings)
      throws IOException {
    Configuration conf = kerberos.configuration("privacy");
    conf.set(CommonConfigurationKeys.HADOOP_RPC_PROTECTION, "privacy");
    // The tickets are those of localhost.
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    Kerberos.logIn(conf);
    return start(conf, directory, settings);
  }

  /** Starts a cluster with two NameNodes, of which the first one is active. */
  static UpdateCluster pair(Path directory, String... settings) throws IOException {
    Configuration conf = new HdfsConfiguration();
    for (String namenode : new String[] {"nn1", "nn2"}) {
      conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".minidfs-ns." + namenode,
          "127.0.0.1:" + FreePort.choose());
    }
    conf.setInt("dfs.ha.tail-edits.period", 1);
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of(PAIR, "true"));
    return start(conf, directory, all.toArray(new String[0]));
  }

  private static UpdateCluster start(Configuration base, Path directory, String... settings)
      throws IOException {
    Configuration conf =
        RepairCluster.configure(base, directory.resolve("mini").toFile());
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    // Lost units stay lost.
    conf.set(PprKeys.REPAIR_DELAY_KEY, "1h");
    conf.setInt(PprKeys.REPAIR_DELAY_SPARE_KEY, 0);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    int nodes = conf.getInt(WIDTH, NODES);
    String[] racks = new String[nodes];
    Configuration[] each = new Configuration[nodes];
    for (int i = 0; i < nodes; i++) {
      racks[i] = conf.getBoolean(OWN_RACKS, false) ? "/r" + i
          : RACKS[i / 2 % (RACKS.length / 2) * 2];
      each[i] = new Configuration(false);
      each[i].set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, directory.resolve("log-" + i).toString());
      if (i < conf.getInt(OLDER, 0)) {
        each[i].setLong(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, RequestFeatures.PICKED);
      }
    }
    boolean isPair = conf.getBoolean(PAIR, false);
    if (isPair) {
      conf.unset(PprKeys.NAMENODE_RPC_ADDRESS_KEY);
    }
    MiniDFSCluster mini = new MiniDFSCluster.Builder(conf).numDataNodes(nodes).racks(racks)
        .nnTopology(isPair ? MiniDFSNNTopology.simpleHATopology()
            : MiniDFSNNTopology.simpleSingleNN(0, 0))
        .dataNodeConfOverlays(each).build();
    mini.waitActive();
    if (isPair) {
      mini.transitionToActive(0);
    }
    RepairCluster running = RepairCluster.of(mini, mini.getFileSystem(0));
    UpdateCluster made = new UpdateCluster(
        RepairCluster.of(mini, FileSystem.newInstance(running.clientConf())));
    boolean isReady = false;
    try {
      made.prepare();
      isReady = true;
      return made;
    } finally {
      if (!isReady) {
        made.close();
      }
    }
  }

  private void prepare() throws IOException {
    cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, 2), CELL)});
    addedAt = Instant.now();
    cluster.directory(DIRECTORY, POLICY);
    awaitInCharge(NODES);
    plugin().setUpdatable(DIRECTORY, true);
  }

  /** Makes an updatable directory with another code, whose blocks have three cells. */
  void directory(String path, String codec, int k, int m) throws IOException {
    cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema(codec, k, m), CELL)});
    addedAt = Instant.now();
    cluster.directory(path, codec.toUpperCase(Locale.ENGLISH) + "-" + k + "-" + m + "-16k");
    plugin().setUpdatable(path, true);
  }

  /**
   * Writes a file into such a directory, and waits until the NameNode knows all of its units: it
   * chooses the holders of logs among the nodes of those that it knows. It also waits for moves of
   * units to other racks, which can come to a short group, and would have a commit begin anew.
   */
  byte[] write(org.apache.hadoop.fs.Path file, int bytes, int k, int m, long seed)
      throws IOException {
    byte[] content = cluster.write(file, bytes, UNIT, seed);
    RepairCluster.await("the NameNode knows all units of " + file, () -> {
      try {
        FSNamesystem namesystem = cluster.mini().getNamesystem();
        return cluster.groups(file).stream().allMatch(group ->
            RepairCluster.holders(group).size() == m + Math.min(k,
                (group.getBlockSize() + CELL - 1) / CELL))
            && namesystem.getLowRedundancyBlocks() == 0
            && namesystem.getPendingReconstructionBlocks() == 0
            && namesystem.getPendingDeletionBlocks() == 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    return content;
  }

  /**
   * Kills a DataNode when the plugin has looked for new policies. Before that look, stock repairs
   * the groups of a new policy, and neither the repair delay nor a pause holds it up.
   */
  MiniDFSCluster.DataNodeProperties kill(DatanodeInfo node) throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      // A status is made at the end of a cycle, and the manager looks at its begin.
      Instant looked = addedAt.plusMillis(LOOK_MS + CYCLE_MS_MAX);
      RepairCluster.await("the plugin looks for new policies", () -> {
        JsonNode made = status().path("made");
        return made.isTextual() && Instant.parse(made.asText()).isAfter(looked);
      });
    }
    return cluster.kill(node);
  }

  /** Commits a file, and waits until that has ended. */
  CommitStatus commit(org.apache.hadoop.fs.Path file) throws IOException {
    AtomicReference<CommitStatus> status =
        new AtomicReference<>(plugin().commit(file.toString(), null));
    RepairCluster.await("the commit of " + file + " ends", () -> {
      try {
        status.set(plugin().commit(file.toString(), status.get().id));
        return status.get().state.isEnd();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    return status.get();
  }

  PluginUpdates pluginOf(UserGroupInformation user) throws IOException {
    return new PluginUpdates(clientConf(), cluster.fs.getUri(), user);
  }

  PluginUpdates plugin() throws IOException {
    return new PluginUpdates(clientConf(), cluster.fs.getUri(),
        UserGroupInformation.getCurrentUser());
  }

  void awaitInCharge(int nodes) {
    if (UserGroupInformation.isSecurityEnabled()) {
      // The web server has no HTTP. Writers wait until DataNodes are known.
      RepairCluster.await("the plugin takes calls", this::takesCalls);
      return;
    }
    RepairCluster.await("the plugin is in charge", () -> {
      JsonNode status = status();
      return status.path("in_charge").asBoolean()
          && status.path("agents").asInt() >= nodes;
    });
  }

  private boolean takesCalls() {
    try {
      plugin().setUpdatable(DIRECTORY, true);
      return true;
    } catch (UpdateRefusedException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode status() {
    try {
      return new ObjectMapper().readTree(
          new URL(cluster.mini().getHttpUri(cluster.active()) + "/ppr/v1/status"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  RepairCluster hdfs() {
    return cluster;
  }

  /** Returns a configuration of a client that updates files, also while no NameNode runs. */
  Configuration clientConf() {
    Configuration conf = new Configuration(cluster.fs.getConf());
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    return conf;
  }

  PprFileSystem client() throws IOException {
    return (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), clientConf());
  }

  PprFileSystem client(UserGroupInformation user) throws Exception {
    return user.doAs((PrivilegedExceptionAction<PprFileSystem>) this::client);
  }

  /** Writes a file of two block groups and a bit, and returns its bytes. */
  byte[] write(String name, long seed) throws IOException {
    return cluster.write(path(name), 2 * GROUP + 12_345, UNIT, seed);
  }

  static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(DIRECTORY, name);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
