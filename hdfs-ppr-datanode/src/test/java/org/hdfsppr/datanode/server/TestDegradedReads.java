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
package org.hdfsppr.datanode.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests the notes of degraded reads: their contents, rate, age and number. */
class TestDegradedReads {
  private long now = -5;
  private final DegradedReads reads = new DegradedReads(() -> now);

  private static GroupId group(String pool, int number) {
    return new GroupId(pool, -16L * (number + 1), 1001);
  }

  private List<GroupId> after(long number, String pool, int most) {
    return reads.after(number, pool, most).stream().map(note -> note.group)
        .collect(Collectors.toList());
  }

  private List<GroupId> all(String pool) {
    return after(DegradedReads.NOTHING, pool, Integer.MAX_VALUE);
  }

  @Test
  void eachGroupIsNotedOnceAndInTheOrderOfTheReads() {
    for (int i : new int[] {2, 0, 2, 1, 0, 2}) {
      now++;
      reads.served(group("a", i));
    }
    assertEquals(List.of(group("a", 2), group("a", 0), group("a", 1)), all("a"));
    List<DegradedReads.Note> two = reads.after(DegradedReads.NOTHING, "a", 2);
    assertEquals(2, two.size());
    assertEquals(List.of(group("a", 1)), after(two.get(1).number, "a", 2));
    long last = reads.after(two.get(1).number, "a", 2).get(0).number;
    assertEquals(List.of(), after(last, "a", 2));
  }

  @Test
  void blockPoolsDoNotMix() {
    reads.served(group("a", 1));
    reads.served(group("b", 1));
    assertEquals(List.of(group("a", 1)), all("a"));
    assertEquals(List.of(group("b", 1)), all("b"));
    assertEquals(List.of(), all("c"));
    assertEquals(2, reads.size());
  }

  /**
   * Another generation stamp means another group. A note of the old group says nothing about the
   * new group.
   */
  @Test
  void stampsDoNotMix() {
    GroupId newer = new GroupId("a", -32, 1002);
    reads.served(group("a", 1));
    reads.served(newer);
    assertEquals(List.of(group("a", 1), newer), all("a"));
  }

  @Test
  void whatIsReadOnAndOnIsNotedAgainNowAndThen() {
    reads.served(group("a", 1));
    reads.served(group("a", 2));
    long heard = reads.after(DegradedReads.NOTHING, "a", 10).get(1).number;
    now += DegradedReads.AGAIN_NANOS - 1;
    reads.served(group("a", 1));
    assertEquals(List.of(), after(heard, "a", 10));
    now++;
    reads.served(group("a", 1));
    assertEquals(List.of(group("a", 1)), after(heard, "a", 10));
    assertEquals(List.of(group("a", 2), group("a", 1)), all("a"));
  }

  @Test
  void whatIsNotReadAnyMoreIsForgotten() {
    reads.served(group("a", 1));
    now += 10;
    reads.served(group("a", 2));
    now += DegradedReads.KEEP_NANOS - 10;
    assertEquals(List.of(group("a", 1), group("a", 2)), all("a"));
    now++;
    assertEquals(List.of(group("a", 2)), all("a"));
    assertEquals(1, reads.size());
    now += 10;
    assertEquals(0, reads.size());
    reads.served(group("a", 1));
    assertEquals(List.of(group("a", 1)), all("a"));
  }

  @Test
  void theOldestMakesRoom() {
    for (int i = 0; i < DegradedReads.GROUPS_MAX + 3; i++) {
      reads.served(group("a", i));
    }
    reads.served(group("b", 0));
    assertEquals(DegradedReads.GROUPS_MAX + 1, reads.size());
    assertEquals(group("a", 3), all("a").get(0));
    // The group was forgotten, so it counts as new.
    reads.served(group("a", 0));
    assertEquals(group("a", 4), all("a").get(0));
    assertTrue(all("a").contains(group("a", 0)));
    assertEquals(DegradedReads.GROUPS_MAX + 1, reads.size());
  }
}
