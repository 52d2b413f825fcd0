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
package org.hdfsppr.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the racks of a stripe. */
class TestStripeRacks {
  private static final StripeRacks RACKS = new StripeRacks(4, 4, 0, 0, 1, 2, 1, 3, 3);

  @Test
  void racksKnowTheirUnits() {
    assertEquals(7, RACKS.units());
    assertEquals(0b0011, RACKS.dataUnitsIn(0));
    assertEquals(0b0100, RACKS.dataUnitsIn(1));
    assertEquals(0, RACKS.dataUnitsIn(3));
    assertEquals(List.of(5, 6), RACKS.parityUnitsIn(3));
    assertEquals(2, RACKS.parities(3));
    assertEquals(0, RACKS.parities(2));
    assertEquals(List.of(3, 1, 0, 2), RACKS.logRacks());
  }

  @Test
  void swappedUnitsHaveEachOthersRacks() {
    StripeRacks swapped = RACKS.swapped(0, 3);
    assertEquals(new StripeRacks(4, 4, 2, 0, 1, 0, 1, 3, 3), swapped);
    assertEquals(0, RACKS.rack(0), "the old places stay as they were");
  }

  @Test
  void wrongRacksAreRefused() {
    String message = assertThrows(IllegalArgumentException.class,
        () -> new StripeRacks(2, 3, 0, 1, 3)).getMessage();
    assertTrue(message.contains("Unit 2 is in rack 3; there are racks 0 to 2"), message);
    assertThrows(IllegalArgumentException.class, () -> new StripeRacks(2, 3, 0, -1, 2));
    assertThrows(IllegalArgumentException.class, () -> new StripeRacks(3, 3, 0, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new StripeRacks(0, 3, 0, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new StripeRacks(60, 1, new int[65]));
  }
}
