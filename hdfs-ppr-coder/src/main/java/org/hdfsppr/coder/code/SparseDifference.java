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
package org.hdfsppr.coder.code;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.Set;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Finds few data sub-chunks that are enough to compute a new unit from an old one. For each
 * sub-chunk of the new unit, it looks for a combination of the old unit's sub-chunks from which it
 * differs by few data sub-chunks:
 *
 * <pre>
 *   new sub-chunk  =  factors * old sub-chunks  +  factors * data sub-chunks (few)
 * </pre>
 *
 * <p>The search tries combinations of one or of {@value #PARTS_MOST} sub-chunks of the old unit,
 * with all factors with which a combination of n sub-chunks cancels n columns. If units have two
 * sub-chunks, it finds the best combination. Codes with more sub-chunks differ in many sub-chunks
 * from codes of another family anyway.
 */
final class SparseDifference {
  private static final int PARTS_MOST = 2;
  private static final int FIELD = 256;

  private final byte[][] old;
  /** The best set of columns that the search has found for the current row. */
  private BitSet best;
  /** Columns that cost nothing more, because another row needs them anyway. */
  private BitSet free;

  private SparseDifference(byte[][] old) {
    this.old = old;
  }

  /**
   * {@return the columns of the generator, ascending, that together with the rows of the old unit
   * determine the rows of the new unit}
   *
   * @param wanted the generator's rows of the new unit
   * @param old the generator's rows of the old unit
   */
  static Set<Integer> columns(GfMatrix wanted, GfMatrix old) {
    SparseDifference search = new SparseDifference(rows(old));
    byte[][] rows = rows(wanted);
    BitSet none = new BitSet();
    // Rows that need few columns come first, so that the others can share these columns.
    Arrays.sort(rows, Comparator.comparingInt(row -> search.best(row, none).cardinality()));
    BitSet all = new BitSet();
    for (byte[] row : rows) {
      all.or(search.best(row, all));
    }
    Set<Integer> columns = new TreeSet<>();
    all.stream().forEach(columns::add);
    return columns;
  }

  private static byte[][] rows(GfMatrix matrix) {
    byte[][] rows = new byte[matrix.rows()][];
    Arrays.setAll(rows, matrix::row);
    return rows;
  }

  private BitSet best(byte[] row, BitSet shared) {
    free = shared;
    best = support(row);
    for (int i = 0; i < old.length; i++) {
      Set<Integer> tried = new TreeSet<>();
      for (int c = 0; c < row.length; c++) {
        if (old[i][c] != 0) {
          int factor = Gf256.div(row[c], old[i][c]);
          if (tried.add(factor)) {
            consider(support(plus(row, old[i], factor)));
          }
        }
      }
      for (int j = i + 1; j < old.length; j++) {
        considerPairs(row, old[i], old[j]);
      }
    }
    return best;
  }

  /** Tries all combinations of two old rows that cancel two columns of the wanted row. */
  private void considerPairs(byte[] row, byte[] one, byte[] other) {
    BitSet tried = new BitSet(FIELD * FIELD);
    for (int c = 0; c < row.length; c++) {
      for (int d = c + 1; d < row.length; d++) {
        int determinant = Gf256.mul(one[c], other[d]) ^ Gf256.mul(one[d], other[c]);
        if (determinant == 0) {
          continue;
        }
        int first = Gf256.div(
            Gf256.mul(row[c], other[d]) ^ Gf256.mul(row[d], other[c]), determinant);
        int second = Gf256.div(
            Gf256.mul(one[c], row[d]) ^ Gf256.mul(one[d], row[c]), determinant);
        if (!tried.get(first * FIELD + second)) {
          tried.set(first * FIELD + second);
          consider(support(plus(plus(row, one, first), other, second)));
        }
      }
    }
  }

  private void consider(BitSet support) {
    int more = added(support) - added(best);
    if (more < 0 || more == 0 && support.cardinality() < best.cardinality()) {
      best = support;
    }
  }

  private int added(BitSet support) {
    BitSet added = (BitSet) support.clone();
    added.andNot(free);
    return added.cardinality();
  }

  private static BitSet support(byte[] row) {
    BitSet support = new BitSet(row.length);
    for (int c = 0; c < row.length; c++) {
      support.set(c, row[c] != 0);
    }
    return support;
  }

  private static byte[] plus(byte[] row, byte[] added, int factor) {
    byte[] sum = row.clone();
    for (int c = 0; c < sum.length; c++) {
      sum[c] ^= (byte) Gf256.mul(added[c], factor);
    }
    return sum;
  }
}
