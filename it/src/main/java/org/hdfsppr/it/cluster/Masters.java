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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.Shell;
import org.hdfsppr.it.util.Trees;

/**
 * Starts, stops and watches the one or two NameNodes of a cluster, and their JournalNodes.
 * NameNodes and JournalNodes are each numbered from 1.
 *
 * <p>If there are two NameNodes, each starts as standby, and only {@link #activate} and {@link
 * #failOver} make one of them active.
 */
@InterfaceAudience.Private
public final class Masters {
  /**
   * In production, a NameNode does not share its processors with DataNodes. Here it does, and so it
   * has precedence: otherwise it would be interrupted while it holds its lock, and the time would
   * count as time of the lock. Without root, nice starts the daemon with the usual priority.
   */
  private static final List<String> PRECEDENCE = List.of("nice", "-n", "-10");
  private static final Duration FORMAT_LIMIT = Duration.ofSeconds(90);
  private static final Duration HTTP_LIMIT = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(250);

  /**
   * The time limit of a NameNode's change between active and standby. Before a NameNode becomes
   * active, it reads the remaining edits, which takes long on slow machines.
   */
  private static final int TRANSITION_LIMIT_MS = 60_000;
  private static final long RETRY_MS = 200;
  private static final Duration ACTIVE_LIMIT = Duration.ofSeconds(90);

  /**
   * A NameNode's maximum heap size. It is enough for the blocks of 18 nodes. It is small, because
   * some twenty JVMs share one machine.
   */
  private static final String NAMENODE_HEAP = "384m";
  private static final String JOURNALNODE_HEAP = "128m";

  private final ClusterHome home;
  private final Network network;
  private final DaemonSettings settings;
  private final ClusterJars jars;
  private final List<Master> nameNodes;
  private final List<Master> journalNodes;

  Masters(ClusterHome home, Network network, DaemonSettings settings, ClusterJars jars) {
    this.home = home;
    this.network = network;
    this.settings = settings;
    this.jars = jars;
    this.nameNodes = Master.nameNodes(home.spec);
    this.journalNodes = Master.journalNodes(home.spec);
  }

  /** {@return the number of NameNodes, running or not} */
  public int count() {
    return nameNodes.size();
  }

  /**
   * {@return the process of a NameNode}
   *
   * @param number from 1
   */
  public Daemon daemon(int number) {
    return daemon(master(number));
  }

  /** {@return the JournalNodes' processes; empty without high availability} */
  public List<Daemon> journalNodes() {
    List<Daemon> daemons = new ArrayList<>();
    journalNodes.forEach(journal -> daemons.add(daemon(journal)));
    return Collections.unmodifiableList(daemons);
  }

  private Daemon daemon(Master master) {
    return new Daemon(master.name, home.dir.resolve(master.name));
  }

  private Master master(int number) {
    if (number < 1 || number > nameNodes.size()) {
      throw new IllegalArgumentException("There is no NameNode " + number + " of '"
          + home.spec.name + "': " + nameNodes);
    }
    return nameNodes.get(number - 1);
  }

  /**
   * {@return the address at which a NameNode serves clients, with its port}
   *
   * @param number from 1
   */
  public String rpcAddress(int number) {
    return settings.rpcAddress(master(number));
  }

  /**
   * {@return the address of a NameNode's web server, with its port}
   *
   * @param number from 1
   */
  public String webAddress(int number) {
    return settings.httpAddress(master(number));
  }

  /**
   * Writes the settings of all JournalNodes and NameNodes. The NameNodes also get the settings in
   * {@code more}.
   */
  void writeConf(Map<String, String> more) throws IOException {
    for (Master journal : journalNodes) {
      DaemonFiles.writeConf(daemon(journal).home.resolve("conf"), settings.core(),
          settings.journalNode(journal), daemon(journal).log());
    }
    for (Master nameNode : nameNodes) {
      Map<String, String> hdfs = new TreeMap<>(settings.nameNode(nameNode));
      hdfs.putAll(more);
      DaemonFiles.writeConf(daemon(nameNode).home.resolve("conf"), settings.core(), hdfs,
          daemon(nameNode).log());
    }
  }

  /** Formats all NameNodes with the same empty name space. The JournalNodes must be running. */
  void format() throws IOException, InterruptedException {
    List<String> command = command(nameNodes.get(0), NAMENODE_HEAP,
        jars.ofNameNode(nameNodes.get(0).name));
    command.addAll(List.of("org.apache.hadoop.hdfs.server.namenode.NameNode", "-format",
        "-nonInteractive", "-force"));
    Shell.run(FORMAT_LIMIT, command);
    for (Master other : nameNodes.subList(1, nameNodes.size())) {
      // With an empty name space, a NameNode started with -bootstrapStandby would also only copy
      // these files.
      Trees.copy(home.dir.resolve(nameNodes.get(0).name + "/name"),
          home.dir.resolve(other.name + "/name"), file -> false);
    }
  }

  private List<String> command(Master master, String heap, List<Path> front)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(network.launchPrefix(master));
    command.addAll(PRECEDENCE);
    command.addAll(DaemonCommand.ofDaemon(home, daemon(master), heap, front));
    return command;
  }

  void startJournalNodes() throws IOException, InterruptedException, TimeoutException {
    for (Master journal : journalNodes) {
      start(journal);
    }
    for (Master journal : journalNodes) {
      awaitAnswers(journal);
    }
  }

  /**
   * Starts a JournalNode, which must not be running, and waits until the JournalNode answers.
   *
   * @param number from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void startJournalNode(int number)
      throws IOException, InterruptedException, TimeoutException {
    start(journalNodes.get(number - 1));
    awaitAnswers(journalNodes.get(number - 1));
  }

  private void awaitAnswers(Master journal)
      throws IOException, InterruptedException, TimeoutException {
    Await.until(journal + " answers", HTTP_LIMIT, POLL, () -> {
      daemon(journal).requireAlive();
      try {
        Jmx.bean(network.masterAddress(journal), DaemonSettings.JOURNALNODE_HTTP_PORT,
            "java.lang:type=Runtime");
        return true;
      } catch (IOException e) {
        // The JournalNode does not answer yet.
        return false;
      }
    });
  }

  private void start(Master journal) throws IOException, InterruptedException {
    List<String> command = command(journal, JOURNALNODE_HEAP, List.of());
    command.add("org.apache.hadoop.hdfs.qjournal.server.JournalNode");
    daemon(journal).start(command);
  }

  /**
   * Starts a NameNode, which must not be running, and does not wait until the NameNode answers. In
   * a cluster with two NameNodes, the started NameNode is standby.
   *
   * @param number from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void start(int number) throws IOException, InterruptedException {
    List<String> command = command(master(number), NAMENODE_HEAP,
        jars.ofNameNode(master(number).name));
    command.add("org.apache.hadoop.hdfs.server.namenode.NameNode");
    daemon(number).start(command);
  }

  /**
   * Waits until a NameNode, which must be running, answers.
   *
   * @param number from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void awaitAnswers(int number)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode answers at " + rpcAddress(number), HTTP_LIMIT, POLL, () -> {
      daemon(number).requireAlive();
      try {
        jmx(number, "Hadoop:service=NameNode,name=FSNamesystemState");
        return true;
      } catch (IOException e) {
        // The NameNode does not answer yet.
        return false;
      }
    });
  }

  /**
   * {@return the first MBean whose name matches, from a NameNode}
   *
   * @param number from 1
   * @param query an object name, also as a pattern
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public JsonNode jmx(int number, String query) throws IOException {
    return Jmx.bean(network.masterAddress(master(number)), DaemonSettings.NAMENODE_HTTP_PORT,
        query);
  }

  /** Returns how many replicas on live DataNodes a NameNode knows. */
  long reportedReplicas(int number) throws IOException {
    JsonNode nodes = new ObjectMapper().readTree(
        jmx(number, "Hadoop:service=NameNode,name=NameNodeInfo").get("LiveNodes").asText());
    long sum = 0;
    for (JsonNode node : nodes) {
      sum += node.get("numBlocks").asLong();
    }
    return sum;
  }

  /**
   * {@return the number of the NameNode that reports itself as active; empty if there is none}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public OptionalInt active() throws IOException {
    for (int number = 1; number <= count(); number++) {
      if (daemon(number).isAlive() && state(number).equals("active")) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  private String state(int number) {
    try {
      return jmx(number, "Hadoop:service=NameNode,name=NameNodeStatus").get("State").asText();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /**
   * Makes a NameNode active. The other NameNode must be standby or down.
   *
   * @param number from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void activate(int number) throws IOException, InterruptedException, TimeoutException {
    if (count() == 1) {
      throw new IllegalStateException(
          "'" + home.spec.name + "' has one NameNode, and it is always active");
    }
    awaitAnswers(number);
    transition(number, true);
    Await.until(master(number) + " is active", ACTIVE_LIMIT, POLL,
        () -> state(number).equals("active"));
  }

  /**
   * First makes the active NameNode standby, if there is one. Then makes the NameNode {@code to}
   * active.
   *
   * @param to the NameNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void failOver(int to) throws IOException, InterruptedException, TimeoutException {
    OptionalInt from = active();
    if (from.isPresent() && from.getAsInt() == to) {
      return;
    }
    awaitAnswers(to);
    if (from.isPresent()) {
      transition(from.getAsInt(), false);
    }
    activate(to);
  }

  private void transition(int number, boolean toActive) throws IOException {
    Configuration conf = settings.forThisProcess();
    HAServiceProtocol proxy =
        new NNHAServiceTarget(conf, settings.nameService(), master(number).name)
            .getProxy(conf, TRANSITION_LIMIT_MS);
    StateChangeRequestInfo request = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);
    try {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TRANSITION_LIMIT_MS);
      while (!transition(proxy, request, toActive, System.nanoTime() < end)) {
        Thread.sleep(RETRY_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("while NameNode " + number + " was to change its role");
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  /**
   * Asks a NameNode to become active or standby. Returns {@code false} if the NameNode is not ready
   * yet, although its port is open, and the caller may retry.
   */
  private static boolean transition(HAServiceProtocol proxy, StateChangeRequestInfo request,
      boolean toActive, boolean mayRetry) throws IOException {
    try {
      if (toActive) {
        proxy.transitionToActive(request);
      } else {
        proxy.transitionToStandby(request);
      }
      return true;
    } catch (RemoteException e) {
      if (mayRetry && RetriableException.class.getName().equals(e.getClassName())) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Cuts or restores the link of one of two NameNodes. A cut link drops packets silently, like a
   * pulled cable.
   *
   * @param number from 1
   * @param up whether the link carries packets from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void setLinkUp(int number, boolean up) throws IOException, InterruptedException {
    network.setLinkUp(master(number), up);
  }

  void killAll() throws IOException, InterruptedException, TimeoutException {
    for (Master nameNode : nameNodes) {
      daemon(nameNode).kill();
    }
    for (Master journal : journalNodes) {
      daemon(journal).kill();
    }
  }
}
