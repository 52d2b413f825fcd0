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

import java.util.Collections;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;

/** The report about a check that has ended. Immutable. */
@InterfaceAudience.Private
public final class ScrubReport {
  private static final ScrubFinding NOTHING = new ScrubFinding(ScrubOutcome.NOT_CHECKED,
      ScrubFinding.NO_UNIT, Collections.emptyList(), 0);

  final String uuid;
  final String checkId;
  final ScrubFinding finding;
  final String message;

  /**
   * @param uuid UUID of the node that reports
   * @param checkId id of the check, as it was ordered
   * @param finding what was found; null if the order was not carried out
   * @param message one line for people; may be empty
   */
  public ScrubReport(String uuid, String checkId, ScrubFinding finding, String message) {
    this.uuid = Objects.requireNonNull(uuid, "uuid");
    this.checkId = Objects.requireNonNull(checkId, "checkId");
    this.finding = finding == null ? NOTHING : finding;
    this.message = Objects.requireNonNull(message, "message");
  }

  /**
   * Makes a report from the result that a DataNode sent.
   *
   * @param uuid UUID of the node that reports
   * @param result a DataNode's report about a check, or its refusal
   * @return the report
   */
  public static ScrubReport of(String uuid, RepairResult result) {
    return new ScrubReport(uuid, result.repairId, result.scrub, result.message);
  }

  ScrubOutcome outcome() {
    return finding.outcome;
  }

  @Override
  public String toString() {
    return checkId + ": " + finding + (message.isEmpty() ? "" : ": " + message);
  }
}
