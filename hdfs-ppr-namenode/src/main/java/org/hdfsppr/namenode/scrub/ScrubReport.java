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
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;

/** The report about a check that has ended. Immutable. */
final class ScrubReport {
  private static final ScrubFinding NOTHING = new ScrubFinding(ScrubOutcome.NOT_CHECKED,
      ScrubFinding.NO_UNIT, Collections.emptyList(), 0);

  final ScrubFinding finding;
  final String message;

  /**
   * @param finding what was found; null if the order was not carried out
   * @param message one line for people; may be empty
   */
  ScrubReport(ScrubFinding finding, String message) {
    this.finding = finding == null ? NOTHING : finding;
    this.message = Objects.requireNonNull(message, "message");
  }

  /** @param result a DataNode's report about a check, or its refusal */
  ScrubReport(RepairResult result) {
    this(result.scrub, result.message);
  }

  ScrubOutcome outcome() {
    return finding.outcome;
  }

  @Override
  public String toString() {
    return finding + (message.isEmpty() ? "" : ": " + message);
  }
}
