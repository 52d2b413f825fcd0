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
package org.hdfsppr.datanode.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the ids of watched blocks, and the order of their reads. */
class TestBlockTable {
  /** More than are found without a look at all places. */
  private static final int READS = 5_000;

  /** Ids as the units of groups have them: they follow each other. */
  private static long id(Random random) {
    return Long.MIN_VALUE + random.nextInt(3_000) * 16L + random.nextInt(9);
  }

  /** Whatever is added, read and removed, the table has what a simple map has. */
  @Test
  void isAMap() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    BlockTable table = new BlockTable();
    Map<Long, Integer> wanted = new LinkedHashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long id = id(random);
      switch (random.nextInt(4)) {
        case 0:
          table.remove(id);
          wanted.remove(id);
          break;
        case 1:
          table.read(id, i);
          wanted.computeIfPresent(id, (same, second) -> table.lastNumber());
          break;
        default:
          assertTrue(table.add(id, 0));
          wanted.putIfAbsent(id, 0);
      }
      assertEquals(wanted.containsKey(id), table.contains(id));
    }
    assertEquals(wanted.size(), table.size());
    Map<Long, Integer> found = new LinkedHashMap<>();
    Arrays.stream(table.ids(0, table.places())).forEach(id -> found.put(id, 0));
    for (BlockTable.Numbered read : table.readsAfter(0, Integer.MAX_VALUE)) {
      found.put(read.id, read.number);
    }
    assertEquals(wanted, found);
  }

  @Test
  void readsComeInPagesByTheirNumbers() {
    BlockTable table = new BlockTable();
    for (long id = 1; id <= READS; id++) {
      table.add(id, 0);
    }
    for (long id = READS; id >= 1; id--) {
      table.read(id, 5);
      table.read(id, 5);
    }
    table.read(77_777, 5);
    assertEquals(READS, table.lastNumber(), "a second read in a second is not noted");
    List<Long> ids = new ArrayList<>();
    int after = 0;
    while (after < table.lastNumber()) {
      List<BlockTable.Numbered> page = table.readsAfter(after, 64);
      assertEquals(after + 1, page.get(0).number);
      page.forEach(read -> ids.add(read.id));
      after = page.get(page.size() - 1).number;
    }
    Set<Long> all = new HashSet<>(ids);
    assertEquals(READS, ids.size());
    assertEquals(READS, all.size());
    assertEquals((long) READS, ids.get(0));
    table.read(3, 6);
    assertEquals(1, table.readsAfter(after, 64).size(), "a later read is noted");
    table.remove(3);
    assertEquals(0, table.readsAfter(after, 64).size());
  }

  @Test
  void hasABound() {
    BlockTable table = new BlockTable();
    for (long id = 1; id <= BlockTable.BLOCKS_MAX; id++) {
      assertTrue(table.add(id, 0));
    }
    assertFalse(table.add(BlockTable.BLOCKS_MAX + 1L, 0));
    assertTrue(table.add(5, 0), "it is there already");
    assertEquals(1 << 21, table.places(), "16 bytes each");
    table.remove(5);
    assertTrue(table.add(BlockTable.BLOCKS_MAX + 1L, 0));
  }
}
