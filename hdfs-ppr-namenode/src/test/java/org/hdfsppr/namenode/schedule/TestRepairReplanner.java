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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests plans that are made a second time. */
class TestRepairReplanner {
  private static final GroupPolicy LRC =
      new GroupPolicy("lrc-l2", 12, 4, Clusters.MIB);
  private static final int NODES = 18;
  private static final int LOST = 30;

  private final List<NodeRef> nodes = Clusters.nodes(NODES, 3);
  private final RepairScheduler scheduler = Clusters.scheduler("balanced");
  private final Fleet fleet = Clusters.fleet(scheduler, nodes);
  private final RepairAdmission admission = new RepairAdmission(LOST, 0);

  /**
   * Returns groups that are laid out as HDFS does it: rack after rack, with a node at most once.
   */
  private List<LostGroup> groups(long seed) {
    Random random = new Random(seed);
    List<LostGroup> groups = new ArrayList<>();
    while (groups.size() < LOST) {
      List<NodeRef> holders = new ArrayList<>();
      for (int rack = 0; rack < 3; rack++) {
        List<NodeRef> its = new ArrayList<>();
        for (int i = rack; i < NODES; i += 3) {
          its.add(nodes.get(i));
        }
        Collections.shuffle(its, random);
        holders.addAll(its.subList(0, rack == 0 ? 6 : 5));
      }
      Collections.rotate(holders, 5 * random.nextInt(3));
      int lost = holders.indexOf(nodes.get(0));
      if (lost >= 0) {
        groups.add(Clusters.group(groups.size(), LRC, holders, Collections.singletonList(lost),
            groups.size()));
      }
    }
    return groups;
  }

  private List<RepairProposal> planned(RepairScheduler by, List<LostGroup> groups) {
    fleet.leave(nodes.get(0));
    RepairQueue queue = new RepairQueue();
    groups.forEach(queue::put);
    return new RepairDispatcher(queue, fleet, by, admission, DestinationFilter.ANY)
        .dispatch(0, 100);
  }

  private double most() {
    double most = 0;
    for (int node = 0; node < fleet.size(); node++) {
      for (Kind kind : new Kind[] {Kind.UP, Kind.DOWN}) {
        most = Math.max(most, fleet.node(node).linkSeconds(kind, 0));
      }
    }
    return most;
  }

  /** The same scheduler without the second look. */
  private class Once implements RepairScheduler {
    @Override
    public String name() {
      return scheduler.name();
    }

    @Override
    public DestinationRank rank() {
      return scheduler.rank();
    }

    @Override
    public RepairProposal plan(Fleet of, LostGroup group, DestinationFilter filter) {
      return scheduler.plan(of, group, filter);
    }
  }

  @Test
  void theBusiestLinkHasLessToCarry() {
    double once = 0;
    double twice = 0;
    for (long seed = 1; seed <= 8; seed++) {
      List<LostGroup> groups = groups(seed);
      List<RepairProposal> first = planned(new Once(), groups);
      once += most();
      first.forEach(start -> assertTrue(fleet.remove(start.load)));
      List<RepairProposal> second = planned(scheduler, groups);
      twice += most();
      assertEquals(LOST, second.stream().map(start -> start.assignment().get().group.id)
          .distinct().count());
      second.forEach(start -> assertTrue(fleet.remove(start.load),
          "the load of a plan is not counted"));
      assertEquals(0, most(), "a load that was not given back");
    }
    assertTrue(twice < 0.96 * once, twice + " s, and " + once + " s at first sight");
  }

  private void firstPlansStand(Function<RepairProposal, RepairProposal> again,
      BiPredicate<RepairLoad, RepairLoad> mayBegin) {
    List<RepairProposal> starts = planned(new Once(), groups(1));
    List<RepairProposal> before = new ArrayList<>(starts);
    new RepairReplanner(fleet, new Once() {
      @Override
      public int looksAgain() {
        return 1;
      }

      @Override
      public RepairProposal again(Fleet of, RepairProposal first, DestinationFilter filter,
          int look) {
        return again.apply(first);
      }
    }, DestinationFilter.ANY, mayBegin, load -> 1).at(starts);
    for (int i = 0; i < before.size(); i++) {
      assertSame(before.get(i), starts.get(i));
      assertTrue(fleet.remove(starts.get(i).load));
    }
    assertEquals(0, most());
  }

  @Test
  void aPlanThatIsRefusedTheSecondTimeStands() {
    List<RepairProposal> starts = planned(new Once(), groups(1));
    RepairProposal first = starts.get(0);
    fleet.withdraw(first.load);
    for (int look = 0; look < scheduler.looksAgain(); look++) {
      assertSame(first, scheduler.again(fleet, first, (group, node) -> false, look));
    }
  }

  @Test
  void aPlanStandsIfMakingItAgainThrows() {
    firstPlansStand(first -> {
      throw new IllegalStateException("on purpose");
    }, (before, load) -> true);
  }

  @Test
  void noPlanIsReplacedByOneThatMayNotBegin() {
    firstPlansStand(first -> first.beside(1), (before, load) -> false);
  }

  /** A plan of a whole unit per link takes the place of one that has several units on a link. */
  @Test
  void aSecondPlanMayUseWhatTheFirstWasAllowed() {
    RepairAdmission twice = new RepairAdmission(2, 0);
    RepairLoad pending = sending(0, 8);
    fleet.add(pending);
    RepairLoad second = sending(0, 1);
    assertNotEquals(RepairAdmission.NONE, twice.blocker(fleet, second));
    assertFalse(twice.mayReplace(fleet, sending(1, 4), second), "9 units beside 2 x 4");
    assertTrue(twice.mayReplace(fleet, sending(1, 5), second), "9 units beside 2 x 5");
    assertTrue(fleet.remove(pending));
  }

  private static RepairLoad sending(int node, int units) {
    RepairLoad.Builder load = new RepairLoad.Builder();
    load.add(LinkOrDisk.of(node, LinkOrDisk.Kind.UP), (long) units << 20);
    return load.build(new int[] {node}, new int[0]);
  }

  @Test
  void schedulersThatWerePublishedPlanOnce() {
    assertTrue(scheduler.looksAgain() > 0);
    assertEquals(0, Clusters.scheduler("mppr").looksAgain());
    assertEquals(0, Clusters.scheduler("fifo").looksAgain());
  }

  @Test
  void noGroupIsWokenWhoseNodesHaveNoLessToDo() {
    List<RepairProposal> starts = planned(new Once(), groups(1));
    fleet.takeRelieved();
    new RepairReplanner(fleet, scheduler, DestinationFilter.ANY, (first, load) -> false,
        load -> 1).at(starts);
    assertTrue(fleet.takeRelieved().isEmpty());
    new RepairReplanner(fleet, scheduler, DestinationFilter.ANY, (first, load) -> true,
        load -> 1).at(starts);
    assertFalse(fleet.takeRelieved().isEmpty());
  }
}
