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
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceReader;

/**
 * Does the arithmetic of one node of a tree. For each slice it multiplies the node's own units by
 * their coefficients, and adds the sums that the node's children send. Its memory does not depend
 * on the length of the units: it holds the output rows of one slice, one piece of each sub-chunk of
 * each source, and the rows of one child. It needs no rows of a child if the node has one child at
 * most, and adds that child's rows as they are (see {@link ChildRows}). Used by one thread.
 */
final class PartialSum {
  private static final GfMatrix ONE = GfMatrix.identity(1);

  /**
   * Names a run of bytes of one of the node's units. In a slice, a unit has one run for each
   * sub-chunk, and each run has one column of coefficients.
   */
  private static final class Run {
    private final int source;
    private final int run;

    Run(int source, int run) {
      this.source = source;
      this.run = run;
    }
  }

  /**
   * What the node computes for slices of one kind: the runs of its own sources that enter the sums,
   * the children that send rows, and the operators that multiply both.
   */
  private static final class Term {
    private final List<Run> runs = new ArrayList<>();
    /**
     * Multiplies the runs by their coefficients, and adds the products; null if no run enters the
     * sums.
     */
    private final RegionOperator operator;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;
    /** One entry for each child; null if the child sends nothing in slices of this kind. */
    private final List<ChildRows> children = new ArrayList<>();
    /**
     * The last child that sends rows, if the node derives its own rows from them: {@link #operator}
     * then takes these rows as further inputs, besides the node's own runs. Null if there is no
     * such child, if the node has no runs, or if the operator cannot take this many inputs.
     */
    private final ChildRows joined;

    Term(PartialSumRequest request, SliceKind kind, RegionKernel kernel, TableMemory tables) {
      List<RepairSource> all = request.subtree.sources;
      int rows = request.rows(kind);
      for (int i = 0; i < all.size(); i++) {
        int most = kind.tail ? 1 : all.get(i).subChunks;
        for (int run = 0; run < most; run++) {
          if (all.get(i).contributes(kind, run)) {
            runs.add(new Run(i, run));
          }
        }
      }
      ChildRows last = null;
      for (PlanNode child : request.subtree.children) {
        ChildRows sent = child.contributes(kind) ? new ChildRows(request, child, kind) : null;
        children.add(sent);
        last = sent == null ? last : sent;
      }
      boolean joins = last != null && !last.added && !runs.isEmpty()
          && runs.size() + last.count <= RegionOperator.MAX_BUFFERS;
      joined = joins ? last : null;
      for (ChildRows child : children) {
        if (child != null && child != joined) {
          child.prepare(kernel, tables);
        }
      }
      inputs = new ByteBuffer[runs.size() + (joins ? last.count : 0)];
      outputs = new ByteBuffer[rows];
      operator = runs.isEmpty() ? null : kernel.prepare(GfMatrix.generate(rows, inputs.length,
          (row, column) -> column >= runs.size() ? joined.factor(row, column - runs.size())
              : all.get(runs.get(column).source).coefficient(kind,
                  request.coefficientRow(kind, row), runs.get(column).run) & 0xff),
          tables::carve);
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
  /**
   * Number of the slice for which {@link #readFirst} has already read this node's own units; -1 if
   * it has read none.
   */
  private int ahead = -1;

  /**
   * @param request the sums to compute; the root of its subtree is this node
   * @param sources open units: one for each sub-chunk of each source of the node, in the order of
   *     the sources
   * @param children one reader for each child of the node, in the order of the children; the caller
   *     may add the readers later, but before the first call of {@link #sum}
   * @param lease the memory; the next buffers to carve from it have the lengths that {@link
   *     #pieces} lists
   */
  PartialSum(PartialSumRequest request, List<UnitSource> sources, List<SliceReader> children,
      RegionKernel kernel, BufferSource.Lease lease, NodeStats stats, LongSupplier nanoClock) {
    this.request = request;
    this.node = request.subtree;
    this.geometry = request.geometry;
    this.sources = sources;
    this.children = children;
    this.stats = stats;
    this.nanoClock = nanoClock;
    int rows = request.rowsMost();
    int sliceBytes = geometry.sliceBytes();
    int bufferBytes = SliceBuffer.bytesFor(rows, sliceBytes);
    sums = new SliceBuffer(lease.carve(bufferBytes), rows);
    int rowsOfChild = rowsOfChildMost(request);
    more = rowsOfChild == 0 ? null : new SliceBuffer(
        lease.carve(SliceBuffer.bytesFor(rowsOfChild, sliceBytes)), rowsOfChild);
    units = new ByteBuffer[node.sources.size() * geometry.subChunks()];
    for (int i = 0; i < units.length; i++) {
      units[i] = lease.carve(sliceBytes);
    }
    TableMemory tables = new TableMemory(lease.carve(
        TableMemory.bytesFor(kernel, rows, units.length, derived(request))));
    for (SliceKind kind : SliceKind.values()) {
      if (!kind.tail || geometry.hasTail()) {
        terms.put(kind, new Term(request, kind, kernel, tables));
      }
    }
    add = kernel.prepare(ONE, tables::carve);
  }

  /**
   * Returns the length in bytes of each buffer that a node needs, in the order in which the
   * constructor carves the buffers.
   */
  static int[] pieces(PartialSumRequest request, RegionKernel kernel) {
    return pieces(request.rowsMost(), request.geometry.sliceBytes(), rowsOfChildMost(request),
        request.subtree.sources.size() * request.geometry.subChunks(), kernel,
        derived(request));
  }

  /**
   * Like {@link #pieces(PartialSumRequest, RegionKernel)}, but takes the numbers on which the
   * lengths depend instead of a request.
   *
   * @param rows number of output rows, including the check row
   * @param sliceBytes length of a slice, bytes
   * @param rowsOfChild the most rows that a child sends into a second buffer; 0 if the node needs
   *     no second buffer
   * @param runs number of buffers that hold a run of a unit
   * @param derived for each child from whose rows the node derives its own, the most rows that the
   *     child sends
   */
  static int[] pieces(int rows, int sliceBytes, int rowsOfChild, int runs, RegionKernel kernel,
      int... derived) {
    int sums = rowsOfChild == 0 ? 1 : 2;
    int[] pieces = new int[sums + runs + 1];
    pieces[0] = SliceBuffer.bytesFor(rows, sliceBytes);
    if (rowsOfChild > 0) {
      pieces[1] = SliceBuffer.bytesFor(rowsOfChild, sliceBytes);
    }
    Arrays.fill(pieces, sums, sums + runs, sliceBytes);
    pieces[sums + runs] = TableMemory.bytesFor(kernel, rows, runs, derived);
    return pieces;
  }

  /**
   * Returns the most rows that a child sends into a second buffer, or 0 if the node needs no second
   * buffer. The rows of an only child go straight into the sums, unless the node derives its own
   * rows from them.
   */
  private static int rowsOfChildMost(PartialSumRequest request) {
    List<PlanNode> children = request.subtree.children;
    return children.stream()
        .filter(child -> children.size() > 1 || ChildRows.mayDerive(request, child))
        .mapToInt(child -> rowsMost(request, child)).max().orElse(0);
  }

  /**
   * Returns, for each child from whose rows the node derives its own, the most rows that the child
   * sends.
   */
  private static int[] derived(PartialSumRequest request) {
    return request.subtree.children.stream()
        .filter(child -> ChildRows.mayDerive(request, child))
        .mapToInt(child -> rowsMost(request, child)).toArray();
  }

  private static int rowsMost(PartialSumRequest request, PlanNode child) {
    return request.checkRows + Math.max(request.rowsOf(child, SliceKind.PLAIN),
        request.rowsOf(child, SliceKind.TAIL));
  }

  /**
   * Reads this node's own units for the first wanted slice. A caller that still has to wait for the
   * node's children calls this method, so that the node reads while it waits.
   *
   * @throws IOException if a unit of this node cannot be read
   */
  void readFirst() throws IOException {
    int slice = geometry.firstSlice;
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
   * @return the rows, valid until the next call; null if no unit of this subtree enters the sums of
   *     this slice
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
      // This node reads its own units first, because the children's slices arrive in the meantime.
      readUnits(own, slice, length);
    }
    boolean filled = false;
    for (int i = 0; i < children.size(); i++) {
      ChildRows child = own.children.get(i);
      if (child == null) {
        continue;
      }
      if (child.added && !filled) {
        receive(i, slice, sums);
        filled = true;
        continue;
      }
      more.shape(child.count, length);
      receive(i, slice, more);
      if (child != own.joined) {
        add(child, length, filled);
        filled = true;
      }
    }
    if (own.operator != null) {
      long start = nanoClock.getAsLong();
      for (int row = 0; row < rows; row++) {
        own.outputs[row] = sums.row(row);
      }
      for (int row = own.runs.size(); row < own.inputs.length; row++) {
        own.inputs[row] = more.row(row - own.runs.size());
      }
      own.operator.apply(own.inputs, own.outputs, length, filled);
      stats.addMultiply(nanoClock.getAsLong() - start);
    }
    return sums;
  }

  /**
   * Announces to the sources which bytes this node will read in the current cell up to the next gap
   * between wanted slices. A source cannot guess them if the repair reads only some parts of each
   * cell, or only some slices.
   */
  private void announce(int slice) {
    if (!geometry.beginsStretch(slice)) {
      return;
    }
    long stretch = geometry.runLength(slice);
    for (int index = 0; index < node.sources.size(); index++) {
      RepairSource source = node.sources.get(index);
      if (source.needsAll(SliceKind.PLAIN) && !geometry.isRange()) {
        continue;
      }
      for (int run = 0; run < geometry.runs(slice); run++) {
        if (slice == geometry.firstSlice && source.needs(run)
            && !source.contributes(SliceKind.PLAIN, run)) {
          sources.get(index * geometry.subChunks() + run).announce(geometry.offset(slice, run), 0);
        }
        long length = Math.min(stretch,
            source.length() - geometry.offset(slice, run));
        if (source.contributes(SliceKind.PLAIN, run) && length > 0) {
          sources.get(index * geometry.subChunks() + run)
              .announce(geometry.offset(slice, run), length);
        }
      }
    }
  }

  private void readUnits(Term own, int slice, int length) throws IOException {
    if (own.runs.isEmpty()) {
      return;
    }
    long start = nanoClock.getAsLong();
    long throttledBefore = stats.throttleNanos();
    for (int i = 0; i < own.runs.size(); i++) {
      Run run = own.runs.get(i);
      RepairSource source = node.sources.get(run.source);
      int index = run.source * geometry.subChunks() + run.run;
      ByteBuffer unit = units[index];
      unit.clear();
      int within = geometry.lengthWithin(slice, run.run, source.length());
      if (within > 0) {
        unit.limit(within);
        sources.get(index).read(geometry.offset(slice, run.run), unit);
      }
      unit.limit(length);
      unit.position(within);
      while (unit.hasRemaining()) {
        // The bytes behind the end of a unit count as zeros. Only the last slices reach this loop.
        unit.put((byte) 0);
      }
      unit.flip();
      own.inputs[i] = unit;
    }
    // The sources have noted how long the operator's limit delayed the reads. The disk did not need
    // that time, so it is subtracted here.
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

  /**
   * Adds the rows of a child, which are in {@link #more}, to the sums, or writes them there if
   * {@code filled} is false because the sums have no rows yet.
   */
  private void add(ChildRows child, int length, boolean filled) {
    long start = nanoClock.getAsLong();
    if (child.added) {
      add.apply(new ByteBuffer[] {more.allRows()}, new ByteBuffer[] {sums.allRows()},
          child.count * length, true);
    } else {
      child.derive(more, sums, length, filled);
    }
    stats.addMultiply(nanoClock.getAsLong() - start);
  }

  /**
   * Adds the rows that one child sends to the sums of its parent, in slices of one kind. In most
   * trees row i of the child is added to row i of the parent. If the link between them is narrow,
   * the parent derives its rows from those of the child by a matrix, see {@link NarrowLinks}. Used
   * by one thread.
   */
  static final class ChildRows {
    /** The number of rows that the child sends, including the check row. */
    final int count;
    /**
     * The factors with which the child's rows enter the parent's: one row for each row of the
     * parent, one column for each row of the child. Null if both nodes have all lost rows.
     */
    private final GfMatrix matrix;
    /** Whether row i of the child is added to row i of the parent as it is. */
    final boolean added;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;
    private RegionOperator operator;

    /**
     * @param request the request of the parent
     * @param child a child that sends rows in slices of this kind
     */
    ChildRows(PartialSumRequest request, PlanNode child, SliceKind kind) {
      count = request.rowsOf(child, kind);
      int rows = request.rows(kind);
      matrix = mayDerive(request, child) ? matrix(request, child, kind) : null;
      added = matrix == null || rows == count && matrix.equals(GfMatrix.identity(rows));
      inputs = new ByteBuffer[count];
      outputs = new ByteBuffer[rows];
    }

    /** Says whether the parent may have to derive its rows from those of the child. */
    static boolean mayDerive(PartialSumRequest request, PlanNode child) {
      return child.sentRows().isPresent() || request.subtree.sentRows().isPresent();
    }

    private static GfMatrix matrix(PartialSumRequest request, PlanNode child, SliceKind kind) {
      int checks = kind.checked ? request.checkRows : 0;
      int sent = request.rowsOf(child, kind) - checks;
      int lost = request.rows(kind) - checks;
      // A parent that sends only some of the lost rows needs only these rows of the derivation.
      GfMatrix derivation = child.sentRows().isPresent()
          ? NarrowLinks.derivation(child, kind.tail) : GfMatrix.identity(sent);
      return GfMatrix.generate(lost + checks, sent + checks, (row, column) ->
          row < lost && column < sent
              ? derivation.get(request.coefficientRow(kind, row), column)
              : row - lost == column - sent ? 1 : 0);
    }

    /**
     * Returns the factor with which row {@code ofChild} of the child enters row {@code row} of the
     * parent.
     */
    int factor(int row, int ofChild) {
      return matrix.get(row, ofChild);
    }

    /** Makes the operator for {@link #derive}, unless the rows are added as they are. */
    void prepare(RegionKernel kernel, TableMemory tables) {
      if (!added) {
        operator = kernel.prepare(matrix, tables::carve);
      }
    }

    /**
     * Derives the rows of the parent from the rows of the child.
     *
     * @param from the rows of the child
     * @param to takes the rows of the parent
     * @param accumulate whether to add the rows to the contents of {@code to}, and not to overwrite
     *     them
     */
    void derive(SliceBuffer from, SliceBuffer to, int length, boolean accumulate) {
      for (int row = 0; row < inputs.length; row++) {
        inputs[row] = from.row(row);
      }
      for (int row = 0; row < outputs.length; row++) {
        outputs[row] = to.row(row);
      }
      operator.apply(inputs, outputs, length, accumulate);
    }
  }
}
