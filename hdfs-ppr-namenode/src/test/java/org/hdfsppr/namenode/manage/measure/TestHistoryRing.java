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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.History;
import org.junit.jupiter.api.Test;

/** Tests the samples of the last hour. */
@InterfaceAudience.Private
class TestHistoryRing {
  @Test
  void oneSampleEveryTenSeconds() {
    HistoryRing ring = new HistoryRing();
    for (int ms = 0; ms < 35_000; ms += 250) {
      ring.take(7_000 + ms, 5L * ms, ms / 1_000, 3);
    }
    History history = ring.history();
    assertEquals(3, history.size());
    assertEquals(37_000, history.endMs);
    for (int i = 0; i < 3; i++) {
      assertEquals(5_000, history.bytesPerSecond(i), 1e-9);
      assertEquals(10 * (i + 1), history.queued(i));
      assertEquals(3, history.inFlight(i));
    }
  }

  @Test
  void theLastHourIsKept() {
    HistoryRing ring = new HistoryRing();
    for (int second = 0; second <= 2 * 3_600; second++) {
      ring.take(1_000L * second, 0, second, 0);
    }
    History history = ring.history();
    assertEquals(History.SAMPLES_MAX, history.size());
    assertEquals(3_610, history.queued(0), "the oldest first");
    assertEquals(7_200, history.queued(359));
    assertEquals(7_200_000, history.endMs);
  }

  @Test
  void aPauseOfTheProcessDoesNotShiftTheTimes() {
    HistoryRing ring = new HistoryRing();
    ring.take(0, 0, 0, 0);
    ring.take(45_000, 90_000, 7, 0);
    assertEquals(4, ring.history().size());
    assertEquals(40_000, ring.history().endMs);
    assertEquals(2_000, ring.history().bytesPerSecond(3), 1e-9);
  }

  @Test
  void lostProgressIsNoNegativeRate() {
    HistoryRing ring = new HistoryRing();
    ring.take(0, 500, 0, 0);
    ring.take(10_000, 100, 0, 0);
    assertEquals(0, ring.history().bytesPerSecond(0));
  }
}
