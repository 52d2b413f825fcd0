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
package org.hdfsppr.bench.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.hdfsppr.bench.clock.ReadClock.Step;
import org.junit.jupiter.api.Test;

/** Tests what the clock of a client counts, with a clock that only the test moves on. */
class TestReadClock {
  private long now = 1000;
  private final ReadClock clock = new ReadClock(() -> now);

  private void assertTimes(long total, long waiting, long computing) {
    ReadTimes times = clock.times();
    assertEquals(total, times.total, "total");
    assertEquals(waiting, times.waiting, "waiting");
    assertEquals(computing, times.computing, "computing");
  }

  @Test
  void eachMomentOfAReadCountsOnce() {
    clock.begin();
    now += 1;
    clock.enter(Step.WAIT);
    now += 10;
    // A second connection waits beside the first one.
    clock.enter(Step.WAIT);
    now += 100;
    clock.leave(Step.WAIT);
    now += 1000;
    // A thread computes while the first connection still waits.
    clock.enter(Step.COMPUTE);
    now += 10_000;
    clock.leave(Step.WAIT);
    now += 100_000;
    clock.leave(Step.COMPUTE);
    now += 1_000_000;
    clock.end();
    assertTimes(1_111_111, 1110, 110_000);
  }

  @Test
  void onlyReadsCount() {
    clock.enter(Step.WAIT);
    now += 1;
    clock.begin();
    now += 10;
    clock.end();
    now += 100;
    clock.leave(Step.WAIT);
    now += 1000;
    assertTimes(10, 10, 0);
  }

  @Test
  void readsAtTheSameTimeCountOnce() {
    clock.begin();
    now += 1;
    clock.begin();
    now += 10;
    clock.end();
    now += 100;
    clock.end();
    assertTimes(111, 0, 0);
  }

  @Test
  void whatTheClientCountsItselfIsComputationOfItsReads() {
    long[] own = {500};
    clock.countsItself(() -> own[0]);
    own[0] += 1;
    clock.begin();
    own[0] += 20;
    now += 100;
    clock.end();
    own[0] += 300;
    clock.begin();
    own[0] += 4000;
    now += 10_000;
    clock.end();
    assertTimes(10_100, 0, 4020);
  }

  @Test
  void timesSinceAnEarlierReading() {
    clock.begin();
    clock.enter(Step.WAIT);
    now += 7;
    clock.leave(Step.WAIT);
    clock.end();
    ReadTimes earlier = clock.times();
    clock.begin();
    now += 3;
    clock.enter(Step.COMPUTE);
    now += 4;
    clock.leave(Step.COMPUTE);
    clock.end();
    ReadTimes later = clock.times().since(earlier);
    assertEquals(7, later.total);
    assertEquals(0, later.waiting);
    assertEquals(4, later.computing);
  }

  @Test
  void anEndWithoutABeginningIsAMistake() {
    assertThrows(IllegalStateException.class, clock::end);
    assertThrows(IllegalStateException.class, () -> clock.leave(Step.WAIT));
  }
}
