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

import static org.hdfsppr.bench.DegradedMode.AUTO;
import static org.hdfsppr.bench.DegradedMode.HEALTHY;
import static org.hdfsppr.bench.DegradedMode.OTHER;
import static org.hdfsppr.bench.DegradedMode.STOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

/** Tests the order in which the modes of a benchmark are measured. */
class TestDegradedConditions {
  @Test
  void eachModeWithoutANodeIsTheFirstOnce() {
    List<DegradedMode> modes = List.of(AUTO, HEALTHY, OTHER);
    assertEquals(List.of(HEALTHY, AUTO, OTHER), DegradedConditions.order(modes, 1));
    assertEquals(List.of(HEALTHY, OTHER, AUTO), DegradedConditions.order(modes, 2));
    assertEquals(List.of(HEALTHY, AUTO, OTHER), DegradedConditions.order(modes, 3));
    List<DegradedMode> three = List.of(STOCK, AUTO, OTHER);
    assertEquals(List.of(STOCK, AUTO, OTHER), DegradedConditions.order(three, 1));
    assertEquals(List.of(AUTO, OTHER, STOCK), DegradedConditions.order(three, 2));
    assertEquals(List.of(OTHER, STOCK, AUTO), DegradedConditions.order(three, 3));
  }
}
