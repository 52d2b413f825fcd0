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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.util.ItPaths;

/**
 * An HDFS of real processes on one machine. It has DataNodes and either one NameNode or two
 * NameNodes that share JournalNodes. Each DataNode has its own address and, in namespaces, its own
 * shaped link. Nodes are numbered from 1.
 *
 * <p>The processes outlive this object, until {@link #close}. {@link #open} finds them by name.
 */
@InterfaceAudience.Private
public final class HdfsProcessCluster implements AutoCloseable {
  /** The most places for clients; see {@link #createClientPlace}. */
  public static final int CLIENT_PLACES_MAX = Network.CLIENT_PLACES_MAX;
  private static final Duration UP_LIMIT = Duration.ofMinutes(4);
  private ClusterHome home;
  private Network network;
  /** A shutdown hook sets this field, while another thread may still be starting daemons. */
  private volatile boolean goingDown;
  private HdfsProcessCluster(ClusterHome home) {
    this.home = home;
    this.network = home.network();
  }

  /**
   * Reserves a name and a net for a new cluster, which {@link #up} then builds.
   *
   * @param spec the cluster's specification
   * @return the cluster
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static HdfsProcessCluster create(ClusterSpec spec) throws IOException {
    ClusterJars.requireBuilt(spec);
    if (spec.network == NetworkKind.NAMESPACES) {
      List<String> missing = NamespaceNetwork.missing();
      if (!missing.isEmpty()) {
        throw new IOException("Shaped links in network namespaces want " + missing
            + ", missing here. Without shaping it works as anyone: --network loopback");
      }
    }
    return new HdfsProcessCluster(ClusterHome.claim(ItPaths.runDir(), spec));
  }

  /**
   * {@return the cluster of this name, running or not; empty if no cluster has the name}
   *
   * @param name the cluster's name
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static Optional<HdfsProcessCluster> open(String name) throws IOException {
    return ClusterHome.find(ItPaths.runDir(), name).map(HdfsProcessCluster::new);
  }

  /**
   * {@return the names of all clusters that were not taken down}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (ClusterHome known : ClusterHome.all(ItPaths.runDir())) {
      names.add(known.spec.name);
    }
    return names;
  }

  /** {@return the cluster's specification} */
  public ClusterSpec spec() {
    return home.spec;
  }

  /** {@return the folder that holds this cluster's files} */
  public Path dir() {
    return home.dir;
  }

  /**
   * Builds the network, formats the NameNode, starts all daemons and waits until all are live.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void up() throws IOException, InterruptedException, TimeoutException {
    network.create();
    startAll(true);
  }

  /**
   * Deletes all data and starts all daemons again, with other settings and the same network.
   *
   * @param newSpec may differ in plugins, conf and Hadoop version only.
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void restartEmpty(ClusterSpec newSpec)
      throws IOException, InterruptedException, TimeoutException {
    use(newSpec);
    killAll();
    home.wipeData();
    startAll(true);
  }

  /**
   * Ends all daemons and keeps a copy of their data. The next call must be {@link #restartSaved} or
   * {@link #down}.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void save() throws IOException, InterruptedException, TimeoutException {
    killAll();
    home.saveData();
  }

  /**
   * Starts all daemons with other settings and with the data that {@link #save} has copied. Changes
   * since the save are lost. Returns when all nodes are live and the NameNode has left safe mode.
   *
   * @param newSpec may differ in plugins, conf and Hadoop version only.
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void restartSaved(ClusterSpec newSpec)
      throws IOException, InterruptedException, TimeoutException {
    use(newSpec);
    killAll();
    home.restoreData();
    startAll(false);
    state().awaitReported(UP_LIMIT);
    for (int number = 1; number <= nameNodes().count(); number++) {
      try (DistributedFileSystem client = clientOf(number)) {
        client.setSafeMode(SafeModeAction.LEAVE);
      }
    }
    // Without the threshold of startAll(false), a restarted NameNode leaves safe mode by itself.
    nameNodes().writeConf(Map.of());
  }

  /**
   * Gives another spec of the same network to all processes that start from now on.
   *
   * @param newSpec the spec
   * @throws IOException if the spec cannot be saved
   */
  public void use(ClusterSpec newSpec) throws IOException {
    requireSameNetwork(newSpec);
    home = home.with(newSpec);
    network = home.network();
  }

  private void requireSameNetwork(ClusterSpec newSpec) {
    if (newSpec.nodes != spec().nodes || newSpec.racks != spec().racks
        || newSpec.network != spec().network || newSpec.ha != spec().ha
        || !newSpec.rate.equals(spec().rate)
        || !newSpec.crossRackRate.equals(spec().crossRackRate)) {
      throw new IllegalArgumentException("the network of a cluster stays as it was built");
    }
  }

  private void startAll(boolean empty)
      throws IOException, InterruptedException, TimeoutException {
    writeClusterFiles();
    Masters nameNodes = nameNodes();
    requireNotGoingDown();
    nameNodes.startJournalNodes();
    if (empty) {
      nameNodes.format();
    } else {
      // Safe mode must last until all nodes have reported all replicas. A NameNode that leaves safe
      // mode earlier orders repairs of replicas that are not lost but only unreported.
      nameNodes.writeConf(Map.of("dfs.namenode.safemode.threshold-pct", "1.5"));
    }
    for (int number = 1; number <= nameNodes.count(); number++) {
      requireNotGoingDown();
      nameNodes.start(number);
    }
    for (int number = 1; number <= nameNodes.count(); number++) {
      nameNodes.awaitAnswers(number);
    }
    if (nameNodes.count() > 1) {
      nameNodes.activate(1);
    }
    for (int node = 1; node <= spec().nodes; node++) {
      start(node);
    }
    state().awaitLive(spec().nodes, UP_LIMIT);
  }

  private void writeClusterFiles() throws IOException {
    DaemonFiles.writeWebapps(home.dir.resolve("web"));
    Files.createDirectories(home.temporary());
    jars().copy();
    List<String> table = new ArrayList<>();
    for (int node = 1; node <= spec().nodes; node++) {
      table.add(network.nodeAddress(node) + " /rack" + spec().rackOf(node));
    }
    Files.write(home.dir.resolve("racks"), table);
    Files.writeString(settings().excludeFile(), "");
    nameNodes().writeConf(Map.of());
    DaemonFiles.writeConf(clientConfDir(), settings().core(), settings().common(),
        home.dir.resolve("client/client.log"));
  }

  private ClusterJars jars() {
    return new ClusterJars(spec(), home.dir);
  }

  /**
   * {@return the command line, without a main class, of a client on this host}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> clientJava() throws IOException, InterruptedException {
    return clientCommand().java();
  }

  /**
   * Creates a place with a link of its own, at which the clients of
   * {@link ClientCommand#placedJava} run.
   *
   * @param place the number of the place, from 1
   * @param rate the rate of the place's link, in each direction
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void createClientPlace(int place, Rate rate) throws IOException, InterruptedException {
    network.createClientPlace(place, rate);
  }

  /** {@return the builder of command lines for clients of this cluster} */
  public ClientCommand clientCommand() {
    return new ClientCommand(home, network, jars(), clientConfDir());
  }

  /**
   * Starts the only or first NameNode, which must not be running.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void startNameNode() throws IOException, InterruptedException {
    requireNotGoingDown();
    nameNodes().start(1);
  }

  /**
   * Starts a DataNode, which must not be running, and does not wait until it is live.
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void start(int node) throws IOException, InterruptedException {
    start(node, Map.of());
  }

  /**
   * As {@link #start(int)}, but with further settings for this DataNode alone.
   *
   * @param node a DataNode, from 1
   * @param own settings, which override those of the cluster
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void start(int node, Map<String, String> own) throws IOException, InterruptedException {
    requireNotGoingDown();
    dataNodes().start(node, own);
  }

  private void requireNotGoingDown() {
    if (goingDown) {
      throw new IllegalStateException(spec().name + " is going down");
    }
  }

  /**
   * Kills a DataNode's process at once, as a power cut does.
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void kill(int node) throws IOException, InterruptedException, TimeoutException {
    dataNode(node).kill();
  }

  /**
   * Deletes all data of a DataNode, which must not be running, as if it had a new disk.
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public void wipe(int node) throws IOException {
    dataNodes().wipe(node);
  }

  /**
   * Makes the NameNodes decommission these DataNodes and keep all other DataNodes in service.
   *
   * @param nodes DataNodes, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public void decommission(Collection<Integer> nodes) throws IOException {
    List<String> addresses = new ArrayList<>();
    nodes.forEach(node -> addresses.add(nodeAddress(node)));
    Files.write(settings().excludeFile(), addresses);
    for (int number = 1; number <= nameNodes().count(); number++) {
      if (nameNodes().daemon(number).isAlive()) {
        try (DistributedFileSystem client = clientOf(number)) {
          client.refreshNodes();
        }
      }
    }
  }

  /** Creates a client of one NameNode, active or standby. The caller closes the client. */
  private DistributedFileSystem clientOf(int nameNode) throws IOException {
    URI one = URI.create("hdfs://" + nameNodes().rpcAddress(nameNode));
    return (DistributedFileSystem) FileSystem.newInstance(one, clientConf());
  }

  /** {@return the settings of a client of this cluster} */
  public Configuration clientConf() {
    return settings().forThisProcess();
  }

  /**
   * {@return a new client, which the caller closes}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public DistributedFileSystem client() throws IOException {
    Configuration conf = clientConf();
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /** {@return the folder of a client's settings, for the class path of Hadoop's own tools} */
  public Path clientConfDir() {
    return home.dir.resolve("client");
  }

  /**
   * {@return the IP address of a DataNode}
   *
   * @param node from 1
   */
  public String nodeAddress(int node) {
    return network.nodeAddress(node);
  }

  /**
   * {@return the number of the node that has an address}
   *
   * @param address an IP address
   */
  public int nodeAt(String address) {
    for (int node = 1; node <= spec().nodes; node++) {
      if (network.nodeAddress(node).equals(address)) {
        return node;
      }
    }
    throw new IllegalArgumentException("No node of this cluster is at " + address);
  }

  /** {@return the object that reads the state of NameNodes and DataNodes} */
  public ClusterState state() {
    return new ClusterState(spec(), nameNodes(), dataNodes(), network);
  }

  /** {@return the object that shapes and counts the links of DataNodes and racks} */
  public ClusterLinks links() {
    return new ClusterLinks(spec(), dataNodes(), network);
  }

  /** {@return the NameNodes and, with high availability, their JournalNodes} */
  public Masters nameNodes() {
    return new Masters(home, network, settings(), jars());
  }

  /** {@return the only NameNode, or the first} */
  public Daemon nameNode() {
    return nameNodes().daemon(1);
  }

  private DataNodes dataNodes() {
    return new DataNodes(home, network, settings(), jars());
  }

  /**
   * {@return the process of a DataNode}
   *
   * @param node from 1
   */
  public Daemon dataNode(int node) {
    return dataNodes().daemon(node);
  }

  /**
   * {@return the folder of a DataNode's only volume}
   *
   * @param node a DataNode, from 1
   */
  public Path dataDir(int node) {
    return dataNodes().dataDir(node);
  }

  /**
   * {@return the folder of a DataNode's update logs}
   *
   * @param node a DataNode, from 1
   */
  public Path updateLogDir(int node) {
    return dataNodes().updateLogDir(node);
  }

  /**
   * {@return the log of a DataNode}
   *
   * @param node a DataNode, from 1
   */
  public Path log(int node) {
    return dataNode(node).log();
  }

  private DaemonSettings settings() {
    return new DaemonSettings(spec(), network, home.dir);
  }

  private void killAll() throws IOException, InterruptedException, TimeoutException {
    dataNodes().killAll();
    nameNodes().killAll();
  }

  /**
   * Kills all processes, removes links and data, and keeps the logs. Works also after a crash.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if a daemon takes too long
   */
  public void down() throws IOException, InterruptedException, TimeoutException {
    goingDown = true;
    try {
      killAll();
    } finally {
      network.remove();
    }
    home.release();
  }

  /** Calls {@link #down}, so that a try-with-resources statement can take the cluster down. */
  @Override
  public void close() throws IOException {
    try {
      down();
    } catch (TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while taking " + spec().name + " down: run "
          + "cluster.sh down --name " + spec().name, e);
    }
  }
}
