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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.Daemon;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.util.Await;

/**
 * Causes random faults in a cluster with two NameNodes, one after the other. The faults never make
 * data loss or a standstill unavoidable: at most {@link #DOWN_MAX} DataNodes, or one rack, are down
 * at a time. A node is wiped only if every group keeps enough units on other disks. At most one of
 * three JournalNodes is down. After each step, a NameNode is active.
 */
final class RandomFaults {
  private static final int DOWN_MAX = 2;

  /**
   * The longest pause between faults, in which repairs begin. NameNodes notice a dead node some 14
   * s after its death.
   */
  private static final int PAUSE_MS_MAX = 6000;
  private static final Duration BUSY_LIMIT = Duration.ofSeconds(40);
  private static final Duration LIVE_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  /** The possible faults. Faults that cause more repairs are chosen more often. */
  private enum Action {
    KILL_ACTIVE(3), FAIL_OVER(3), BACK_AND_FORTH(2), RESTART_NAMENODES(1), NEXT_DURING_REPAIR(3),
    KILL_JOURNAL(1), KILL_NODE(4), WIPE_NODE(4), LOSE_RACK(2), START_ALL(4), WRITE(4), DELETE(1);

    private final int weight;

    Action(int weight) {
      this.weight = weight;
    }
  }

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final FilesUnderFaults files;
  private final Random random;
  private final List<String> done = new ArrayList<>();

  RandomFaults(HdfsProcessCluster cluster, DistributedFileSystem client, FilesUnderFaults files,
      Random random) {
    this.cluster = cluster;
    this.client = client;
    this.files = files;
    this.random = random;
  }

  /** Causes one random fault, pauses, and describes the fault. */
  void step() throws IOException, InterruptedException, TimeoutException {
    List<Action> choices = new ArrayList<>();
    for (Action action : Action.values()) {
      choices.addAll(Collections.nCopies(action.weight, action));
    }
    Action action = choices.get(random.nextInt(choices.size()));
    int pauseMs = random.nextInt(PAUSE_MS_MAX);
    String what = action + ": " + perform(action);
    done.add(what);
    System.out.println("step " + done.size() + " " + what);
    System.out.flush();
    Thread.sleep(pauseMs);
  }

  private Masters nameNodes() {
    return cluster.nameNodes();
  }

  private String perform(Action action)
      throws IOException, InterruptedException, TimeoutException {
    switch (action) {
      case KILL_ACTIVE:
        return killActive();
      case FAIL_OVER:
        return failOver();
      case BACK_AND_FORTH:
        return failOver() + ", " + failOver() + ", " + failOver();
      case RESTART_NAMENODES:
        return restartNameNodes();
      case NEXT_DURING_REPAIR:
        return awaitRepair() + ", " + (random.nextBoolean() ? killActive() : failOver());
      case KILL_JOURNAL:
        return killJournal();
      case KILL_NODE:
        return killNode();
      case WIPE_NODE:
        return wipeNode();
      case LOSE_RACK:
        return loseRack();
      case START_ALL:
        return startAll();
      case WRITE:
        return files.write();
      case DELETE:
        return files.count() > 1 ? files.delete() : "nothing";
      default:
        throw new IllegalStateException(action.name());
    }
  }

  private int active() throws IOException {
    return nameNodes().active().orElseThrow(() -> new IOException("no NameNode is active"));
  }

  private static int other(int nameNode) {
    return 3 - nameNode;
  }

  /** Makes the other NameNode active, and starts it first if it is not running. */
  private void activateOther(int than) throws IOException, InterruptedException, TimeoutException {
    startNameNode(other(than));
    nameNodes().failOver(other(than));
  }

  private void startNameNode(int number)
      throws IOException, InterruptedException, TimeoutException {
    if (!nameNodes().daemon(number).isAlive()) {
      nameNodes().start(number);
    }
    nameNodes().awaitAnswers(number);
  }

  private String killActive() throws IOException, InterruptedException, TimeoutException {
    int active = active();
    nameNodes().daemon(active).kill();
    activateOther(active);
    return "nn" + active + " is killed";
  }

  private String failOver() throws IOException, InterruptedException, TimeoutException {
    int active = active();
    activateOther(active);
    return "nn" + other(active) + " is active";
  }

  private String restartNameNodes() throws IOException, InterruptedException, TimeoutException {
    int next = 1 + random.nextInt(2);
    for (int number = 1; number <= 2; number++) {
      nameNodes().daemon(number).kill();
    }
    for (int number = 1; number <= 2; number++) {
      nameNodes().start(number);
    }
    nameNodes().activate(next);
    return "both, nn" + next + " is active";
  }

  /**
   * Waits until the NameNode has noticed a loss, so that repairs are under way. Kills a node first
   * if no node is down.
   */
  private String awaitRepair() throws IOException, InterruptedException {
    String killed = dead().isEmpty() ? killNode() + ", " : "";
    try {
      Await.until("a repair", BUSY_LIMIT, POLL, () -> !cluster.state().redundancy().isFull());
      return killed + "while " + cluster.state().redundancy();
    } catch (TimeoutException e) {
      // All units of the dead nodes were rebuilt before.
      return killed + "nothing to repair";
    }
  }

  private String killJournal() throws IOException, InterruptedException, TimeoutException {
    if (startJournals()) {
      return "no, the JournalNode that was down is started";
    }
    int journal = random.nextInt(nameNodes().journalNodes().size());
    Daemon daemon = nameNodes().journalNodes().get(journal);
    daemon.kill();
    return daemon.name;
  }

  /** Starts the JournalNodes that are down. Returns whether there were any. */
  private boolean startJournals() throws IOException, InterruptedException, TimeoutException {
    List<Daemon> journals = nameNodes().journalNodes();
    boolean started = false;
    for (int i = 0; i < journals.size(); i++) {
      if (!journals.get(i).isAlive()) {
        nameNodes().startJournalNode(i + 1);
        started = true;
      }
    }
    if (started) {
      // A restarted JournalNode takes part from the next segment of the edits on. Until then, no
      // other JournalNode may be killed, so a new segment is begun here.
      client.rollEdits();
    }
    return started;
  }

  private List<Integer> dead() throws IOException {
    List<Integer> dead = new ArrayList<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      if (!cluster.dataNode(node).isAlive()) {
        dead.add(node);
      }
    }
    return dead;
  }

  private int someNodeUp() throws IOException {
    List<Integer> dead = dead();
    List<Integer> up = IntStream.rangeClosed(1, cluster.spec().nodes).boxed()
        .filter(node -> !dead.contains(node)).collect(Collectors.toList());
    return up.get(random.nextInt(up.size()));
  }

  private String killNode() throws IOException, InterruptedException {
    int node = someNodeUp();
    if (dead().size() >= DOWN_MAX) {
      return "enough are down: " + dead();
    }
    try {
      cluster.kill(node);
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
    return "dn" + node;
  }

  private String wipeNode() throws IOException, InterruptedException, TimeoutException {
    int node = someNodeUp();
    if (dead().size() >= DOWN_MAX) {
      return "enough are down: " + dead();
    }
    cluster.kill(node);
    boolean may = files.survivesWithout(node);
    if (may) {
      cluster.wipe(node);
    }
    if (random.nextBoolean()) {
      cluster.start(node);
    }
    return "dn" + node + (may ? "" : " keeps its data, others have not enough")
        + (cluster.dataNode(node).isAlive() ? ", started again" : "");
  }

  private String loseRack() throws IOException, InterruptedException, TimeoutException {
    int rack = 1 + random.nextInt(cluster.spec().racks);
    startNodes();
    List<Integer> lost = IntStream.rangeClosed(1, cluster.spec().nodes)
        .filter(node -> cluster.spec().rackOf(node) == rack).boxed()
        .collect(Collectors.toList());
    for (int node : lost) {
      cluster.kill(node);
    }
    return "rack " + rack + " with dn" + lost;
  }

  private void startNodes() throws IOException, InterruptedException {
    for (int node : dead()) {
      cluster.start(node);
    }
  }

  private String startAll() throws IOException, InterruptedException, TimeoutException {
    String what = "DataNodes " + dead();
    startNodes();
    for (int number = 1; number <= 2; number++) {
      startNameNode(number);
    }
    startJournals();
    return what;
  }

  /**
   * Starts all daemons that are down, and waits until all DataNodes are live on the active
   * NameNode.
   */
  void heal() throws IOException, InterruptedException, TimeoutException {
    startAll();
    if (nameNodes().active().isEmpty()) {
      nameNodes().activate(1);
    }
    cluster.state().awaitLive(cluster.spec().nodes, LIVE_LIMIT);
    Await.until("the NameNode has left safe mode", LIVE_LIMIT, POLL, () ->
        cluster.state().nameNodeJmx("Hadoop:service=NameNode,name=NameNodeInfo").get("Safemode")
            .asText()
            .isEmpty());
  }

  /** Makes the standby NameNode active. */
  void failOverOnce() throws IOException, InterruptedException, TimeoutException {
    failOver();
  }
}
