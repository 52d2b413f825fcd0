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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.RackTraffic;

/** The result of a replay on a cluster under one strategy, beside that of a simulation. */
@InterfaceAudience.Private
final class ClusterRecord {
  private static final double MIB = 1 << 20;

  private final String trace;
  private final String code;
  private final ClusterSpec cluster;
  private final StrategyReplay simulated;
  private final ClusterReplay replay;
  private final boolean durable;
  private final double seconds;
  private final RackTraffic crossed;
  private final RackTraffic own;
  final boolean ok;

  /**
   * @param trace the name of the trace, or of the workload
   * @param code the name of the code
   * @param simulated the same writes in a simulation with the same places
   * @param replay a replay that has ended
   * @param durable whether each update was on disk in all logs when it was answered
   * @param seconds how long it took, with its commits
   * @param crossed what all racks have sent to the core meanwhile
   * @param own the same without what they send when no client writes
   * @param ok whether all files have the bytes that were written
   */
  ClusterRecord(String trace, String code, ClusterSpec cluster, StrategyReplay simulated,
      ClusterReplay replay, boolean durable, double seconds, RackTraffic crossed, RackTraffic own,
      boolean ok) {
    this.durable = durable;
    this.trace = trace;
    this.code = code;
    this.cluster = cluster;
    this.simulated = simulated;
    this.replay = replay;
    this.seconds = seconds;
    this.crossed = crossed;
    this.own = own;
    this.ok = ok;
  }

  static void print(PrintWriter out, List<ClusterRecord> records) {
    out.printf("%-13s %9s %10s %9s %9s %8s %10s %10s %10s %4s%n", "strategy", "updates",
        "updates/s", "p50 ms", "p99 ms", "commits", "MiB racks", "payload", "simulated", "ok");
    for (ClusterRecord record : records) {
      out.printf(Locale.ROOT, "%-13s %9d %10.1f %9.1f %9.1f %8d %10.2f %10.2f %10.2f %4s%n",
          record.simulated.strategy.label(), record.replay.updates(),
          record.replay.updates() / record.seconds, record.replay.percentileMs(0.5),
          record.replay.percentileMs(0.99), record.replay.commits(), record.own.bytes / MIB,
          record.own.payloadBytes() / MIB, record.simulated.bytes().all() / MIB,
          record.ok ? "yes" : "NO");
    }
    out.flush();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "updates")
        .put("trace", trace)
        .put("code", code)
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("strategy", simulated.strategy.label())
        .put("durable", durable)
        .put("updates", replay.updates())
        .put("updates_per_s", replay.updates() / seconds)
        .put("p50_ms", replay.percentileMs(0.5))
        .put("p99_ms", replay.percentileMs(0.99))
        .put("cross_rack_bytes", own.bytes)
        .put("cross_rack_frames", own.frames)
        .put("cross_rack_payload_bytes", own.payloadBytes())
        .put("cross_rack_bytes_with_idle", crossed.bytes)
        .put("idle_bytes_per_s", (crossed.bytes - own.bytes) / seconds)
        .put("simulated_cross_rack_bytes", simulated.bytes().all())
        .put("simulated_replica_bytes", simulated.bytes().replica())
        .put("simulated_parity_bytes", simulated.bytes().parity())
        .put("chunk_equivalent_bytes", simulated.chunks().all() * simulated.options.chunkBytes)
        .put("commits", replay.commits())
        .put("stripes_per_commit", simulated.options.stripesPerCommit)
        .put("chunk_bytes", simulated.options.chunkBytes)
        .put("seconds", seconds)
        .put("ok", ok);
  }
}
