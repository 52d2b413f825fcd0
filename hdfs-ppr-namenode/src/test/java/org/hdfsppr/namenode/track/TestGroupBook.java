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
package org.hdfsppr.namenode.track;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/**
 * Tests the state of a group, in its record and in the book to which the manager's parts report.
 */
@InterfaceAudience.Private
class TestGroupBook {
  private static final GroupId GROUP = group(1);

  private final GroupBook book = new GroupBook();

  private static GroupId group(long number) {
    return new GroupId("BP-1", -16 * number, 1001);
  }

  /** Returns for each state a sequence of legal transitions that leads a new record to it. */
  private static Map<GroupState, List<GroupState>> ways() {
    Map<GroupState, List<GroupState>> ways = new EnumMap<>(GroupState.class);
    Deque<GroupState> open = new ArrayDeque<>();
    ways.put(GroupState.GONE, List.of());
    open.add(GroupState.GONE);
    while (!open.isEmpty()) {
      GroupState state = open.poll();
      for (GroupState next : state.next()) {
        if (!ways.containsKey(next)) {
          List<GroupState> way = new ArrayList<>(ways.get(state));
          way.add(next);
          ways.put(next, way);
          open.add(next);
        }
      }
    }
    return ways;
  }

  @Test
  void everyLegalTransitionHappensAndEveryOtherIsRefused() {
    Map<GroupState, List<GroupState>> ways = ways();
    assertEquals(EnumSet.allOf(GroupState.class), ways.keySet(), "each state can be reached");
    int legal = 0;
    int refused = 0;
    for (GroupState from : GroupState.values()) {
      for (GroupState to : GroupState.values()) {
        GroupRecord record = new GroupRecord(GROUP);
        ways.get(from).forEach(record::become);
        assertEquals(from, record.state());
        if (from.next().contains(to)) {
          record.become(to);
          assertEquals(to, record.state());
          legal++;
        } else {
          assertThrows(IllegalStateException.class, () -> record.become(to), from + " to " + to);
          assertEquals(from, record.state(), "a refused transition changes nothing");
          refused++;
        }
      }
    }
    assertEquals(25, legal);
    assertEquals(11, refused);
  }

  @Test
  void theTableIsTheOneThatIsDrawn() {
    assertEquals(EnumSet.of(GroupState.WAITING, GroupState.HELD, GroupState.DOUBTED),
        GroupState.GONE.next(), "only a lost group begins or is handed over");
    assertFalse(GroupState.DOUBTED.next().contains(GroupState.HELD));
    assertFalse(GroupState.AT_WORK.next().contains(GroupState.STOCKS_TURN));
    assertFalse(GroupState.STOCKS_TURN.next().contains(GroupState.AT_WORK));
    for (GroupState state : GroupState.values()) {
      assertFalse(state.next().contains(state), "staying in a state is no transition");
      if (state != GroupState.GONE) {
        assertTrue(state.next().contains(GroupState.GONE), "any group may be deleted");
      }
    }
  }

  @Test
  void aGroupIsLostBeginsAndIsWhole() {
    book.lost(GROUP);
    assertEquals(GroupState.WAITING, book.state(GROUP));
    assertTrue(book.concede(GROUP, RelaxedRule.ANY_RACK));
    assertFalse(book.concede(GROUP, RelaxedRule.ANY_RACK), "once");
    book.begun(GROUP);
    assertEquals(GroupState.AT_WORK, book.state(GROUP));
    assertTrue(book.hasConceded(GROUP, RelaxedRule.ANY_RACK));
    book.ended(GROUP, true);
    assertEquals(GroupState.GONE, book.state(GROUP));
    assertFalse(book.hasConceded(GROUP, RelaxedRule.ANY_RACK), "concessions end with the loss");
    assertEquals(0, book.size());
    assertFalse(book.concede(GROUP, RelaxedRule.ANY_RACK), "the book has no record of the group");
    assertEquals(0, book.size());
  }

  /** The group's history is kept until the NameNode's books name the group again. */
  @Test
  void whatFailedWaitsUntilItIsNamedAgainOrForgotten() {
    book.lost(GROUP);
    book.begun(GROUP);
    book.makeHistory(GROUP).addFailure();
    book.failed(GROUP);
    assertEquals(GroupState.WAITING, book.state(GROUP));
    book.lost(GROUP);
    book.forgetHistory(GROUP);
    assertEquals(GroupState.WAITING, book.state(GROUP));
    book.begun(GROUP);
    book.makeHistory(GROUP).addFailure();
    book.failed(GROUP);
    book.forgetHistory(GROUP);
    assertEquals(GroupState.GONE, book.state(GROUP));
    assertEquals(0, book.size(), "the group was whole, so no report would name it again");
  }

  @Test
  void aDoubtChangesHowAGroupWaitsAndNothingElse() {
    book.makeDoubt(GROUP);
    assertEquals(GroupState.GONE, book.state(GROUP), "the group has lost no unit");
    book.lost(GROUP);
    assertEquals(GroupState.HELD, book.state(GROUP));
    book.makeCertain(GROUP);
    assertEquals(GroupState.DOUBTED, book.state(GROUP));
    book.begun(GROUP);
    book.endDoubt(GROUP);
    assertEquals(GroupState.AT_WORK, book.state(GROUP));
    book.makeDoubt(GROUP);
    book.failed(GROUP);
    assertEquals(GroupState.HELD, book.state(GROUP));
    assertTrue(book.leaveToStock(GROUP, true));
    book.makeCertain(GROUP);
    assertTrue(book.isToBeCopied(GROUP));
    assertTrue(book.takeBack(GROUP));
    assertEquals(GroupState.DOUBTED, book.state(GROUP));
    assertEquals(1, book.doubted());
    assertEquals(0, book.suspected());
    assertTrue(book.endDoubt(GROUP));
    assertFalse(book.endDoubt(GROUP));
    assertEquals(0, book.size());
  }

  @Test
  void stockGetsGroupsInTheirOrderAndSomeAtATime() {
    for (int i = 1; i <= 5; i++) {
      book.lost(group(i));
      assertTrue(book.leaveToStock(group(i), i == 2));
    }
    assertTrue(book.isToBeCopied(group(2)));
    assertTrue(book.takeBack(group(1)));
    assertFalse(book.takeBack(group(1)));
    assertTrue(book.leaveToStock(group(1), false));
    assertEquals(List.of(group(2), group(3)), book.handOver(2));
    assertEquals(GroupState.GONE, book.state(group(2)));
    assertEquals(List.of(group(4), group(5), group(1)), book.handOver(100));
    assertEquals(List.of(), book.handOver(100));
    book.lost(GROUP);
    book.begun(GROUP);
    assertFalse(book.leaveToStock(GROUP, false), "a repair of the group has begun");
    assertEquals(GroupState.AT_WORK, book.state(GROUP));
  }

  @Test
  void aQueueThatStartsAfreshForgetsAllButWhatIsUnderWay() {
    book.lost(group(1));
    book.lost(group(2));
    book.leaveToStock(group(2), false);
    book.lost(group(3));
    book.begun(group(3));
    book.lost(group(4));
    book.makeDoubt(group(4));
    book.forgetLosses();
    assertEquals(GroupState.GONE, book.state(group(1)));
    assertEquals(List.of(), book.handOver(100));
    assertEquals(GroupState.AT_WORK, book.state(group(3)));
    assertTrue(book.isDoubtOpen(group(4)));
    assertEquals(2, book.size());
    book.ended(group(3), true);
    assertEquals(1, book.size());
  }

  @Test
  void theOldestDoubtIsForgotten() {
    for (int i = 0; i <= GroupBook.DOUBTS_MAX; i++) {
      book.makeDoubt(group(i));
    }
    assertFalse(book.isDoubtOpen(group(0)));
    assertTrue(book.isDoubtOpen(group(1)));
    assertEquals(GroupBook.DOUBTS_MAX, book.suspected());
    assertEquals(GroupBook.DOUBTS_MAX, book.size());
  }

  /** Random reports in any order must not ask for an illegal transition. */
  @Test
  void noOrderOfReportsIsIllegal() {
    long seed = Long.getLong("seed", 20261123);
    Random random = new Random(seed);
    List<Consumer<GroupId>> reports = List.of(book::lost, book::begun, book::failed,
        group -> book.ended(group, true),
        book::gone, id -> book.leaveToStock(id, random.nextBoolean()), book::takeBack,
        id -> book.handOver(1 + random.nextInt(3)), book::makeDoubt, book::endDoubt,
        id -> {
          book.makeDoubt(id);
          book.makeCertain(id);
        }, book::makeHistory, book::forgetHistory,
        id -> book.concede(id, RelaxedRule.ANY_STORAGE));
    for (int i = 0; i < 100_000; i++) {
      GroupId id = group(random.nextInt(8));
      int report = random.nextInt(reports.size());
      // The tracker refuses a second repair of a group. The group is taken back from stock before
      // that.
      if (report != 1 || !Set.of(GroupState.AT_WORK, GroupState.STOCKS_TURN)
          .contains(book.state(id))) {
        reports.get(report).accept(id);
      }
      if (random.nextInt(1_000) == 0) {
        book.forgetLosses();
      }
      assertTrue(book.isConsistent(), "seed " + seed);
    }
  }
}
