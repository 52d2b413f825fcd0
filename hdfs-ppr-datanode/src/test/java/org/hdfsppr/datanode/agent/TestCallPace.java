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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how often a DataNode calls a NameNode. */
class TestCallPace {
  private long nowNanos = Long.MAX_VALUE - 1_000;
  private final CallPace pace = new CallPace(() -> nowNanos);

  private void passMs(long ms) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void burst(int calls) {
    for (int i = 0; i < calls; i++) {
      assertEquals(0, pace.called(), "call " + i);
    }
    assertEquals(CallPace.GAP_MS, pace.called());
  }

  @Test
  void someCallsFollowEachOtherAndManyDoNot() {
    burst(CallPace.BURST);
    for (int i = 0; i < 100; i++) {
      passMs(CallPace.GAP_MS);
      burst(0);
    }
  }

  @Test
  void timeGivesRoomForMore() {
    burst(CallPace.BURST);
    passMs(4 * CallPace.GAP_MS);
    burst(3);
    passMs(TimeUnit.HOURS.toMillis(1));
    burst(CallPace.BURST);
  }

  /** A node that has something to report all the time calls no more often than this. */
  @Test
  void aSecondHasABoundedNumberOfCalls() {
    int calls = 0;
    long endNanos = nowNanos + TimeUnit.SECONDS.toNanos(1);
    while (nowNanos - endNanos < 0) {
      long pauseMs = pace.called();
      calls++;
      // A call takes some time.
      nowNanos += 1_000;
      passMs(pauseMs);
    }
    assertEquals(CallPace.BURST + TimeUnit.SECONDS.toMillis(1) / CallPace.GAP_MS, calls, 2);
  }
}
