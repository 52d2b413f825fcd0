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
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LogSince;
import org.hdfsppr.it.util.Await;

/** The trial in which the benchmark kills the node. */
final class NodeDeath extends NodeTrial {

  /**
   * The time limit for the NameNode to notice the loss. With the harness's settings, the NameNode
   * notices it after some 15 s.
   */
  private static final Duration MISSED_LIMIT = Duration.ofMinutes(2);

  NodeDeath() {
    super("node");
  }

  @Override
  String describe() {
    return "seconds: from the line by which the NameNode logs that it lost the killed node's "
        + "heartbeat, and queues its units, to no group low on redundancy and every lost unit "
        + "known on another node (looked for every " + POLL.toMillis() + " ms); that none is "
        + "pending, which the NameNode counts once a second, is waited for after that";
  }

  @Override
  double seconds(HdfsProcessCluster cluster, DistributedFileSystem client, NodeLoss loss,
      Duration limit) throws IOException, InterruptedException, TimeoutException {
    return awaitRebuilt(cluster, client, loss, limit, killAndAwaitMissed(cluster, loss));
  }

  /**
   * Kills the node, and waits until the NameNode misses it.
   *
   * @return when the NameNode logged that it lost the node's heartbeat, ms since 1970
   */
  static long killAndAwaitMissed(HdfsProcessCluster cluster, NodeLoss loss)
      throws IOException, InterruptedException, TimeoutException {
    int nameNode = cluster.nameNodes().count() == 1 ? 1
        : cluster.nameNodes().active().orElseThrow();
    LogSince log = LogSince.now(cluster.nameNodes().daemon(nameNode).log());
    String address = cluster.nodeAddress(loss.node()) + ":";
    cluster.kill(loss.node());
    OptionalLong[] missed = {OptionalLong.empty()};
    Await.until("the NameNode misses dn" + loss.node(), MISSED_LIMIT, POLL, () -> {
      // Hadoop 3.3, 3.4 and 3.5 log this line with the same text.
      missed[0] = log.firstMs(line ->
          line.contains("removeDeadDatanode: lost heartbeat from " + address));
      return missed[0].isPresent();
    });
    return missed[0].getAsLong();
  }

  /**
   * Waits until all lost units are rebuilt.
   *
   * @param sinceMs when the measured time began, ms since 1970
   * @return the measured seconds
   */
  static double awaitRebuilt(HdfsProcessCluster cluster, DistributedFileSystem client,
      NodeLoss loss, Duration limit, long sinceMs)
      throws IOException, InterruptedException, TimeoutException {
    Await.until(() -> "all is redundant again: " + left(cluster), limit, POLL,
        () -> cluster.state().redundancy().lowGroups == 0 && loss.isRebuilt(cluster, client));
    double seconds = (System.currentTimeMillis() - sinceMs) / 1000.0;
    Await.until(() -> "no repair is pending: " + left(cluster), limit, POLL,
        () -> cluster.state().redundancy().isFull());
    return seconds;
  }

  private static String left(HdfsProcessCluster cluster) {
    try {
      return cluster.state().redundancy().toString();
    } catch (IOException e) {
      return "unknown, " + e;
    }
  }

  @Override
  void leaveBehind(HdfsProcessCluster cluster, NodeLoss loss) {
    // The trial has killed the node already.
  }

  @Override
  double lowerBoundSeconds(HdfsProcessCluster cluster, NodeLoss loss) {
    return boundSeconds(cluster, loss);
  }

  /** As {@link #lowerBoundSeconds}, for each trial in which the node is gone at once. */
  static double boundSeconds(HdfsProcessCluster cluster, NodeLoss loss) {
    if (cluster.spec().rate.isUnlimited()) {
      return Double.NaN;
    }
    LowerBound bound = bound(cluster, loss);
    return cluster.spec().crossRackRate.isUnlimited() ? bound.seconds()
        : bound.seconds(racks(cluster.spec()), goodput(cluster.spec().crossRackRate));
  }

  /** Returns how many bytes nodes have to send at least; NaN if links have no limit. */
  static double neededBytes(HdfsProcessCluster cluster, NodeLoss loss) {
    return cluster.spec().rate.isUnlimited() ? Double.NaN : bound(cluster, loss).bytes();
  }

  private static LowerBound bound(HdfsProcessCluster cluster, NodeLoss loss) {
    return new LowerBound(loss.lost(), loss.others(cluster), goodput(cluster.spec().rate));
  }
}
