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
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The three Hitchhiker codes (Rashmi et al., "A Hitchhiker's guide to fast and efficient data
 * reconstruction in erasure-coded data centers", SIGCOMM 2014, sections 3 and 4). Two sub-chunks
 * per unit, a and b; f_1 to f_m are the parities of an MDS code; still any k units determine all.
 *
 * <pre>
 *               a half                       b half
 *   data i      a_i                          b_i
 *   parity 1    f_1(a)                       f_1(b)
 *   parity 2    f_2(a) [+ its own b half]    f_2(b) + w(a of S_1)
 *   parity j+1  f_{j+1}(a)                   f_{j+1}(b) + w(a of S_j)      j = 2 .. m - 1
 * </pre>
 *
 * <p>S_1, S_2, ... are groups of data units. The XOR code has m - 1 of them, w is the plain sum,
 * and what stands in brackets is missing. The other two have m groups and w = f_2, so that the a
 * half of parity 2 is f_2(b) plus w of all groups but the first; in XOR+ the row f_2 is all ones.
 *
 * <p>The remainder of a window that 2 does not divide is coded with f_1 to f_m byte by byte, so
 * that parity 1 is position-wise throughout.
 */
@InterfaceAudience.Public
public final class Hitchhiker {
  private static final int A = 0;
  private static final int B = 1;

  private final int k;
  private final int m;
  /** f, one row per parity. */
  private final GfMatrix base;
  /** Whether the a half of parity 2 carries its b half, and there is a group m. */
  private final boolean plus;
  /** Index of the group, from 0, of each data unit. */
  private final int[] groupOf;

  private Hitchhiker(int k, int m, GfMatrix base, boolean plus) {
    this.k = k;
    this.m = m;
    this.base = base;
    this.plus = plus;
    int[] sizes = plus ? sizesWithLastGroup(k, m) : evenSizes(k, m - 1);
    this.groupOf = IntStream.range(0, sizes.length)
        .flatMap(group -> IntStream.generate(() -> group).limit(sizes[group])).toArray();
  }

  /**
   * Hitchhiker-XOR, over a Cauchy code whose first parity is the XOR of the data.
   *
   * @throws IllegalArgumentException if there are fewer than two parity units, or more than 16
   *     units
   */
  public static LinearCode xor(int dataUnits, int parityUnits) {
    return code("hitchhiker-xor", dataUnits, parityUnits, 0, false);
  }

  /**
   * Hitchhiker-XOR+, over a Cauchy code whose second parity is the XOR of the data.
   *
   * @throws IllegalArgumentException as {@link #xor}
   */
  public static LinearCode xorPlus(int dataUnits, int parityUnits) {
    return code("hitchhiker-xorplus", dataUnits, parityUnits, 1, true);
  }

  /**
   * Hitchhiker-nonXOR, over the Reed-Solomon code of Hadoop's codec {@code rs}.
   *
   * @throws IllegalArgumentException as {@link #xor}
   */
  public static LinearCode nonXor(int dataUnits, int parityUnits) {
    return code("hitchhiker-nonxor", dataUnits, parityUnits, -1, true);
  }

  /** @param ones the parity row, counted from 0, that is all ones; -1 for Hadoop's own matrix */
  private static LinearCode code(String codec, int k, int m, int ones, boolean plus) {
    String name = codec + "-" + k + "-" + m;
    if (k < 1 || m < 2 || k + m > LinearCode.MAX_UNITS) {
      throw new IllegalArgumentException(name + ": a Hitchhiker code has at least one data unit, at"
          + " least two parity units and at most " + LinearCode.MAX_UNITS + " units");
    }
    GfMatrix base =
        ones < 0 ? GfMatrix.cauchy(m, k) : ReedSolomon.cauchyWithOnes(k, m, ones);
    Hitchhiker hitchhiker = new Hitchhiker(k, m, base, plus);
    LinearCode remainder = new LinearCode(name + "-remainder", k, m, 1,
        GfMatrix.identity(k).stack(base), List.of());
    return new LinearCode(name, k, m, 2,
        GfMatrix.identity(2 * k).stack(hitchhiker.parities()), hitchhiker.recipes(), remainder);
  }

  /** As even as possible, the larger ones first. */
  private static int[] evenSizes(int units, int groups) {
    int[] sizes = new int[groups];
    for (int g = 0; g < groups; g++) {
      sizes[g] = units / groups + (g < units % groups ? 1 : 0);
    }
    return sizes;
  }

  /**
   * The sizes of m groups for which a data unit takes fewest half units on average, and among those
   * the ones for which the worst unit takes fewest: 3, 3, 3, 1 for (10, 4), as in the paper.
   */
  private static int[] sizesWithLastGroup(int k, int m) {
    int[] best = null;
    for (int last = 0; last <= k; last++) {
      int[] sizes = Arrays.copyOf(evenSizes(k - last, m - 1), m);
      sizes[m - 1] = last;
      if (best == null || total(k, sizes) < total(k, best)
          || total(k, sizes) == total(k, best) && worst(k, sizes) < worst(k, best)) {
        best = sizes;
      }
    }
    return best;
  }

  /** Half units read to repair a unit of a group. */
  private static int reads(int k, int[] sizes, int group) {
    int m = sizes.length;
    return group < m - 1 ? k + sizes[group] : k + m - 1 + sizes[group] - 1;
  }

  private static int total(int k, int[] sizes) {
    return IntStream.range(0, sizes.length).map(g -> sizes[g] * reads(k, sizes, g)).sum();
  }

  private static int worst(int k, int[] sizes) {
    return IntStream.range(0, sizes.length).filter(g -> sizes[g] > 0)
        .map(g -> reads(k, sizes, g)).max().orElse(0);
  }

  private GfMatrix parities() {
    return GfMatrix.generate(2 * m, 2 * k, (row, column) -> {
      int parity = row / 2;
      if (row % 2 == B) {
        return bHalf(parity, column);
      }
      int coefficient = column % 2 == A ? base.get(parity, column / 2) : 0;
      return plus && parity == 1 ? coefficient ^ bHalf(parity, column) : coefficient;
    });
  }

  private int bHalf(int parity, int column) {
    int unit = column / 2;
    if (column % 2 == B) {
      return base.get(parity, unit);
    }
    if (groupOf[unit] != parity - 1) {
      return 0;
    }
    return plus ? base.get(1, unit) : 1;
  }

  private List<Recipe> recipes() {
    List<Recipe> recipes = new ArrayList<>();
    for (int lost = 0; lost < k; lost++) {
      List<SubChunk> helpers = new ArrayList<>();
      // All of b, by parity 1 ...
      for (int unit = 0; unit < k; unit++) {
        if (unit != lost) {
          helpers.add(SubChunk.of(unit, B));
        }
      }
      helpers.add(SubChunk.of(k, B));
      // ... then w of the a's of the group ...
      int group = groupOf[lost];
      if (group < m - 1) {
        helpers.add(SubChunk.of(k + group + 1, B));
      } else {
        helpers.add(SubChunk.of(k + 1, A));
        for (int parity = 2; parity < m; parity++) {
          helpers.add(SubChunk.of(k + parity, B));
        }
      }
      // ... without the others of the group.
      for (int unit = 0; unit < k; unit++) {
        if (unit != lost && groupOf[unit] == group) {
          helpers.add(SubChunk.of(unit, A));
        }
      }
      recipes.add(new Recipe(lost, helpers));
    }
    return recipes;
  }
}
