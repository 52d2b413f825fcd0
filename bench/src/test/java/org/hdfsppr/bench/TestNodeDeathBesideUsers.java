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
package org.hdfsppr.bench;

import static org.hdfsppr.bench.NodeDeathBesideUsers.restBoundSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests how long a repair has to take beside users. */
class TestNodeDeathBesideUsers {
  private static final double CLOSE = 1e-9;

  @Test
  void whatUsersTakeOfTheLinksMakesTheBoundLonger() {
    double rate = 1000;
    double wire = rate / LowerBound.GOODPUT;
    assertEquals(20, restBoundSeconds(20, 0, 0, rate), CLOSE);
    assertEquals(40, restBoundSeconds(20, wire / 2, 0, rate), CLOSE);
    assertEquals(80, restBoundSeconds(20, wire * 3 / 4, 0, rate), CLOSE);
  }

  /** A repair sends headers and acknowledgements, too. */
  @Test
  void whatTheRepairHasToSendIsNoUsers() {
    double rate = 1000;
    double wire = rate / LowerBound.GOODPUT;
    double repair = 300 / LowerBound.GOODPUT + 300 * 66.0 / 2896;
    assertEquals(20, restBoundSeconds(20, repair, 300, rate), CLOSE);
    assertEquals(40, restBoundSeconds(20, repair + wire / 2, 300, rate), CLOSE);
    assertEquals(20, restBoundSeconds(20, repair / 2, 300, rate), CLOSE,
        "the time goes on for a moment after the repair");
  }

  @Test
  void withoutLinksOrRestThereIsNoBound() {
    assertTrue(Double.isNaN(restBoundSeconds(20, 2000, 0, 1000)));
    assertTrue(Double.isNaN(restBoundSeconds(20, Double.NaN, 10, 1000)));
    assertEquals(20, restBoundSeconds(20, 10, 5, Double.POSITIVE_INFINITY), CLOSE);
  }
}
