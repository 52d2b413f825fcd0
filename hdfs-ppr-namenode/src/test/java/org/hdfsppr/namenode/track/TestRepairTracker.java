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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests a repair from begin to end. The test sets the clock. */
@InterfaceAudience.Private
class TestRepairTracker {
  private long now = 5_000;
  private long grants;
  private final RepairTracker tracker = new RepairTracker(() -> now);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static Assignment assignment(long group) {
    LostGroup lost = new LostGroup(new GroupId("BP-1", -16 * group, 1001), 3 << 20,
        new GroupPolicy("rs", 3, 2, 1 << 20), Arrays.asList(
            new UnitHolder(1, node(1)), new UnitHolder(2, node(2)), new UnitHolder(3, node(3))),
        Collections.singletonList(0), 1, 0).occupying(Collections.emptyList());
    return new Assignment(lost, lost.live, Collections.singletonList(new UnitHolder(0, node(9))),
        "chain");
  }

  private TrackedRepair add(long group, long term, long predictedMs) {
    Assignment assignment = assignment(group);
    RepairGrant grant = new RepairGrant(++grants, term, assignment.group.id,
        Collections.emptyList());
    return tracker.next(tracker.open(assignment, grant, RepairLoad.none(), predictedMs, 0))
        .get(0);
  }

  @Test
  void aRepairsLife() {
    TrackedRepair repair = add(1, 7, 1_000);
    assertEquals(7, repair.term());
    assertEquals(node(9), repair.destination());
    assertTrue(tracker.sent(repair.id));
    assertFalse(tracker.sent(repair.id), "commands go out once");
    assertTrue(tracker.running(repair.id, 0));
    assertTrue(tracker.reported(repair.id, true, List.of()));
    assertFalse(tracker.running(repair.id, 0), "late");
    assertEquals(repair, tracker.end(repair.id, true).get());
    assertEquals(RepairState.DONE, repair.state());
    assertFalse(tracker.end(repair.id, true).isPresent());
    assertEquals(0, tracker.size());
  }

  @Test
  void theBlockReportMayBeFaster() {
    for (int steps = 0; steps < 4; steps++) {
      TrackedRepair repair = add(steps, 1, 1_000);
      if (steps > 0) {
        tracker.sent(repair.id);
      }
      if (steps > 1) {
        tracker.running(repair.id, 0);
      }
      if (steps > 2) {
        tracker.reported(repair.id, true, List.of());
      }
      assertTrue(tracker.end(repair.id, true).isPresent());
      assertFalse(tracker.reported(repair.id, true, List.of()), "the repair has ended before");
    }
  }

  @Test
  void oneRepairOfAGroupAtATime() {
    TrackedRepair first = add(1, 1, 1_000);
    assertThrows(IllegalStateException.class, () -> add(1, 1, 1_000));
    assertEquals(first, tracker.byGroup(first.assignment.group.id).get());
    tracker.end(first.id, false);
    assertNotEquals(first.id, add(1, 1, 1_000).id);
  }

  @Test
  void onlyDeclaredTransitionsHappen() {
    int allowed = 0;
    for (RepairState from : RepairState.values()) {
      for (RepairState to : RepairState.values()) {
        allowed += from.next().contains(to) ? 1 : 0;
        if (from.isEnd()) {
          assertFalse(from.next().contains(to));
        }
      }
      assertFalse(from.next().contains(RepairState.PLANNED));
    }
    assertEquals(12, allowed);
    TrackedRepair repair = add(1, 1, 1_000);
    assertThrows(IllegalStateException.class, () -> repair.become(RepairState.RUNNING, now));
    assertTrue(EnumSet.allOf(RepairState.class).contains(repair.state()));
  }

  @Test
  void whoeverWaitsTooLongIsOverdue() {
    TrackedRepair unfetched = add(1, 1, 1_000);
    TrackedRepair slow = add(2, 1, 60_000);
    TrackedRepair unconfirmed = add(3, 1, 1_000);
    tracker.sent(slow.id);
    tracker.running(slow.id, 0);
    tracker.sent(unconfirmed.id);
    tracker.reported(unconfirmed.id, true, List.of());
    now += RepairTracker.FETCH_MS;
    assertTrue(tracker.overdue().isEmpty());
    now++;
    assertEquals(Collections.singleton(unfetched), tracker.overdue().keySet());
    tracker.end(unfetched.id, false);
    now += RepairTracker.CONFIRM_MS;
    assertEquals(Collections.singleton(unconfirmed), tracker.overdue().keySet());
    tracker.end(unconfirmed.id, false);
    now = slow.startedMs + 60_000L * RepairTracker.DEADLINE_FACTOR;
    assertTrue(tracker.overdue().isEmpty());
    now++;
    assertEquals(Collections.singleton(slow), tracker.overdue().keySet());
  }

  /** Reports progress every second, up to {@code percent} after {@code seconds}. */
  private void advance(TrackedRepair repair, int percent, int seconds) {
    for (int i = 1; i <= seconds; i++) {
      now += 1_000;
      tracker.running(repair.id, percent * i / seconds);
    }
  }

  @Test
  void whatAdvancesFastEnoughToEndIsNotOverdue() {
    int seconds = (int) (RepairTracker.DEADLINE_MS_MIN / 1_000);
    int most = seconds * TrackedRepair.ADVANCING_FACTOR;
    TrackedRepair slow = add(1, 1, 1_000);
    tracker.sent(slow.id);
    advance(slow, 30, seconds + 1);
    assertTrue(tracker.overdue().isEmpty(), "30 % of the bytes in a quarter of the remaining time");
    assertEquals(now - 1_000 * (seconds + 1) + 1_000L * most, slow.deadlineMs,
        "the destination does not give up earlier by itself");
    now += RepairTracker.DEADLINE_MS_MIN / RepairTracker.STALLED_ONE_IN;
    tracker.running(slow.id, 30);
    assertTrue(tracker.overdue().isEmpty());
    now++;
    assertEquals(Collections.singleton(slow), tracker.overdue().keySet(), "the repair has stopped");
    tracker.running(slow.id, 40);
    assertTrue(tracker.overdue().isEmpty(), "the repair goes on");
    now = slow.deadlineMs - 1_000;
    tracker.running(slow.id, 99);
    assertEquals(Collections.singleton(slow), tracker.overdue().keySet(),
        "one per cent in 1 s is too slow");
    tracker.running(slow.id, 100);
    now = slow.deadlineMs;
    assertTrue(tracker.overdue().isEmpty());
    now++;
    assertEquals(Collections.singleton(slow), tracker.overdue().keySet(),
        "the wait for the end has a bound");
    tracker.end(slow.id, false);

    TrackedRepair tooSlow = add(2, 1, 1_000);
    tracker.sent(tooSlow.id);
    advance(tooSlow, 20, seconds);
    assertTrue(tracker.overdue().isEmpty());
    now++;
    assertEquals(Collections.singleton(tooSlow), tracker.overdue().keySet());
    tracker.end(tooSlow.id, false);

    TrackedRepair anew = add(3, 1, 1_000);
    tracker.sent(anew.id);
    advance(anew, 90, seconds - 10);
    advance(anew, 20, 11);
    assertTrue(tracker.overdue().isEmpty(), "the second attempt is fast");
  }

  /** A target may sync to a busy disk for 65 s, and read back checksums for 65 s. */
  @Test
  void aRepairThatOnlyEndsSlowlyIsNotOverdue() {
    TrackedRepair repair = add(1, 1, 1_000);
    tracker.sent(repair.id);
    now += 1_000;
    tracker.running(repair.id, 100);
    now = repair.startedMs + 2 * 65_000;
    assertTrue(tracker.overdue().isEmpty());
    now += RepairTracker.DEADLINE_MS_MIN;
    assertEquals(Collections.singleton(repair), tracker.overdue().keySet());
  }

  @Test
  void eachFailureOfTheGroupDoublesTheTimeUpToABound() {
    long before = 0;
    for (int failures = 0; failures < 100; failures++) {
      Assignment assignment = assignment(failures);
      TrackedRepair repair = tracker.next(tracker.open(assignment, new RepairGrant(++grants, 1,
          assignment.group.id, Collections.emptyList()), RepairLoad.none(), 1_000, failures))
          .get(0);
      long patience = repair.dueMs - now;
      assertEquals(failures == 0 ? RepairTracker.DEADLINE_MS_MIN
          : failures <= RepairTracker.DOUBLINGS_MAX ? 2 * before : before, patience);
      before = patience;
    }
    TrackedRepair endless = add(100, 1, Long.MAX_VALUE);
    assertEquals(now + RepairCommand.DEADLINE_MS_MAX, endless.dueMs);
    assertEquals(now + RepairCommand.DEADLINE_MS_MAX, endless.deadlineMs);
  }

  @Test
  void aNodeIsPartOfWhatItHelpsWithAndWhatItLeads() {
    TrackedRepair repair = add(1, 1, 1_000);
    assertEquals(Collections.singletonList(repair), tracker.involving("uuid-2"));
    assertEquals(Collections.singletonList(repair), tracker.involving("uuid-9"));
    assertEquals(Collections.emptyList(), tracker.involving("uuid-4"));
    assertEquals(1, tracker.endAll().size());
    assertEquals(Collections.emptyList(), tracker.all());
  }

  private void beat(int heartbeats, String... named) {
    for (int i = 0; i < heartbeats; i++) {
      now += 1_000;
      tracker.heard("uuid-9", Set.of(named), true);
    }
  }

  @Test
  void whatItsDestinationDoesNotNameIsLostThere() {
    TrackedRepair repair = add(1, 1, 1_000);
    TrackedRepair other = add(2, 1, 1_000);
    beat(2 * RepairTracker.MISSED_MAX);
    assertTrue(tracker.overdue().isEmpty(), "the destination does not know of the repairs yet");
    tracker.sent(repair.id);
    tracker.sent(other.id);
    beat(RepairTracker.MISSED_MAX - 1, other.id);
    assertTrue(tracker.overdue().isEmpty(), "the repairs may have ended meanwhile");
    beat(1, repair.id);
    beat(RepairTracker.MISSED_MAX - 1, other.id);
    assertTrue(tracker.overdue().isEmpty());
    tracker.heard("uuid-9", Set.of(other.id), false);
    tracker.heard("uuid-8", Set.of(other.id), true);
    assertTrue(tracker.overdue().isEmpty(),
        "a full message and a message of another node say nothing");
    beat(1, other.id);
    assertEquals(Collections.singleton(repair), tracker.overdue().keySet());
    tracker.running(other.id, 0);
    beat(1, other.id);
    for (int i = 0; i < 2 * RepairTracker.MISSED_MAX; i++) {
      tracker.heard("uuid-9", Set.of(), true);
    }
    assertEquals(Collections.singleton(repair), tracker.overdue().keySet(),
        "all repairs are missing at once");
    beat(2);
    assertEquals(Set.of(repair, other), tracker.overdue().keySet());
  }

  @Test
  void whatHasEndedNeedNotBeNamed() {
    TrackedRepair repair = add(1, 1, 1_000);
    tracker.sent(repair.id);
    tracker.noteResult(repair.id);
    beat(2 * RepairTracker.MISSED_MAX);
    assertTrue(tracker.overdue().isEmpty());
    tracker.reported(repair.id, true, List.of());
    beat(2 * RepairTracker.MISSED_MAX);
    assertTrue(tracker.overdue().isEmpty());
  }

  @Test
  void anOrderIsRememberedUntilItsDeadline() {
    TrackedRepair repair = add(1, 1, 1_000);
    tracker.sent(repair.id);
    long group = repair.assignment.group.id.groupId;
    for (int i = 0; i < 2; i++) {
      assertTrue(tracker.isOrdered(repair.id, "uuid-9", group));
      assertFalse(tracker.isOrdered(repair.id, "uuid-8", group));
      assertFalse(tracker.isOrdered(repair.id, "uuid-9", group - 16));
      assertFalse(tracker.isOrdered("1-99", "uuid-9", group));
      tracker.end(repair.id, false);
    }
    now = repair.deadlineMs + 1;
    assertFalse(tracker.isOrdered(repair.id, "uuid-9", group));
    TrackedRepair unsent = add(2, 1, 1_000);
    tracker.end(unsent.id, false);
    assertFalse(tracker.isOrdered(unsent.id, "uuid-9",
        unsent.assignment.group.id.groupId));
  }

  @Test
  void progressIsReportedOnce() {
    TrackedRepair repair = add(1, 1, 1_000);
    tracker.sent(repair.id);
    tracker.running(repair.id, 0);
    assertTrue(tracker.takeProgress().isEmpty());
    tracker.running(repair.id, 30);
    assertEquals(Collections.singletonMap(repair, 30), tracker.takeProgress());
    assertTrue(tracker.takeProgress().isEmpty());
    tracker.running(repair.id, 0);
    assertEquals(Collections.singletonMap(repair, 0), tracker.takeProgress(),
        "another attempt has begun");
  }
}
