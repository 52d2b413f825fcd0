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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;

/**
 * Implements m-PPR exactly as published (Mitra et al., EuroSys 2016, section 5): it chooses the
 * sources of greatest weight, the destination of greatest weight, and the paper's reduction tree.
 * The weights change with each start and each end of a repair, because the fleet counts the repairs
 * of each node.
 */
@InterfaceAudience.Private
public final class MpprScheduler implements RepairScheduler {
  /** The name of the scheduler in the configuration. */
  public static final String NAME = "mppr";

  private static final String TOPOLOGY = "ppr";

  private final SchedulerOptions options;

  public MpprScheduler(SchedulerOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String topology() {
    return TOPOLOGY;
  }

  @Override
  public DestinationRank rank() {
    return node -> -options.weights.destination(node);
  }

  @Override
  public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    GroupView view;
    try {
      view = new GroupView(fleet, group, options.reads);
    } catch (IOException e) {
      return RepairProposal.refused(NoPlanReason.UNKNOWN_CODE);
    }
    if (view.lost() == 0) {
      return RepairProposal.refused(NoPlanReason.NOTHING_LOST);
    }
    MpprWeights weights =
        options.weights.with(view.streamBytes(), group.policy.dataUnits);
    int[] order = view.readable();
    UnitSort.ascending(order, unit -> {
      NodeState node = view.node(unit);
      // A node without the extension cannot sum. It becomes a source only if the other nodes do not
      // suffice.
      return (node.ref().runsExtension() ? 0 : UnitSort.LAST)
          - weights.source(node.report().hasInMemory(group.id.blockId(unit)), node);
    });
    Optional<ReadSet> reads =
        view.reads.choose(view.lost(), view.zeros(), order, order.length);
    if (!reads.isPresent()) {
      return RepairProposal.refused(NoPlanReason.TOO_FEW_SOURCES);
    }
    int[] targets = new DestinationChooser(fleet, view, filter).choose(-1);
    if (targets.length == 0) {
      return RepairProposal.refused(NoPlanReason.NO_DESTINATION);
    }
    return new Tree(fleet, view, options.checkOneIn, reads.get(), order, targets, TOPOLOGY)
        .propose();
  }
}
