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
package org.hdfsppr.namenode.manage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests the busiest nodes and the earliest end. */
@InterfaceAudience.Private
class TestLoadMeasure {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final int NODES = 20;
  private static final long UNIT_BYTES = 50_000_000 / (1 << 20) << 20;
  private static final double LINK = 25e6;
  private static final double UNIT_SECONDS = UNIT_BYTES / LINK;
  /** The chain of a repair: six helpers and the destination, each with one unit on its link. */
  private static final int BUSY_NODES = 7;

  private final RepairScheduler scheduler =
      RepairSchedulers.byName("balanced", new SchedulerOptions(
          new CodeReads(policy -> ReedSolomon.hadoop(6, 3)), 0,
          new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, UNIT_BYTES, 6)), new Random(1));
  private final Fleet fleet = new Fleet(scheduler.rank());
  private final LoadMeasure measure = new LoadMeasure();

  TestLoadMeasure() {
    for (int i = 0; i < NODES; i++) {
      fleet.join(node(i), NodeCapacity.ofLink(LINK));
    }
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private RepairProposal begin(int number) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node((number + unit) % NODES)));
      occupied.add(node((number + unit) % NODES));
    }
    RepairProposal plan = scheduler.plan(
        fleet, new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6 * UNIT_BYTES, RS, live,
            List.of(0), 2, 0).occupying(occupied), (group, node) -> true);
    fleet.add(plan.load);
    return plan;
  }

  @Test
  void nothingToDo() {
    measure.look(fleet, 0);
    assertEquals(List.of(), measure.busiest());
    assertEquals(OptionalDouble.empty(), measure.boundSeconds(0), "nothing is left");
    assertEquals(OptionalDouble.empty(), measure.boundSeconds(UNIT_BYTES),
        "no repair has shown what a byte costs");
  }

  @Test
  void theBusiestLinkBoundsWhatIsPlanned() {
    begin(0);
    measure.look(fleet, UNIT_BYTES);
    assertEquals(LoadMeasure.BUSIEST_MAX, measure.busiest().size());
    measure.busiest().forEach(busy -> assertEquals(UNIT_SECONDS, busy.seconds, 1e-6));
    assertEquals(UNIT_SECONDS, measure.boundSeconds(0).getAsDouble(), 1e-6);
    assertEquals(UNIT_SECONDS, measure.boundSeconds(UNIT_BYTES).getAsDouble(), 1e-6,
        "the nodes that are idle can repair one more group meanwhile");
  }

  @Test
  void allNodesBoundWhatWaits() {
    RepairProposal plan = begin(0);
    measure.look(fleet, UNIT_BYTES);
    double bound = UNIT_SECONDS * BUSY_NODES * 101 / NODES;
    assertEquals(bound, measure.boundSeconds(100 * UNIT_BYTES).getAsDouble(), 1e-3);
    fleet.progress(plan.load, 0.5);
    measure.look(fleet, UNIT_BYTES / 2);
    assertEquals(UNIT_SECONDS / 2, measure.busiest().get(0).seconds, 1e-3);
    fleet.remove(plan.load);
    measure.look(fleet, 0);
    assertEquals(UNIT_SECONDS * BUSY_NODES * 100 / NODES,
        measure.boundSeconds(100 * UNIT_BYTES).getAsDouble(), 1e-3,
        "what a byte costs is still known");
  }

  @Test
  void theBusiestComesFirst() {
    for (int i = 0; i < 12; i++) {
      begin(i / 3);
    }
    measure.look(fleet, 12 * UNIT_BYTES);
    double before = Double.MAX_VALUE;
    for (int i = 0; i < LoadMeasure.BUSIEST_MAX; i++) {
      assertEquals(true, measure.busiest().get(i).seconds <= before);
      before = measure.busiest().get(i).seconds;
    }
    double most = 0;
    for (int i = 0; i < NODES; i++) {
      most = Math.max(most, fleet.node(i).seconds());
    }
    assertEquals(most, measure.busiest().get(0).seconds);
  }
}
