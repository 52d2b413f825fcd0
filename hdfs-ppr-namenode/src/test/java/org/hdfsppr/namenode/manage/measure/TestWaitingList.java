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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WaitingGroup;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests the reasons why groups wait, and which of many groups are listed. */
@InterfaceAudience.Private
class TestWaitingList {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final long NOW = 1_000_000;
  private static final long DELAY_MS = 600_000;

  private final RepairQueue queue = new RepairQueue();
  private final GroupBook book = new GroupBook();
  private final RetryPolicy retries = new RetryPolicy(book, () -> NOW);
  private final Doubts doubts = new Doubts(book, () -> NOW, () -> NOW);

  private static LostGroup group(int number, long sinceMs, int spareUnits) {
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6L << 20, RS, List.of(),
        List.of(0), spareUnits, sinceMs);
  }

  private StatusLists list(boolean isPaused) {
    StatusLists.Builder lists = new StatusLists.Builder();
    new WaitingList(queue, book, retries, DELAY_MS).addTo(lists, 7, isPaused, NOW);
    return lists.build();
  }

  private static long number(WaitingGroup waiting) {
    return -waiting.group.id.groupId / 16 - 1;
  }

  @Test
  void reasons() {
    queue.put(group(0, NOW - 9_000, 2));
    queue.put(group(1, NOW - 8_000, -1));
    queue.put(group(2, NOW - 7_000, 2), NOW - 7_000 + DELAY_MS);
    LostGroup failed = group(3, NOW - 6_000, 2);
    book.lost(failed.id);
    retries.failed(failed.id, null, false);
    queue.put(failed, retries.notBeforeMs(failed.id), true);
    LostGroup doubted = group(4, NOW - 5_000, 2);
    book.lost(doubted.id);
    doubts.doubt(doubted.id);
    queue.put(doubted);
    queue.put(group(5, NOW - 4_000, 2), NOW + 1_000);
    queue.put(group(6, NOW - 3_000, 2), NOW - 1);
    StatusLists lists = list(false);
    assertEquals(Map.of(WaitReason.TOO_FEW_SOURCES, 1, WaitReason.DELAY, 1, WaitReason.BACKOFF,
        1, WaitReason.DOUBT, 1, WaitReason.HELD, 1, WaitReason.QUEUED, 2, WaitReason.STOCK, 7),
        lists.reasons);
    assertEquals(7, lists.groupsTotal);
    assertEquals(List.of(1L, 3L, 4L, 5L, 0L, 2L, 6L), lists.groups.stream()
        .map(TestWaitingList::number).collect(Collectors.toList()),
        "stuck groups first, then the oldest");
    WaitingGroup backoff = lists.groups.get(1);
    assertEquals(1, backoff.failures);
    assertEquals(OptionalLong.of(NOW + 1_000), backoff.nextTryMs());
    assertTrue(backoff.readDegraded);
    assertEquals(OptionalLong.empty(), lists.groups.get(0).nextTryMs());
    assertEquals(2, list(true).reasons.get(WaitReason.PAUSED));
  }

  @Test
  void ofManyTheOldestAreListed() {
    for (int i = 0; i < 5_000; i++) {
      queue.put(group(i, NOW - 37L * i % 5_003, 2));
    }
    queue.put(group(5_000, NOW, -1));
    StatusLists lists = list(false);
    assertEquals(5_001, lists.groupsTotal);
    assertEquals(StatusLists.ENTRIES_MAX, lists.groups.size());
    assertEquals(WaitReason.TOO_FEW_SOURCES, lists.groups.get(0).reason);
    long[] since = lists.groups.stream().skip(1).mapToLong(one -> one.group.sinceMs)
        .toArray();
    for (int i = 1; i < since.length; i++) {
      assertTrue(since[i - 1] <= since[i]);
    }
    assertTrue(since[since.length - 1] < NOW - 3_900, "none of the younger ones");
  }

  @Test
  void whatIsDue() {
    queue.put(group(1, NOW, -1));
    assertEquals(false, queue.hasDue(DELAY_MS));
    queue.put(group(2, NOW, 2), NOW + DELAY_MS);
    assertEquals(false, queue.hasDue(DELAY_MS), "it waits for its nodes to come back");
    assertEquals(1L << 20, queue.lostBytes(), "what cannot be rebuilt does not count");
    queue.put(group(3, NOW, 2), NOW + 1);
    assertEquals(true, queue.hasDue(DELAY_MS));
    assertEquals(2L << 20, queue.lostBytes());
    queue.remove(group(3, NOW, 2).id);
    queue.put(group(2, NOW, -1));
    assertEquals(0, queue.lostBytes());
    queue.clear();
    assertEquals(0, queue.lostBytes());
  }
}
