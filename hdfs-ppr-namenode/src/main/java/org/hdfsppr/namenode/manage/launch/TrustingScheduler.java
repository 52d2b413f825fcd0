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
package org.hdfsppr.namenode.manage.launch;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.DestinationRank;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.schedule.RepairScheduler;

/**
 * Plans as another scheduler does. If a group needs a node that is kept out of repairs, it plans
 * the group as if that node were not kept out.
 */
@InterfaceAudience.Private
public final class TrustingScheduler implements RepairScheduler {
  private final RepairScheduler scheduler;
  private final Predicate<LostGroup> needsAll;
  private final Function<Supplier<RepairProposal>, RepairProposal> trusting;

  /**
   * @param scheduler makes the plans
   * @param needsAll decides whether a group needs the nodes that are kept out
   * @param trusting makes a plan while those nodes take part
   */
  public TrustingScheduler(RepairScheduler scheduler, Predicate<LostGroup> needsAll,
      Function<Supplier<RepairProposal>, RepairProposal> trusting) {
    this.scheduler = scheduler;
    this.needsAll = needsAll;
    this.trusting = trusting;
  }

  @Override
  public String name() {
    return scheduler.name();
  }

  @Override
  public DestinationRank rank() {
    return scheduler.rank();
  }

  @Override
  public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    return needsAll.test(group) ? trusting.apply(() -> scheduler.plan(fleet, group, filter))
        : scheduler.plan(fleet, group, filter);
  }

  @Override
  public int looksAgain() {
    return scheduler.looksAgain();
  }

  @Override
  public RepairProposal again(Fleet fleet, RepairProposal first, DestinationFilter filter,
      int look) {
    // Groups that need such nodes are few, so that planning them again is not worth it.
    return needsAll.test(first.assignment().get().group) ? first
        : scheduler.again(fleet, first, filter, look);
  }
}
