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

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says which lost units have rows at a node of a tree, and on the link from the node to its parent.
 * The links below an {@link InnerTarget} carry the rows of its unit, and the links above do not.
 * Pure.
 */
@InterfaceAudience.Private
public final class LinkRows {
  private LinkRows() {
  }

  /**
   * Lists the lost units whose sums a node computes. These are all lost units except the units that
   * inner targets below the node write.
   *
   * @param node the node, with its subtree
   * @param lostUnits number of lost units of the plan
   * @return indices of these units among the lost units, ascending
   */
  public static int[] at(PlanNode node, int lostUnits) {
    Set<Integer> ended = new HashSet<>();
    node.children().forEach(child -> addEnded(child, ended));
    return without(ended, lostUnits);
  }

  /**
   * Lists the lost units whose sums a node sends to its parent.
   *
   * @param node the node, with its subtree
   * @param lostUnits number of lost units of the plan
   * @return indices of these units among the lost units, ascending
   */
  public static int[] above(PlanNode node, int lostUnits) {
    Set<Integer> ended = new HashSet<>();
    addEnded(node, ended);
    return without(ended, lostUnits);
  }

  private static void addEnded(PlanNode subtree, Set<Integer> ended) {
    subtree.innerTargets().forEach(target -> ended.add(target.index()));
  }

  private static int[] without(Set<Integer> ended, int lostUnits) {
    return IntStream.range(0, lostUnits).filter(index -> !ended.contains(index)).toArray();
  }

  /**
   * Checks that each inner target of a tree gets the complete sums of its unit: at least one source
   * at or below the target adds to these sums, and no source elsewhere does. The method also checks
   * that all children of a node send the same rows, that the tree has at most {@code
   * InnerPlacement.TARGETS_MOST} inner targets, and that it leaves at least one lost unit to its
   * root.
   *
   * @param tree the tree, or the part of a tree that a node knows
   * @param lostUnits number of lost units of the plan
   * @throws IllegalArgumentException if one of these conditions is violated, if two inner targets
   *     have the same unit, or if an inner target is for a unit that the plan does not have; the
   *     message names the unit or the node
   */
  public static void check(PlanNode tree, int lostUnits) {
    Set<Integer> ended = new HashSet<>();
    tree.forEach(node -> node.innerTarget().ifPresent(target -> {
      if (target.index() >= lostUnits) {
        throw new IllegalArgumentException("node " + node.node() + " ends lost unit "
            + target.index() + " of " + lostUnits);
      }
      if (!ended.add(target.index())) {
        throw new IllegalArgumentException("two nodes end the rows of lost unit "
            + target.index());
      }
      int here = adding(node, target.index());
      if (here == 0) {
        throw new IllegalArgumentException("node " + node.node() + " ends rows that it does not"
            + " get, of lost unit " + target.index());
      }
      if (here != adding(tree, target.index())) {
        throw new IllegalArgumentException("the rows of lost unit " + target.index()
            + " end at " + node.node() + ", which not all of their sums pass");
      }
    }));
    if (ended.size() >= lostUnits) {
      throw new IllegalArgumentException("all " + lostUnits + " lost units end below the root");
    }
    if (ended.size() > InnerPlacement.TARGETS_MOST) {
      throw new IllegalArgumentException(ended.size() + " nodes end rows, and a tree has at most "
          + InnerPlacement.TARGETS_MOST + " such nodes");
    }
    tree.forEach(node -> checkLinks(node, lostUnits));
  }

  /**
   * Checks that all children of a node send the same rows. The node adds row i of each child's
   * message to row i of its own sums, so that row i must belong to the same lost unit in all these
   * messages.
   */
  private static void checkLinks(PlanNode node, int lostUnits) {
    int[] here = at(node, lostUnits);
    for (PlanNode child : node.children()) {
      if (!Arrays.equals(above(child, lostUnits), here)) {
        throw new IllegalArgumentException("the rows of " + child.node()
            + " are not those that the other children of " + node.node() + " send");
      }
    }
  }

  /** Counts the sources of a subtree that add to a unit. */
  private static int adding(PlanNode subtree, int index) {
    int[] sources = {0};
    subtree.forEach(node -> sources[0] += (int) node.sources().stream()
        .filter(source -> source.addsTo(index)).count());
    return sources[0];
  }
}
