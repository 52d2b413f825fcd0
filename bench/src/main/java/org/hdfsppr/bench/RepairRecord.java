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

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.it.util.EcCode;

/** The result of one run of one mode, as it appears in the table, the chart and the JSON file. */
@InterfaceAudience.Private
final class RepairRecord {
  private final EcCode code;
  final RepairMode mode;
  final long blockBytes;
  private final Rate rate;
  private final Rate crossRackRate;
  private final int lostUnits;
  private final int run;
  final RepairRun.Outcome outcome;

  RepairRecord(EcCode code, RepairMode mode, long blockBytes, ClusterSpec cluster,
      int lostUnits, int run, RepairRun.Outcome outcome) {
    this.code = code;
    this.mode = mode;
    this.blockBytes = blockBytes;
    this.rate = cluster.rate;
    this.crossRackRate = cluster.crossRackRate;
    this.lostUnits = lostUnits;
    this.run = run;
    this.outcome = outcome;
  }

  /**
   * Returns C/B, the seconds in which a link of rate B carries a block of C bytes. No repair is
   * faster, because each destination must receive a whole block. The limit is the same for several
   * lost units, because each unit has its own destination.
   */
  OptionalDouble limitSeconds() {
    return rate.isUnlimited() ? OptionalDouble.empty()
        : OptionalDouble.of(rate.secondsFor(blockBytes));
  }

  /**
   * Returns how many bytes the code's cheapest recipe for one lost unit reads. Empty if several
   * units are lost, because recipes are defined only for a single lost unit.
   */
  OptionalLong recipeReadBytes() {
    return outcome.lostUnits.size() != 1 ? OptionalLong.empty()
        : OptionalLong.of(Math.round(RepairCost.of(code.code, outcome.lostUnits.get(0))
            .unitsRead() * blockBytes));
  }

  /** Returns the record as a flat JSON object. Values that were not measured are null. */
  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "repair")
        .put("code", code.label())
        .put("topology", mode.label)
        .put("block", ByteSize.words(blockBytes))
        .put("block_bytes", blockBytes)
        .put("rate_bits_per_s", bitsPerSecond(rate))
        .put("cross_rack_rate_bits_per_s", bitsPerSecond(crossRackRate))
        .put("lost_units", lostUnits)
        .put("lost_unit_indices", outcome.lostUnits.stream().map(String::valueOf)
            .collect(Collectors.joining(" ")))
        .put("run", run)
        .put("ok", outcome.ok)
        .put("seconds", outcome.seconds)
        .put("limit_seconds",
            limitSeconds().isPresent() ? (Double) limitSeconds().getAsDouble() : null);
    put(json, "busiest_node_received_bytes", outcome.busiestReceivedBytes);
    json.put("disk_read_bytes", outcome.diskReadBytes);
    put(json, "helper_read_bytes", outcome.helperReadBytes);
    put(json, "recipe_read_bytes", recipeReadBytes());
    put(json, "network_bytes", outcome.networkBytes);
    put(json, "cross_rack_bytes", outcome.crossRackBytes);
    json.put("datanodes_cpu_seconds", outcome.daemonCpuSeconds);
    json.put("other_cpu_seconds", outcome.otherCpuSeconds);
    return json;
  }

  private static Long bitsPerSecond(Rate of) {
    return of.isUnlimited() ? null : (Long) of.bitsPerSecond();
  }

  private static void put(ObjectNode json, String field, OptionalLong value) {
    json.put(field, value.isPresent() ? (Long) value.getAsLong() : null);
  }
}
