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
package org.hdfsppr.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Source;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceReader;

/**
 * The arithmetic of one node of a tree: slice by slice, its own units times their coefficients plus
 * what its children send. Holds, whatever the unit's length, one slice of output rows, one run per
 * source and sub-chunk, and one more slice of output rows if it has more than one child. Used by
 * one thread.
 */
@InterfaceAudience.Private
final class PartialSum {
  private static final GfMatrix ONE = GfMatrix.identity(1);

  /** A run of one of the node's units: what is one column of coefficients. */
  private static final class Run {
    private final int source;
    private final int run;

    Run(int source, int run) {
      this.source = source;
      this.run = run;
    }
  }

  /** Part of the sums for one kind of slice: which runs of the sources count, and how. */
  private static final class Term {
    private final List<Run> runs = new ArrayList<>();
    private final RegionOperator operator;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;

    Term(List<Source> all, SliceKind kind, int rows, RegionKernel kernel, TableMemory tables) {
      for (int i = 0; i < all.size(); i++) {
        int most = kind.isTail() ? 1 : all.get(i).subChunks();
        for (int run = 0; run < most; run++) {
          if (all.get(i).contributes(kind, run)) {
            runs.add(new Run(i, run));
          }
        }
      }
      inputs = new ByteBuffer[runs.size()];
      outputs = new ByteBuffer[rows];
      operator = runs.isEmpty() ? null : kernel.prepare(GfMatrix.generate(rows, runs.size(),
          (row, column) -> all.get(runs.get(column).source)
              .coefficient(kind, row, runs.get(column).run) & 0xff), tables::carve);
    }
  }

  private final PlanNode node;
  private final PartialSumRequest request;
  private final SliceGeometry geometry;
  private final List<UnitSource> sources;
  private final List<SliceReader> children;
  private final NodeStats stats;
  private final LongSupplier nanoClock;
  private final SliceBuffer sums;
  private final SliceBuffer more;
  private final ByteBuffer[] units;
  private final Map<SliceKind, Term> terms = new EnumMap<>(SliceKind.class);
  private final RegionOperator add;
  /** Of which the own units have been read already; negative if of none. */
  private int ahead = -1;

  /**
   * @param request what is computed; its subtree's root is this node
   * @param sources open units, for each source of the node, in that order, one for each sub-chunk
   * @param children one for each child of the node, in that order; empty until {@link #sum}
   * @param lease memory, whose next pieces are those of {@link #pieces}
   */
  PartialSum(PartialSumRequest request, List<UnitSource> sources, List<SliceReader> children,
      RegionKernel kernel, BufferPool.Lease lease, NodeStats stats, LongSupplier nanoClock) {
    this.request = request;
    this.node = request.subtree();
    this.geometry = request.geometry();
    this.sources = sources;
    this.children = children;
    this.stats = stats;
    this.nanoClock = nanoClock;
    int rows = request.lostRows() + request.checkRows();
    int sliceBytes = geometry.sliceBytes();
    int bufferBytes = SliceBuffer.bytesFor(rows, sliceBytes);
    sums = new SliceBuffer(lease.carve(bufferBytes), rows);
    more = node.children().size() > 1 ? new SliceBuffer(lease.carve(bufferBytes), rows) : null;
    units = new ByteBuffer[node.sources().size() * geometry.subChunks()];
    for (int i = 0; i < units.length; i++) {
      units[i] = lease.carve(sliceBytes);
    }
    TableMemory tables =
        new TableMemory(lease.carve(TableMemory.bytesFor(kernel, rows, units.length)));
    for (SliceKind kind : SliceKind.values()) {
      if (!kind.isTail() || geometry.hasTail()) {
        terms.put(kind, new Term(node.sources(), kind, request.rows(kind), kernel, tables));
      }
    }
    add = kernel.prepare(ONE, tables::carve);
  }

  /** The buffers that a node needs, bytes each, in the order in which it takes them. */
  static int[] pieces(PartialSumRequest request, RegionKernel kernel) {
    int rows = request.lostRows() + request.checkRows();
    return pieces(rows, request.geometry().sliceBytes(),
        request.subtree().children().size() > 1 ? 2 : 1,
        request.subtree().sources().size() * request.geometry().subChunks(), kernel);
  }

  /**
   * @param rows output rows, the check row among them
   * @param sliceBytes bytes of a slice
   * @param sums buffers for a slice of rows
   * @param runs buffers for a run of a unit
   */
  static int[] pieces(int rows, int sliceBytes, int sums, int runs, RegionKernel kernel) {
    int[] pieces = new int[sums + runs + 1];
    Arrays.fill(pieces, 0, sums, SliceBuffer.bytesFor(rows, sliceBytes));
    Arrays.fill(pieces, sums, sums + runs, sliceBytes);
    pieces[sums + runs] = TableMemory.bytesFor(kernel, rows, runs);
    return pieces;
  }

  /**
   * Reads what this node itself has of the first slice that is to be summed up, for who has to wait
   * for its children anyway.
   *
   * @throws IOException if a unit of this node cannot be read
   */
  void readFirst() throws IOException {
    int slice = geometry.firstSlice();
    SliceKind kind = geometry.kind(slice);
    if (node.contributes(kind)) {
      announce(slice);
      readUnits(terms.get(kind), slice, geometry.length(slice));
      ahead = slice;
    }
  }

  /**
   * Computes the sums of slice {@code slice}.
   *
   * @return the rows, valid until the next call; null if this subtree is silent for the slice
   * @throws RepairException if a child failed
   * @throws IOException if a unit of this node cannot be read
   */
  SliceBuffer sum(int slice) throws IOException {
    SliceKind kind = geometry.kind(slice);
    if (!node.contributes(kind)) {
      return null;
    }
    Term own = terms.get(kind);
    int rows = request.rows(slice);
    int length = geometry.length(slice);
    sums.shape(rows, length);
    if (slice != ahead) {
      announce(slice);
      // Own units first: while the disk is read, the children's slices arrive.
      readUnits(own, slice, length);
    }
    boolean filled = false;
    for (int i = 0; i < children.size(); i++) {
      if (node.children().get(i).contributes(kind)) {
        if (filled) {
          more.shape(rows, length);
          receive(i, slice, more);
          addAll(rows * length);
        } else {
          receive(i, slice, sums);
          filled = true;
        }
      }
    }
    if (own.operator != null) {
      long start = nanoClock.getAsLong();
      for (int row = 0; row < rows; row++) {
        own.outputs[row] = sums.row(row);
      }
      own.operator.apply(own.inputs, own.outputs, length, filled);
      stats.addMultiply(nanoClock.getAsLong() - start);
    }
    return sums;
  }

  /**
   * Where not all of a unit is read, nobody but us can tell what comes next: parts of cells, or now
   * and then a slice that is to be checked.
   */
  private void announce(int slice) {
    if (!geometry.beginsCell(slice)) {
      return;
    }
    for (int index = 0; index < node.sources().size(); index++) {
      Source source = node.sources().get(index);
      if (source.needsAll(SliceKind.PLAIN) && !geometry.isRange()) {
        continue;
      }
      for (int run = 0; run < geometry.runs(slice); run++) {
        if (slice == geometry.firstSlice() && source.needs(run)
            && !source.contributes(SliceKind.PLAIN, run)) {
          sources.get(index * geometry.subChunks() + run).announce(geometry.offset(slice, run), 0);
        }
        long length = Math.min(geometry.runLength(slice),
            source.length() - geometry.offset(slice, run));
        if (source.contributes(SliceKind.PLAIN, run) && length > 0) {
          sources.get(index * geometry.subChunks() + run)
              .announce(geometry.offset(slice, run), length);
        }
      }
    }
  }

  private void readUnits(Term own, int slice, int length) throws IOException {
    if (own.inputs.length == 0) {
      return;
    }
    long start = nanoClock.getAsLong();
    long throttledBefore = stats.throttleNanos();
    for (int i = 0; i < own.inputs.length; i++) {
      Run run = own.runs.get(i);
      Source source = node.sources().get(run.source);
      int index = run.source * geometry.subChunks() + run.run;
      ByteBuffer unit = units[index];
      unit.clear();
      int within = geometry.lengthWithin(slice, run.run, source.length());
      if (within > 0) {
        unit.limit(within);
        sources.get(index).read(geometry.offset(slice, run.run), unit);
        if (source.contributes(SliceKind.PLAIN, run.run)) {
          stats.addUnitBytesRead(within);
        }
      }
      unit.limit(length);
      unit.position(within);
      while (unit.hasRemaining()) {
        // Behind its end a unit counts as zeros; only the last slices come here.
        unit.put((byte) 0);
      }
      unit.flip();
      own.inputs[i] = unit;
    }
    // The sources have noted for how long a limit held them back, which is not the disk's time.
    stats.addLocal(nanoClock.getAsLong() - start - (stats.throttleNanos() - throttledBefore));
  }

  private void receive(int child, int slice, SliceBuffer into) throws RepairException {
    long start = nanoClock.getAsLong();
    try {
      children.get(child).receive(slice, into);
    } finally {
      stats.addChildWait(child, nanoClock.getAsLong() - start);
    }
  }

  private void addAll(int bytes) {
    long start = nanoClock.getAsLong();
    add.apply(new ByteBuffer[] {more.allRows()}, new ByteBuffer[] {sums.allRows()}, bytes, true);
    stats.addMultiply(nanoClock.getAsLong() - start);
  }
}
