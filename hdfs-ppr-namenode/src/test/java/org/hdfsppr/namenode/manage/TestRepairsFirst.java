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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.hdfsppr.namenode.manage.ManagerGate.RepairsFirst;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.junit.jupiter.api.Test;

/** Tests when checks in the background wait for repairs. */
class TestRepairsFirst {
  private final RepairsFirst repairs = new RepairsFirst();
  private long nowMs = 1_000_000;

  private static ManagerStatus status(int waiting, int inFlight) {
    return new ManagerStatus.Builder().charge(true, "9 of 9 DataNodes take part", 1, 0)
        .state(ManagerState.OK, false, null).queue(waiting, Map.of(0, waiting), 0, 0)
        .repairs(inFlight, 0, WorkStatus.NONE).build();
  }

  private boolean mayRun(int waiting, int inFlight) {
    return !repairs.whyNot(status(waiting, inFlight), nowMs).isPresent();
  }

  @Test
  void nothingToRepair() {
    assertTrue(mayRun(0, 0));
  }

  @Test
  void repairsGoFirst() {
    assertFalse(mayRun(0, 1));
    assertFalse(mayRun(3, 0));
    assertEquals("repairs go first: 3 groups wait, 2 repairs are under way",
        repairs.whyNot(status(3, 2), nowMs).get());
    assertTrue(mayRun(0, 0));
  }

  @Test
  void groupsThatWaitInVainDoNotStopChecksForEver() {
    assertFalse(mayRun(3, 1));
    nowMs += RepairsFirst.QUIET_MS - 1;
    assertFalse(mayRun(2, 0));
    nowMs++;
    assertTrue(mayRun(2, 0));
    // Another loss.
    assertFalse(mayRun(3, 0));
    nowMs += RepairsFirst.QUIET_MS;
    assertTrue(mayRun(3, 0));
    assertFalse(mayRun(2, 1), "one of them is tried again");
    assertFalse(mayRun(2, 0));
  }

  @Test
  void aNameNodeThatIsNotInChargeChecksNothing() {
    ManagerStatus status = new ManagerStatus.Builder()
        .charge(false, "2 of 9 DataNodes take part, too few", 1, 0)
        .state(ManagerState.NOT_IN_CHARGE, false, null).build();
    assertEquals("the repair manager of this NameNode does not begin repairs:"
        + " 2 of 9 DataNodes take part, too few", repairs.whyNot(status, nowMs).get());
  }
}
