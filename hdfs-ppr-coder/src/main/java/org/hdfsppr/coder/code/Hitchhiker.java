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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The three Hitchhiker codes (Rashmi et al., "A Hitchhiker's guide to fast and efficient data
 * reconstruction in erasure-coded data centers", SIGCOMM 2014, sections 3 and 4). Each unit has two
 * sub-chunks, a and b, and f_1 to f_m are the parities of an MDS code. Any k units determine all
 * units, as in the MDS code.
 *
 * <pre>
 *               a half                       b half
 *   data i      a_i                          b_i
 *   parity 1    f_1(a)                       f_1(b)
 *   parity 2    f_2(a) [+ its own b half]    f_2(b) + w(a of S_1)
 *   parity j+1  f_{j+1}(a)                   f_{j+1}(b) + w(a of S_j)      j = 2 .. m - 1
 * </pre>
 *
 * <p>S_1, S_2, ... are groups of data units, and w is a sum of the a halves of a group. In the XOR
 * code, there are m - 1 groups, w is the plain sum, and the term in brackets is missing. In the
 * other two codes, there are m groups and w = f_2. Then the a half of parity 2 is f_2(b) plus w(a
 * of S_j) for every group S_j except S_1. In XOR+, the row f_2 is all ones.
 *
 * <p>If the length of a window is odd, its last byte is coded with f_1 to f_m. So in parity 1,
 * every byte depends only on data bytes at the same position.
 */
@InterfaceAudience.Public
public final class Hitchhiker {
  private static final int A = 0;
  private static final int B = 1;

  private final int k;
  private final int m;
  /** The matrix of f_1 to f_m, one row for each parity. */
  private final GfMatrix base;
  /**
   * True for XOR+ and nonXOR: the code has m groups, and the a half of parity 2 also contains the b
   * half of parity 2 as a summand.
   */
  private final boolean plus;
  /** The index of the group, from 0, of each data unit. */
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
   * {@return Hitchhiker-XOR, with f_1 to f_m of a Cauchy code whose first parity is the XOR of the
   * data}
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @throws IllegalArgumentException if there are fewer than two parity units, or more than 16
   *     units
   */
  public static LinearCode xor(int dataUnits, int parityUnits) {
    return code("hitchhiker-xor", dataUnits, parityUnits, 0, false);
  }

  /**
   * {@return Hitchhiker-XOR+, with f_1 to f_m of a Cauchy code whose second parity is the XOR of
   * the data}
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @throws IllegalArgumentException as {@link #xor}
   */
  public static LinearCode xorPlus(int dataUnits, int parityUnits) {
    return code("hitchhiker-xorplus", dataUnits, parityUnits, 1, true);
  }

  /**
   * {@return Hitchhiker-nonXOR, with f_1 to f_m of the Reed-Solomon code of Hadoop's codec {@code
   * rs}}
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @throws IllegalArgumentException as {@link #xor}
   */
  public static LinearCode nonXor(int dataUnits, int parityUnits) {
    return code("hitchhiker-nonxor", dataUnits, parityUnits, -1, true);
  }

  /**
   * Makes one of the three codes.
   *
   * @param ones index of the row of f that is all ones; -1 for the matrix of Hadoop's {@code rs}
   */
  private static LinearCode code(String codec, int k, int m, int ones, boolean plus) {
    String name = codec + "-" + k + "-" + m;
    if (k < 1 || m < 2 || k + m > LinearCode.MAX_UNITS) {
      throw new IllegalArgumentException(name + ": a Hitchhiker code has at least one data unit, at"
          + " least two parity units and at most " + LinearCode.MAX_UNITS + " units");
    }
    GfMatrix base =
        ones < 0 ? GfMatrix.cauchy(m, k) : ReedSolomon.cauchyWithOnes(k, m, ones);
    Hitchhiker hitchhiker = new Hitchhiker(k, m, base, plus);
    LinearCode remainder = new LinearCode(name + "-remainder",
        new CodeDimensions(k, m, 1), GfMatrix.identity(k).stack(base), List.of());
    return new LinearCode(name, new CodeDimensions(k, m, 2),
        GfMatrix.identity(2 * k).stack(hitchhiker.parities()), hitchhiker.recipes(), remainder);
  }

  /** Returns group sizes that are as even as possible, larger groups first. */
  private static int[] evenSizes(int units, int groups) {
    int[] sizes = new int[groups];
    for (int g = 0; g < groups; g++) {
      sizes[g] = units / groups + (g < units % groups ? 1 : 0);
    }
    return sizes;
  }

  /**
   * Returns the best sizes of m groups: with them, the repair of a data unit reads the fewest half
   * units on average. If several choices have the same average, the method takes the one whose most
   * expensive repair reads the fewest. For (10, 4) the sizes are 3, 3, 3, 1, as in the paper.
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

  /**
   * Returns how many half units the repair of one data unit of the group reads, if the groups have
   * the given sizes.
   */
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
      recipes.addAll(recipes(lost));
    }
    return recipes;
  }

  /**
   * Lists the recipes for one data unit. A repair has three steps. It computes b of the lost unit
   * from the b half of a parity and all other b's. It computes w(a of the unit's group) from a
   * parity half that contains this sum, and from the b's. Then it computes a of the lost unit from
   * this sum and the other a's of the group. The first two steps can use different parities, which
   * gives several recipes. The cheapest recipe, which is that of the paper, comes first. A repair
   * uses the others, which read more, if the parities of the cheapest one are not available.
   */
  private List<Recipe> recipes(int lost) {
    Set<SubChunk> others = new LinkedHashSet<>();
    for (int unit = 0; unit < k; unit++) {
      if (unit != lost) {
        others.add(SubChunk.of(unit, B));
      }
    }
    int group = groupOf[lost];
    List<Recipe> recipes = new ArrayList<>();
    waysToB(group).forEach((nameOfB, wayToB) -> waysToSum(group).forEach((nameOfW, wayToW) -> {
      Set<SubChunk> helpers = new LinkedHashSet<>(others);
      helpers.addAll(wayToB);
      helpers.addAll(wayToW);
      helpers.addAll(restOfGroup(group, lost));
      recipes.add(new Recipe("b by " + nameOfB + " and a by " + nameOfW, lost,
          new ArrayList<>(helpers)));
    }));
    return Recipe.worthwhile(recipes, 2 * k);
  }

  private static String parity(int number) {
    return "parity " + (number + 1);
  }

  /**
   * Lists the ways to compute the lost b of a data unit of this group. A key names the parity that
   * the way uses. The value lists the sub-chunks that the way reads in addition to the b's of all
   * other data units.
   */
  private Map<String, List<SubChunk>> waysToB(int group) {
    Map<String, List<SubChunk>> ways = new LinkedHashMap<>();
    ways.put(parity(0), List.of(SubChunk.of(k, B)));
    for (int other = 1; other < m; other++) {
      if (other - 1 != group) {
        // The b half of this parity contains the a's of another group. The repair reads these a's
        // to subtract them.
        List<SubChunk> way = new ArrayList<>(restOfGroup(other - 1, -1));
        way.add(0, SubChunk.of(k + other, B));
        ways.put(parity(other), way);
      }
    }
    return ways;
  }

  /**
   * Lists the ways to compute w(a of this group) once all b's are known. A key names the parity
   * that the way uses. The value lists the sub-chunks that the way reads.
   */
  private Map<String, List<SubChunk>> waysToSum(int group) {
    Map<String, List<SubChunk>> ways = new LinkedHashMap<>();
    if (group < m - 1) {
      ways.put(parity(group + 1), List.of(SubChunk.of(k + group + 1, B)));
    }
    if (plus && group > 0) {
      // The a half of parity 2 contains the sum w over all groups but the first. The repair
      // subtracts w of the other groups.
      ways.put(parity(1), allButFirst(group, -1));
      for (int read = 1; read < m - 1; read++) {
        if (read != group) {
          ways.put(parity(1) + " without " + parity(read + 1), allButFirst(group, read));
        }
      }
    }
    return ways;
  }

  /**
   * Lists the sub-chunks that give w(a of this group) from the a half of parity 2.
   *
   * @param read a group whose a's the repair reads instead of the parity that contains their sum;
   *     -1 for none
   */
  private List<SubChunk> allButFirst(int group, int read) {
    List<SubChunk> helpers = new ArrayList<>();
    helpers.add(SubChunk.of(k + 1, A));
    for (int other = 1; other < m; other++) {
      if (other != group && other < m - 1 && other != read) {
        helpers.add(SubChunk.of(k + other + 1, B));
      } else if (other != group) {
        helpers.addAll(restOfGroup(other, -1));
      }
    }
    return helpers;
  }

  /** Returns the a halves of a group's units, except the a half of unit {@code without}. */
  private List<SubChunk> restOfGroup(int group, int without) {
    return IntStream.range(0, k).filter(unit -> unit != without && groupOf[unit] == group)
        .mapToObj(unit -> SubChunk.of(unit, A)).collect(Collectors.toList());
  }
}
