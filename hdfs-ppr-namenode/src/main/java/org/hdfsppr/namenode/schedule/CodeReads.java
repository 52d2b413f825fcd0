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
package org.hdfsppr.namenode.schedule;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.Recipe;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;

/**
 * Decides which units a repair has to read. The code decides first: if a recipe of the code
 * rebuilds the lost unit and all units of the recipe can be read, the repair uses the first such
 * recipe. Otherwise the repair reads the first of the preferred units that determine the lost ones.
 * This class remembers its answers by the pattern of lost and readable units, because solving the
 * equations costs more than the rest of a plan. A set of units is an int with one bit for each
 * unit. Not thread-safe.
 */
@InterfaceAudience.Private
public final class CodeReads {
  /**
   * How many answers each cache of one code remembers at most. A group of RS(10,4) that has lost
   * one unit needs 14 times 286 patterns, so that all of them fit.
   */
  private static final int PATTERNS_MAX = 1 << 16;
  private static final int UNITS_BITS = 16;
  /**
   * The number of bits for each unit's number in the keys of {@code orderedChecks}, in which units
   * are numbered from 1. A key holds two sets of units and up to {@code ORDERED_MAX} such numbers.
   */
  private static final int ORDERED_BITS = 5;
  private static final int ORDERED_MAX = 6;

  private final CodeSource source;
  private final Map<GroupPolicy, Known> codes = new HashMap<>();

  /**
   * Makes an instance that remembers no answers yet.
   *
   * @param source looks up the code of a policy
   */
  public CodeReads(CodeSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  /**
   * Returns the code of a policy with the answers that were worked out so far. A failure to find
   * the code is not remembered.
   */
  Known of(GroupPolicy policy) throws IOException {
    Known known = codes.get(policy);
    if (known == null) {
      known = new Known(source.code(policy));
      codes.put(policy, known);
    }
    return known;
  }

  /** A code and the answers that were worked out for its patterns of lost and readable units. */
  static final class Known {
    final LinearCode code;
    private final Map<Long, Optional<ReadSet>> reads = new BoundedCache<>(PATTERNS_MAX);
    private final Map<Long, Optional<ReadSet>> decodes = new BoundedCache<>(PATTERNS_MAX);
    private final Map<Long, Integer> checks = new BoundedCache<>(PATTERNS_MAX);
    private final Map<Long, Integer> orderedChecks = new BoundedCache<>(PATTERNS_MAX);

    Known(LinearCode code) {
      this.code = code;
    }

    /**
     * Returns the cheapest recipe that rebuilds the lost units from available units; empty if no
     * recipe does.
     */
    private Optional<Recipe> recipe(int lost, int available) {
      for (Recipe recipe : code.recipes()) {
        if (recipe.isFor(lost) && recipe.works(available)) {
          return Optional.of(recipe);
        }
      }
      return Optional.empty();
    }

    /**
     * Chooses the units that a repair reads.
     *
     * @param lost the lost units, one bit for each
     * @param zeros the units behind the end of the file: their bytes are known to be zeros and need
     *     not be read
     * @param preferred the indices of the units that can be read, the best one first
     * @param size the number of units in {@code preferred}
     * @return the units to read; empty if the readable units do not determine the lost ones
     */
    Optional<ReadSet> choose(int lost, int zeros, int[] preferred, int size) {
      int all = mask(preferred, size);
      Optional<Recipe> recipe = recipe(lost, all | zeros);
      if (recipe.isPresent()) {
        return solve(lost, zeros, enough(recipe.get(), zeros, preferred, size), false);
      }
      // If fewer units can be read than the code has data units, they may still determine the lost
      // ones.
      return firstThatSuffice(lost, zeros, preferred, size, Math.min(unitsLeast(zeros), size),
          false);
    }

    /**
     * Returns the units that a recipe may use: all readable units, or if the recipe needs only some
     * of the units that it names, the first of the preferred units that are enough for it.
     */
    private static int enough(Recipe recipe, int zeros, int[] preferred, int size) {
      int all = mask(preferred, size);
      if (recipe.needed() == recipe.helpers().size()) {
        return all;
      }
      int mask = 0;
      for (int i = 0; i < size && !recipe.works(mask | zeros); i++) {
        mask |= 1 << preferred[i];
      }
      return mask;
    }

    /**
     * Chooses the units that a repair reads if it does not use the recipe that {@link #choose}
     * would use: the first of the preferred units that suffice. A recipe fixes which units the
     * repair reads, and the nodes of these units may be busier than many others.
     *
     * @return the units to read; empty if there is no recipe or if the readable units do not
     *     suffice without it
     */
    Optional<ReadSet> decode(int lost, int zeros, int[] preferred) {
      if (recipe(lost, mask(preferred, preferred.length) | zeros).isEmpty()) {
        return Optional.empty();
      }
      // Without a recipe, sets of fewer units do not determine the lost ones, so that they are not
      // tried.
      return firstThatSuffice(lost, zeros, preferred, preferred.length, unitsLeast(zeros), true);
    }

    private int unitsLeast(int zeros) {
      return Math.max(1, code.dataUnits() - Integer.bitCount(zeros));
    }

    /**
     * Returns the first of the preferred units that suffice. Tries the first {@code least} units,
     * and then adds one unit at a time.
     */
    private Optional<ReadSet> firstThatSuffice(int lost, int zeros, int[] preferred, int size,
        int least, boolean byDecoding) {
      int mask = 0;
      for (int i = 0; i < size; i++) {
        mask |= 1 << preferred[i];
        if (i + 1 >= least) {
          Optional<ReadSet> found = solve(lost, zeros, mask, byDecoding);
          if (found.isPresent()) {
            return found;
          }
        }
      }
      return Optional.empty();
    }

    private static long key(int lost, int zeros, int readable) {
      return ((long) zeros << UNITS_BITS | lost) << UNITS_BITS | readable;
    }

    /** @param byDecoding whether the equations are solved without the code's recipes */
    private Optional<ReadSet> solve(int lost, int zeros, int readable, boolean byDecoding) {
      Map<Long, Optional<ReadSet>> known = byDecoding ? decodes : reads;
      long key = key(lost, zeros, readable);
      Optional<ReadSet> found = known.get(key);
      if (found == null) {
        int[] order = concat(bits(zeros), bits(readable));
        int[] lostUnits = bits(lost);
        found = code.solve(lostUnits,
            byDecoding ? code.subChunksOf(order) : code.helperOrder(lostUnits, order))
            .map(equation ->
                new ReadSet(equation, code.subChunks(), code.units(), zeros, byDecoding));
        known.put(key, found);
      }
      return found;
    }

    /**
     * Chooses the additional units that a repair reads in order to check some of its slices.
     *
     * @param lost the lost units, one bit for each
     * @param reads the units that the repair reads for the result
     * @param spare the indices of the other units that can be read, the preferred ones first
     * @param size the number of units in {@code spare}
     * @return the units, one bit for each; 0 if the repair is not checked
     */
    int checks(int lost, int zeros, ReadSet reads, int[] spare, int size) {
      if (size == 0) {
        return 0;
      }
      int read = reads.units;
      if ((code.subChunks() == 1 || reads.byDecoding)
          && Integer.bitCount(read | zeros) == code.dataUnits()) {
        // The units that are read determine every other unit.
        return 1 << spare[0];
      }
      if (zeros != 0) {
        // Groups with units behind the end of the file are rare, and their repairs read few bytes,
        // so that a search is not worth it.
        return 0;
      }
      long key = ((long) lost << UNITS_BITS | read) << UNITS_BITS
          | mask(spare, size);
      int found =
          checks.computeIfAbsent(key, pattern -> plannedChecks(code, lost, read, spare, size));
      return Integer.bitCount(found) > 1 ? inOrder(found, lost, read, spare, size) : found;
    }

    /**
     * Drops units from {@code found} if fewer units suffice for the check, and keeps those that
     * come first in {@code spare}. {@code found} may be the remembered answer for another group,
     * whose spare units had another order.
     */
    private int inOrder(int found, int lost, int read, int[] spare, int size) {
      int[] ordered = new int[Integer.bitCount(found)];
      if (ordered.length > ORDERED_MAX) {
        return found;
      }
      long key = (long) lost << UNITS_BITS | read;
      int next = 0;
      for (int i = 0; i < size; i++) {
        if ((found >> spare[i] & 1) != 0) {
          ordered[next++] = spare[i];
          key = key << ORDERED_BITS | spare[i] + 1;
        }
      }
      return orderedChecks.computeIfAbsent(key,
          pattern -> plannedChecks(code, lost, read, ordered, ordered.length));
    }

    /**
     * Plans the repair of a sample group with these lost, read and spare units, and returns the
     * units that {@link RepairPlanner} adds for the check.
     */
    private static int plannedChecks(LinearCode code, int lost, int read, int[] spare, int size) {
      List<UnitHolder> live = new ArrayList<>();
      for (int unit : bits(read)) {
        live.add(new UnitHolder(unit, someNode(unit)));
      }
      for (int i = 0; i < size; i++) {
        live.add(new UnitHolder(spare[i], someNode(spare[i])));
      }
      NodeRef destination = someNode(code.units());
      List<UnitHolder> targets = new ArrayList<>();
      for (int unit : bits(lost)) {
        targets.add(new UnitHolder(unit, destination));
      }
      int cell = SliceGeometry.SLICE_BYTES_MIN * 2 * LinearCode.MAX_SUB_CHUNKS;
      GroupSnapshot snapshot =
          new GroupSnapshot(new StripedLayout(new GroupId("", 0, 0), (long) cell * code.dataUnits(),
              code.dataUnits(), code.parityUnits(), cell), live, targets, destination);
      int[] found = {0};
      try {
        PlanNode root = RepairPlanner.plan(snapshot, code,
            new PlanOptions(TreeTopologies.byName("chain"),
            SliceGeometry.SLICE_BYTES_MIN, 1, 0)).root;
        root.forEach(node -> {
          for (RepairSource share : node.sources) {
            if (!share.contributes(false)) {
              found[0] |= 1 << share.unit;
            }
          }
        });
      } catch (NoPlanException e) {
        // The equations have too many rows. The destination's planner refuses such a repair, too.
        return 0;
      }
      return found[0];
    }

    private static NodeRef someNode(int number) {
      return new NodeRef(Integer.toString(number), "", "", 0, 1, "");
    }
  }

  private static int mask(int[] units, int size) {
    int mask = 0;
    for (int i = 0; i < size; i++) {
      mask |= 1 << units[i];
    }
    return mask;
  }

  static int[] bits(int mask) {
    int[] units = new int[Integer.bitCount(mask)];
    int size = 0;
    for (int unit = 0; size < units.length; unit++) {
      if ((mask >> unit & 1) != 0) {
        units[size++] = unit;
      }
    }
    return units;
  }

  private static int[] concat(int[] a, int[] b) {
    int[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }

  /**
   * A cache that maps numbers to answers. When the cache is full, it drops the answer whose last
   * use is longest ago.
   */
  static final class BoundedCache<V> extends LinkedHashMap<Long, V> {
    private static final long serialVersionUID = 1L;
    private static final float LOAD_FACTOR = 0.75f;

    private final int entriesMax;

    BoundedCache(int entriesMax) {
      super(16, LOAD_FACTOR, true);
      this.entriesMax = entriesMax;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
      return size() > entriesMax;
    }
  }
}
