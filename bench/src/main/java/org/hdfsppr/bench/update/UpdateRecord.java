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

/** The result of a replay of a trace under one strategy. */
@InterfaceAudience.Private
final class UpdateRecord {
  private static final double MIB = 1 << 20;

  private final String trace;
  private final String code;
  private final StrategyReplay replay;

  /**
   * @param trace the name of the trace
   * @param code the name of the code
   * @param replay a replay that has ended
   */
  UpdateRecord(String trace, String code, StrategyReplay replay) {
    this.trace = trace;
    this.code = code;
    this.replay = replay;
  }

  static void print(PrintWriter out, List<UpdateRecord> records) {
    out.printf("%-13s %12s %12s %12s %12s %8s %14s%n", "strategy", "chunks", "replicas", "parity",
        "grouping", "commits", "MiB in bytes");
    for (UpdateRecord record : records) {
      CrossRackCounts chunks = record.replay.chunks();
      out.printf(Locale.ROOT, "%-13s %12d %12d %12d %12d %8d %14.2f%n",
          record.replay.strategy.label(), chunks.all(), chunks.replica(), chunks.parity(),
          chunks.grouping(), record.replay.commits(), record.replay.bytes().all() / MIB);
    }
    out.flush();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    CrossRackCounts chunks = replay.chunks();
    return mapper.createObjectNode()
        .put("bench", "updates")
        .put("trace", trace)
        .put("code", code)
        .put("racks", replay.options.placements.racks)
        .put("strategy", replay.strategy.label())
        .put("writes", replay.writes())
        .put("chunk_writes", replay.chunkWrites())
        .put("chunk_transfers", chunks.all())
        .put("chunk_transfer_bytes", chunks.all() * replay.options.chunkBytes)
        .put("replica_chunks", chunks.replica())
        .put("end_marker_chunks", replay.endMarkerChunks())
        .put("parity_chunks", chunks.parity())
        .put("grouping_chunks", chunks.grouping())
        .put("cross_rack_bytes", replay.bytes().all())
        .put("commits", replay.commits())
        .put("replicas", replay.strategy.replicas())
        .put("chunk_bytes", replay.options.chunkBytes)
        .put("stripes_per_commit", replay.options.stripesPerCommit);
  }
}
