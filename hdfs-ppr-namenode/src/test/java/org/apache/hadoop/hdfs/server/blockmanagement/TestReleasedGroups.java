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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups that stock has for a time: as a map of their ends, and quick with many of them. */
class TestReleasedGroups {
  private final ReleasedGroups released = new ReleasedGroups();

  private static BlockInfo group(int number) {
    return new BlockInfoStriped(new Block(-16L * number - 16, 1, 1), QueueCluster.POLICY);
  }

  @Test
  void isAMapOfEnds() {
    long seed = Long.getLong("seed", 20261129);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Map<BlockInfo, Long> expected = new LinkedHashMap<>();
    long nowMs = 0;
    for (int i = 0; i < 30_000; i++) {
      BlockInfo group = group(random.nextInt(5_000));
      switch (random.nextInt(4)) {
        case 0:
          assertEquals(expected.remove(group) != null, released.remove(group));
          break;
        case 1:
          nowMs += random.nextInt(3);
          Set<BlockInfo> over = new HashSet<>();
          released.endDue(nowMs, block -> assertTrue(over.add(block)));
          Set<BlockInfo> due = new HashSet<>();
          for (Map.Entry<BlockInfo, Long> entry : expected.entrySet()) {
            if (entry.getValue() <= nowMs) {
              due.add(entry.getKey());
            }
          }
          expected.keySet().removeAll(due);
          assertEquals(due, over);
          break;
        default:
          long until = random.nextInt(10) == 0 ? Long.MAX_VALUE : nowMs + random.nextInt(20_000);
          released.add(group, until);
          expected.put(group, until);
      }
      assertEquals(expected.size(), released.size());
      assertEquals(expected.containsKey(group) && expected.get(group) > nowMs,
          released.contains(group, nowMs));
      assertTrue(released.kept() <= 2 * (released.size() + ReleasedGroups.REMOVED_MAX + 1),
          released.kept() + " are kept");
    }
  }

  /** One by one, 400,000 removals from 400,000 looked at 80 billion releases. */
  @Test
  @Timeout(30)
  void manyAreRemovedQuickly() {
    int count = 400_000;
    for (int i = 0; i < count; i++) {
      released.add(group(i), 300_000 - i % 1_000);
    }
    for (int i = count - 1; i >= 0; i--) {
      assertTrue(released.remove(group(i)));
    }
    assertEquals(0, released.size());
    assertTrue(released.kept() <= 2 * ReleasedGroups.REMOVED_MAX);
  }
}
