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
package org.hdfsppr.bench.convert;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.bench.run.Meters;

/** The result of one run of one mode, as it appears in the table, the chart and the JSON file. */
@InterfaceAudience.Private
final class ConvertRecord {

  /** What was measured in a run, before anything was checked. */
  @InterfaceAudience.Private
  static final class Measured {
    private final double seconds;
    private final double writeLockShare;
    private final Map<String, Double> writeLockMs;
    private final Meters before;
    private final Meters after;

    /**
     * @param writeLockMs how long in all each operation held the NameNode's write lock
     */
    Measured(double seconds, double writeLockShare, Map<String, Double> writeLockMs,
        Meters before, Meters after) {
      this.seconds = seconds;
      this.writeLockShare = writeLockShare;
      this.writeLockMs = Map.copyOf(writeLockMs);
      this.before = before;
      this.after = after;
    }
  }

  private static final int OPERATIONS_SHOWN = 6;

  final CodePair codes;
  final ConvertMode mode;
  private final ClusterSpec cluster;
  private final ConvertedFiles files;
  private final long blockBytes;
  final int run;
  private final Measured measured;
  private final long linkedBytes;
  private final long madeBytes;
  final List<String> complaints;

  /**
   * @param linkedBytes the bytes of the new replicas that are links to old replicas' bytes
   * @param madeBytes the bytes of all other new replicas
   * @param complaints the faults that were found after the run; empty if there were none
   */
  ConvertRecord(CodePair codes, ConvertMode mode, ClusterSpec cluster, ConvertedFiles files,
      long blockBytes, int run, Measured measured, long linkedBytes, long madeBytes,
      List<String> complaints) {
    this.codes = codes;
    this.mode = mode;
    this.cluster = cluster;
    this.files = files;
    this.blockBytes = blockBytes;
    this.run = run;
    this.measured = measured;
    this.linkedBytes = linkedBytes;
    this.madeBytes = madeBytes;
    this.complaints = List.copyOf(complaints);
  }

  long groups() {
    return files.groups(codes.from);
  }

  double seconds() {
    return measured.seconds;
  }

  double filesPerSecond() {
    return files.count() / measured.seconds;
  }

  /** Returns the share of the time in which the NameNode's write lock was held. */
  double writeLockShare() {
    return measured.writeLockShare;
  }

  /** Returns the operations that held the NameNode's write lock for longest, the longest first. */
  String longestLockHolds() {
    return measured.writeLockMs.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(OPERATIONS_SHOWN)
        .map(one -> String.format(Locale.ROOT, "%s %.0f ms", one.getKey(), one.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the bytes that all nodes have received; NaN if the network counts none. */
  double networkBytes() {
    return measured.after.receivedSince(measured.before).isPresent()
        ? measured.after.receivedSince(measured.before).getAsLong() : Double.NaN;
  }

  /** Returns the bytes that the links have carried for each group, in full internal blocks. */
  double networkUnits() {
    return networkBytes() / ((double) groups() * Math.min(blockBytes, files.fileBytes));
  }

  double diskReadBytes() {
    return measured.after.diskReadSince(measured.before);
  }

  double diskWrittenBytes() {
    return measured.after.diskWrittenSince(measured.before);
  }

  double linkedBytes() {
    return linkedBytes;
  }

  double madeBytes() {
    return madeBytes;
  }

  /** Returns the share of the processors that processes other than DataNodes have used. */
  double otherCpuShare() {
    return measured.after.otherCpuShareSince(measured.before);
  }

  boolean ok() {
    return complaints.isEmpty();
  }

  /** Returns how many times the seconds of this run the rewrite of the same run took. */
  OptionalDouble speedup(List<ConvertRecord> all) {
    return all.stream().filter(other -> other.mode == ConvertMode.REWRITE && other.run == run
        && other.codes == codes).mapToDouble(other -> other.seconds() / seconds()).findFirst();
  }

  /** Returns the record as a flat JSON object. Values that were not measured are null. */
  ObjectNode toJson(ObjectMapper mapper, List<ConvertRecord> all) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "convert")
        .put("mode", mode.label)
        .put("code_from", codes.from.label())
        .put("code_to", codes.to.label())
        .put("groups", groups());
    put(json, "seconds", seconds());
    put(json, "network_bytes", networkBytes());
    put(json, "disk_read_bytes", diskReadBytes());
    put(json, "disk_write_bytes", diskWrittenBytes());
    put(json, "linked_bytes", linkedBytes());
    json.put("ok", ok());
    put(json, "made_bytes", madeBytes());
    put(json, "network_units_per_group", networkUnits());
    put(json, "x_rewrite_speed", speedup(all).orElse(Double.NaN));
    put(json, "files_per_second", filesPerSecond());
    put(json, "write_lock_share", writeLockShare());
    ObjectNode locks = json.putObject("write_lock_ms");
    measured.writeLockMs.forEach(locks::put);
    json.put("run", run)
        .put("files", files.count())
        .put("file_bytes", files.fileBytes)
        .put("block_bytes", blockBytes)
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("rate", cluster.rate.toString())
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("hadoop", cluster.hadoopVersion);
    put(json, "datanodes_cpu_seconds", measured.after.daemonCpuSecondsSince(measured.before));
    put(json, "other_cpu_seconds", measured.after.otherCpuSecondsSince(measured.before));
    return json.put("complaints", String.join("; ", complaints));
  }

  private static void put(ObjectNode json, String field, double value) {
    json.put(field, Double.isNaN(value) ? null : (Double) value);
  }
}
