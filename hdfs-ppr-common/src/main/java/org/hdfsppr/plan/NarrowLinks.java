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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Decides which lost rows the links of a tree carry. A lost row is one sub-chunk of a lost unit, so
 * that a lost unit has s rows in each slice. A subtree contributes to the lost rows the product of
 * M and its sub-chunks, where M has a row for each lost row and a column for each sub-chunk that
 * the subtree reads. A helper that reads one of two sub-chunks contributes to two lost rows, but
 * its M has rank 1: one row is a multiple of the other. The link above a subtree therefore carries
 * only the rows of I, a maximal set of independent rows of M. The parent derives all rows:
 *
 * <pre>
 *   subtree | M_I * sub-chunks |  ---- rank(M) rows ----&gt;  parent | E * (M_I * sub-chunks) |
 *
 *   M = E * M_I, so that both are M * sub-chunks
 * </pre>
 *
 * <p>There is exactly one E for a given I, because the rows of M_I are independent. The request
 * contains I and the coefficients M, from which each node computes E.
 *
 * <p>In addition to these rows, a link always carries the check row itself. If a parent derived the
 * check row as well, a wrong row could lead to a check row that matches it. A wrong row i on a
 * narrow link adds column i of E to the lost rows, and nothing to the check row. {@link
 * RepairPlanner.VerificationWeights} ensures that the check always finds this error, as on a link
 * that carries all rows. Wrong bytes that a node reads change the final sums in the same way with
 * and without narrow links. Pure: the same input gives the same result.
 */
@InterfaceAudience.Private
public final class NarrowLinks {
  private NarrowLinks() {
  }

  /**
   * Makes the links of a tree as narrow as possible. The link above a node of an older version, and
   * all links below that node, stay wide: such a node drops the fields of a request that it does
   * not know, and so would not pass them on.
   *
   * @param root the root of a plan's tree, whose nodes send all rows
   * @param lostRows number of lost rows of a slice that is no tail: lost units times sub-chunks
   * @param knows returns true for the nodes that know {@code RequestFeatures.NARROW_LINKS}
   * @return the same tree, in which some nodes have {@link SentRows}
   */
  static PlanNode narrow(PlanNode root, int lostRows, Predicate<NodeRef> knows) {
    return new PlanNode(root.node, root.sources, below(root, lostRows, knows));
  }

  private static List<PlanNode> below(PlanNode node, int lostRows, Predicate<NodeRef> knows) {
    List<PlanNode> children = new ArrayList<>();
    for (PlanNode child : node.children) {
      if (!knows.test(child.node)) {
        children.add(child);
        continue;
      }
      children.add(narrow(child, lostRows, knows).sending(rows(child, lostRows)));
    }
    return children;
  }

  /**
   * Returns a maximal set of independent rows for a subtree to send, or null if it has to send all
   * rows.
   */
  private static SentRows rows(PlanNode subtree, int lostRows) {
    GfMatrix tail = coefficients(subtree, true);
    int[] rows = new Span(coefficients(subtree, false), new int[0]).pivots;
    int[] tailRows = new Span(tail, new int[0]).pivots;
    return rows.length == lostRows && tailRows.length == tail.rows() ? null
        : new SentRows(rows, tailRows);
  }

  /**
   * Returns the matrix M of a subtree, either for tails or for all other slices: the coefficients
   * with which its sub-chunks enter the lost rows. The matrix for tails has no rows if the stream
   * has no tail.
   */
  private static GfMatrix coefficients(PlanNode subtree, boolean tail) {
    SliceKind kind = SliceKind.of(false, tail);
    List<RepairSource> sources = new ArrayList<>();
    subtree.forEach(node -> sources.addAll(node.sources));
    RepairSource first = sources.get(0);
    int runs = tail ? 1 : first.subChunks;
    int rows = rows(first, tail);
    return GfMatrix.generate(rows, sources.size() * runs, (row, column) ->
        sources.get(column / runs).coefficient(kind, row, column % runs) & 0xff);
  }

  /**
   * Returns the matrix E, by which a parent derives all lost rows of a child from the rows that the
   * child sends.
   *
   * @param child the child, which has {@link SentRows}
   * @param tail true for the rows of a tail, false for the rows of any other slice
   * @return one row for each lost row, one column for each row that the child sends
   * @throws IllegalArgumentException if the rows that the child sends depend on each other, or do
   *     not determine all other rows, or are not rows of the request
   */
  public static GfMatrix derivation(PlanNode child, boolean tail) {
    int[] sent = child.sentRows().orElseThrow(() ->
        new IllegalArgumentException("node " + child.node + " sends all rows")).rows(tail);
    GfMatrix coefficients = coefficients(child, tail);
    if (sent.length > 0 && sent[sent.length - 1] >= coefficients.rows()) {
      throw new IllegalArgumentException("node " + child.node + " sends row "
          + sent[sent.length - 1] + (tail ? " of a tail of " : " of ") + coefficients.rows());
    }
    Span span = new Span(coefficients, sent);
    if (!Arrays.equals(span.pivots, sent)) {
      throw new IllegalArgumentException("node " + child.node + " sends rows "
          + Arrays.toString(sent) + (tail ? " of a tail" : "") + ", which are not a basis of the "
          + coefficients.rows() + " rows of its subtree, of rank " + span.pivots.length);
    }
    return GfMatrix.generate(coefficients.rows(), sent.length, span::factor);
  }

  /**
   * Checks that each row that a node of a request is to send exists. This is cheap. {@link
   * #checkBases} makes the expensive check, that the rows of each node are a basis.
   *
   * @param tree the tree of a request: the node that gets the request, with the nodes below it
   * @throws IllegalArgumentException if a node is to send a row that does not exist, or if its list
   *     names all rows and is therefore useless; the message names the node
   */
  public static void check(PlanNode tree) {
    tree.forEach(node -> node.sentRows().ifPresent(sent -> {
      int rows = checkRows(node, sent, false);
      int tailRows = checkRows(node, sent, true);
      if (sent.count(false) == rows && sent.count(true) == tailRows) {
        throw new IllegalArgumentException("node " + node.node
            + " names the rows that it sends, but sends all of them");
      }
    }));
  }

  /**
   * Checks the rows that a node sends, of tails or of all other slices. Returns the number of all
   * lost rows of such a slice.
   */
  private static int checkRows(PlanNode node, SentRows sent, boolean tail) {
    int rows = rows(anySource(node), tail);
    int count = sent.count(tail);
    if (count > 0 && sent.row(tail, count - 1) >= rows) {
      throw new IllegalArgumentException("node " + node.node + " sends row "
          + sent.row(tail, count - 1) + (tail ? " of a tail of " : " of ") + rows);
    }
    return rows;
  }

  private static RepairSource anySource(PlanNode subtree) {
    RepairSource[] any = {null};
    subtree.forEach(node -> {
      any[0] = node.sources.isEmpty() ? any[0] : node.sources.get(0);
    });
    if (any[0] == null) {
      throw new IllegalArgumentException("node " + subtree.node + " sends rows of no unit");
    }
    return any[0];
  }

  private static int rows(RepairSource source, boolean tail) {
    return tail && source.tailCoefficients().length == 0 ? 0
        : source.rows(SliceKind.of(false, tail));
  }

  /**
   * Checks that the rows that each node of a request is to send are independent, and determine all
   * other rows. For the largest request this takes some milliseconds. A DataNode therefore first
   * checks whether the caller has the right to make the request.
   *
   * @param tree the tree of a request, which {@link #check} has accepted
   * @throws IllegalArgumentException if the rows of a node are no such basis; the message names the
   *     node
   */
  public static void checkBases(PlanNode tree) {
    tree.forEach(node -> node.sentRows().ifPresent(sent -> {
      derivation(node, false);
      derivation(node, true);
    }));
  }

  /**
   * @param tree a tree
   * @return whether any node of the tree has {@link SentRows}
   */
  public static boolean isNarrow(PlanNode tree) {
    boolean[] narrow = {false};
    tree.forEach(node -> narrow[0] |= node.sentRows().isPresent());
    return narrow[0];
  }

  /**
   * Counts the lost rows that a node sends in slices of one kind.
   *
   * @param node a node below the root
   * @param lostUnits number of lost units of the plan
   * @param subChunks number of sub-chunks of the code
   * @param kind kind of the slices
   * @return number of rows, without the check row
   */
  public static int rowsAbove(PlanNode node, int lostUnits, int subChunks, SliceKind kind) {
    return node.sentRows().map(sent -> sent.count(kind.tail))
        .orElse(lostUnits * (kind.tail ? 1 : subChunks));
  }

  /**
   * Chooses independent rows of a matrix, and expresses all rows as linear combinations of these.
   * The elimination goes through the rows in a given order, and takes each row that is independent
   * of the rows that it has already taken.
   */
  private static final class Span {
    /** Indices of the independent rows, ascending. */
    private final int[] pivots;
    /**
     * factors[i][row] is the factor of independent row i in the linear combination for {@code row}.
     */
    private final int[][] factors;

    /**
     * @param first the rows with which the elimination begins; the others follow in ascending order
     */
    Span(GfMatrix matrix, int[] first) {
      List<Integer> order = Arrays.stream(first).boxed().collect(Collectors.toList());
      IntStream.range(0, matrix.rows()).filter(row -> !order.contains(row)).forEach(order::add);
      int[][] work = new int[matrix.columns()][matrix.rows()];
      for (int column = 0; column < matrix.columns(); column++) {
        for (int row = 0; row < matrix.rows(); row++) {
          work[column][row] = matrix.get(row, column);
        }
      }
      List<Integer> taken = new ArrayList<>();
      for (int row : order) {
        if (eliminate(work, taken.size(), row)) {
          taken.add(row);
        }
      }
      pivots = taken.stream().mapToInt(Integer::intValue).sorted().toArray();
      factors = Arrays.stream(pivots).mapToObj(row -> work[taken.indexOf(row)])
          .toArray(int[][]::new);
    }

    int factor(int row, int pivot) {
      return factors[pivot][row];
    }

    /**
     * Transforms {@code work}, whose first index is the column of the matrix, so that {@code row}
     * becomes a unit vector with its one at {@code at}. Returns false, and changes nothing, if the
     * row depends on the rows taken before.
     */
    private static boolean eliminate(int[][] work, int at, int row) {
      int pivot = at;
      while (pivot < work.length && work[pivot][row] == 0) {
        pivot++;
      }
      if (pivot >= work.length) {
        return false;
      }
      int[] line = work[pivot];
      work[pivot] = work[at];
      work[at] = line;
      int scale = Gf256.inverse(line[row]);
      for (int i = 0; i < line.length; i++) {
        line[i] = Gf256.mul(line[i], scale);
      }
      for (int other = 0; other < work.length; other++) {
        int factor = work[other][row];
        if (other != at && factor != 0) {
          for (int i = 0; i < line.length; i++) {
            work[other][i] ^= Gf256.mul(line[i], factor);
          }
        }
      }
      return true;
    }
  }
}
