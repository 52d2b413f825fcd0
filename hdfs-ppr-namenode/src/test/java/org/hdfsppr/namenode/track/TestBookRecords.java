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
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hdfsppr.namenode.track.GroupBook.BookRecords;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Records are found as in a map of all ids, and the last one added of a number is its newest. */
class TestBookRecords {
  @Test
  void isAMap() {
    long seed = Long.getLong("seed", 20261129);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    BookRecords records = new BookRecords();
    Map<GroupId, GroupRecord> expected = new LinkedHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      GroupId id = new GroupId(random.nextInt(20) == 0 ? "BP-2" : "BP-1",
          -16 * random.nextInt(40), random.nextInt(4));
      GroupRecord record = expected.get(id);
      assertSame(record, records.get(id));
      if (record == null && random.nextInt(3) > 0) {
        GroupRecord made = new GroupRecord(id);
        expected.put(id, made);
        records.add(made);
      } else if (record != null && random.nextBoolean()) {
        expected.remove(id);
        records.remove(record);
      }
      List<GroupRecord> sameNumber = new ArrayList<>(expected.values());
      sameNumber.removeIf(one -> one.id.groupId != id.groupId);
      assertSame(sameNumber.isEmpty() ? null : sameNumber.get(sameNumber.size() - 1),
          records.newest(id.groupId));
      assertEquals(expected.size(), records.size());
    }
    assertEquals(new HashSet<>(expected.values()), new HashSet<>(records.all()));
    assertEquals(expected.size(), records.all().size());
  }
}
