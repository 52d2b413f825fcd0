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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

/** Tests made-up writes. */
class TestUpdateWorkload {
  private static final int K = 12;
  private static final long CHUNK = 1 << 20;

  private static String said(List<TraceRequest> writes) {
    return writes.stream().map(write -> write.offset + "+" + write.size)
        .collect(Collectors.joining(" "));
  }

  @Test
  void aRoundChangesThreeTenthsOfAStripeAtTheSameBytes() {
    UpdateWorkload workload = new UpdateWorkload(7, K, CHUNK, 3);
    for (int round = 0; round < 9; round++) {
      List<TraceRequest> writes = workload.round();
      assertEquals(4, writes.stream().map(write -> write.offset / CHUNK).distinct().count());
      assertEquals(List.of((long) round % 3), writes.stream()
          .map(write -> write.offset / CHUNK / K).distinct().collect(Collectors.toList()));
      for (int range = 0; range < writes.size(); range += 4) {
        assertEquals(1, writes.subList(range, range + 4).stream()
            .map(write -> write.offset % CHUNK).distinct().count());
      }
      writes.forEach(write ->
          assertEquals(write.offset / CHUNK, (write.end() - 1) / CHUNK, "in one chunk"));
    }
  }

  @Test
  void equalSeedsGiveEqualWrites() {
    UpdateWorkload one = new UpdateWorkload(7, K, CHUNK, 3);
    UpdateWorkload same = new UpdateWorkload(7, K, CHUNK, 3);
    UpdateWorkload other = new UpdateWorkload(8, K, CHUNK, 3);
    for (int round = 0; round < 5; round++) {
      String said = said(one.round());
      assertEquals(said, said(same.round()));
      assertNotEquals(said, said(other.round()));
    }
  }
}
