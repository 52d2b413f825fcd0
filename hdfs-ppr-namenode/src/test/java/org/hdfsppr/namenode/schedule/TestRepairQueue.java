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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests the order of groups, and where groups wait. */
class TestRepairQueue {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, Clusters.MIB);

  private final List<NodeRef> nodes = Clusters.nodes(9, 9);
  private final RepairQueue queue = new RepairQueue();

  private LostGroup group(long number, long sinceMs, Integer... lost) {
    return Clusters.group(number, RS, nodes, Arrays.asList(lost), sinceMs);
  }

  private List<LostGroup> drain() {
    List<LostGroup> all = new ArrayList<>();
    for (QueuedGroup next = queue.peek(); next != null; next = queue.peek()) {
      all.add(next.group);
      queue.start(next);
    }
    return all;
  }

  @Test
  void leastRedundancyThenDegradedReadsThenAge() {
    LostGroup young = group(1, 30, 0);
    LostGroup old = group(2, 10, 0);
    LostGroup read = group(3, 40, 0);
    LostGroup worse = group(4, 50, 0, 1);
    List<LostGroup> all = Arrays.asList(young, old, read, worse);
    Collections.shuffle(all, new Random(3));
    all.forEach(queue::put);
    assertTrue(queue.markReadDegraded(read.id));
    assertEquals(Arrays.asList(worse, read, old, young), drain());
    assertFalse(queue.markReadDegraded(read.id));
    assertEquals(0, queue.size());
  }

  @Test
  void aNewerViewTakesThePlaceOfAnOlderOneAndKeepsWhatReadersSaid() {
    queue.put(group(1, 10, 0));
    queue.put(group(2, 5, 0));
    queue.markReadDegraded(group(1, 10, 0).id);
    LostGroup newer = group(1, 10, 3);
    queue.put(newer);
    assertEquals(2, queue.size());
    assertEquals(newer, queue.peek().group);
  }

  @Test
  void theOldestGroupThatCouldBeRepairedIsNeitherDelayedNorLost() {
    assertFalse(queue.oldestDueMs(60).isPresent());
    queue.put(group(1, 10, 0, 1, 2, 3));
    queue.put(group(2, 20, 0), 80, false);
    assertFalse(queue.oldestDueMs(60).isPresent(), "one is lost, one waits for its nodes");
    assertEquals(20, queue.oldestDueMs(0).getAsLong());
    queue.put(group(3, 40, 0));
    queue.put(group(4, 30, 0), 500, false);
    assertEquals(30, queue.oldestDueMs(60).getAsLong(), "a pause after a failure is no delay");
  }

  @Test
  void whatIsSaidOnceMoreChangesNothing() {
    queue.put(group(1, 10, 0));
    QueuedGroup queued = queue.peek();
    queue.park(queued, 7);
    queue.renew(group(1, 10, 0), Long.MIN_VALUE, false);
    assertNull(queue.peek(), "the group still waits for the place");
    queue.wake(7, 1);
    assertSame(queued, queue.peek());
    queue.postpone(queued, 100);
    queue.renew(group(1, 10, 0), Long.MIN_VALUE, false);
    assertNull(queue.peek(), "the group still waits for its time");
    assertEquals(100, queue.nextReleaseMs());
    queue.renew(group(1, 10, 0), Long.MIN_VALUE, true);
    assertTrue(queue.peek().readDegraded, "the first mark is news");
    queue.postpone(queue.peek(), 200);
    queue.renew(group(1, 10, 0), Long.MIN_VALUE, false);
    assertNull(queue.peek(), "a repeated mark is no news");
  }

  @Test
  void eachNewsOfAGroupIsTaken() {
    LostGroup old = group(1, 10, 0);
    List<NodeRef> moved = new ArrayList<>(nodes);
    moved.set(5, new NodeRef("n5", "n5", "n5", 1, 2, "/other"));
    List<NodeRef> started = new ArrayList<>(nodes);
    started.set(5, nodes.get(5).withRepairPort(3));
    List<LostGroup> news = Arrays.asList(
        group(1, 10, 0, 1), group(1, 11, 0), Clusters.group(1, RS, moved, Arrays.asList(0), 10),
        Clusters.group(1, RS, started, Arrays.asList(0), 10),
        new LostGroup(old.id, old.groupBytes, RS, old.live.subList(1, 8), old.lost, 2, 10)
            .occupying(old.occupied()),
        new LostGroup(old.id, old.groupBytes, RS, old.live, old.lost, 2, 10)
            .occupying(old.occupied().subList(0, 7)),
        new LostGroup(old.id, old.groupBytes, RS, old.live, old.lost, 1, 10)
            .occupying(old.occupied()));
    for (LostGroup newer : news) {
      queue.put(old, 100);
      queue.renew(newer, Long.MIN_VALUE, false);
      assertSame(newer, queue.peek().group);
    }
  }

  /**
   * A group that is often reported anew keeps the number of its tries. Otherwise nodes would never
   * be kept free for it.
   */
  @Test
  void aNewerViewHasWaitedAsOften() {
    queue.put(group(1, 10, 0));
    for (int parkings = 1; parkings < 5; parkings++) {
      queue.park(queue.peek(), 7);
      queue.renew(group(1, 10, parkings), Long.MIN_VALUE, false);
      assertEquals(parkings, queue.peek().parkings());
    }
    queue.markReadDegraded(queue.peek().group.id);
    assertEquals(4, queue.peek().parkings());
    queue.start(queue.peek());
    queue.put(group(1, 10, 0));
    assertEquals(0, queue.peek().parkings(), "the group has had its turn");
  }

  @Test
  void groupsWaitForTheirTimeAndForPlaces() {
    LostGroup later = group(1, 0, 0);
    LostGroup first = group(2, 1, 0);
    LostGroup second = group(3, 2, 0);
    queue.put(later, 100);
    queue.put(second);
    queue.put(first);
    queue.park(queue.peek(), 7);
    queue.park(queue.peek(), 7);
    assertNull(queue.peek());
    queue.wake(6, 1);
    assertNull(queue.peek());
    queue.wake(7, 1);
    assertEquals(first, queue.peek().group);
    // A group that is removed before it was tried leaves its turn to the next group.
    assertTrue(queue.remove(first.id));
    assertEquals(second, queue.peek().group);
    queue.park(queue.peek(), 8);
    assertTrue(queue.remove(second.id), "the parked group");
    queue.wake(8, 1);
    assertNull(queue.peek());
    assertEquals(100, queue.nextReleaseMs());
    queue.release(99);
    assertNull(queue.peek());
    queue.release(100);
    assertEquals(later, queue.peek().group);
    assertEquals(Long.MAX_VALUE, queue.nextReleaseMs());
  }

  @Test
  void readersDoNotWaitForADelay() {
    LostGroup later = group(1, 0, 0);
    queue.put(later, 100);
    queue.markReadDegraded(later.id);
    assertEquals(later, queue.peek().group);
  }

  /** Otherwise a group that is read all the time would be tried all the time. */
  @Test
  void readersDoNotCutShortTheRestAfterAFailureTwice() {
    LostGroup group = group(1, 0, 0);
    queue.put(group);
    assertTrue(queue.markReadDegraded(group.id, 50));
    assertNull(queue.peek());
    queue.release(50);
    assertEquals(group, queue.peek().group);
    queue.postpone(queue.peek(), 200);
    assertFalse(queue.markReadDegraded(group.id, 60));
    queue.release(199);
    assertNull(queue.peek());
    queue.release(200);
    assertTrue(queue.peek().readDegraded);
  }

  @Test
  void thoseThatAreReadAreCounted() {
    LostGroup one = group(1, 10, 0);
    LostGroup two = group(2, 5, 0);
    queue.put(one, Long.MIN_VALUE, true);
    queue.put(two);
    assertEquals(1, queue.readDegraded());
    assertTrue(queue.isReadDegraded(one.id));
    assertFalse(queue.isReadDegraded(two.id));
    queue.markReadDegraded(two.id);
    queue.markReadDegraded(two.id);
    queue.put(two, 100);
    assertEquals(2, queue.readDegraded());
    assertTrue(queue.find(two.id).isPresent());
    queue.start(queue.peek());
    assertEquals(1, queue.readDegraded());
    assertFalse(queue.find(one.id).isPresent());
    queue.clear();
    assertEquals(0, queue.readDegraded());
  }

  @Test
  void whatCannotBeRepairedBlocksNoGroupUntilAUnitReturns() {
    LostGroup hopeless = group(1, 0, 0, 1, 2, 3);
    LostGroup other = group(2, 10, 0);
    queue.put(hopeless);
    queue.put(other);
    assertEquals(other, queue.peek().group);
    queue.markReadDegraded(hopeless.id);
    queue.release(Long.MAX_VALUE);
    assertEquals(Collections.singletonList(other), drain());
    assertEquals(1, queue.aside());
    assertEquals(1, queue.size());
    LostGroup better = group(1, 0, 0, 1, 2);
    queue.put(better);
    assertEquals(0, queue.aside());
    assertEquals(Collections.singletonList(better), drain());
    queue.put(hopeless);
    assertTrue(queue.remove(hopeless.id));
    assertEquals(0, queue.aside());
    queue.put(hopeless);
    queue.clear();
    assertEquals(0, queue.aside());
  }
}
