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
package org.hdfsppr.it.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the comparison itself: it must see a view that is late, wrong or silent. */
class TestAgreement {
  private static final String LEFT = "left";
  private static final long TOLERANCE_MS = 2000;

  /** Shows a loss of 40 groups that begins at 10 s. One group is done every 500 ms. */
  private static View loss(long everyMs, long lateMs) {
    View view = new View("every " + everyMs);
    for (long ms = 0; ms < 40_000; ms += everyMs) {
      long before = ms - lateMs;
      double left = before < 10_000 ? 0 : Math.max(0, 40 - (before - 10_000) / 500);
      view.add(new Glance(ms, ms + 3, Map.of(LEFT, left)));
    }
    return view;
  }

  private static int disagreements(View first, View second) {
    return Agreement.of(LEFT, first, second, TOLERANCE_MS).disagreements.size();
  }

  @Test
  void viewsOfTheSameAgree() {
    View often = loss(100, 0);
    View seldom = loss(1000, 0);
    assertEquals(0, disagreements(often, seldom));
    assertEquals(0, disagreements(seldom, often));
    assertEquals(OptionalLong.of(0), Agreement.least(LEFT, seldom, often, 50, 5000));
    // One of the samples that stand seldom is up to 900 ms before the last of those between them.
    assertEquals(OptionalLong.of(900), Agreement.least(LEFT, often, seldom, 50, 5000));
  }

  @Test
  void aViewMayBeLateByTheToleranceAndNoMore() {
    View now = loss(100, 0);
    for (View late : new View[] {loss(100, 1900), now.later(1900)}) {
      assertEquals(0, disagreements(now, late));
      assertEquals(0, disagreements(late, now));
    }
    assertTrue(disagreements(now, loss(100, 2600)) > 0);
    assertTrue(disagreements(loss(100, 2600), now) > 0);
    assertTrue(disagreements(now.later(2600), now) > 0);
    assertEquals(OptionalLong.of(2600), Agreement.least(LEFT, loss(100, 2600), now, 100, 5000));
    assertEquals(OptionalLong.empty(), Agreement.least(LEFT, now, loss(100, 9000), 50, 5000));
  }

  @Test
  void oneWrongNumberIsSeen() {
    View right = loss(100, 0);
    View wrong = loss(100, 0);
    wrong.add(new Glance(39_000, 39_001, Map.of(LEFT, 1.0)));
    Agreement agreement = Agreement.of(LEFT, wrong, right, TOLERANCE_MS);
    assertEquals(1, agreement.disagreements.size());
    assertTrue(agreement.disagreements.get(0).contains("at 39000 ms: left is 1.0"),
        agreement.disagreements.toString());
    // The other way round, the wrong value stands beside the right ones.
    assertEquals(0, disagreements(right, wrong));
  }

  @Test
  void whatHasNothingNextToItIsCounted() {
    View seldom = loss(20_000, 0);
    Agreement agreement = Agreement.of(LEFT, loss(1000, 0), seldom, TOLERANCE_MS);
    // Next to 0 s are 0, 1 and 2 s, and next to 20 s are 18 to 22 s. What comes later is after the
    // end.
    assertEquals(8, agreement.compared());
    assertEquals(15, agreement.uncompared());
    assertEquals(0, Agreement.of("other", loss(1000, 0), seldom, TOLERANCE_MS).compared());
  }
}
