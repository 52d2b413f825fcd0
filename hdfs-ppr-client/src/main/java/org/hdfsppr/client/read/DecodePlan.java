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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Source;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.stream.UnitSource;

/**
 * Lists the bytes of each unit that the client needs to decode one range, and decodes the range
 * when these bytes have been read. Used by one thread.
 */
@InterfaceAudience.Private
final class DecodePlan {
  private final RepairPlan plan;
  private final UnitRange range;
  private final SliceGeometry geometry;
  private final List<Source> sources = new ArrayList<>();

  /** @param plan a plan in which the client reads all sources itself */
  DecodePlan(RepairPlan plan, UnitRange range) {
    this.plan = plan;
    this.range = range;
    this.geometry = plan.geometry.covering(range.from, range.to);
    plan.root.forEach(node -> sources.addAll(node.sources));
  }

  /** Counts the units that decoding needs, without those that only check. At least 1. */
  int helpers() {
    return Math.max(1, (int) sources.stream().filter(source -> source.contributes(false)).count());
  }

  /** Lists all bytes that decoding needs, as ranges of units. */
  List<UnitRange> wanted() {
    List<UnitRange> all = new ArrayList<>();
    sources.forEach(source -> all.addAll(wanted(source)));
    return all;
  }

  /** Lists the ranges of one unit that decoding needs. Adjacent ranges are merged. */
  private List<UnitRange> wanted(Source source) {
    List<long[]> runs = new ArrayList<>();
    for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
      for (int run = 0; run < geometry.runs(slice); run++) {
        long from = geometry.offset(slice, run);
        long to = from + geometry.lengthWithin(slice, run, source.length());
        if (geometry.subChunks() == 1) {
          // Each byte is decoded independently, so the bytes around the range are not needed.
          from = Math.max(from, range.from);
          to = Math.min(to, range.to);
        }
        if (from < to && source.contributes(geometry.kind(slice), run)) {
          runs.add(new long[] {from, to});
        }
      }
    }
    runs.sort((a, b) -> Long.compare(a[0], b[0]));
    List<UnitRange> merged = new ArrayList<>();
    long[] open = null;
    for (long[] run : runs) {
      if (open != null && run[0] <= open[1]) {
        open[1] = Math.max(open[1], run[1]);
      } else {
        if (open != null) {
          merged.add(new UnitRange(source.unit, open[0], open[1]));
        }
        open = run;
      }
    }
    if (open != null) {
      merged.add(new UnitRange(source.unit, open[0], open[1]));
    }
    return merged;
  }

  /**
   * Decodes the range.
   *
   * @param read contains all bytes that are {@link #wanted}
   * @param found receives all runs that were rebuilt, which may be more than the range
   * @throws IOException if the range cannot be decoded, or does not pass its check
   */
  void decode(ReadContext context, ReadPlans plans, LocatedGroup group, Segments read,
      Segments found) throws IOException {
    PlanNode root = new PlanNode(ReadPlans.CLIENT, sources, Collections.emptyList());
    List<UnitSource> columns = new ArrayList<>();
    for (Source source : sources) {
      UnitSource bytes = new ReadUnitSource(read, group.id().blockId(source.unit),
          source.length(), wanted(source));
      columns.addAll(Collections.nCopies(source.subChunks, bytes));
    }
    RebuiltRuns runs = new RebuiltRuns();
    try (RangeRead decoding = new RangeRead(plan, plans.request(group, plan, root, geometry),
        columns, context.kernel, context.buffers, context.nanoClock)) {
      decoding.run(context.connector, group.unitBytes(range.unit), runs);
      context.counters.computed(decoding.multiplyNanos());
    }
    long blockId = group.id().blockId(range.unit);
    if (geometry.subChunks() > 1) {
      runs.addTo(found, blockId);
      return;
    }
    Segments all = new Segments(Long.MAX_VALUE);
    runs.addTo(all, blockId);
    ByteBuffer wanted = ByteBuffer.allocate(range.length());
    if (!all.copy(blockId, range.from, wanted)) {
      throw new IOException("Unit " + range + " was decoded, but not all of it");
    }
    found.add(blockId, range.from, wanted.flip());
  }
}
