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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.wire.RepairException;

/** How a job ended and what it moved. Immutable. */
@InterfaceAudience.Private
final class JobEnding {
  private final TaskOutcome outcome;
  private final List<Integer> rebuilt;
  private final RepairException failure;
  private final String message;

  private JobEnding(TaskOutcome outcome, List<Integer> rebuilt, RepairException failure,
      String message) {
    this.outcome = outcome;
    this.rebuilt = Collections.unmodifiableList(new ArrayList<>(rebuilt));
    this.failure = failure;
    this.message = message;
  }

  /** All units that were wanted are on their targets. */
  static JobEnding rebuilt(List<Integer> units, TaskOutcome outcome) {
    return new JobEnding(outcome, units, null, "");
  }

  /**
   * The same, of a group with a wrong unit, which is there still.
   *
   * @param contradiction what was seen before that unit was left out
   */
  static JobEnding rebuiltWithoutSuspect(List<Integer> units, TaskOutcome outcome,
      RepairException contradiction) {
    return new JobEnding(outcome, units, contradiction,
        "one unit was left out, as units contradict each other: " + contradiction);
  }

  /**
   * Only some of them are.
   *
   * @param failure names the target that could not be written to
   * @param message why the other units are missing
   */
  static JobEnding partlyRebuilt(List<Integer> units, TaskOutcome outcome,
      RepairException failure, String message) {
    return new JobEnding(outcome, units, failure, message);
  }

  /**
   * @param failure how the last attempt failed, or null if there was none
   * @param message why no other follows
   */
  static JobEnding failed(RepairException failure, String message) {
    return new JobEnding(TaskOutcome.failed(0, 0, 0), Collections.emptyList(), failure, message);
  }

  TaskOutcome outcome() {
    return outcome;
  }

  /** Units that are on their targets. */
  List<Integer> rebuilt() {
    return rebuilt;
  }

  /** Whom to do without and what to beware of next time, or null. */
  RepairException failure() {
    return failure;
  }

  String message() {
    return message;
  }
}
