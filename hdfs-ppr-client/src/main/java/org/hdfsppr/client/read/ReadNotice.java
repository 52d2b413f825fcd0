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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies DataNodes that this client decodes ranges of a group that has lost units. DataNodes
 * cannot distinguish the reads of a client that decodes from other reads, and so would not report
 * that the group's repair is urgent. So the client sometimes asks one DataNode for a sum of one
 * slice of that DataNode's unit. From this request the DataNode learns that the group is read. The
 * client asks in the background, and only if a thread is free. Thread-safe.
 */
final class ReadNotice {
  private static final Logger LOG = LoggerFactory.getLogger(ReadNotice.class);

  private final ReadContext context;
  private final ReadPlans plans;

  ReadNotice(ReadContext context, ReadPlans plans) {
    this.context = context;
    this.plans = plans;
  }

  /**
   * Begins to notify a DataNode that a range was decoded, if its unit is lost. Does nothing if the
   * unit's DataNode is only slow, or if a DataNode was notified of the same group in the last
   * minute. Returns at once.
   */
  void decoded(LocatedGroup group, UnitRange range) {
    if (isLost(group, range.unit) && !context.isNotified(group.id())) {
      notify(group, range);
    }
  }

  /**
   * Like {@link #decoded}, but for a stripe that stock decodes. Stock does not say which units it
   * decodes, so the notice is about the group's first data unit that is lost.
   */
  void decodedByStock(LocatedGroup group) {
    for (int unit = 0; unit < group.dataUnits(); unit++) {
      if (group.unitBytes(unit) > 0 && isLost(group, unit)) {
        decoded(group, new UnitRange(unit, 0, 1));
        return;
      }
    }
  }

  private boolean isLost(LocatedGroup group, int unit) {
    DatanodeInfo holder = group.holder(unit);
    return holder == null
        || context.health.isLost(holder.getDatanodeUuid(), group.id().blockId(unit));
  }

  private void notify(LocatedGroup group, UnitRange range) {
    context.tryExecute(() -> {
      try {
        askForOneSlice(group, range);
        context.counters.notice();
      } catch (RepairException e) {
        LOG.debug("No DataNode learns that unit {} of {} is read", range, group.id(), e);
        plans.note(group, e);
      } catch (IOException e) {
        LOG.debug("No DataNode learns that unit {} of {} is read", range, group.id(), e);
      }
    });
  }

  private void askForOneSlice(LocatedGroup group, UnitRange range) throws IOException {
    RepairPlan plan = plans.ofServers(group, range, Collections.emptySet(),
        context.settings.topology, 0, false);
    PlanNode any = plan.root.children.get(0);
    PlanNode root = new PlanNode(ReadPlans.CLIENT, Collections.emptyList(),
        Collections.singletonList(
            new PlanNode(any.node, any.sources, Collections.emptyList())));
    SliceGeometry geometry = plan.geometry.covering(range.from, range.from + 1);
    try (RangeRead read = new RangeRead(plan, plans.request(group, plan, root, geometry),
        Collections.emptyList(), context.kernel, context.buffers, context.nanoClock)) {
      read.run(context.connector, group.unitBytes(range.unit), (offset, bytes) -> {
        // The request itself is the notice. A part of a sum is of no use, so its bytes are dropped.
      });
    }
  }
}
