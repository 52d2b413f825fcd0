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

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.it.util.EcCode;

/** One measured repair of units of one or more CORE groups. Immutable. */
@InterfaceAudience.Private
final class CoreRepairRecord {
  private final EcCode code;
  final CoreWay way;
  final CoreLoss loss;
  private final int groups;
  private final ClusterSpec spec;
  private final long blockBytes;
  private final int run;
  final double seconds;
  private final OptionalLong readBytes;
  private final OptionalLong networkBytes;
  final double otherCpuShare;
  final List<String> complaints;

  /**
   * @param groups how many CORE groups lose the units
   * @param readBytes what helpers read from their replicas; empty where stock does not count it
   */
  CoreRepairRecord(EcCode code, CoreWay way, CoreLoss loss, int groups, ClusterSpec spec,
      long blockBytes, int run, double seconds, OptionalLong readBytes, Meters before, Meters after,
      List<String> complaints) {
    this.code = code;
    this.way = way;
    this.loss = loss;
    this.groups = groups;
    this.spec = spec;
    this.blockBytes = blockBytes;
    this.run = run;
    this.seconds = seconds;
    this.readBytes = readBytes;
    this.networkBytes = after.receivedSince(before);
    this.otherCpuShare = after.otherCpuShareSince(before);
    this.complaints = List.copyOf(complaints);
  }

  /** Returns how many blocks helpers have read, slices of checks included. */
  OptionalDouble blocksRead() {
    return readBytes.isEmpty() ? OptionalDouble.empty()
        : OptionalDouble.of((double) readBytes.getAsLong() / blockBytes);
  }

  /** Returns what the links of all DataNodes carried, in blocks. */
  OptionalDouble blocksMoved() {
    return networkBytes.isEmpty() ? OptionalDouble.empty()
        : OptionalDouble.of((double) networkBytes.getAsLong() / blockBytes);
  }

  boolean ok() {
    return complaints.isEmpty();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "core")
        .put("code", code.label())
        .put("pattern", loss.label)
        .put("groups", groups)
        .put("strategy", way.label)
        .put("seconds", seconds)
        .put("blocks_read", blocksRead().isPresent() ? (Double) blocksRead().getAsDouble() : null)
        .put("network_bytes", networkBytes.isPresent() ? (Long) networkBytes.getAsLong() : null)
        .put("ok", ok())
        .put("run", run)
        .put("block_bytes", blockBytes)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("hadoop", spec.hadoopVersion)
        .put("other_cpu_share", otherCpuShare)
        .put("complaints", String.join("; ", complaints));
  }
}
