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
package org.hdfsppr.client.patience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** One average, whatever the size. */
class TestOneLatency {
  private static final long MS = 1_000_000;

  @Test
  void aNewReadCountsAnEighth() {
    OneLatency latency = new OneLatency();
    assertFalse(latency.isLearnt(1));
    latency.took(1 << 20, 8 * MS);
    assertTrue(latency.isLearnt(1));
    assertEquals(8 * MS, latency.usualNanos(1));
    latency.took(1, 16 * MS);
    assertEquals(9 * MS, latency.usualNanosMost(1 << 20));
  }
}
