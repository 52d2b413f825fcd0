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
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;

/**
 * A way in which a cluster loses a node. A trial also defines which time is measured, and a lower
 * bound of this time.
 */
abstract class NodeTrial {
  static final Duration POLL = Duration.ofMillis(100);

  /** The name of the benchmark. */
  final String bench;

  NodeTrial(String bench) {
    this.bench = bench;
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

  /**
   * Prepares the links of a cluster that has just been started for the first time. Does nothing
   * unless the trial has clients with links of their own.
   */
  void prepare(HdfsProcessCluster cluster) throws IOException, InterruptedException {
    // Most trials have no clients.
  }

  /**
   * Takes the row of a run, once for each call of {@link #seconds}, in the same order.
   *
   * @param row the row
   */
  void add(Row row) {
    // Most trials measure the times only.
  }

  /** Returns the faults that the trial itself has found in the last run; empty if none. */
  List<String> complaints() {
    return List.of();
  }

  /** Writes all results so far, if the user asked for JSON. */
  void writeJson(BenchRun run, List<Row> rows) throws IOException {
    run.writeJson(rows);
  }

  /** Prints what the trial has measured in addition to the times. */
  void print(PrintWriter out) {
    // Most trials measure the times only.
  }

  static double goodput(Rate rate) {
    return rate.bitsPerSecond() / 8.0 * LowerBound.GOODPUT;
  }

  static int[] racks(ClusterSpec spec) {
    int[] racks = new int[spec.nodes + 1];
    for (int node = 1; node <= spec.nodes; node++) {
      racks[node] = spec.rackOf(node);
    }
    return racks;
  }
}
