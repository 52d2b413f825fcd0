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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The plan that rebuilds the lost units of one block group: a tree of partial sums rooted at the
 * destination. The planner makes the whole plan before any byte moves. Immutable.
 */
@InterfaceAudience.Private
public final class RepairPlan {
  public final GroupId group;
  /** Name of the tree's shape */
  public final String topology;
  /** Name of the recipe by which the code repairs the lost units, see {@code RepairOption} */
  public final String recipe;
  /** How the units are cut into slices */
  public final SliceGeometry geometry;
  /**
   * The blocks to rebuild, with the nodes that are to store them; the lost rows have the same order
   */
  public final List<PlanTarget> targets;
  private final VerificationRelation check;
  /** The destination, with the helpers below it */
  public final PlanNode root;

  /**
   * @param group the block group
   * @param topology name of the tree's shape
   * @param recipe name of the code's recipe
   * @param geometry how the units are cut into slices
   * @param targets the blocks to rebuild, with the nodes that are to store them; the lost rows have
   *     the same order
   * @param check the relation that checked slices must satisfy, or null if the plan has no
   *     additional helper for a check
   * @param root the destination, with the helpers below it
   */
  public RepairPlan(GroupId group, String topology, String recipe, SliceGeometry geometry,
      List<PlanTarget> targets, VerificationRelation check, PlanNode root) {
    this.group = Objects.requireNonNull(group, "group");
    this.topology = Objects.requireNonNull(topology, "topology");
    this.recipe = Objects.requireNonNull(recipe, "recipe");
    this.geometry = Objects.requireNonNull(geometry, "geometry");
    this.targets = Collections.unmodifiableList(new ArrayList<>(targets));
    this.check = check;
    this.root = Objects.requireNonNull(root, "root");
  }

  /** @return the relation that checked slices must satisfy, if the plan has one */
  public Optional<VerificationRelation> check() {
    return Optional.ofNullable(check);
  }

  /**
   * @return whether a wrong byte of any helper in a checked slice would violate the check relation
   */
  public boolean isFullyChecked() {
    return check != null && check.complete;
  }

  /**
   * @return number of lost rows of a slice that is no tail: one for each sub-chunk of each lost
   *     unit
   */
  public int lostRows() {
    return targets.size() * geometry.subChunks();
  }

  /**
   * Counts the bytes of a source that the repair needs to rebuild the lost units. The check may
   * read more.
   *
   * @param source a source of this plan
   * @return bytes
   */
  public long bytesRead(RepairSource source) {
    if (geometry.subChunks() == 1) {
      return source.contributes(SliceKind.PLAIN)
          ? Math.min(source.length(), geometry.streamBytes()) : 0;
    }
    boolean[] reads = new boolean[geometry.subChunks()];
    for (int run = 0; run < reads.length; run++) {
      reads[run] = source.contributes(SliceKind.PLAIN, run);
    }
    long bytes = 0;
    int slices = geometry.slices();
    for (int slice = 0; slice < slices; slice++) {
      boolean tail = geometry.kind(slice).tail;
      for (int run = 0; run < geometry.runs(slice); run++) {
        if (tail ? source.contributes(SliceKind.TAIL) : reads[run]) {
          bytes += geometry.lengthWithin(slice, run, source.length());
        }
      }
    }
    return bytes;
  }

  /**
   * Returns the units of which the check covers all sub-chunks. If every slice is checked, the
   * check finds every wrong byte of these units up to the end of the stream.
   *
   * @return indices of these units, ascending; empty if the plan is not fully checked
   */
  public Set<Integer> unitsChecked() {
    Set<Integer> units = new TreeSet<>();
    if (isFullyChecked()) {
      root.forEach(node -> node.sources.stream().filter(source ->
          source.needsAll(SliceKind.CHECKED)
              && (source.tailCoefficients().length == 0
                  || source.contributes(SliceKind.CHECKED_TAIL)))
          .forEach(source -> units.add(source.unit)));
    }
    return units;
  }

  /** @return number of check rows of a checked slice: 1 if the plan has a check relation, else 0 */
  public int checkRows() {
    return check == null ? 0 : 1;
  }

  @Override
  public String toString() {
    return group + " " + topology + " by recipe " + recipe + " " + root;
  }
}
