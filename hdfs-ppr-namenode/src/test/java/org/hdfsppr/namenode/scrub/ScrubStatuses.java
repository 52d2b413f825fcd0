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
package org.hdfsppr.namenode.scrub;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** Makes statuses of background checks, for tests of what shows them. */
public final class ScrubStatuses {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.125Z");

  private ScrubStatuses() {
  }

  /**
   * @param state the state of the checks
   * @return directories in each stage, and a finding of each outcome
   */
  public static ScrubStatus in(ScrubStatus.State state) {
    PassNote first = PassNote.NONE.begun(NOW.minusSeconds(7_200))
        .advanced("/warm/a", new ScrubCounts(11, 7, 2, 3, 4_096));
    PassNote second = first.finished(NOW.minusSeconds(3_600)).begun(NOW.minusSeconds(60))
        .advanced("/warm/b", new ScrubCounts(5, 4, 1, 1, 1L << 40));
    List<ScrubStatus.Directory> directories = List.of(
        new ScrubStatus.Directory("/new", PassNote.NONE, ScrubCounts.NONE),
        new ScrubStatus.Directory("/first", first, first.counts),
        new ScrubStatus.Directory("/warm", second, second.counts),
        new ScrubStatus.Directory("/rests", first.finished(NOW), ScrubCounts.NONE));
    List<Discovery> findings = new ArrayList<>();
    for (ScrubOutcome outcome : ScrubOutcome.values()) {
      boolean isNamed = outcome == ScrubOutcome.CONTRADICTION;
      findings.add(new Discovery(NOW, new GroupId("BP-1", -16L * (outcome.number + 1), 1001),
          outcome, isNamed ? 4 : ScrubFinding.NO_UNIT,
          isNamed ? new NodeRef("uuid-4", "10.0.0.4", "dn4", 9866, 9877, "/r4") : null,
          "it is " + outcome));
    }
    return new ScrubStatus(state, "the checks are " + state, 10_000_000, directories, findings,
        17);
  }
}
