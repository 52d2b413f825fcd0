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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Tests how long a reader waits, with a clock of the test. */
@InterfaceAudience.Private
class TestRateThrottle {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - SECOND);
  private final RateThrottle pace = new RateThrottle(1000, nanos::get);

  @Test
  void whatWasReadIsWaitedFor() {
    assertEquals(0, pace.owedNanos());
    pace.read(500);
    assertEquals(SECOND / 2, pace.owedNanos());
    nanos.addAndGet(SECOND / 4);
    assertEquals(SECOND / 4, pace.owedNanos());
    pace.read(1000);
    assertEquals(SECOND + SECOND / 4, pace.owedNanos(), "debts add up");
    nanos.addAndGet(2 * SECOND);
    assertTrue(pace.owedNanos() < 0, "also when the clock passes its largest value");
  }

  /** A reader that has stood still must not read as much as it likes afterwards. */
  @Test
  void aPauseIsNoCredit() {
    pace.read(1000);
    nanos.addAndGet(100 * SECOND);
    pace.read(1000);
    assertEquals(SECOND - RateThrottle.CREDIT_NANOS, pace.owedNanos());
  }

  @Test
  void anotherRateHoldsForWhatIsNotPaidForToo() {
    pace.read(500);
    pace.rate(100);
    assertEquals(5 * SECOND, pace.owedNanos());
    pace.read(100);
    assertEquals(6 * SECOND, pace.owedNanos());
    nanos.addAndGet(SECOND);
    pace.rate(1000);
    assertEquals(SECOND / 2, pace.owedNanos());
    nanos.addAndGet(2 * SECOND);
    long credit = pace.owedNanos();
    pace.rate(1);
    assertEquals(credit, pace.owedNanos(), "nothing is owed");
  }

  /** Waits that last a little too long do not lower the rate. */
  @Test
  void smallDelaysAreMadeUpFor() {
    long begin = nanos.get();
    for (int i = 0; i < 100; i++) {
      pace.read(10);
      nanos.addAndGet(Math.max(0, pace.owedNanos()) + SECOND / 500);
    }
    long elapsed = nanos.get() - begin;
    assertTrue(elapsed >= SECOND && elapsed < SECOND + SECOND / 100, elapsed + " ns");
  }
}
