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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ResidentBlocks;
import org.junit.jupiter.api.Test;

/**
 * Tests that the NameNode's list, which is put together from reports, becomes the list of resident
 * blocks.
 */
class TestResidentReport {
  private static final String POOL = "BP-1";

  private final Set<Long> resident = new HashSet<>(Arrays.asList(-1L, -2L));
  private int asked;
  private final ResidentReport report = new ResidentReport(pool -> {
    assertEquals(POOL, pool);
    asked++;
    return resident;
  });

  private static HeartbeatResponse answer() {
    return new HeartbeatResponse(HeartbeatResponse.active(1, POOL));
  }

  private static HeartbeatResponse ignoring() {
    return new HeartbeatResponse(HeartbeatResponse.active(1, POOL).setIgnoresResident(true));
  }

  @Test
  void allThenChanges() {
    ResidentBlocks first = report.next();
    assertTrue(!first.complete && first.added.isEmpty(), "the pool is not known yet");
    report.answered(answer());
    ResidentBlocks all = report.next();
    assertTrue(all.complete);
    assertEquals(resident, new HashSet<>(all.added));
    report.answered(answer());
    resident.remove(-1L);
    resident.add(-3L);
    ResidentBlocks changed = report.next();
    assertTrue(!changed.complete);
    assertEquals(Collections.singletonList(-3L), changed.added);
    assertEquals(Collections.singletonList(-1L), changed.removed);
    report.answered(answer());
    assertTrue(report.next().added.isEmpty());
  }

  /** The scan looks at no replica of a pool of which nothing is asked. */
  @Test
  void aNameNodeThatUsesNoneIsToldNone() {
    report.next();
    report.answered(ignoring());
    ResidentBlocks none = report.next();
    assertTrue(!none.complete && none.added.isEmpty());
    report.answered(ignoring());
    report.next();
    assertEquals(0, asked);
    report.answered(answer());
    assertTrue(report.next().complete, "it uses them now");
    assertEquals(1, asked);
    report.answered(ignoring());
    assertTrue(report.next().removed.isEmpty());
    assertEquals(1, asked);
  }

  @Test
  void everythingAgainAfterALoss() {
    report.next();
    report.answered(answer());
    report.next();
    report.lost();
    assertTrue(report.next().complete);
    report.answered(answer());
    assertTrue(!report.next().complete);
    report.answered(new HeartbeatResponse(
        HeartbeatResponse.active(1, POOL).setWantsAllResident(true)));
    assertTrue(report.next().complete, "the list is complete, as the NameNode asked");
  }
}
