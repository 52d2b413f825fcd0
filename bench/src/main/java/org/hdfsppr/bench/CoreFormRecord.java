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

/** One measured formation of CORE groups. Immutable. */
@InterfaceAudience.Private
final class CoreFormRecord {
  private static final double BITS = 8;

  private final EcCode code;
  private final int filesPerGroup;
  private final int groups;
  private final long blockBytes;
  private final ClusterSpec spec;
  final double seconds;
  private final OptionalLong networkBytes;
  private final long diskWrittenBytes;
  final double otherCpuShare;
  final List<String> complaints;

  CoreFormRecord(EcCode code, int filesPerGroup, int groups, long blockBytes, ClusterSpec spec,
      double seconds, Meters before, Meters after, List<String> complaints) {
    this.code = code;
    this.filesPerGroup = filesPerGroup;
    this.groups = groups;
    this.blockBytes = blockBytes;
    this.spec = spec;
    this.seconds = seconds;
    this.networkBytes = after.receivedSince(before);
    this.diskWrittenBytes = after.diskWrittenSince(before);
    this.otherCpuShare = after.otherCpuShareSince(before);
    this.complaints = List.copyOf(complaints);
  }

  private double madeBytes() {
    return (double) groups * code.units() * blockBytes;
  }

  /**
   * Returns the seconds in which all links together carry t units for each made one. No check of a
   * made unit counts.
   */
  double limitSeconds() {
    return filesPerGroup * madeBytes() / (spec.nodes * spec.rate.bitsPerSecond() / BITS);
  }

  /** Returns the rate as a share of what the links allow. */
  double share() {
    return limitSeconds() / seconds;
  }

  /** Returns how many units links carried for each made one, with checks, frames and heartbeats. */
  OptionalDouble unitsMoved() {
    return networkBytes.isEmpty() ? OptionalDouble.empty()
        : OptionalDouble.of(networkBytes.getAsLong() / madeBytes());
  }

  boolean ok() {
    return complaints.isEmpty();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "core-form")
        .put("code", code.label())
        .put("groups", groups)
        .put("seconds", seconds)
        .put("limit_seconds", limitSeconds())
        .put("share_of_limit", share())
        .put("network_bytes", networkBytes.isPresent() ? (Long) networkBytes.getAsLong() : null)
        .put("units_moved_per_made_unit",
            unitsMoved().isPresent() ? (Double) unitsMoved().getAsDouble() : null)
        .put("disk_write_bytes", diskWrittenBytes)
        .put("ok", ok())
        .put("block_bytes", blockBytes)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("hadoop", spec.hadoopVersion)
        .put("other_cpu_share", otherCpuShare)
        .put("complaints", String.join("; ", complaints));
  }
}
