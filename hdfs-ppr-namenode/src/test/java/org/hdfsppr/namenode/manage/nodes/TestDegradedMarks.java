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
package org.hdfsppr.namenode.manage.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent.DegradedMarks;
import org.junit.jupiter.api.Test;

/** Tests how long a DataNode's report of degraded reads counts, and how many groups of it. */
@InterfaceAudience.Private
class TestDegradedMarks {
  private final DegradedMarks marks = new DegradedMarks();

  private static ReadGroup group(int number) {
    return new ReadGroup(-16L * (number + 1), 1001);
  }

  @Test
  void newsIsTakenOnceAndRemembered() {
    marks.hear(List.of(group(1), group(2), group(1)), 100);
    assertEquals(List.of(group(1), group(2)), marks.takeNews());
    assertEquals(List.of(), marks.takeNews());
    assertTrue(marks.contains(group(1), 100));
    assertFalse(marks.contains(group(3), 100));
    assertFalse(marks.contains(new ReadGroup(group(1).groupId, 1002), 100));
    marks.hear(List.of(group(1)), 200);
    assertEquals(List.of(group(1)), marks.takeNews());
  }

  @Test
  void marksExpireUnlessTheyAreRepeated() {
    marks.hear(List.of(group(1), group(2)), 0);
    marks.hear(List.of(group(1)), 1_000);
    assertTrue(marks.contains(group(2), DegradedMarks.KEEP_MS - 1));
    assertFalse(marks.contains(group(2), DegradedMarks.KEEP_MS));
    assertTrue(marks.contains(group(1), DegradedMarks.KEEP_MS));
    marks.hear(List.of(), DegradedMarks.KEEP_MS);
    assertEquals(1, marks.size());
    assertEquals(List.of(group(1)), marks.takeNews(), "an expired mark is no news");
    marks.hear(List.of(), DegradedMarks.KEEP_MS + 1_000);
    assertTrue(marks.isEmpty());
  }

  @Test
  void howeverMuchIsSaidNoMoreIsRemembered() {
    List<ReadGroup> all = new ArrayList<>();
    for (int i = 0; i < 3 * DegradedMarks.GROUPS_MAX; i++) {
      all.add(group(i));
      marks.hear(List.of(group(i)), i);
    }
    assertEquals(DegradedMarks.GROUPS_MAX, marks.size());
    assertEquals(all.subList(2 * DegradedMarks.GROUPS_MAX, all.size()), marks.takeNews());
  }
}
