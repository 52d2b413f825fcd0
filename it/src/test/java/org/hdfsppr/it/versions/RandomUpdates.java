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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;

/**
 * Random histories of files that clients update and read, with commits all the time and with
 * deaths of processes at named moments of commits, or at any. At most one DataNode is down for
 * long.
 */
final class RandomUpdates {
  /** How many files are updated at the same time. Each is a history. */
  private static final int FILES = Integer.getInteger("updates.files", 3);
  private static final int HARMS_MAX = 4;
  /** The share of harms at no named moment. */
  private static final double ANY_SHARE = 0.3;
  private static final int ANY_MS_MAX = 2_000;
  /** Commits pass all moments within seconds, unless a node is away. */
  private static final Duration MOMENT_LIMIT = Duration.ofSeconds(30);

  private final UpdatesCluster cluster;
  private final Random random;
  private final UpdateTally tally;
  /** The files of this round. */
  private final List<UpdatedFile> files = new ArrayList<>();
  private int histories;

  RandomUpdates(UpdatesCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
    this.tally = new UpdateTally(cluster.isPair());
  }

  int histories() {
    return histories;
  }

  /** Runs some histories beside each other; returns what was done. */
  String round() throws Exception {
    StringBuilder what = new StringBuilder();
    StepTimes times = new StepTimes();
    List<UpdateClients> all = new ArrayList<>();
    files.clear();
    try {
      for (int i = 0; i < FILES; i++) {
        UpdatedFile file = cluster.write("history-" + histories++, random.nextLong());
        files.add(file);
        all.add(UpdateClients.start(cluster, file, tally, random.nextLong()));
      }
      awaitProgress(all, true);
      times.end("begin");
      int harms = 1 + random.nextInt(HARMS_MAX);
      for (int i = 0; i < harms; i++) {
        what.append(harm(all.get(random.nextInt(all.size())))).append("; ");
        awaitProgress(all, false);
        times.end("harm");
      }
      cluster.versions().heal();
      awaitProgress(all, true);
      times.end("heal");
      for (UpdateClients clients : all) {
        clients.end();
      }
      times.end("end");
    } finally {
      cluster.versions().stops.clear();
      for (UpdateClients clients : all) {
        clients.close();
      }
    }
    for (UpdatedFile file : files) {
      file.commitAndCheck();
      cluster.versions().client().delete(file.path, false);
    }
    times.end("check");
    tally.add("histories", files.size());
    return what.append(times).toString();
  }

  private static void awaitProgress(List<UpdateClients> all, boolean isCommitWanted)
      throws IOException, InterruptedException, TimeoutException {
    for (UpdateClients clients : all) {
      clients.awaitProgress(isCommitWanted);
    }
  }

  /** Does harm that concerns a file, at a moment; returns what was done. */
  private String harm(UpdateClients clients)
      throws IOException, InterruptedException, TimeoutException {
    UpdateHarm harm = UpdateHarm.choose(random);
    boolean isOfDataNodes = harm.isOfLeader() || harm.isOfFollower();
    if (isOfDataNodes && cluster.versions().nodesUp().size() < cluster.processes().spec().nodes) {
      cluster.versions().heal();
    }
    // Behind a stop under the write lock, the NameNode would not say who they are.
    List<Integer> holders = cluster.holders(clients.file.path, random.nextInt(2),
        random.nextInt(UpdatesCluster.K));
    String moment = awaitMoment();
    StringBuilder what = new StringBuilder(harm + " at " + moment + " of "
        + clients.file + " with holders " + holders);
    List<Integer> killed = new ArrayList<>();
    if (harm.isOfDevice()) {
      tally.add("kills of devices", clients.killDevice() ? 1 : 0);
    }
    if (harm.isOfLeader()) {
      killed.add(holders.get(0));
    }
    if (harm.isOfFollower() && holders.size() > 1) {
      killed.add(holders.get(1));
    }
    for (int node : killed) {
      cluster.processes().kill(node);
      tally.add("kills of DataNodes", 1);
    }
    if (harm.isOfNameNode()) {
      tally.nameNodeChanges();
      try {
        cluster.versions().killActiveNameNode();
        awaitPaths();
      } finally {
        tally.nameNodeChanges();
      }
      tally.add("kills of NameNodes", 1);
    }
    cluster.versions().stops.clear();
    if (harm.comesBack()) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(ANY_MS_MAX));
      for (int node : killed) {
        cluster.processes().start(node);
      }
    }
    return what.toString();
  }

  /**
   * Waits until all files have their paths. A NameNode that dies between the two renames of a
   * commit leaves the second one to the next NameNode.
   */
  private void awaitPaths() throws IOException, InterruptedException, TimeoutException {
    Await.until("all files have their paths", UpdatesCluster.LIMIT, UpdatesCluster.POLL, () -> {
      for (UpdatedFile file : files) {
        if (!cluster.versions().client().exists(file.path)) {
          return false;
        }
      }
      return true;
    });
  }

  /** Waits for a moment; returns which one has come. */
  private String awaitMoment() throws IOException, InterruptedException, TimeoutException {
    if (random.nextDouble() < ANY_SHARE) {
      // This is no condition but the harm itself, which comes at any moment.
      TimeUnit.MILLISECONDS.sleep(random.nextInt(ANY_MS_MAX));
      return "a random moment";
    }
    VersionPoint[] points = VersionPoint.ofCommits();
    VersionPoint point = points[random.nextInt(points.length)];
    cluster.versions().stops.request(point);
    long startNs = System.nanoTime();
    Await.until("a commit stops at " + point + ", or time is over", UpdatesCluster.LIMIT,
        UpdatesCluster.POLL, () -> cluster.versions().stops.isStopped()
            || System.nanoTime() - startNs > MOMENT_LIMIT.toNanos());
    boolean isReached = cluster.versions().stops.isStopped();
    tally.add(isReached ? "named moments" : "named moments missed", 1);
    return point + (isReached ? "" : ", missed,");
  }

  /** Finds nothing that is left of all files. */
  void end() throws IOException, InterruptedException, TimeoutException {
    cluster.versions().heal();
    new NothingLeft(cluster.versions()).await(UpdatesCluster.FOLDER);
  }

  @Override
  public String toString() {
    return tally.toString();
  }
}
