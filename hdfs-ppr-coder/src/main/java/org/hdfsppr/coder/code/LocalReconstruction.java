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
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Local reconstruction codes (Huang et al., "Erasure coding in Windows Azure storage", USENIX ATC
 * 2012, section 2). A code has k data units in l groups, r global parities over all data units, and
 * one local parity for each group. The local parity is the XOR of the group's data units.
 *
 * <pre>
 *   unit   0 ......... k/l-1 | ... | ......... k-1    k .... k+r-1    k+r .... k+r+l-1
 *          data of group 1           data of group l   global          local parity of group 1 .. l
 * </pre>
 *
 * <p>The global parities have the lower indices, because stock HDFS reads parities in the order of
 * their indices. So it reads the global parities first, and can decode up to r losses.
 *
 * <p>The codes are maximally recoverable: they decode every pattern of losses that any code with
 * this layout can decode. These are the patterns that leave at most r losses after every group has
 * repaired one of its losses with its local parity.
 *
 * <p>The coefficients were found by computer search, except those of {@link #overReedSolomon}. They
 * are part of the format of stored data, and can never change.
 */
@InterfaceAudience.Public
public final class LocalReconstruction {
  /**
   * The coefficients of the global parities; the key is "k,l,r". Each global parity has one string,
   * with two hexadecimal digits for each data unit.
   */
  private static final Map<String, String[]> GLOBAL_PARITIES = Map.of(
      "6,2,2", new String[] {
        "01aa6c653337",
        "0125f29d6244"},
      "12,2,2", new String[] {
        "01a9b7b5ae7a14ff8684dda8",
        "01f6fc74b983f7c768aa7e22"},
      "10,2,4", new String[] {
        "01a28cb7cc37fec3a98c",
        "019c9ebb992fbcb052e3",
        "010dc442f029b42cbbd4",
        "01dfcc4e3ad117860e50"});

  /** The numbers of data units with which the codes over Reed-Solomon have been tested. */
  private static final SortedSet<Integer> RS_DATA_UNITS = new TreeSet<>(List.of(6, 10, 12));
  private static final int RS_GLOBAL_PARITIES = 2;
  private static final int RS_GROUPS = 2;

  private LocalReconstruction() {
  }

  /**
   * {@return LRC(k, l, r)}
   *
   * @param dataUnits k
   * @param groups l
   * @param globalParities r
   * @throws IllegalArgumentException if this class has no coefficients that make LRC(k, l, r)
   *     maximally recoverable
   */
  public static LinearCode of(int dataUnits, int groups, int globalParities) {
    String name = "lrc-l" + groups + "-" + dataUnits + "-" + (globalParities + groups);
    String key = dataUnits + "," + groups + "," + globalParities;
    String[] coefficients = GLOBAL_PARITIES.get(key);
    if (coefficients == null) {
      throw new IllegalArgumentException(name + ": no maximally recoverable coefficients are known"
          + " for LRC(" + key + "); known are (k,l,r) = "
          + new TreeSet<>(GLOBAL_PARITIES.keySet()));
    }
    int groupSize = dataUnits / groups;
    GfMatrix global = GfMatrix.generate(globalParities, dataUnits,
        (r, c) -> Integer.parseInt(coefficients[r].substring(2 * c, 2 * c + 2), 16));
    return code(name, global, groups, unit -> unit / groupSize);
  }

  /**
   * {@return the code with two local groups whose global parities are parities 0 and 1 of Hadoop's
   * codec {@code rs} with the same k} The data units with even indices are one local group, and
   * those with odd indices the other. With these groups, and not with the first and the second half
   * of the units, these parities make the code maximally recoverable.
   *
   * @param dataUnits k
   * @param parityUnits m, which must be 4
   * @throws IllegalArgumentException if it is not known that the code is maximally recoverable
   */
  public static LinearCode overReedSolomon(int dataUnits, int parityUnits) {
    String name = "lrc-rs-l2-" + dataUnits + "-" + parityUnits;
    if (parityUnits != RS_GLOBAL_PARITIES + RS_GROUPS || !RS_DATA_UNITS.contains(dataUnits)) {
      throw new IllegalArgumentException(name + ": the code is known to be maximally recoverable"
          + " with " + (RS_GLOBAL_PARITIES + RS_GROUPS) + " parity units and " + RS_DATA_UNITS
          + " data units");
    }
    return code(name, GfMatrix.cauchy(RS_GLOBAL_PARITIES, dataUnits), RS_GROUPS,
        unit -> unit % RS_GROUPS);
  }

  private static LinearCode code(String name, GfMatrix global, int groups,
      IntUnaryOperator groupOf) {
    int dataUnits = global.columns();
    int globalParities = global.rows();
    GfMatrix local = GfMatrix.generate(groups, dataUnits,
        (g, c) -> groupOf.applyAsInt(c) == g ? 1 : 0);
    List<Recipe> recipes = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      int group = g;
      int[] members = IntStream.concat(
          IntStream.range(0, dataUnits).filter(unit -> groupOf.applyAsInt(unit) == group),
          IntStream.of(dataUnits + globalParities + g)).toArray();
      addRecipes(recipes, members);
    }
    return new LinearCode(name, new CodeDimensions(dataUnits, globalParities + groups, 1),
        GfMatrix.identity(dataUnits).stack(global).stack(local), recipes);
  }

  /**
   * Adds a recipe for each member of a group. Each member, including the local parity, is the XOR
   * of the other members.
   */
  private static void addRecipes(List<Recipe> recipes, int[] members) {
    for (int lost : members) {
      List<SubChunk> helpers = new ArrayList<>();
      for (int member : members) {
        if (member != lost) {
          helpers.add(SubChunk.of(member, 0));
        }
      }
      recipes.add(new Recipe("local", lost, helpers));
    }
  }
}
