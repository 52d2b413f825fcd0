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
package org.hdfsppr.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests how long a repair has to take beside users. */
class TestUserRecord {
  private static final double CLOSE = 1e-9;

  @Test
  void whatUsersTakeOfTheLinksMakesTheBoundLonger() {
    double rate = 1000;
    assertEquals(20, UserRecord.restBoundSeconds(20, 0, 1, rate), CLOSE);
    double half = rate / 2 / LowerBound.GOODPUT;
    assertEquals(40, UserRecord.restBoundSeconds(20, half, 1, rate), CLOSE);
    assertEquals(40, UserRecord.restBoundSeconds(20, half / 4, 4, rate), CLOSE,
        "each byte costs four on links");
  }

  @Test
  void withoutLinksOrRestThereIsNoBound() {
    assertTrue(Double.isNaN(UserRecord.restBoundSeconds(20, 2000, 1, 1000)));
    assertTrue(Double.isNaN(UserRecord.restBoundSeconds(20, 10, Double.NaN, 1000)));
    assertEquals(20, UserRecord.restBoundSeconds(20, 10, 1, Double.POSITIVE_INFINITY), CLOSE);
  }
}
