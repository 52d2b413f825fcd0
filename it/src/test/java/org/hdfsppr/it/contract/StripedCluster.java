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
package org.hdfsppr.it.contract;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.it.cluster.net.BoundSocketFactory;
import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.Trees;

/**
 * A MiniDFSCluster with the plugin and with as many DataNodes as a group has units. All its files
 * are erasure-coded in cells of 1 KiB, so that the small files of contract tests have several
 * units. Each DataNode has an address of its own, because clients use the same port for repairs on
 * every DataNode.
 */
final class StripedCluster implements Closeable {
  private static final int CELL_BYTES = 1024;
  /** A block group has two stripes. */
  private static final int BLOCK_BYTES = 2 * CELL_BYTES;
  private static final Duration REPORT_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final String ADDRESS = "127.0.251.";
  private static final int PORT_LEAST = 20_000;
  private static final int PORT_MOST = 31_999;
  private static final int PORT_TRIES = 100;

  private final Path base;
  private final MiniDFSCluster cluster;
  final DistributedFileSystem client;
  private final EcCode code;
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  private StripedCluster(Path base, MiniDFSCluster cluster, DistributedFileSystem client,
      EcCode code) {
    this.code = code;
    this.base = base;
    this.cluster = cluster;
    this.client = client;
  }

  /**
   * @param base a folder that no other cluster uses
   */
  static StripedCluster start(Path base, EcCode code, ReadClient reader) throws IOException {
    Trees.delete(base);
    int repairPort = freePort();
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", CELL_BYTES);
    conf.setInt("dfs.bytes-per-checksum", CELL_BYTES / 2);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt("dfs.namenode.replication.max-streams", 0);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 0);
    // No process listens at this address. Without it, DataNodes could reach the manager of another
    // cluster on this machine.
    conf.set("dfs.namenode.ppr.rpc-address", "127.0.0.1:1");
    conf.set("dfs.datanode.plugins", "org.hdfsppr.datanode.PprDataNodePlugin");
    reader.applyTo(conf);
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 1; node <= code.units(); node++) {
      String address = ADDRESS + node;
      Configuration own = new Configuration(false);
      own.set("hadoop.rpc.socket.factory.class.default", BoundSocketFactory.class.getName());
      own.set(BoundSocketFactory.ADDRESS_KEY, address);
      own.set("dfs.datanode.address", address + ":0");
      own.set("dfs.datanode.ipc.address", address + ":0");
      own.set("dfs.datanode.http.address", address + ":0");
      own.set("dfs.datanode.ppr.address", address + ":" + repairPort);
      nodes.add(own);
    }
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, base.toFile())
        .numDataNodes(code.units()).storagesPerDatanode(1).checkDataNodeAddrConfig(true)
        .dataNodeConfOverlays(nodes.toArray(new Configuration[0])).build();
    boolean done = false;
    try {
      cluster.waitActive();
      // Only the client gets this setting. In the cluster's configuration it would override the
      // settings of the DataNodes, and all but one of them would find the port in use.
      Configuration ofClient = new Configuration(conf);
      ofClient.set("dfs.datanode.ppr.address", "0.0.0.0:" + repairPort);
      DistributedFileSystem client = (DistributedFileSystem) FileSystem.newInstance(
          cluster.getURI(), ofClient);
      cover(client, code);
      done = true;
      return new StripedCluster(base, cluster, client, code);
    } finally {
      if (!done) {
        cluster.shutdown(true);
      }
    }
  }

  /**
   * Returns a random port that is lower than the ports that the operating system assigns to
   * sockets. One of the cluster's own sockets could take a port of those.
   */
  private static int freePort() throws IOException {
    for (int i = 0; i < PORT_TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(PORT_LEAST, PORT_MOST + 1);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Another server listens at this port, so the loop tries the next one.
      }
    }
    throw new IOException("No port from " + PORT_LEAST + " to " + PORT_MOST + " is free");
  }

  /** Sets a policy with the code on the root directory. */
  private static void cover(DistributedFileSystem client, EcCode code) throws IOException {
    ECSchema schema = new ECSchema(code.codec, code.dataUnits(), code.parityUnits());
    AddErasureCodingPolicyResponse added = client.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {new ErasureCodingPolicy(schema, CELL_BYTES)})[0];
    if (!added.isSucceed()) {
      throw new IOException("The policy cannot be added: " + added);
    }
    String name = added.getPolicy().getName();
    client.enableErasureCodingPolicy(name);
    client.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/"), name);
  }

  /**
   * Waits until the NameNode reports all units of a file. Some may be missing when the file has
   * just been closed. The method waits only once for each file, because units are lost afterwards.
   */
  void awaitReported(org.apache.hadoop.fs.Path path) throws IOException {
    HdfsFileStatus status = client.getClient().getFileInfo(path.toUri().getPath());
    if (status == null || status.isDirectory()
        || !reported.add(status.getFileId() + " " + status.getLen())) {
      return;
    }
    try {
      Await.until("all units of " + path + " are reported", REPORT_LIMIT, POLL,
          () -> isReported(path));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }

  private boolean isReported(org.apache.hadoop.fs.Path path) throws IOException {
    for (LocatedBlock group : client.getClient()
        .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks()) {
      long cells = (group.getBlockSize() + CELL_BYTES - 1) / CELL_BYTES;
      if (group.getLocations().length
          < Math.min(cells, code.dataUnits()) + code.parityUnits()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Deletes all replicas of the first {@code nodes} DataNodes, as if their disks had failed.
   * Neither the DataNodes nor the NameNode notice it at once.
   *
   * @return how many replicas there were
   */
  int loseDisks(int nodes) throws IOException {
    int lost = 0;
    for (DataNode datanode : cluster.getDataNodes().subList(0, nodes)) {
      Path volume = new File(
          DataNode.getStorageLocations(datanode.getConf()).get(0).getUri()).toPath();
      for (Path replica : replicas(volume)) {
        lost += Files.deleteIfExists(replica) ? 1 : 0;
      }
    }
    return lost;
  }

  private static List<Path> replicas(Path volume) throws IOException {
    return Trees.files(volume, file -> file.toString().contains("/finalized/")
        && file.getFileName().toString().matches("blk_-\\d+"));
  }

  @Override
  public void close() throws IOException {
    try {
      client.close();
    } finally {
      cluster.shutdown(true);
      Trees.delete(base);
    }
  }
}
