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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Puts targets of a plan into its tree. Such an inner target writes its unit itself, and does not
 * pass the rows of this unit on. The sums of every helper therefore have to pass each inner target.
 * The only positions that all sums pass are between the root and all helpers:
 *
 * <pre>
 *   root                  root
 *   |-- helpers     =>    `-- target
 *   `-- helpers               `-- target
 *                                 |-- helpers
 *                                 `-- helpers
 * </pre>
 *
 * <p>Without inner targets, the root sends the unit of each other target over its own link. Pure.
 */
@InterfaceAudience.Private
final class InnerPlacement {
  /**
   * The most inner targets of a tree. Each target finalises its replica before it waits for the
   * target below it, so that the root waits for all these targets one after the other. Four targets
   * and the root together write all lost units of a group with five parity units. If more units are
   * lost, the root sends the further units to their targets itself.
   */
  static final int TARGETS_MOST = 4;

  private InnerPlacement() {
  }

  /**
   * Places as many targets as possible, up to {@link #TARGETS_MOST}.
   *
   * @param plan a plan whose tree has no inner targets
   * @return the same plan with inner targets, or {@code plan} if no target can be placed. No target
   *     can be placed if the root adds a unit of its own, because this unit would pass no inner
   *     target, or if each of the other targets is a helper or does not run the extension
   */
  static RepairPlan place(RepairPlan plan) {
    PlanNode root = plan.root();
    if (root.sources().stream().anyMatch(source -> !root.isRemote(source))) {
      return plan;
    }
    List<Integer> inner = new ArrayList<>();
    for (int index = 0; index < plan.targets().size(); index++) {
      if (canEnd(plan, index)) {
        inner.add(index);
      }
    }
    if (inner.size() == plan.targets().size()) {
      // Every lost unit could become an inner target. One target stays outside the tree, because a
      // request has to leave at least one lost unit to the root.
      inner.remove(0);
    }
    inner.subList(Math.min(inner.size(), TARGETS_MOST), inner.size()).clear();
    if (inner.isEmpty()) {
      return plan;
    }
    // The units that the root reads with stock reads have to pass the inner targets as well. The
    // lowest inner target therefore reads these units in place of the root.
    List<Source> sources = root.sources();
    List<PlanNode> below = root.children();
    Collections.reverse(inner);
    for (int index : inner) {
      below = Collections.singletonList(new PlanNode(plan.targets().get(index).node(), sources,
          below, target(plan, index)));
      sources = Collections.emptyList();
    }
    return plan.withRoot(new PlanNode(root.node(), Collections.emptyList(), below));
  }

  private static boolean canEnd(RepairPlan plan, int index) {
    PlanTarget target = plan.targets().get(index);
    NodeRef node = target.node();
    boolean alone = plan.targets().stream().filter(other -> other.node().equals(node)).count() == 1;
    boolean[] isAdded = {false};
    plan.root().forEach(helper -> helper.sources().forEach(
        source -> isAdded[0] |= source.addsTo(index)));
    return node.runsExtension() && alone && isAdded[0] && target.block().length() > 0
        && !plan.root().involves(node);
  }

  private static InnerTarget target(RepairPlan plan, int index) {
    int subChunks = plan.geometry().subChunks();
    PlanTarget target = plan.targets().get(index);
    byte[] none = {};
    byte[] weights = plan.check().map(check -> Arrays.copyOfRange(check.weights(),
        index * subChunks, (index + 1) * subChunks)).orElse(none);
    byte[] tailWeights = plan.check().filter(check -> plan.geometry().hasTail())
        .map(check -> new byte[] {check.tailWeights()[index]}).orElse(none);
    return new InnerTarget(index, target.unit(), target.block(), weights, tailWeights);
  }
}
