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
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hdfsppr.namenode.manage.measure.WorkMeter.LinkPace;
import org.junit.jupiter.api.Test;

/** Tests what the pace of links takes for a slow link. */
class TestLinkPace {
  private final LinkPace pace = new LinkPace();
  private long nowMs = 1_000_000;
  private double bound = 200;

  /** Lets the bound fall at a pace, s/s, in steps of half a second. */
  private void run(int seconds, double fall) {
    for (int i = 0; i < 2 * seconds; i++) {
      nowMs += 500;
      bound -= fall / 2;
      pace.take(nowMs, bound);
    }
  }

  @Test
  void aStallIsNoSlowLink() {
    run(30, 1);
    assertEquals(1, pace.factor(), 0.1);
    run(120, 0);
    double stalled = pace.factor();
    assertTrue(stalled < 1.5, "after two minutes without progress " + stalled);
    run(60, 1);
    assertEquals(1, pace.factor(), 0.3);
  }

  @Test
  void aStallFromTheBeginningSaysNothing() {
    run(120, 0);
    assertTrue(pace.factor() < 1.5, "without any progress " + pace.factor());
  }

  @Test
  void aSlowLinkIsFoundAlsoIfItSeldomReports() {
    for (int i = 0; i < 20; i++) {
      run(7, 0);
      run(1, 1);
    }
    assertTrue(pace.factor() > 4, "an eighth of the rate " + pace.factor());
  }
}
