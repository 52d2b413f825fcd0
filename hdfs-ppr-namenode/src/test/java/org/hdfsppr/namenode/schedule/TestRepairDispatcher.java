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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests which repairs begin, and when. */
class TestRepairDispatcher {
  private static final GroupPolicy RS = new GroupPolicy("rs", 3, 2, Clusters.MIB);
  private static final double DEPTH = 2;

  private final List<NodeRef> nodes = Clusters.nodes(14, 14);
  private final RepairScheduler scheduler = Clusters.scheduler("balanced");
  private final Fleet fleet = Clusters.fleet(scheduler, nodes);
  private final RepairQueue queue = new RepairQueue();
  private final RepairDispatcher dispatcher = new RepairDispatcher(queue, fleet, scheduler,
      new RepairAdmission(DEPTH, 0), DestinationFilter.ANY);

  /**
   * Returns a group that has lost two of five units, so that its three other nodes have to help.
   */
  private LostGroup group(long number, int firstNode, long sinceMs) {
    return Clusters.group(number, RS, nodes.subList(firstNode, firstNode + 5),
        Arrays.asList(0, 1), sinceMs);
  }

  @Test
  void theHeadOfTheQueueDoesNotBlockOthers() {
    for (int i = 0; i < 10; i++) {
      queue.put(group(i, 0, i));
    }
    LostGroup elsewhere = group(10, 6, 100);
    queue.put(elsewhere);
    List<RepairProposal> starts = dispatcher.dispatch(0, 100);
    List<LostGroup> started = new ArrayList<>();
    starts.forEach(start -> started.add(start.assignment().get().group));
    assertTrue(started.contains(elsewhere), started.toString());
    // The depth allows two groups with two units each, but an idle node may always begin one.
    assertEquals(DEPTH + 1, started.size(), started.toString());
    assertTrue(dispatcher.dispatch(0, 100).isEmpty());
    // When one has ended, the next one by priority begins.
    fleet.remove(starts.get(0).load);
    List<RepairProposal> next = dispatcher.dispatch(0, 100);
    assertEquals(1, next.size());
    assertEquals(2, next.get(0).assignment().get().group.sinceMs);
  }

  /**
   * Repairs share the rates of links, so the first repair may last until the last one beside it has
   * ended.
   */
  @Test
  void whatMayBeginBesideARepairBelongsToItsTime() {
    for (int i = 0; i < 10; i++) {
      queue.put(group(i, 0, i));
    }
    List<RepairProposal> starts = dispatcher.dispatch(0, 100);
    double longest = 0;
    for (int node = 0; node < fleet.size(); node++) {
      longest = Math.max(longest, fleet.node(node).seconds());
    }
    RepairProposal first = starts.get(0);
    assertTrue(first.seconds < longest, "only in this case does the test prove something");
    assertTrue(first.secondsMax >= longest, first.secondsMax + " s, pending " + longest);
  }

  @Test
  void theLastRedundancyIsNotStarvedByOthersThatFit() {
    // One group needs nodes 2, 3 and 4, and can survive no further loss. An endless row of other
    // groups needs one of these nodes each.
    Deque<RepairLoad> inFlight = new ArrayDeque<>();
    int number = 0;
    for (; number < 8; number++) {
      queue.put(group(number, number % 2 == 0 ? 0 : 2, 0));
    }
    dispatcher.dispatch(0, 100).forEach(start -> inFlight.add(start.load));
    LostGroup last = Clusters.group(1000, RS, nodes.subList(1, 6), Arrays.asList(0, 4), 1000);
    queue.put(last);
    int ended = 0;
    while (queue.contains(last.id)) {
      assertTrue(ended++ < 200, "starved");
      fleet.remove(inFlight.remove());
      queue.put(group(number, number % 2 == 0 ? 0 : 2, 2000 + number));
      number++;
      dispatcher.dispatch(0, 100).forEach(start -> inFlight.add(start.load));
    }
  }

  /** Returns a group that has lost two of five units, and needs these three nodes as helpers. */
  private LostGroup read(long number, int... helpers) {
    return Clusters.group(number, RS, Arrays.asList(nodes.get(0), nodes.get(1),
        nodes.get(helpers[0]), nodes.get(helpers[1]), nodes.get(helpers[2])),
        Arrays.asList(0, 1), number);
  }

  @Test
  void whatIsKeptForAGroupIsFreeWhenItHasGone() {
    List<RepairProposal> starts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      LostGroup group = i < 10 ? read(i, 2, 7, 8) : read(i, 3, 9, 10);
      queue.put(group);
      starts.addAll(dispatcher.dispatch(0, 100));
      queue.remove(group.id);
    }
    LostGroup holder = read(20, 2, 3, 4);
    queue.put(holder);
    assertTrue(dispatcher.dispatch(0, 100).isEmpty());
    for (RepairProposal start : starts) {
      if (start.assignment().get().group.sinceMs >= 10) {
        fleet.remove(start.load);
      }
    }
    queue.put(read(30, 3, 11, 12));
    assertTrue(dispatcher.dispatch(0, 100).isEmpty(), "node 3 is idle, but kept");
    queue.remove(holder.id);
    assertEquals(1, dispatcher.dispatch(0, 100).size());
  }

  @Test
  void whoCannotBePlannedGoesToTheEndForAWhile() {
    LostGroup hopeless = group(1, 0, 0);
    fleet.quarantine(nodes.get(3), true);
    LostGroup other = group(2, 6, 5);
    queue.put(hopeless);
    queue.put(other);
    List<RepairProposal> starts = dispatcher.dispatch(0, 100);
    assertEquals(1, starts.size());
    assertEquals(other, starts.get(0).assignment().get().group);
    assertTrue(queue.contains(hopeless.id));
    fleet.quarantine(nodes.get(3), false);
    assertTrue(dispatcher.dispatch(1, 100).isEmpty());
    assertEquals(1, dispatcher.dispatch(queue.nextReleaseMs(), 100).size());
  }

  @Test
  void whatCannotBeRepairedIsNotPlanned() {
    for (int i = 0; i < 10_000; i++) {
      queue.put(Clusters.group(i, RS, nodes.subList(0, 5), Arrays.asList(0, 1, 2), 0));
    }
    LostGroup other = group(10_000, 6, 5);
    queue.put(other);
    List<RepairProposal> starts = dispatcher.dispatch(0, 1);
    assertEquals(1, starts.size());
    assertEquals(other, starts.get(0).assignment().get().group);
    assertEquals(1, dispatcher.plans());
  }

  /** Makes a report of a node that can lead this many further repairs. */
  private static NodeReport free(int slots) {
    return new NodeReport(0, 0, 0, slots, true, Collections.emptySet()).withNarrowLinks(true);
  }

  @Test
  void nodesThatSayTheyAreFullLeadNothing() {
    nodes.forEach(node -> fleet.report(node, free(0)));
    queue.put(Clusters.group(1, RS, nodes.subList(0, 5), Arrays.asList(0), 0));
    assertTrue(dispatcher.dispatch(0, 100).isEmpty());
    // Each node sends its report. The dispatcher gives the repair to a node with a free slot.
    nodes.forEach(node -> fleet.report(node, free(node.equals(nodes.get(9)) ? 1 : 0)));
    List<RepairProposal> starts = dispatcher.dispatch(0, 100);
    assertEquals(1, starts.size());
    assertEquals(nodes.get(9), starts.get(0).assignment().get().targets.get(0).node);
  }

  /** A node's slots are for the repairs that it leads; it helps with many more. */
  @Test
  void aNodeThatCanLeadNothingStillHelps() {
    nodes.subList(0, 5).forEach(node -> fleet.report(node, free(0)));
    queue.put(group(1, 0, 0));
    List<RepairProposal> starts = dispatcher.dispatch(0, 100);
    assertEquals(1, starts.size());
    assertEquals(Set.of(nodes.get(2), nodes.get(3), nodes.get(4)),
        starts.get(0).assignment().get().helpers.stream().map(holder -> holder.node)
            .collect(Collectors.toSet()));
  }

  /** Repairs that need the same helpers begin together, as many as the nodes can lead. */
  @Test
  void nodesLeadNoMoreThanTheyHaveSlotsFor() {
    RepairDispatcher deep = new RepairDispatcher(queue, fleet, scheduler,
        new RepairAdmission(1000, 0),
        DestinationFilter.ANY);
    nodes.forEach(node -> fleet.report(node, free(2)));
    for (int i = 0; i < 40; i++) {
      queue.put(Clusters.group(i, RS, nodes.subList(0, 5), Arrays.asList(0), i));
    }
    List<RepairProposal> starts = deep.dispatch(0, 100);
    // The nodes of the group's units are no destinations: nine others and that of the lost unit.
    assertEquals(2 * 10, starts.size());
    nodes.forEach(node -> fleet.report(node, free(0)));
    assertTrue(deep.dispatch(0, 100).isEmpty());
    fleet.remove(starts.get(0).load);
    assertEquals(1, deep.dispatch(0, 100).size());
  }

  @Test
  void allEndsWhateverEndsWhen() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      queue.put(group(i, random.nextInt(10), random.nextInt(100)));
    }
    int changes = 500;
    List<RepairLoad> inFlight = new ArrayList<>();
    int rounds = 0;
    while (queue.size() > 0 || !inFlight.isEmpty()) {
      assertTrue(rounds++ < 10_000, "seed " + seed + ": " + queue.size() + " wait");
      dispatcher.dispatch(rounds, 1 + random.nextInt(20))
          .forEach(start -> inFlight.add(start.load));
      assertFalse(inFlight.isEmpty() && queue.size() > 0, "seed " + seed + ": all wait");
      if (changes-- > 0) {
        int changed = random.nextInt(500);
        LostGroup group = group(changed, random.nextInt(10), random.nextInt(100));
        if (queue.remove(group.id) && random.nextBoolean()) {
          queue.put(group);
        }
      }
      if (!inFlight.isEmpty()) {
        // Usually one repair ends, and sometimes all at once. In that case no later end wakes the
        // waiting groups.
        int ends = random.nextInt(10) == 0 ? inFlight.size() : 1;
        for (int end = 0; end < ends; end++) {
          fleet.remove(inFlight.remove(random.nextInt(inFlight.size())));
        }
      }
    }
    for (int node = 0; node < fleet.size(); node++) {
      assertEquals(0, fleet.node(node).seconds());
    }
  }
}
