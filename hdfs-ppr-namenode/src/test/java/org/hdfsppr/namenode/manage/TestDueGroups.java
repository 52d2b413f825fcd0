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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import org.hdfsppr.namenode.manage.StatusMaker.DueGroups;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** How often the waiting groups are walked over. */
class TestDueGroups {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);

  private final RepairQueue queue = new RepairQueue();
  private final DueGroups due = new DueGroups(queue, 0);
  private long cycle = 7;

  private void lose(int number, long sinceMs) {
    queue.put(new LostGroup(id(number), 1 << 20, RS, List.of(), List.of(0), 2, sinceMs));
  }

  private static GroupId id(int number) {
    return new GroupId("BP", -16L * number - 16, 1);
  }

  @Test
  void fewAreWalkedOverInEachCycle() {
    due.look(cycle++);
    assertFalse(due.isThereAny());
    lose(1, 50);
    due.look(cycle++);
    assertTrue(due.isThereAny());
    assertEquals(OptionalLong.of(50), due.oldestMs());
    lose(2, 40);
    due.look(cycle++);
    assertEquals(OptionalLong.of(40), due.oldestMs());
    queue.clear();
    due.look(cycle++);
    assertEquals(OptionalLong.empty(), due.oldestMs());
  }

  @Test
  void manyAreWalkedOverInSomeCycles() {
    int many = 3 * DueGroups.WALKED_PER_CYCLE;
    for (int i = 0; i < many; i++) {
      lose(i, 1_000 + i);
    }
    due.look(cycle);
    assertEquals(OptionalLong.of(1_000), due.oldestMs());
    queue.remove(id(0));
    for (int i = 1; i < 4; i++) {
      due.look(cycle + i);
      assertEquals(OptionalLong.of(1_000), due.oldestMs(), "the answer of an earlier walk");
    }
    due.look(cycle + 4);
    assertEquals(OptionalLong.of(1_001), due.oldestMs());
    for (int i = 1; i <= many / 2 + 1; i++) {
      queue.remove(id(i));
    }
    due.look(cycle + 5);
    assertEquals(OptionalLong.of(1_002 + many / 2), due.oldestMs(), "many have gone at once");
  }
}
