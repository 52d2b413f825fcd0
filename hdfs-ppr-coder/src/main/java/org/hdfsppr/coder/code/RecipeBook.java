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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The recipes of one code. It finds those that repair given lost units from given available units.
 * Immutable.
 */
final class RecipeBook {
  /** All recipes. */
  final List<Recipe> recipes;
  /** The option of each recipe, in the order of {@link #recipes}. */
  private final List<RepairOption> options;
  private final BiFunction<int[], List<SubChunk>, Optional<RepairEquation>> solver;

  /**
   * Checks and keeps recipes.
   *
   * @param name the name of the code
   * @param recipes of several recipes for the same units, the recipe that reads least comes first
   * @param solver computes lost units from sub-chunks, as {@link LinearCode#solve} does
   * @throws IllegalArgumentException if a recipe does not repair its units, or if more of its
   *     helpers are needed than {@link Recipe#needed} says
   */
  RecipeBook(String name, List<Recipe> recipes,
      BiFunction<int[], List<SubChunk>, Optional<RepairEquation>> solver) {
    this.recipes = List.copyOf(recipes);
    this.solver = solver;
    List<RepairOption> solved = new ArrayList<>();
    for (Recipe recipe : this.recipes) {
      RepairEquation equation = solver.apply(lost(recipe), recipe.helpers())
          .filter(found -> found.helpers().size() <= recipe.needed())
          .orElseThrow(() -> new IllegalArgumentException(
              name + ": the recipe does not work: " + recipe));
      solved.add(new RepairOption(recipe.name(), equation));
    }
    options = List.copyOf(solved);
  }

  private static int[] lost(Recipe recipe) {
    return recipe.lostUnits().stream().mapToInt(Integer::intValue).toArray();
  }

  private static int mask(int[] units) {
    int mask = 0;
    for (int unit : units) {
      mask |= 1 << unit;
    }
    return mask;
  }

  /**
   * Takes the first recipe that repairs the lost units from the available units, and returns the
   * sub-chunks that it reads; empty if there is no such recipe.
   *
   * @param available the units that can be read, the preferred ones first
   */
  Optional<List<SubChunk>> first(int[] lost, int[] available) {
    int lostMask = mask(lost);
    int readable = mask(available);
    return recipes.stream().filter(recipe -> recipe.isFor(lostMask) && recipe.works(readable))
        .findFirst().map(recipe -> helpers(recipe, available));
  }

  /**
   * Returns an option for each recipe that repairs the lost units from available units alone.
   *
   * @param available the units that can be read, the preferred ones first
   */
  List<RepairOption> options(int[] lost, int[] available) {
    int lostMask = mask(lost);
    int readable = mask(available);
    List<RepairOption> working = new ArrayList<>();
    for (int r = 0; r < recipes.size(); r++) {
      Recipe recipe = recipes.get(r);
      if (recipe.isFor(lostMask) && recipe.works(readable)) {
        if (recipe.needed() == recipe.helpers().size()) {
          working.add(options.get(r));
        } else {
          solver.apply(lost, helpers(recipe, available)).ifPresent(equation ->
              working.add(new RepairOption(recipe.name(), equation)));
        }
      }
    }
    return working;
  }

  /**
   * Returns those helpers of a recipe that belong to available units. If the recipe has spare
   * helpers, the order matters, because the solver leaves out the last ones. First come the units
   * of which the recipe needs most sub-chunks, so that a repair reads from few nodes. Units with
   * equal numbers come in the order that the caller prefers.
   */
  private static List<SubChunk> helpers(Recipe recipe, int[] available) {
    if (recipe.needed() == recipe.helpers().size()) {
      return recipe.helpers();
    }
    Map<Integer, Integer> parts = new HashMap<>();
    recipe.helpers().forEach(helper -> parts.merge(helper.unit(), 1, Integer::sum));
    List<Integer> order = new ArrayList<>();
    Arrays.stream(available).forEach(order::add);
    Set<Integer> readable = new HashSet<>(order);
    List<SubChunk> helpers = new ArrayList<>(recipe.helpers());
    helpers.removeIf(helper -> !readable.contains(helper.unit()));
    helpers.sort(Comparator.<SubChunk>comparingInt(helper -> -parts.get(helper.unit()))
        .thenComparingInt(helper -> order.indexOf(helper.unit()))
        .thenComparingInt(SubChunk::sub));
    return helpers;
  }
}
