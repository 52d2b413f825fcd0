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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.files.UpdateHistory;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests kill processes with SIGKILL, one or two at a time, in the middle of an append and at
 * each named moment of a commit. Afterwards, files have every acknowledged update. A file either
 * has an update that was not acknowledged, or never gets it.
 *
 * <p>{@code -Dfaults.seed=N} chooses other content, {@code -Dupdates.points=COLLECTED,TRIMMING}
 * other moments of commits than all. With {@code -Dtest.output.to.file=false} Maven prints the
 * result of each case at once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SaidCases.class)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
abstract class UpdateCrashes {
  /** A client tries for 90 s to find holders that it can use. */
  private static final long APPEND_SECONDS_MAX = 240;

  private final String name;
  private final boolean ha;
  private UpdatesCluster cluster;
  private ExecutorService thread;
  private int written;

  UpdateCrashes(String name, boolean ha) {
    this.name = name;
    this.ha = ha;
  }

  /** A process that is killed. */
  enum Victim {
    LEADER, FOLLOWER, CLIENT, NAMENODE
  }

  @BeforeAll
  void start() throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED + (ha ? ", two NameNodes" : ""));
    cluster = UpdatesCluster.start(name, ha);
    thread = Executors.newSingleThreadExecutor();
  }

  @AfterAll
  void end() throws Exception {
    if (thread != null) {
      thread.shutdownNow();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void release() throws Exception {
    cluster.versions().stops.clear();
    for (int node : cluster.versions().nodesUp()) {
      cluster.processes().dataNode(node).resume();
    }
    cluster.versions().heal();
  }

  private UpdatedFile write() throws IOException, InterruptedException, TimeoutException {
    long seed = RandomRuns.SEED + written;
    return cluster.write("crash-" + written++, seed);
  }

  private void kill(Victim victim, List<Integer> holders, DeviceProcess client)
      throws IOException, InterruptedException, TimeoutException {
    switch (victim) {
      case LEADER:
        cluster.processes().kill(holders.get(0));
        break;
      case FOLLOWER:
        cluster.processes().kill(holders.get(1));
        break;
      case CLIENT:
        client.close();
        break;
      default:
        cluster.versions().killActiveNameNode();
        break;
    }
  }

  static Stream<Set<Victim>> victims() {
    return Stream.of(EnumSet.of(Victim.LEADER), EnumSet.of(Victim.FOLLOWER),
        EnumSet.of(Victim.CLIENT), EnumSet.of(Victim.NAMENODE),
        EnumSet.of(Victim.LEADER, Victim.FOLLOWER), EnumSet.of(Victim.LEADER, Victim.CLIENT),
        EnumSet.of(Victim.FOLLOWER, Victim.CLIENT), EnumSet.of(Victim.LEADER, Victim.NAMENODE),
        EnumSet.of(Victim.FOLLOWER, Victim.NAMENODE), EnumSet.of(Victim.CLIENT, Victim.NAMENODE));
  }

  /**
   * The leader has appended an update, which its two followers, that stand still, do not have. One
   * of them outlives every set of victims.
   */
  @ParameterizedTest
  @MethodSource("victims")
  void inTheMiddleOfAnAppend(Set<Victim> victims) throws Exception {
    UpdatedFile file = write();
    try (DeviceProcess device = DeviceProcess.start(cluster, file.path.toUri().getPath());
        NbdClient client = device.connect()) {
      UpdateHistory.Update first = file.history.begin(0, UpdatedFile.WORDS_PER_CELL);
      client.write(0, 0, first.bytes());
      file.history.acknowledge(List.of(first));
      List<Integer> holders = cluster.holders(file.path, 0, 0);
      assertEquals(3, holders.size());
      long before = cluster.logBytes(holders.get(0));
      cluster.processes().dataNode(holders.get(1)).pause();
      cluster.processes().dataNode(holders.get(2)).pause();
      UpdateHistory.Update second = file.history.begin(0, UpdatedFile.WORDS_PER_CELL);
      Future<Integer> error = thread.submit(() ->
          client.call(0, NbdClient.WRITE, 0, UpdatesCluster.CELL, second.bytes()).error);
      Await.until("the leader has appended", UpdatesCluster.LIMIT, UpdatesCluster.POLL, () ->
          cluster.logBytes(holders.get(0)) >= before + UpdatesCluster.CELL);
      if (victims.contains(Victim.NAMENODE)) {
        Masters nameNodes = cluster.processes().nameNodes();
        nameNodes.daemon(nameNodes.active().getAsInt()).kill();
      }
      for (Victim victim : victims) {
        if (victim != Victim.NAMENODE) {
          kill(victim, holders, device);
        }
      }
      if (!victims.contains(Victim.FOLLOWER)) {
        cluster.processes().dataNode(holders.get(1)).resume();
      }
      cluster.processes().dataNode(holders.get(2)).resume();
      if (victims.contains(Victim.NAMENODE)) {
        // The NameNode waits for all DataNodes that run, also for the followers.
        cluster.versions().killActiveNameNode();
      }
      if (!victims.contains(Victim.CLIENT)) {
        assertEquals(0, error.get(APPEND_SECONDS_MAX, TimeUnit.SECONDS), device::text);
        file.history.acknowledge(List.of(second));
      }
    }
    file.readAll();
    file.assertOneHistory();
    cluster.versions().heal();
    file.readAll();
    file.commitAndCheck();
  }

  static Stream<Arguments> moments() {
    List<Set<Victim>> all = List.of(EnumSet.of(Victim.NAMENODE), EnumSet.of(Victim.LEADER),
        EnumSet.of(Victim.FOLLOWER), EnumSet.of(Victim.LEADER, Victim.NAMENODE),
        EnumSet.of(Victim.FOLLOWER, Victim.NAMENODE), EnumSet.of(Victim.LEADER, Victim.FOLLOWER));
    boolean isWhole = System.getProperty("updates.victims", "").equals("all");
    return Moments.chosen("updates.points", VersionPoint.ofCommits()).flatMap(point ->
        // Each case takes half a minute.
        (isWhole ? all : List.of(all.get(point.ordinal() % all.size()))).stream()
            .map(victims -> Arguments.of(point, victims)));
  }

  /** A commit stands at a moment. */
  @ParameterizedTest
  @MethodSource("moments")
  void inTheMiddleOfACommit(VersionPoint point, Set<Victim> victims) throws Exception {
    UpdatedFile file = write();
    Random random = new Random(RandomRuns.SEED + written);
    try (PprFileSystem fs = cluster.client();
        FileUpdater updater = fs.openForUpdate(file.path)) {
      file.update(updater, random, 12);
      updater.hsync();
      List<Integer> holders = cluster.holders(file.path, 0, 0);
      cluster.versions().stops.request(point);
      try (PprCommand commit = PprCommand.start(cluster.processes(),
          List.of("-commit", file.path.toUri().getPath()))) {
        cluster.versions().stops.awaitStopped(UpdatesCluster.LIMIT);
        for (Victim victim : victims) {
          kill(victim, holders, null);
        }
        cluster.versions().stops.clear();
        if (victims.contains(Victim.LEADER) && victims.contains(Victim.FOLLOWER)) {
          cluster.processes().start(holders.get(0));
          cluster.processes().start(holders.get(1));
        }
        if (point == VersionPoint.PUBLISH_MOVED && victims.contains(Victim.NAMENODE)) {
          // The NameNode died between two renames, and ends them when it has left safe mode.
          Await.until("the version has its path", UpdatesCluster.LIMIT, UpdatesCluster.POLL,
              () -> cluster.versions().client().exists(file.path));
        }
        file.readAll();
        file.assertOneHistory();
        file.update(updater, random, 3);
        file.readAll();
        System.out.println("UpdateCrashes: " + point + " " + victims + ": the commit ends with "
            + commit.await(UpdatesCluster.LIMIT) + ": " + commit.output().strip());
      }
      cluster.versions().heal();
      file.update(updater, random, 3);
    }
    file.readAll();
    file.commitAndCheck();
    assertTrue(cluster.versions().client().delete(file.path, false));
  }
}
