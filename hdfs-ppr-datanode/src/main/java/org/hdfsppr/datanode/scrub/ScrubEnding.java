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
package org.hdfsppr.datanode.scrub;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.wire.FailureCause;

/** The result of a group's check, with a sentence that explains it. Immutable. */
final class ScrubEnding {
  final ScrubFinding finding;
  final String text;
  private final boolean givesWay;

  /** @param text explains the finding in one line; empty if all units are there and agree */
  ScrubEnding(ScrubFinding finding, String text) {
    this(finding, text, false);
  }

  private ScrubEnding(ScrubFinding finding, String text, boolean givesWay) {
    this.finding = finding;
    this.text = text;
    this.givesWay = givesWay;
  }

  /** Makes the ending of a check that has not read all that it needs, and suspects no node. */
  static ScrubEnding notChecked(String text) {
    return notChecked(text, Collections.emptyList(), 0);
  }

  /**
   * @param suspects UUIDs of the nodes that kept the group from being checked
   * @param unitBytes the bytes of all units that the check has read to the end; 0 if none
   */
  static ScrubEnding notChecked(String text, Collection<String> suspects, long unitBytes) {
    return new ScrubEnding(new ScrubFinding(ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT,
        new ArrayList<>(suspects), unitBytes), text);
  }

  /**
   * Returns this ending with a mark for the manager: a node had more important work, so that the
   * check has to be ordered again.
   */
  ScrubEnding givingWay() {
    return new ScrubEnding(finding, text, true);
  }

  RepairResult result(ScrubCommand command, long elapsedMs) {
    return RepairResult.ofScrub(command.id(), command.term(), finding,
        givesWay ? FailureCause.OVERLOADED : null, text, elapsedMs);
  }

  @Override
  public String toString() {
    return finding + (text.isEmpty() ? "" : ": " + text);
  }
}
