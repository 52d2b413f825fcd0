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
package org.hdfsppr.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.read.UserHabits;
import org.hdfsppr.bench.run.BenchRun;

/**
 * The trial in which the benchmark kills the node while users read. The users read in three phases:
 * until the NameNode misses the node, which warms them up; then for some seconds with the node dead
 * and all repairs paused; then beside the repairs.
 */
@InterfaceAudience.Private
final class NodeDeathBesideUsers extends NodeTrial {
  /** The lengths of the users' reads, bytes. */
  private static final List<Integer> READ_BYTES = List.of(1 << 20, 64 << 10);

  private final int users;
  private final double readsPerSecond;
  private final int idleSeconds;
  private final List<UserRecord> records = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private Users.Phase idle;
  private Users.Phase beside;
  private UserRecord.Phase idleLinks;
  private UserRecord.Phase besideLinks;
  private double neededBytes;

  /**
   * @param users the number of clients, each with a link of its own
   * @param readsPerSecond how many reads of each length all users together begin in a second
   * @param idleSeconds how long they read while repairs are paused
   */
  NodeDeathBesideUsers(int users, double readsPerSecond, int idleSeconds) {
    super("node");
    this.users = users;
    this.readsPerSecond = readsPerSecond;
    this.idleSeconds = idleSeconds;
  }

  @Override
  String describe() {
    return "seconds: from the end of a pause of all repairs, with the node dead, to no group low "
        + "on redundancy and every lost unit known on another node (looked for every "
        + POLL.toMillis() + " ms)";
  }

  @Override
  void prepare(HdfsProcessCluster cluster) throws IOException, InterruptedException {
    for (int place = 1; place <= users; place++) {
      cluster.createClientPlace(place, cluster.spec().rate);
    }
  }

  @Override
  double seconds(HdfsProcessCluster cluster, DistributedFileSystem client, NodeLoss loss,
      Duration limit) throws IOException, InterruptedException, TimeoutException {
    complaints.clear();
    idle = null;
    beside = null;
    UserHabits habits = new UserHabits(loss.paths(), loss.fileBytes(), READ_BYTES,
        readsPerSecond / users, 0);
    setPaused(cluster, client, true);
    try (Users all = Users.start(cluster, users, loss.code.isOwnCodec(), habits)) {
      all.begin();
      NodeDeath.killAndAwaitMissed(cluster, loss);
      complaints.addAll(all.end().complaints());
      Meters before = Meters.read(cluster);
      all.begin();
      TimeUnit.SECONDS.sleep(idleSeconds);
      idle = all.end();
      Meters between = Meters.read(cluster);
      idleLinks = UserRecord.Phase.between(before, between);
      neededBytes = NodeDeath.neededBytes(cluster, loss);
      all.begin();
      long since = System.currentTimeMillis();
      setPaused(cluster, client, false);
      double seconds;
      try {
        seconds = NodeDeath.awaitRebuilt(cluster, client, loss, limit, since);
      } finally {
        beside = all.end();
        besideLinks = UserRecord.Phase.between(between, Meters.read(cluster));
      }
      complaints.addAll(idle.complaints());
      complaints.addAll(beside.complaints());
      return seconds;
    }
  }

  /**
   * Pauses repairs, or ends the pause. Without the plugin only safe mode does that at run time: the
   * NameNode schedules no reconstruction in it, while clients read. The plugin has a pause of its
   * own, and listens for some seconds after safe mode, which would count as time of the repair.
   */
  private static void setPaused(HdfsProcessCluster cluster, DistributedFileSystem client,
      boolean paused) throws IOException {
    if (!cluster.spec().nameNodePlugin) {
      client.setSafeMode(paused ? SafeModeAction.ENTER : SafeModeAction.LEAVE);
      return;
    }
    String address = cluster.nameNodes().rpcAddress(1);
    int exit;
    try {
      exit = ToolRunner.run(cluster.clientConf(), new DFSAdmin(),
          new String[] {"-refresh", address, "ppr", paused ? "pause" : "resume"});
    } catch (Exception e) {
      throw new IOException("repairs could not be " + (paused ? "paused" : "resumed"), e);
    }
    if (exit != 0) {
      throw new IOException("the NameNode at " + address + " refused to "
          + (paused ? "pause" : "resume") + " repairs");
    }
  }

  @Override
  void leaveBehind(HdfsProcessCluster cluster, NodeLoss loss) {
    // The trial has killed the node already.
  }

  @Override
  double lowerBoundSeconds(HdfsProcessCluster cluster, NodeLoss loss) {
    return NodeDeath.boundSeconds(cluster, loss);
  }

  @Override
  List<String> complaints() {
    return complaints;
  }

  @Override
  void add(NodeRecord record) {
    if (idle == null || beside == null) {
      // The run has failed before the users' phases were over, and its record says why.
      return;
    }
    for (int i = 0; i < READ_BYTES.size(); i++) {
      records.add(new UserRecord(record, users, READ_BYTES.get(i), i, idle, beside,
          idleLinks, besideLinks, neededBytes));
    }
  }

  @Override
  void writeJson(BenchRun run, List<NodeRecord> all) throws IOException {
    run.writeJson(records, (record, mapper) -> record.toJson(mapper));
  }

  @Override
  void print(PrintWriter out, List<NodeRecord> all) {
    out.println();
    UserRecord.print(out, records);
  }
}
