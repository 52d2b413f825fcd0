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
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A cheap way to repair one lost unit, or several units that are lost together: a list of
 * sub-chunks, the helpers, from which the units can be rebuilt. Usually all helpers are needed.
 * Recipes of some codes have spare helpers: any {@link #needed} of the listed sub-chunks suffice. A
 * recipe only decides the order in which the solver tries sub-chunks. The coefficients always come
 * from the solver.
 */
@InterfaceAudience.Public
public final class Recipe {
  private final String name;
  private final List<Integer> lostUnits;
  /** Bit u is set if unit u is among {@link #lostUnits}. */
  private final int lostMask;
  private final List<SubChunk> helpers;
  private final int needed;

  /**
   * Makes a recipe for one unit that needs all of its helpers.
   *
   * @param name a few words that distinguish the recipe from others for the same unit
   * @param lostUnit the unit that is repaired
   * @param helpers sub-chunks that together determine all of the lost unit
   */
  public Recipe(String name, int lostUnit, List<SubChunk> helpers) {
    this(name, new int[] {lostUnit}, helpers, helpers.size());
  }

  /**
   * Makes a recipe that may have spare helpers.
   *
   * @param name a few words that distinguish the recipe from others for the same units
   * @param lostUnits the units that are repaired together, at least one
   * @param helpers sub-chunks of other units, in the order of preference
   * @param needed how many of the helpers suffice; any {@code needed} of them must determine all
   *     lost units
   * @throws IllegalArgumentException if {@code needed} is more than the number of helpers
   */
  public Recipe(String name, int[] lostUnits, List<SubChunk> helpers, int needed) {
    if (needed > helpers.size()) {
      throw new IllegalArgumentException("a recipe cannot need " + needed + " of "
          + helpers.size() + " helpers");
    }
    this.name = name;
    this.lostUnits = Arrays.stream(lostUnits).sorted().boxed()
        .collect(Collectors.toUnmodifiableList());
    this.lostMask = this.lostUnits.stream().mapToInt(unit -> 1 << unit).sum();
    this.helpers = List.copyOf(helpers);
    this.needed = needed;
  }

  /** {@return a name such as {@code local} or {@code parities {0, 2}}} */
  public String name() {
    return name;
  }

  /** {@return the units that are repaired, in ascending order; usually a single unit} */
  public List<Integer> lostUnits() {
    return lostUnits;
  }

  /** {@return the sub-chunks that the repair reads, including spare ones} */
  public List<SubChunk> helpers() {
    return helpers;
  }

  /** {@return how many of the helpers suffice; the number of helpers if there are no spare ones} */
  public int needed() {
    return needed;
  }

  /**
   * {@return whether the recipe repairs exactly these units}
   *
   * @param lost bit u is set if unit u is lost
   */
  public boolean isFor(int lost) {
    return lost == lostMask;
  }

  /**
   * {@return whether enough helpers belong to available units}
   *
   * @param available bit u is set if unit u can be read
   */
  public boolean works(int available) {
    int found = 0;
    for (SubChunk helper : helpers) {
      found += available >>> helper.unit() & 1;
    }
    return found >= needed;
  }

  private Set<Integer> units() {
    return helpers.stream().map(SubChunk::unit).collect(Collectors.toSet());
  }

  /**
   * Drops the recipes for one lost unit that are of no use. A recipe is dropped if it reads as many
   * sub-chunks as k whole units have, or more. It is also dropped if another recipe reads no more
   * sub-chunks, and reads from a part of its units, so that it works whenever this one does. The
   * remaining recipes are sorted: those that read least come first, and those that read equally
   * many sub-chunks keep their order.
   *
   * @param wholeUnits number of sub-chunks in k whole units
   */
  static List<Recipe> worthwhile(List<Recipe> found, int wholeUnits) {
    List<Recipe> byReads = new ArrayList<>(found);
    byReads.removeIf(recipe -> recipe.helpers.size() >= wholeUnits);
    byReads.sort(Comparator.comparingInt(recipe -> recipe.helpers.size()));
    List<Recipe> kept = new ArrayList<>();
    for (Recipe recipe : byReads) {
      if (kept.stream().noneMatch(less -> recipe.units().containsAll(less.units()))) {
        kept.add(recipe);
      }
    }
    return kept;
  }

  @Override
  public String toString() {
    return (lostUnits.size() == 1 ? lostUnits.get(0) : lostUnits) + " from "
        + (needed < helpers.size() ? needed + " of " : "") + helpers + " (" + name + ")";
  }
}
