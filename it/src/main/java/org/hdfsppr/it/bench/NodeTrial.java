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
package org.hdfsppr.it.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;

/**
 * A way in which a cluster loses a node. A trial also defines which time is measured, and a lower
 * bound of this time.
 */
@InterfaceAudience.Private
abstract class NodeTrial {
  static final Duration POLL = Duration.ofMillis(100);

  private final String bench;

  NodeTrial(String bench) {
    this.bench = bench;
  }

  /** Returns the name of the benchmark. */
  final String bench() {
    return bench;
  }

  /** Describes in words when the measured time starts and ends. */
  abstract String describe();

  /**
   * Makes the cluster lose the node, and waits until the loss is repaired.
   *
   * @param limit the longest measured time
   * @return the measured seconds
   * @throws TimeoutException if the repair takes longer than {@code limit}
   */
  abstract double seconds(HdfsProcessCluster cluster, DistributedFileSystem client, NodeLoss loss,
      Duration limit) throws IOException, InterruptedException, TimeoutException;

  /**
   * Makes sure that the node is not running any more. The benchmark calls this before it reads the
   * files back.
   */
  abstract void leaveBehind(HdfsProcessCluster cluster, NodeLoss loss)
      throws IOException, InterruptedException, TimeoutException;

  /** Returns the lower bound of the measured time, seconds; NaN if links have no limit. */
  abstract double lowerBoundSeconds(HdfsProcessCluster cluster, NodeLoss loss);

  static double goodput(Rate rate) {
    return rate.bitsPerSecond() / 8.0 * LowerBound.GOODPUT;
  }

  static int[] racks(ClusterSpec spec) {
    int[] racks = new int[spec.nodes() + 1];
    for (int node = 1; node <= spec.nodes(); node++) {
      racks[node] = spec.rackOf(node);
    }
    return racks;
  }
}
