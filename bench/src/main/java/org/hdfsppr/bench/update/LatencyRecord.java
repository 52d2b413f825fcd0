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
package org.hdfsppr.bench.update;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.bench.run.Medians;

/** How long updates took that were acknowledged in one way, in several repeats on a cluster. */
@InterfaceAudience.Private
final class LatencyRecord {
  /** The median update may take this many times the bound. */
  static final double P50_RATIO_MAX = 3;
  /** 99 of 100 updates may each take this many times the bound. */
  static final double P99_RATIO_MAX = 10;

  private final String code;
  private final ClusterSpec cluster;
  private final NodeJvm jvm;
  private final boolean durable;
  private final int updateBytes;
  private final List<LatencyRun> runs;
  final boolean ok;

  /**
   * @param code the name of the code
   * @param jvm how the DataNodes run
   * @param durable whether each update was on disk in all logs when it was acknowledged (hsync),
   *     and not in memory (hflush); the appends of the runs are likewise
   * @param updateBytes bytes of an update
   * @param runs the repeats, at least one
   * @param ok whether the file has the bytes that were written
   */
  LatencyRecord(String code, ClusterSpec cluster, NodeJvm jvm, boolean durable, int updateBytes,
      List<LatencyRun> runs, boolean ok) {
    this.code = code;
    this.cluster = cluster;
    this.jvm = jvm;
    this.durable = durable;
    this.updateBytes = updateBytes;
    this.runs = List.copyOf(runs);
    this.ok = ok;
  }

  /** {@return whether the median repeat keeps to both limits} */
  boolean isWithin() {
    return median(LatencyRun::p50Ratio) <= P50_RATIO_MAX
        && median(LatencyRun::p99Ratio) <= P99_RATIO_MAX;
  }

  private double median(ToDoubleFunction<LatencyRun> value) {
    return Medians.of(runs.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  private String acknowledged() {
    return durable ? "hsync" : "hflush";
  }

  static void print(PrintWriter out, List<LatencyRecord> records) {
    out.printf("%-9s %-7s %8s %8s %8s %8s %9s %9s %8s %8s %7s %4s%n", "datanodes", "by", "trip 1",
        "trip 2", "append", "bound", "p50 us", "p99 us", "p50/b", "p99/b", "within", "ok");
    for (LatencyRecord record : records) {
      out.printf(Locale.ROOT,
          "%-9s %-7s %8.1f %8.1f %8.1f %8.1f %9.1f %9.1f %8.2f %8.2f %7s %4s%n",
          record.jvm.label(), record.acknowledged(), record.median(run -> run.clientTripUs),
          record.median(run -> run.followerTripUs), record.median(run -> run.appendUs),
          record.median(LatencyRun::boundUs), record.median(run -> run.updates.p50Us),
          record.median(run -> run.updates.p99Us), record.median(LatencyRun::p50Ratio),
          record.median(LatencyRun::p99Ratio), record.isWithin() ? "yes" : "no",
          record.ok ? "yes" : "NO");
    }
    out.flush();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "update-latency")
        .put("code", code)
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("rate", cluster.rate.toString())
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("network", cluster.network.toString())
        .put("datanodes", jvm.label())
        .put("acknowledged", acknowledged())
        .put("replicas", 1)
        .put("update_bytes", updateBytes)
        .put("updates", runs.stream().mapToInt(run -> run.updates.count).sum())
        .put("runs", runs.size());
    put(json, "client_trip_us", run -> run.clientTripUs);
    put(json, "follower_trip_us", run -> run.followerTripUs);
    put(json, "append_us", run -> run.appendUs);
    put(json, "bound_us", LatencyRun::boundUs);
    put(json, "p50_us", run -> run.updates.p50Us);
    put(json, "p99_us", run -> run.updates.p99Us);
    put(json, "p50_ratio", LatencyRun::p50Ratio);
    put(json, "p99_ratio", LatencyRun::p99Ratio);
    return json.put("p50_ratio_max", P50_RATIO_MAX)
        .put("p99_ratio_max", P99_RATIO_MAX)
        .put("within", isWithin())
        .put("ok", ok);
  }

  /** The median of the repeats, and beside it all of them. */
  private void put(ObjectNode json, String name, ToDoubleFunction<LatencyRun> value) {
    json.put(name, median(value));
    ArrayNode all = json.putArray(name + "_runs");
    runs.forEach(run -> all.add(value.applyAsDouble(run)));
  }
}
