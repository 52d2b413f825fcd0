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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.hdfsppr.client.patience.LinkLoad;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;

/** What else is read decides how long a read may take, and whether its time says anything. */
class TestLinkLoad {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final long MS = 1_000_000;

  @Test
  void readsThatMeetAreNotAlone() {
    LinkLoad load = new LinkLoad();
    LinkLoad.Use first = load.begin(100, 60);
    assertTrue(first.isAlone());
    try (LinkLoad.Use second = load.begin(20, 20)) {
      assertFalse(first.isAlone());
      assertFalse(second.isAlone());
      assertEquals(120, load.bytes());
      assertEquals(2, load.reads());
      assertEquals(60, load.longest());
    }
    assertFalse(first.isAlone(), "it was not all the time");
    first.more(5);
    assertEquals(105, load.bytes());
    first.close();
    first.close();
    first.more(5);
    assertEquals(0, load.bytes());
    assertEquals(0, load.reads());
    assertEquals(0, load.longest());
    try (LinkLoad.Use third = load.begin(1, 1)) {
      assertTrue(third.isAlone());
    }
  }

  /** A link that is busy for a second with what was asked for is not a slow DataNode. */
  @Test
  void patienceGrowsWithWhatIsWanted() {
    try (ReadContext context = MemoryUnits.context(MINUTES, PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "50",
        PprKeys.CLIENT_HEDGE_MAX_MS_KEY, "2000")) {
      for (int i = 0; i < 1000; i++) {
        context.delay().took(1, MS);
        // 40 ns a byte, as at 200 Mbit/s.
        int bytes = (i % 6 + 1) << 18;
        context.costs().read(bytes, MS + bytes * 40L);
      }
      assertEquals(50 * MS, context.patience().unitNanos(1));
      try (LinkLoad.Use five = context.load().begin(5 << 20, 1)) {
        assertEquals(2 * 5 * 42, context.patience().unitNanos(1) / MS, 10);
        five.more(1 << 30);
        assertEquals(2000 * MS, context.patience().unitNanos(1), "bounded");
      }
      assertEquals(50 * MS, context.patience().unitNanos(1));
      for (int i = 0; i < 100; i++) {
        context.delay().took(1 << 20, 100 * MS);
      }
      try (LinkLoad.Use cell = context.load().begin(1 << 20, 1 << 20)) {
        assertEquals(300 * MS, context.patience().unitNanos(1), "as for a cell");
        assertTrue(cell.isAlone());
      }
    }
  }
}
