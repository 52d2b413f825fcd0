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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.bench.read.UserHabits;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;

/**
 * The trial in which the benchmark kills the node while users read. The users read in three phases:
 * until the NameNode misses the node, which warms them up; then for some seconds with the node dead
 * and all repairs paused; then beside the repairs.
 */
final class NodeDeathBesideUsers extends NodeTrial {
  /** The lengths of the users' reads, bytes. */
  private static final List<Integer> READ_BYTES = List.of(1 << 20, 64 << 10);

  /**
   * What receivers of a repair's bytes send back for each byte: an acknowledgement of 66 bytes for
   * two frames with 1448 bytes each. It is the repair's own, and no user's.
   */
  private static final double ACKNOWLEDGEMENTS = 66.0 / (2 * 1448);

  /** What all nodes' links and the processors did in a phase. */
  private static final class LinkPhase {
    private final double linkBytes;
    private final double cpuShare;

    /**
     * @param linkBytes what all nodes' links sent, with frames' headers, bytes; NaN if unknown
     * @param cpuShare the busy part of the machine's processors, from 0 to 1
     */
    LinkPhase(double linkBytes, double cpuShare) {
      this.linkBytes = linkBytes;
      this.cpuShare = cpuShare;
    }

    /** Returns what happened between two readings. */
    static LinkPhase between(Meters before, Meters after) {
      OptionalLong sent = after.sentSince(before);
      return new LinkPhase(sent.isPresent() ? sent.getAsLong() : Double.NaN,
          after.cpuShareSince(before));
    }
  }

  private final int users;
  private final double readsPerSecond;
  private final int idleSeconds;
  private final List<Row> records = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private Users.Phase idle;
  private Users.Phase beside;
  private LinkPhase idleLinks;
  private LinkPhase besideLinks;
  private double neededBytes;
  /** What all live nodes' links send in a second; infinite without a limit. */
  private double linksBytesPerSecond;

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
    Rate rate = cluster.spec().rate;
    linksBytesPerSecond = rate.isUnlimited() ? Double.POSITIVE_INFINITY
        : goodput(rate) * (cluster.spec().nodes - 1);
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
      idleLinks = LinkPhase.between(before, between);
      neededBytes = NodeDeath.neededBytes(cluster, loss);
      all.begin();
      long since = System.currentTimeMillis();
      setPaused(cluster, client, false);
      double seconds;
      try {
        seconds = NodeDeath.awaitRebuilt(cluster, client, loss, limit, since);
      } finally {
        beside = all.end();
        besideLinks = LinkPhase.between(between, Meters.read(cluster));
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
  void add(Row row) {
    if (idle == null || beside == null) {
      // The run has failed before the users' phases were over, and its row says why.
      return;
    }
    for (int i = 0; i < READ_BYTES.size(); i++) {
      records.add(row(row, i));
    }
  }

  /** Returns what reads of one length took, beside the repairs and while they paused. */
  private Row row(Row run, int length) {
    double links = besideLinks.linkBytes / beside.seconds;
    // What the links' rest allows: the lower bound if users take the same part as in this run.
    double restBound = restBoundSeconds(run.number("lower_bound_seconds"), links,
        neededBytes / beside.seconds, linksBytesPerSecond);
    return new Row("node")
        .put("code", run.text("code"))
        .put("scheduler", run.text("scheduler"))
        .put("users", users)
        .put("read_bytes", READ_BYTES.get(length))
        .put("read_p50_ms", finite(beside.result(length).percentileMs(0.5)))
        .put("read_p99_ms", finite(beside.result(length).percentileMs(0.99)))
        .put("read_mb_per_s", finite(beside.megabytesPerSecond(length)))
        .put("idle_p50_ms", finite(idle.result(length).percentileMs(0.5)))
        .put("idle_p99_ms", finite(idle.result(length).percentileMs(0.99)))
        .put("idle_mb_per_s", finite(idle.megabytesPerSecond(length)))
        .put("seconds", run.number("seconds"))
        .put("ok", run.ok())
        .put("lower_bound_seconds", finite(run.number("lower_bound_seconds")))
        .put("rest_bound_seconds", finite(restBound))
        .put("x_rest_bound", finite(run.number("seconds") / restBound))
        .put("links_mb_per_s", finite(links / 1e6))
        .put("idle_links_mb_per_s", finite(idleLinks.linkBytes / idle.seconds / 1e6))
        .put("cpu_share", finite(besideLinks.cpuShare))
        .put("idle_cpu_share", finite(idleLinks.cpuShare))
        .put("reads", beside.result(length).calls())
        .put("idle_reads", idle.result(length).calls())
        .put("run", (long) run.number("run"))
        .put("settings", run.text("settings"))
        .put("other_cpu_share", finite(run.number(NodeTrials.OTHER_CPU_SHARE)))
        .put("complaints", run.text("complaints"));
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /**
   * Returns the lower bound of a repair over the part of the links that users leave. What nodes'
   * links sent, without what the repair has to send at least, is users' part: their reads, what
   * reads of lost bytes cost in addition, checksums, headers, acknowledgements, and what was sent
   * twice.
   *
   * @param lowerBoundSeconds the lower bound without users
   * @param sentBytesPerSecond what nodes' links sent, with headers
   * @param neededBytesPerSecond what the repair has to send at least, without headers
   * @param linksBytesPerSecond what all links of the nodes carry, without headers
   * @return seconds; NaN if users alone fill the links, or if something is unknown
   */
  static double restBoundSeconds(double lowerBoundSeconds, double sentBytesPerSecond,
      double neededBytesPerSecond, double linksBytesPerSecond) {
    double repairs = neededBytesPerSecond * (1 / LowerBound.GOODPUT + ACKNOWLEDGEMENTS);
    double share = Math.max(0, sentBytesPerSecond - repairs) * LowerBound.GOODPUT
        / linksBytesPerSecond;
    return share < 1 ? lowerBoundSeconds / (1 - share) : Double.NaN;
  }

  @Override
  void writeJson(BenchRun run, List<Row> rows) throws IOException {
    run.writeJson(records);
  }

  @Override
  void print(PrintWriter out) {
    out.println();
    new Table().text("scheduler", -15, "scheduler").text("run", 3, "run")
        .median("read KiB", 8, 0, "read_bytes", 1 << 10)
        .median("p50 ms", 9, 1, "read_p50_ms").median("p99 ms", 9, 1, "read_p99_ms")
        .median("MB/s", 9, 2, "read_mb_per_s")
        .median("idle p50", 9, 1, "idle_p50_ms").median("idle p99", 9, 1, "idle_p99_ms")
        .median("idle MB/s", 9, 2, "idle_mb_per_s")
        .median("x p99", 7, 2, row -> row.number("read_p99_ms") / row.number("idle_p99_ms"))
        .median("x MB/s", 6, 2, row -> row.number("read_mb_per_s") / row.number("idle_mb_per_s"))
        .text("reads", 6, "reads").median("seconds", 8, 2, "seconds")
        .median("x rest", 7, 2, "x_rest_bound").median("cpu %", 5, 0, "cpu_share", 0.01)
        .median("idle cpu", 8, 0, "idle_cpu_share", 0.01).markNotOk().printEach(out, records);
    out.println("idle: the node dead, repairs paused; x: beside the repairs over idle; x rest: "
        + "seconds over the time that the links' rest allows; cpu: busy processors, without niced "
        + "processes");
    out.flush();
  }
}
