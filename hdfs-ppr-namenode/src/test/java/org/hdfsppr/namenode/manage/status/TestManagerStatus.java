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
package org.hdfsppr.namenode.manage.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Tests that a status does not change after it was made. */
@InterfaceAudience.Private
class TestManagerStatus {
  @Test
  void beforeTheFirstCycleNothingIsClaimed() {
    assertFalse(ManagerStatus.NONE.inCharge);
    assertFalse(ManagerStatus.NONE.why.isEmpty());
    assertEquals(0, ManagerStatus.NONE.get(StatusNumber.GROUPS_QUEUED));
    assertEquals(List.of(), ManagerStatus.NONE.lists.repairs);
    assertEquals(0, ManagerStatus.NONE.lockTimes.write.count);
  }

  @Test
  void whatIsPutInMayChangeAfterwards() {
    Map<Integer, Integer> bySpareUnits = new HashMap<>(Map.of(2, 5, -1, 1));
    Map<String, String> out = new HashMap<>(Map.of("u", "why"));
    ManagerStatus status = new ManagerStatus.Builder().charge(true, "a test", 7, 0)
        .queue(bySpareUnits).set(StatusNumber.GROUPS_QUEUED, 6).nodes(out, List.of()).build();
    bySpareUnits.clear();
    out.clear();
    assertEquals(Map.of(2, 5, -1, 1), status.waitingBySpareUnits);
    assertEquals(-1, status.waitingBySpareUnits.firstKey(),
        "the group with the greatest risk comes first");
    assertEquals(Map.of("u", "why"), status.keptOut);
    assertEquals(1, status.get(StatusNumber.QUARANTINED));
    assertEquals(7, status.term);
    assertTrue(status.toString().startsWith("in charge (a test), term 7, 6 groups wait"));
    assertThrows(UnsupportedOperationException.class, () -> status.keptOut.clear());
    assertThrows(UnsupportedOperationException.class,
        () -> status.waitingBySpareUnits.clear());
  }
}
