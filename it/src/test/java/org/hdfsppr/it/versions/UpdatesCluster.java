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
package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.Trees;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** A {@link VersionsCluster} with an updatable directory, whose blocks are small. */
final class UpdatesCluster implements AutoCloseable {
  static final int K = 3;
  static final int CELL = 16 << 10;
  /** The bytes of a unit: three cells. */
  static final int UNIT = 3 * CELL;
  static final int GROUP = K * UNIT;
  static final Path FOLDER = new Path("/images");
  static final Duration LIMIT = Duration.ofMinutes(4);
  static final Duration POLL = Duration.ofMillis(100);
  private static final String POLICY = "RS-3-2-16k";
  /** Five units, one node that is down, and room for what it had. */
  private static final int NODES = 8;
  private static final int RACKS = 4;
  private static final long QUOTA_FILES = 10_000;
  private static final long QUOTA_BYTES = 1L << 40;

  private final VersionsCluster cluster;

  private UpdatesCluster(VersionsCluster cluster) {
    this.cluster = cluster;
  }

  static UpdatesCluster start(String name, boolean ha) throws Exception {
    return start(name, ha, Map.of());
  }

  /** As above, with more settings. */
  static UpdatesCluster start(String name, boolean ha, Map<String, String> more)
      throws Exception {
    return start(name, ha, NODES, more);
  }

  /** As above, with another number of nodes. */
  static UpdatesCluster start(String name, boolean ha, int nodes, Map<String, String> more)
      throws Exception {
    Map<String, String> conf = new HashMap<>(RandomRuns.CONF);
    conf.putAll(more);
    conf.put(PprKeys.NAMENODE_COMMIT_GRACE_KEY, "2000");
    conf.put(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY, "" + PprKeys.DATANODE_UPDATE_LOG_BYTES_DEFAULT);
    UpdatesCluster made =
        new UpdatesCluster(VersionsCluster.start(name, ha, nodes, RACKS, conf));
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

  private void prepare() throws IOException, InterruptedException, TimeoutException {
    cluster.client().addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, 2), CELL)});
    cluster.client().enableErasureCodingPolicy(POLICY);
    cluster.client().mkdirs(FOLDER);
    cluster.client().setErasureCodingPolicy(FOLDER, POLICY);
    cluster.client().setQuota(FOLDER, QUOTA_FILES, QUOTA_BYTES);
    Await.until("the directory is updatable", LIMIT, POLL, () -> {
      try {
        plugin().setUpdatable(FOLDER.toUri().getPath(), true);
        return true;
      } catch (UpdateRefusedException e) {
        System.out.println("UpdatesCluster: " + e.getMessage());
        return false;
      }
    });
  }

  VersionsCluster versions() {
    return cluster;
  }

  HdfsProcessCluster processes() {
    return cluster.processes;
  }

  boolean isPair() {
    return processes().nameNodes().count() > 1;
  }

  /** Returns the configuration of clients that update files. */
  Configuration clientConf() {
    Configuration conf = processes().clientConf();
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    return conf;
  }

  /** Returns a new client that updates files. */
  PprFileSystem client() throws IOException {
    Configuration conf = clientConf();
    return (PprFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  PluginUpdates plugin() throws IOException {
    Configuration conf = clientConf();
    return new PluginUpdates(conf, FileSystem.getDefaultUri(conf),
        UserGroupInformation.getCurrentUser());
  }

  /** Writes a file of two block groups and a bit. */
  UpdatedFile write(String name, long seed)
      throws IOException, InterruptedException, TimeoutException {
    byte[] content = new byte[2 * GROUP + UNIT / 2];
    new Random(seed).nextBytes(content);
    Path path = new Path(FOLDER, name);
    // A DataNode that the NameNode takes for a live one may be dead.
    cluster.heal();
    try (FSDataOutputStream out = cluster.client().create(path, true, 4096, (short) 1, UNIT)) {
      out.write(content);
    }
    return new UpdatedFile(this, path, content);
  }

  /** Asks the active NameNode for the right to write to a block group of a file. */
  List<UnitGrant> tickets(Path file, int group) throws IOException {
    LocatedBlock located = cluster.client().getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).get(group);
    GroupId id = new GroupId(located.getBlock().getBlockPoolId(),
        located.getBlock().getBlockId(), located.getBlock().getGenerationStamp());
    return plugin().tickets(new TicketRequest(file.toUri().getPath(), id, false, Map.of()));
  }

  /** Returns the nodes that hold the log of a unit, of which the first one leads. */
  List<Integer> holders(Path file, int group, int unit)
      throws IOException, InterruptedException, TimeoutException {
    AtomicReference<List<Integer>> holders = new AtomicReference<>();
    Await.until("unit " + unit + " of " + file + " has a log", LIMIT, POLL, () -> {
      try {
        List<UnitGrant> grants = tickets(file, group);
        grants.stream().filter(grant -> grant.unit == unit && grant.ticket().isPresent())
            .forEach(grant -> holders.set(nodes(grant.ticket().get().ticket.holders)));
      } catch (RetriableException | GroupReplacedException e) {
        // Perhaps a commit came since the look at the file.
        return false;
      }
      return holders.get() != null;
    });
    return holders.get();
  }

  private List<Integer> nodes(List<NodeRef> refs) {
    List<Integer> nodes = new ArrayList<>();
    refs.forEach(ref -> nodes.add(processes().nodeAt(ref.ipAddr)));
    return nodes;
  }

  /** Returns how many bytes the update logs of a node have. */
  long logBytes(int node) {
    try {
      long bytes = 0;
      for (java.nio.file.Path file : Trees.files(processes().updateLogDir(node), any -> true)) {
        bytes += file.toFile().length();
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Commits a file, and waits until that has ended. */
  CommitStatus commit(Path file) throws IOException, InterruptedException, TimeoutException {
    AtomicReference<CommitStatus> status =
        new AtomicReference<>(plugin().commit(file.toUri().getPath(), null));
    Await.until(() -> "the commit ends: " + status, LIMIT, POLL, () -> {
      status.set(plugin().commit(file.toUri().getPath(), status.get().id));
      return status.get().state.isEnd();
    });
    return status.get();
  }

  /** Commits a file when the NameNode has all its units back, until which it refuses. */
  void commitAll(Path file) throws IOException, InterruptedException, TimeoutException {
    AtomicReference<CommitStatus> status = new AtomicReference<>();
    Await.until(() -> "all updates are committed: " + status, LIMIT, POLL, () -> {
      try {
        status.set(commit(file));
      } catch (TimeoutException e) {
        throw new IOException(e);
      }
      boolean isRefused = status.get().toString().contains("which repairs bring back first")
          || status.get().toString().contains("a repair brings it back first");
      assertTrue(isRefused || status.get().state != CommitStatus.State.FAILED,
          () -> "" + status);
      return !isRefused;
    });
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
