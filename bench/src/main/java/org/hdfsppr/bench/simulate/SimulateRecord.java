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
package org.hdfsppr.bench.simulate;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/** The result of a simulation with one scheduler. */
@InterfaceAudience.Private
final class SimulateRecord {
  private static final double MIB = 1 << 20;

  private final SimulatedSpec spec;
  private final String scheduler;
  private final double startsPerS;
  private final double plansPerStart;
  private final double makespanS;
  private final double lowerBoundS;
  private final long heapBytes;
  private final int repairs;
  private final int inFlightMost;
  private final double sentBytes;

  /**
   * @param startsPerS repairs that the dispatcher starts per second of processor time
   * @param plansPerStart plans that it makes for each of them: many groups are planned, find a busy
   *     link, and wait
   */
  SimulateRecord(SimulatedSpec spec, String scheduler, double startsPerS, double plansPerStart,
      double makespanS, double lowerBoundS, long heapBytes, int repairs, int inFlightMost,
      double sentBytes) {
    this.spec = spec;
    this.scheduler = scheduler;
    this.startsPerS = startsPerS;
    this.plansPerStart = plansPerStart;
    this.makespanS = makespanS;
    this.lowerBoundS = lowerBoundS;
    this.heapBytes = heapBytes;
    this.repairs = repairs;
    this.inFlightMost = inFlightMost;
    this.sentBytes = sentBytes;
  }

  static void print(PrintWriter out, List<SimulateRecord> records) {
    out.printf("%-10s %9s %12s %14s %9s %10s %10s %10s %9s %11s%n", "scheduler", "repairs",
        "makespan s", "lower bound s", "x bound", "in flight", "starts/s", "plans/s", "heap MiB",
        "blocks sent");
    for (SimulateRecord record : records) {
      out.printf(Locale.ROOT, "%-10s %9d %12.2f %14.2f %9.3f %10d %10.0f %10.0f %9.1f %11.2f%n",
          record.scheduler, record.repairs, record.makespanS, record.lowerBoundS,
          record.makespanS / record.lowerBoundS, record.inFlightMost, record.startsPerS,
          record.startsPerS * record.plansPerStart, record.heapBytes / MIB,
          record.sentBytes / record.spec.blockBytes / record.repairs);
    }
    out.flush();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "simulate")
        .put("scheduler", scheduler)
        .put("code", spec.code.label())
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("groups", spec.groups)
        .put("lost_nodes", spec.lostNodes)
        .put("repairs", repairs)
        .put("block_bytes", spec.blockBytes)
        .put("rate_bits_per_s", spec.rate.bitsPerSecond())
        .put("starts_per_s", startsPerS)
        .put("plans_per_s", startsPerS * plansPerStart)
        .put("makespan_s", makespanS)
        .put("lower_bound_s", lowerBoundS)
        .put("in_flight_most", inFlightMost)
        .put("sent_bytes", (long) sentBytes)
        .put("heap_bytes", heapBytes)
        .put("seed", spec.seed);
  }
}
