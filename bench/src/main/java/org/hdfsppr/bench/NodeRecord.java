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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.it.util.EcCode;

/** The result of one run of one mode, as it appears in the table, the chart and the JSON file. */
@InterfaceAudience.Private
final class NodeRecord {
  private final String bench;
  final EcCode code;
  final NodeMode mode;
  private final ClusterSpec cluster;
  private final long blockBytes;
  final int run;
  final int lostBlocks;
  final double lowerBoundSeconds;
  final double seconds;
  /** The faults that were found after the run; empty if there were none. */
  final List<String> complaints;
  private final Meters before;
  private final Meters after;

  /**
   * @param cluster the specification of the cluster in this run
   * @param lowerBoundSeconds the lower bound of the time; NaN if links have no limit
   * @param seconds the duration of the repair, or of the run until the benchmark gave it up; in the
   *     second case a complaint says so
   * @param complaints the faults that were found after the run; empty if there were none
   */
  NodeRecord(String bench, EcCode code, NodeMode mode, ClusterSpec cluster, long blockBytes,
      int run, int lostBlocks, double lowerBoundSeconds, double seconds,
      List<String> complaints, Meters before, Meters after) {
    this.bench = bench;
    this.code = code;
    this.mode = mode;
    this.cluster = cluster;
    this.blockBytes = blockBytes;
    this.run = run;
    this.lostBlocks = lostBlocks;
    this.lowerBoundSeconds = lowerBoundSeconds;
    this.seconds = seconds;
    this.complaints = Collections.unmodifiableList(new ArrayList<>(complaints));
    this.before = before;
    this.after = after;
  }

  /** Returns the bytes per second that all live nodes' links send; infinite without a limit. */
  double linksBytesPerSecond() {
    return cluster.rate.isUnlimited() ? Double.POSITIVE_INFINITY
        : cluster.rate.bitsPerSecond() / 8.0 * LowerBound.GOODPUT * (cluster.nodes - 1);
  }

  boolean ok() {
    return complaints.isEmpty();
  }

  /**
   * Returns how many bytes all nodes together have received; NaN if the network does not count
   * bytes.
   */
  double networkBytes() {
    return orNaN(after.receivedSince(before));
  }

  double diskReadBytes() {
    return after.diskReadSince(before);
  }

  /** Returns the highest peak of resident memory that any DataNode has had, in bytes. */
  double residentPeakBytes() {
    return after.residentPeak();
  }

  double otherCpuShare() {
    return after.otherCpuShareSince(before);
  }

  private static double orNaN(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }

  /**
   * Adds one field for each other mode of the same run. Its name contains the other mode's label,
   * and its value is this mode's seconds divided by the other mode's seconds.
   */
  private void putRatios(ObjectNode json, List<NodeRecord> all) {
    for (NodeRecord other : all) {
      if (other.run == run && other.mode != mode) {
        json.put("x_" + other.mode.label.replace('-', '_'), seconds / other.seconds);
      }
    }
  }

  /** Returns the record as a flat JSON object. Values that were not measured are null. */
  ObjectNode toJson(ObjectMapper mapper, List<NodeRecord> all) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", bench)
        .put("code", code.label())
        .put("scheduler", mode.label)
        .put("lost_blocks", lostBlocks)
        .put("seconds", seconds);
    put(json, "lower_bound_seconds", lowerBoundSeconds);
    json.put("ok", ok());
    put(json, "x_lower_bound", seconds / lowerBoundSeconds);
    putRatios(json, all);
    json.put("run", run)
        .put("block_bytes", blockBytes)
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("rate", cluster.rate.toString())
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("hadoop", cluster.hadoopVersion)
        .put("settings", mode.describe());
    put(json, "network_bytes", networkBytes());
    put(json, "busiest_node_received_bytes", orNaN(after.busiestReceivedSince(before)));
    put(json, "cross_rack_bytes", orNaN(after.crossRackSince(before)));
    put(json, "disk_read_bytes", diskReadBytes());
    put(json, "datanode_resident_peak_bytes", residentPeakBytes());
    put(json, "datanodes_cpu_seconds", after.daemonCpuSecondsSince(before));
    put(json, "other_cpu_seconds", after.otherCpuSecondsSince(before));
    return json.put("complaints", String.join("; ", complaints));
  }

  private static void put(ObjectNode json, String field, double value) {
    json.put(field, Double.isNaN(value) ? null : (Double) value);
  }
}
