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
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A cheap repair of one lost unit. The recipe lists the sub-chunks that suffice to rebuild the
 * unit. A recipe only decides the order in which the solver tries helpers. The coefficients always
 * come from the solver.
 */
@InterfaceAudience.Public
public final class Recipe {
  private final String name;
  private final int lostUnit;
  private final List<SubChunk> helpers;

  /**
   * @param name a few words that distinguish the recipe from others for the same unit
   * @param lostUnit the unit that is repaired
   * @param helpers sub-chunks that together determine all of the lost unit
   */
  public Recipe(String name, int lostUnit, List<SubChunk> helpers) {
    this.name = name;
    this.lostUnit = lostUnit;
    this.helpers = List.copyOf(helpers);
  }

  /** {@return a name such as {@code local} or {@code parities 0, 2}} */
  public String name() {
    return name;
  }

  /** {@return the unit that is repaired} */
  public int lostUnit() {
    return lostUnit;
  }

  /** {@return the sub-chunks that the repair reads} */
  public List<SubChunk> helpers() {
    return helpers;
  }

  private Set<Integer> units() {
    return helpers.stream().map(SubChunk::unit).collect(Collectors.toSet());
  }

  /**
   * Selects the recipes for one lost unit that are worth offering. A recipe stays if it reads less
   * than k whole units, and if there is no other recipe that reads no more sub-chunks and needs no
   * further units. The recipes that read least come first. Recipes that read the same number of
   * sub-chunks keep their order.
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
    return lostUnit + " from " + helpers + " (" + name + ")";
  }
}
