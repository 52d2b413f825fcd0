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

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Adds the rows that one child sends to the sums of its parent, in slices of one kind. In most
 * trees row i of the child is added to row i of the parent. If the link between them is narrow, the
 * parent derives its rows from those of the child by a matrix, see {@link NarrowLinks}. Used by one
 * thread.
 */
@InterfaceAudience.Private
final class ChildRows {
  /** The number of rows that the child sends, including the check row. */
  final int count;
  /** One row for each row of the parent, one column for each row of the child. */
  private final GfMatrix matrix;
  /** Says whether the rows of the child are added to the rows of the parent as they are. */
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
    // A parent that sends only some of the lost rows takes only these.
    GfMatrix derivation = child.sentRows().isPresent()
        ? NarrowLinks.derivation(child, kind.tail) : GfMatrix.identity(sent);
    return GfMatrix.generate(lost + checks, sent + checks, (row, column) ->
        row < lost && column < sent
            ? derivation.get(request.coefficientRow(kind, row), column)
            : row - lost == column - sent ? 1 : 0);
  }

  /** Returns the factor of a row of the child in a row of the parent. */
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
   * Derives the rows of the parent.
   *
   * @param from the rows of the child
   * @param to takes the rows of the parent
   * @param accumulate whether to add them to the rows that are there
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
