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
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Rotated Reed-Solomon codes (Khan et al., "Rethinking erasure codes for cloud file systems:
 * minimizing I/O for recovery and degraded reads", FAST 2012, section 4.2). Each unit has r rows,
 * which are its sub-chunks. Parity j (from 0) of row b is
 *
 * <pre>
 *   c_{j,b}  =  sum over i &lt;  k*j/m  of 2^(i*j) * d_{i, (b+1) mod r}
 *            +  sum over i &gt;= k*j/m  of 2^(i*j) * d_{i, b}
 * </pre>
 *
 * <p>A repair may compute some rows of the lost unit from parity 0, and others from another parity.
 * Because of the rotation, it then reads fewer data rows than a repair by whole units. Parity 0 is
 * the plain XOR, and position-wise.
 *
 * <p>The construction does not always give an MDS code. This class accepts only numbers for which
 * tests have decoded every pattern of m losses.
 *
 * <p>The last bytes of a window, which are too few for another byte in each row, are coded byte by
 * byte with a Cauchy code, whose first parity is also the XOR. The equation above without the
 * rotation would not do for these bytes, because it need not give an MDS code.
 */
@InterfaceAudience.Public
public final class RotatedReedSolomon {
  /** The numbers "k,m,r" for which the tests decode every pattern of m losses. */
  private static final Set<String> PROVEN = new TreeSet<>(Set.of("6,3,4", "10,4,4", "12,4,4"));

  private final int k;
  private final int m;
  private final int r;

  private RotatedReedSolomon(int k, int m, int r) {
    this.k = k;
    this.m = m;
    this.r = r;
  }

  /**
   * {@return the code with k data units, m parity units and r rows}
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @param rows number of rows
   * @throws IllegalArgumentException if it is not proven that the code decodes every pattern of m
   *     losses
   */
  public static LinearCode of(int dataUnits, int parityUnits, int rows) {
    String name = "rotated-rs-r" + rows + "-" + dataUnits + "-" + parityUnits;
    if (!PROVEN.contains(dataUnits + "," + parityUnits + "," + rows)) {
      throw new IllegalArgumentException(name + ": not among the parameters of Rotated RS for which"
          + " every pattern of m losses is proven to decode: (k,m,r) = " + PROVEN);
    }
    RotatedReedSolomon rotated = new RotatedReedSolomon(dataUnits, parityUnits, rows);
    return new LinearCode(name, new CodeDimensions(dataUnits, parityUnits, rows),
        GfMatrix.identity(dataUnits * rows).stack(rotated.parities()), rotated.recipes(),
        new LinearCode(name + "-remainder", new CodeDimensions(dataUnits, parityUnits, 1),
            GfMatrix.identity(dataUnits)
                .stack(ReedSolomon.cauchyWithOnes(dataUnits, parityUnits, 0)),
            List.of()));
  }

  /** Returns which row of a data unit is a summand of row {@code b} of a parity. */
  private int rowIn(int parity, int b, int unit) {
    return unit * m < k * parity ? (b + 1) % r : b;
  }

  private GfMatrix parities() {
    return GfMatrix.generate(m * r, k * r, (row, column) -> {
      int parity = row / r;
      int unit = column / r;
      return rowIn(parity, row % r, unit) == column % r ? Gf256.pow(2, unit * parity) : 0;
    });
  }

  private List<Recipe> recipes() {
    List<Recipe> recipes = new ArrayList<>();
    for (int lost = 0; lost < k; lost++) {
      recipes.addAll(recipes(lost));
    }
    return recipes;
  }

  /**
   * Lists the recipes for one data unit. A recipe computes each row of the lost unit from one of
   * the parities. Among all recipes that use the same set of parities, the method keeps only the
   * recipe that reads the fewest rows. So each pair of parities has a recipe in the list, and a
   * repair finds one as long as two parities can be read.
   */
  private List<Recipe> recipes(int lost) {
    Map<BitSet, BitSet> leastByParities = new LinkedHashMap<>();
    int choices = (int) Math.pow(m, r);
    for (int choice = 0; choice < choices; choice++) {
      BitSet parities = new BitSet();
      BitSet read = new BitSet();
      int rest = choice;
      for (int b = 0; b < r; b++) {
        addEquation(read, lost, b, rest % m);
        parities.set(rest % m);
        rest /= m;
      }
      leastByParities.merge(parities, read,
          (least, other) -> other.cardinality() < least.cardinality() ? other : least);
    }
    List<Recipe> recipes = new ArrayList<>();
    leastByParities.forEach((parities, read) -> {
      List<SubChunk> helpers = new ArrayList<>();
      read.stream().forEach(index -> helpers.add(SubChunk.of(index / r, index % r)));
      recipes.add(new Recipe("parities " + parities, lost, helpers));
    });
    return Recipe.worthwhile(recipes, k * r);
  }

  /**
   * Adds to {@code read} the rows that a repair has to read to compute one row of the lost unit
   * from one parity.
   */
  private void addEquation(BitSet read, int lost, int row, int parity) {
    int parityRow = rowIn(parity, row, lost) == row ? row : (row + r - 1) % r;
    read.set((k + parity) * r + parityRow);
    for (int unit = 0; unit < k; unit++) {
      if (unit != lost) {
        read.set(unit * r + rowIn(parity, parityRow, unit));
      }
    }
  }
}
