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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The relations of a code: linear combinations of its units that are zero as long as all units are
 * right. They are the parity checks of the code, reduced to those without a missing unit. A
 * relation that is not zero shows that a unit is wrong.
 *
 * <pre>
 *     unit 0   unit 1        unit n-1
 *   +--------+--------+-- --+--------+
 *   |        |        | ... |        |   one row for each relation;
 *   |        |        | ... |        |   s columns for each unit, one for each of its sub-chunks
 *   +--------+--------+-- --+--------+
 * </pre>
 *
 * <p>The values of all relations at one position are its <i>syndrome</i>. If exactly one unit is
 * wrong, the syndrome is a linear combination of the columns of that unit. So the syndrome shows
 * which units can be the wrong one. Immutable and thread-safe.
 */
@InterfaceAudience.Public
public final class ZeroSums {
  /**
   * The seed of the random weights from which {@link #combined} is made. Any seed would do, but
   * with a fixed one all processes choose the same weights.
   */
  private static final long WEIGHTS_SEED = 20_140_817;
  /**
   * How many times random weights are tried. They suit all units of a code in at least nine of ten
   * cases, so in practice there is no code for which all tries fail.
   */
  private static final int WEIGHTS_MOST = 1000;

  private final int units;
  private final int subChunks;
  private final GfMatrix relations;
  private final GfMatrix combined;
  private final Set<Integer> uncovered;
  /**
   * For each unit, combinations of relations in which the unit does not appear. A syndrome can come
   * from this unit alone if all of these combinations of the syndrome are zero.
   */
  private final List<byte[][]> withoutUnit;

  private ZeroSums(LinearCode code, Set<Integer> missing) {
    units = code.units();
    subChunks = code.subChunks();
    int columns = units * subChunks;
    int parityRow = code.dataUnits() * subChunks;
    byte[][] checks = new byte[code.parityUnits() * subChunks][columns];
    for (int row = 0; row < checks.length; row++) {
      byte[] coefficients = code.generator().row(parityRow + row);
      System.arraycopy(coefficients, 0, checks[row], 0, coefficients.length);
      // In this field a sum is zero if and only if its two parts are equal.
      checks[row][parityRow + row] = 1;
    }
    List<Integer> lost = new ArrayList<>();
    for (int unit : missing) {
      for (int sub = 0; sub < subChunks; sub++) {
        lost.add(unit * subChunks + sub);
      }
    }
    byte[][] left = eliminate(checks, lost);
    relations = matrix(left, columns);
    withoutUnit = new ArrayList<>();
    uncovered = new TreeSet<>();
    for (int unit = 0; unit < units; unit++) {
      withoutUnit.add(without(left, unit));
      if (!missing.contains(unit) && left.length - withoutUnit.get(unit).length < subChunks) {
        uncovered.add(unit);
      }
    }
    combined = combine(missing);
  }

  /**
   * {@return the relations of a code between the units that are not missing}
   *
   * @param code the code
   * @param missing units that cannot be read, each of them once
   * @throws IllegalArgumentException if the code has no such unit
   */
  public static ZeroSums of(LinearCode code, int... missing) {
    Set<Integer> all = new HashSet<>();
    for (int unit : missing) {
      if (unit < 0 || unit >= code.units()) {
        throw new IllegalArgumentException(code.name() + " has no unit " + unit);
      }
      all.add(unit);
    }
    return new ZeroSums(code, all);
  }

  private static GfMatrix matrix(byte[][] rows, int columns) {
    return GfMatrix.generate(rows.length, columns, (row, column) -> rows[row][column]);
  }

  /**
   * Eliminates columns by operations on rows, and returns the rows that are zero in all of these
   * columns. The returned rows are linearly independent if the given rows are.
   */
  private static byte[][] eliminate(byte[][] rows, List<Integer> columns) {
    List<byte[]> left = new ArrayList<>();
    for (byte[] row : rows) {
      left.add(row.clone());
    }
    for (int column : columns) {
      int pivot = 0;
      while (pivot < left.size() && left.get(pivot)[column] == 0) {
        pivot++;
      }
      if (pivot == left.size()) {
        continue;
      }
      byte[] used = left.remove(pivot);
      for (byte[] row : left) {
        int factor = Gf256.div(row[column], used[column]);
        for (int i = 0; factor != 0 && i < row.length; i++) {
          row[i] ^= (byte) Gf256.mul(used[i], factor);
        }
      }
    }
    return left.toArray(new byte[0][]);
  }

  /** Returns a basis of the combinations of relations in which a unit does not appear. */
  private byte[][] without(byte[][] left, int unit) {
    byte[][] rows = new byte[left.length][subChunks + left.length];
    List<Integer> columns = new ArrayList<>();
    for (int sub = 0; sub < subChunks; sub++) {
      columns.add(sub);
      for (int row = 0; row < left.length; row++) {
        rows[row][sub] = left[row][unit * subChunks + sub];
      }
    }
    for (int row = 0; row < left.length; row++) {
      rows[row][subChunks + row] = 1;
    }
    byte[][] zero = eliminate(rows, columns);
    byte[][] combinations = new byte[zero.length][];
    for (int i = 0; i < zero.length; i++) {
      combinations[i] = Arrays.copyOfRange(zero[i], subChunks, subChunks + left.length);
    }
    return combinations;
  }

  private GfMatrix combine(Set<Integer> missing) {
    if (relations.rows() <= subChunks) {
      return relations;
    }
    Random random = new Random(WEIGHTS_SEED);
    for (int tries = 0; tries < WEIGHTS_MOST; tries++) {
      GfMatrix weights = GfMatrix.generate(subChunks, relations.rows(),
          (row, column) -> 1 + random.nextInt(255));
      GfMatrix candidate = weights.multiply(relations);
      boolean covers = true;
      for (int unit = 0; unit < units && covers; unit++) {
        covers = missing.contains(unit) || uncovered.contains(unit)
            || columnsOf(candidate, unit).rank() == subChunks;
      }
      if (covers) {
        return candidate;
      }
    }
    throw new IllegalStateException("No weights suit all " + units + " units");
  }

  private GfMatrix columnsOf(GfMatrix matrix, int unit) {
    return GfMatrix.generate(matrix.rows(), subChunks,
        (row, sub) -> matrix.get(row, unit * subChunks + sub));
  }

  /**
   * {@return all relations, as linearly independent rows} If no unit is missing, there are m * s
   * rows. If units are missing, there are fewer rows, or none. There are always (k + m) * s
   * columns; the columns of missing units are zero.
   */
  public GfMatrix relations() {
    return relations;
  }

  /**
   * {@return at most s relations that together find any error in a single unit, for each unit that
   * is not {@link #uncovered}} The values of these relations have together at most as many bytes as
   * one unit.
   */
  public GfMatrix combined() {
    return combined;
  }

  /**
   * {@return the units that are not missing but in which some errors violate no relation, because
   * the other units that are not missing do not determine them; ascending}
   */
  public Set<Integer> uncovered() {
    return Collections.unmodifiableSet(uncovered);
  }

  /** {@return s} */
  public int subChunks() {
    return subChunks;
  }

  /**
   * Returns which units can be the only wrong one, according to a syndrome. For a code that can
   * correct one wrong unit, this is at most one unit, unless the syndrome is zero.
   *
   * @param syndrome the values of all {@link #relations} at one position
   * @return a bit for each unit that alone can have caused the syndrome; all bits if the syndrome
   *     is zero, no bit if more than one unit must be wrong
   * @throws IllegalArgumentException if the number of values is not that of the relations
   */
  public int explainedBy(byte[] syndrome) {
    if (syndrome.length != relations.rows()) {
      throw new IllegalArgumentException(syndrome.length + " values for " + relations.rows()
          + " relations");
    }
    int all = 0;
    for (int unit = 0; unit < units; unit++) {
      if (explains(withoutUnit.get(unit), syndrome)) {
        all |= 1 << unit;
      }
    }
    return all;
  }

  private static boolean explains(byte[][] combinations, byte[] syndrome) {
    for (byte[] combination : combinations) {
      int sum = 0;
      for (int i = 0; i < syndrome.length; i++) {
        sum ^= Gf256.mul(combination[i], syndrome[i]);
      }
      if (sum != 0) {
        return false;
      }
    }
    return true;
  }
}
