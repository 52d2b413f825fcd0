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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.namenode.update.TicketParts.TermRate;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;

/** How often callers' words begin terms. */
class TestTermRate {
  private static final UUID FILE = new UUID(1, 2);

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final TermRate rate = new TermRate(nowMs::get);

  private int taken(UnitId unit) {
    int taken = 0;
    while (rate.take(unit)) {
      taken++;
    }
    return taken;
  }

  @Test
  void eachUnitHasItsOwnTerms() {
    assertTrue(taken(new UnitId(FILE, 0, 1)) == TermRate.BURST);
    assertFalse(rate.take(new UnitId(FILE, 0, 1)));
    assertTrue(rate.take(new UnitId(FILE, 0, 2)));
    assertTrue(rate.take(new UnitId(FILE, 1, 1)));
  }

  @Test
  void oneMoreMayBeginAfterAWhileAndNeverMoreThanAtFirst() {
    UnitId unit = new UnitId(FILE, 0, 1);
    taken(unit);
    nowMs.addAndGet(TermRate.REFILL_MS - 1);
    assertFalse(rate.take(unit));
    nowMs.addAndGet(1);
    assertTrue(rate.take(unit));
    assertFalse(rate.take(unit));
    nowMs.addAndGet(1_000 * TermRate.REFILL_MS);
    assertTrue(taken(unit) == TermRate.BURST);
  }
}
