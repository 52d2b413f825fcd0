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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** No caller has more than its share, and a caller that holds nothing is not remembered. */
@InterfaceAudience.Private
class TestCallerShares {
  @Test
  void aCallerHasAShare() {
    CallerShares shares = new CallerShares(10);
    assertTrue(shares.take("a", 6));
    assertFalse(shares.take("a", 5), "a refused amount changes nothing");
    assertTrue(shares.take("a", 4));
    assertFalse(shares.take("a", 1));
    assertTrue(shares.take("b", 10), "another caller has a share of its own");
    shares.give("a", 6);
    assertTrue(shares.take("a", 5));
  }

  @Test
  void nothingStaysOfACallerThatHoldsNothing() {
    CallerShares shares = new CallerShares(10);
    shares.take("a", 6);
    shares.take("b", 11);
    assertEquals(1, shares.callers());
    shares.give("a", 6);
    assertEquals(0, shares.callers());
  }
}
