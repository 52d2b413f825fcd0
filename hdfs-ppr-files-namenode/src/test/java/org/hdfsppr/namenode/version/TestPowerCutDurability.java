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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Units count as durable after a time if no node says that they survive a power cut. */
class TestPowerCutDurability {
  private final PowerCutDurability durability = new PowerCutDurability();

  @Test
  void whatNothingWasSaidOfIsDurableAfterAWhile() {
    assertEquals(0, durability.leftMs(7));
    durability.made(null, 7);
    assertEquals(PowerCutDurability.UNSAID_MS, durability.leftMs(7));
    durability.made(null, 9);
    assertEquals(1, durability.leftMs(8 + PowerCutDurability.UNSAID_MS));
    assertEquals(0, durability.leftMs(9 + PowerCutDurability.UNSAID_MS));
  }

  /** Linux's defaults: the age of bytes that are written, the time between two looks, XFS's log. */
  @Test
  void theWhileIsLongerThanTheKernelTakesToBegin() {
    int beginMs = 30_000 + 5_000 + 30_000;
    assertTrue(PowerCutDurability.UNSAID_MS >= beginMs + 30_000,
        "the writing itself takes time as well");
  }
}
