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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * LESS codes (Cheng, Li, Li, Hu, Lee, FAST 2026). Each unit has alpha sub-chunks, 2 &lt;= alpha
 * &lt;= m. The n = k + m units are divided in the order of their indices into alpha + 1 groups,
 * which are as even as possible, larger groups first. Unit i is in group g(i), and has the index
 * h(i) there. Sub-chunk j of unit i has the point
 *
 * <pre>
 *   x(i,j)  =  e ^ ((h(i) * (alpha + 1) + g(i)) * alpha + j)
 * </pre>
 *
 * <p>and the sub-chunks c(i,j) of a codeword satisfy, for z = 0 .. alpha - 1 and b = 0 .. m - 1,
 *
 * <pre>
 *   sum of x(i,j)^b * c(i,j)  =  0      over all (i,j) with j = z or g(i) = z
 * </pre>
 *
 * <p>The sub-chunks in such a sum are an <em>extended sub-stripe</em>: sub-chunk z of every unit,
 * and all sub-chunks of the units of group z. All points differ, so an extended sub-stripe is a
 * codeword of a Reed-Solomon code with m checks: any m of its sub-chunks can be computed from the
 * others. In the sum of these equations over all z, each sub-chunk that is in two of them cancels.
 * What remains is the extended sub-stripe of the last group: all sub-chunks of its units, and
 * sub-chunk g(i) of every other unit i.
 *
 * <p>The alpha sub-chunks of a lost unit are unknowns of the extended sub-stripe of the unit's
 * group. A repair therefore reads the other units of the group, and one sub-chunk of each unit
 * outside of the group. If alpha &lt; m, it can leave out any m - alpha of these sub-chunks. If
 * several units of a group are lost, and have at most m sub-chunks together, the same sub-chunks
 * repair all of them.
 *
 * <p>Whether any k units determine all units depends on e. This class takes the smallest primitive
 * element of each conjugacy class, in ascending order, and tries every pattern of m lost units. The
 * first e that passes decides the code. A code for which no e passes is refused.
 *
 * <p>No parity is position-wise: each of them depends on data at other positions. The last bytes of
 * a window, which are too few for another byte in each sub-chunk, are coded byte by byte with a
 * Cauchy code.
 */
@InterfaceAudience.Public
public final class Less {
  /**
   * The greatest alpha that a codec may have. With more sub-chunks, reads would become too short
   * for disks.
   */
  private static final int ALPHA_MOST = 4;
  /** The number of nonzero elements of the field. There can be no more different points. */
  private static final int POINTS_MOST = 255;

  private final int k;
  private final int m;
  private final int n;
  private final int alpha;
  /** The index of the group of each unit. */
  private final int[] groupOf;
  /** The units of each group, in ascending order. */
  private final List<List<Integer>> groups = new ArrayList<>();
  /**
   * The parity-check matrix: m rows for each z, and a column for each sub-chunk, unit after unit.
   */
  private final GfMatrix check;

  private Less(int k, int m, int alpha, int e) {
    this.k = k;
    this.m = m;
    this.n = k + m;
    this.alpha = alpha;
    this.groupOf = new int[n];
    int[] numberOf = new int[n];
    int next = 0;
    for (int g = 0; g <= alpha; g++) {
      int size = n / (alpha + 1) + (g < n % (alpha + 1) ? 1 : 0);
      List<Integer> members = new ArrayList<>();
      for (int h = 0; h < size; h++) {
        groupOf[next] = g;
        numberOf[next] = h;
        members.add(next++);
      }
      groups.add(members);
    }
    this.check = GfMatrix.generate(m * alpha, n * alpha, (row, column) -> {
      int unit = column / alpha;
      int sub = column % alpha;
      int z = row / m;
      if (sub != z && groupOf[unit] != z) {
        return 0;
      }
      int exponent = (numberOf[unit] * (alpha + 1) + groupOf[unit]) * alpha + sub;
      return Gf256.pow(Gf256.pow(e, exponent), row % m);
    });
  }

  /**
   * {@return the code with k data units, m parity units and alpha sub-chunks} The method tries all
   * patterns of losses, which takes some milliseconds for usual numbers, and at most about a second
   * for each primitive element e that it tries.
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @param alpha the number of sub-chunks of a unit, 2 to 4
   * @throws IllegalArgumentException if the construction does not allow these numbers, or if it
   *     finds no e with which every pattern of m losses decodes
   */
  public static LinearCode of(int dataUnits, int parityUnits, int alpha) {
    String name = "less-a" + alpha + "-" + dataUnits + "-" + parityUnits;
    int n = dataUnits + parityUnits;
    if (alpha < 2 || alpha > ALPHA_MOST || dataUnits < 1 || parityUnits < alpha
        || n > LinearCode.MAX_UNITS || n * alpha > POINTS_MOST) {
      throw new IllegalArgumentException(name + ": a LESS code has 2 to " + ALPHA_MOST
          + " sub-chunks, at least one data unit, at least as many parity units as sub-chunks and"
          + " at most " + LinearCode.MAX_UNITS + " units");
    }
    for (int e : primitiveElements()) {
      Less less = new Less(dataUnits, parityUnits, alpha, e);
      if (less.isMds()) {
        return less.code(name);
      }
    }
    throw new IllegalArgumentException(name + ": with no primitive element does every pattern of "
        + parityUnits + " losses decode");
  }

  /**
   * Returns the smallest element of each conjugacy class of primitive elements, in ascending order.
   * One element of each class is enough: all elements of a class give codes that decode the same
   * patterns, because squaring is an automorphism of the field.
   */
  private static int[] primitiveElements() {
    Set<Integer> seen = new HashSet<>();
    return IntStream.rangeClosed(2, POINTS_MOST).filter(e -> {
      boolean isFirst = seen.add(e);
      for (int square = Gf256.mul(e, e); square != e; square = Gf256.mul(square, square)) {
        seen.add(square);
      }
      return isFirst && order(e) == POINTS_MOST;
    }).toArray();
  }

  private static int order(int e) {
    int order = 1;
    for (int power = e; power != 1; power = Gf256.mul(power, e)) {
      order++;
    }
    return order;
  }

  /**
   * Returns whether every pattern of m lost units decodes. This is so if the columns of the
   * parity-check matrix for any m units are linearly independent.
   */
  private boolean isMds() {
    byte[][] columns = IntStream.range(0, n * alpha)
        .mapToObj(c -> check.columns(c))
        .map(column -> {
          byte[] values = new byte[m * alpha];
          for (int r = 0; r < values.length; r++) {
            values[r] = (byte) column.get(r, 0);
          }
          return values;
        }).toArray(byte[][]::new);
    return allIndependent(columns, new ArrayList<>(), 0, m);
  }

  /**
   * Returns whether, for any {@code more} units with indices of at least {@code first}, the columns
   * of these units are independent of each other and of the basis. The search adds one unit after
   * the other, so that it does the elimination for the first units of a pattern only once for all
   * patterns that begin with them.
   *
   * @param basis independent vectors; each one has 1 at its first nonzero position, and 0 at the
   *     first nonzero positions of the vectors before it
   */
  private boolean allIndependent(byte[][] columns, List<byte[]> basis, int first, int more) {
    if (more == 0) {
      return true;
    }
    int size = basis.size();
    for (int unit = first; unit <= n - more; unit++) {
      for (int sub = 0; sub < alpha; sub++) {
        if (!add(basis, columns[unit * alpha + sub])) {
          return false;
        }
      }
      if (!allIndependent(columns, basis, unit + 1, more - 1)) {
        return false;
      }
      basis.subList(size, basis.size()).clear();
    }
    return true;
  }

  /** Adds a vector to the basis. Returns false if it depends on the basis. */
  private static boolean add(List<byte[]> basis, byte[] vector) {
    byte[] rest = vector.clone();
    for (byte[] known : basis) {
      int factor = rest[pivot(known)];
      for (int i = 0; factor != 0 && i < rest.length; i++) {
        rest[i] ^= (byte) Gf256.mul(known[i], factor);
      }
    }
    int pivot = pivot(rest);
    if (pivot == rest.length) {
      return false;
    }
    int scale = Gf256.inverse(rest[pivot]);
    for (int i = 0; i < rest.length; i++) {
      rest[i] = (byte) Gf256.mul(rest[i], scale);
    }
    basis.add(rest);
    return true;
  }

  private static int pivot(byte[] vector) {
    int i = 0;
    while (i < vector.length && vector[i] == 0) {
      i++;
    }
    return i;
  }

  private LinearCode code(String name) {
    GfMatrix data = check.columns(IntStream.range(0, k * alpha).toArray());
    GfMatrix parity = check.columns(IntStream.range(k * alpha, n * alpha).toArray());
    // The code is MDS, so that the matrix of the parity units can be inverted.
    GfMatrix generator =
        GfMatrix.identity(k * alpha).stack(parity.invert().orElseThrow().multiply(data));
    LinearCode remainder = new LinearCode(name + "-remainder", new CodeDimensions(k, m, 1),
        GfMatrix.identity(k).stack(ReedSolomon.cauchyWithOnes(k, m, 0)), List.of());
    return new LinearCode(
        name, new CodeDimensions(k, m, alpha), generator, recipes(), remainder, encodingSteps());
  }

  /** Returns the sub-chunks of the extended sub-stripe of a group, in ascending order. */
  private List<SubChunk> subStripe(int group) {
    List<SubChunk> members = new ArrayList<>();
    for (int unit = 0; unit < n; unit++) {
      for (int sub = 0; sub < alpha; sub++) {
        // The group with the index alpha has no z. Its sub-stripe has sub-chunk g(i) of each unit i
        // of another group.
        if (groupOf[unit] == group || sub == (group < alpha ? group : groupOf[unit])) {
          members.add(SubChunk.of(unit, sub));
        }
      }
    }
    return members;
  }

  /**
   * Lists a recipe for every set of units of one group whose sub-chunks are at most m. The recipe
   * of one unit reads the least.
   */
  private List<Recipe> recipes() {
    List<Recipe> recipes = new ArrayList<>();
    for (int group = 0; group <= alpha; group++) {
      List<SubChunk> stripe = subStripe(group);
      int needed = stripe.size() - m;
      List<Integer> members = groups.get(group);
      for (int chosen = 1; chosen < 1 << members.size() && needed < k * alpha; chosen++) {
        if (Integer.bitCount(chosen) * alpha <= m) {
          recipes.add(recipe(group, stripe, units(members, chosen), needed));
        }
      }
    }
    return recipes;
  }

  private static int[] units(List<Integer> members, int chosen) {
    return IntStream.range(0, members.size()).filter(i -> (chosen >>> i & 1) != 0)
        .map(members::get).toArray();
  }

  /**
   * Makes a recipe. The other units of the lost units' group come first in it, because the recipe
   * needs all of their sub-chunks, and only one sub-chunk of each other unit.
   */
  private Recipe recipe(int group, List<SubChunk> stripe, int[] lost, int needed) {
    List<SubChunk> helpers = new ArrayList<>();
    for (boolean mates : new boolean[] {true, false}) {
      stripe.stream().filter(part -> (groupOf[part.unit()] == group) == mates)
          .filter(part -> Arrays.stream(lost).noneMatch(unit -> unit == part.unit()))
          .forEach(helpers::add);
    }
    return new Recipe("sub-stripe " + group, lost, helpers, needed);
  }

  /**
   * Returns steps, each of which encodes an extended sub-stripe. A sub-stripe with at most m
   * unknown sub-chunks gives all of them. So the sub-stripes of groups without parity units come
   * first: they have exactly m parity sub-chunks. Each step makes more parity sub-chunks known to
   * the other sub-stripes. If all sub-stripes have more than m unknown sub-chunks, a last step
   * computes the rest from the data.
   */
  private List<EncodingStep> encodingSteps() {
    Set<SubChunk> unknown = new HashSet<>();
    IntStream.range(k * alpha, n * alpha)
        .forEach(i -> unknown.add(SubChunk.of(i / alpha, i % alpha)));
    List<EncodingStep> steps = new ArrayList<>();
    for (int group = next(unknown); group >= 0; group = next(unknown)) {
      List<SubChunk> stripe = subStripe(group);
      steps.add(new EncodingStep(
          stripe.stream().filter(part -> !unknown.contains(part)).collect(Collectors.toList()),
          stripe.stream().filter(unknown::contains).collect(Collectors.toList())));
      unknown.removeAll(stripe);
    }
    if (!unknown.isEmpty()) {
      List<SubChunk> data = IntStream.range(0, k * alpha)
          .mapToObj(i -> SubChunk.of(i / alpha, i % alpha)).collect(Collectors.toList());
      steps.add(new EncodingStep(data, unknown.stream().sorted().collect(Collectors.toList())));
    }
    return steps;
  }

  /**
   * Returns a group whose sub-stripe has 1 to m unknown parity sub-chunks, and so gives them now;
   * -1 if there is none.
   */
  private int next(Set<SubChunk> unknown) {
    for (int group = 0; group <= alpha; group++) {
      long missing = subStripe(group).stream().filter(unknown::contains).count();
      if (missing > 0 && missing <= m) {
        return group;
      }
    }
    return -1;
  }
}
