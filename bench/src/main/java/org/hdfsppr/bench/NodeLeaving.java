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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;

/**
 * The trial in which the NameNode decommissions the node. The measured time ends when the NameNode
 * reports the node as decommissioned.
 */
final class NodeLeaving extends NodeTrial {
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(2);

  NodeLeaving() {
    super("decommission");
  }

  @Override
  String describe() {
    return "seconds: from the call of refreshNodes until the NameNode reports the node as "
        + "decommissioned (it looks every second, and we every " + POLL.toMillis() + " ms). Then "
        + "the node is killed, and everything is read without it";
  }

  @Override
  double seconds(HdfsProcessCluster cluster, DistributedFileSystem client, NodeLoss loss,
      Duration limit) throws IOException, InterruptedException, TimeoutException {
    String address = cluster.nodeAddress(loss.node());
    long startNanos = System.nanoTime();
    cluster.decommission(List.of(loss.node()));
    Await.until("dn" + loss.node() + " is decommissioned", limit, POLL, () -> {
      DatanodeInfo[] nodes = client.getDataNodeStats(DatanodeReportType.ALL);
      return Arrays.stream(nodes)
          .anyMatch(node -> node.getIpAddr().equals(address) && node.isDecommissioned());
    });
    return (System.nanoTime() - startNanos) / 1e9;
  }

  @Override
  void leaveBehind(HdfsProcessCluster cluster, NodeLoss loss)
      throws IOException, InterruptedException, TimeoutException {
    cluster.kill(loss.node());
    cluster.state().awaitLive(cluster.spec().nodes - 1, SETTLE_LIMIT);
  }

  @Override
  double lowerBoundSeconds(HdfsProcessCluster cluster, NodeLoss loss) {
    return cluster.spec().rate.isUnlimited() ? Double.NaN
        : LowerBound.decommissionSeconds(loss.lost(), loss.others(cluster).size(),
            goodput(cluster.spec().rate));
  }
}
