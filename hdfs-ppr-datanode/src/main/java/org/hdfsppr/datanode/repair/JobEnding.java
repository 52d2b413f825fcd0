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
import java.util.Collection;
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
  private final List<String> leftOut;
  private final boolean unitsAgree;
  private final List<Integer> readUnits;
  private final boolean undecided;

  private JobEnding(TaskOutcome outcome, List<Integer> rebuilt, RepairException failure,
      String message) {
    this(outcome, rebuilt, failure, message, Collections.emptyList(), false,
        Collections.emptyList(), false);
  }

  private JobEnding(TaskOutcome outcome, List<Integer> rebuilt, RepairException failure,
      String message, List<String> leftOut, boolean unitsAgree, List<Integer> readUnits,
      boolean undecided) {
    this.outcome = outcome;
    this.rebuilt = Collections.unmodifiableList(new ArrayList<>(rebuilt));
    this.failure = failure;
    this.message = message;
    this.leftOut = Collections.unmodifiableList(new ArrayList<>(leftOut));
    this.unitsAgree = unitsAgree;
    this.readUnits = Collections.unmodifiableList(new ArrayList<>(readUnits));
    this.undecided = undecided;
  }

  /** All units that were wanted are on their targets. */
  static JobEnding rebuilt(List<Integer> units, TaskOutcome outcome) {
    return new JobEnding(outcome, units, null, "");
  }

  /**
   * The same, of a group with a wrong unit, which is there still.
   *
   * @param contradiction what was seen before that unit was left out
   * @param leftOut UUIDs of the nodes of which one has it
   * @param undecided whether that is only suspected
   */
  static JobEnding rebuiltWithoutSuspect(List<Integer> units, TaskOutcome outcome,
      RepairException contradiction, List<String> leftOut, boolean undecided) {
    return new JobEnding(outcome, units, contradiction,
        "one unit was left out, as units contradict each other: " + contradiction, leftOut,
        false, Collections.emptyList(), undecided);
  }

  /**
   * The same, of a group whose units agree after all.
   *
   * @param contradiction what a node's wrong arithmetic looked like
   * @param leftOut UUIDs of the nodes of which one has calculated wrongly; none if all may have
   */
  static JobEnding rebuiltWithoutArithmetic(List<Integer> units, TaskOutcome outcome,
      RepairException contradiction, List<String> leftOut) {
    return new JobEnding(outcome, units, contradiction,
        "no unit is wrong, but a node has calculated wrongly: " + contradiction, leftOut, true,
        Collections.emptyList(), false);
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

  /**
   * The same, with what is known of the units that were read.
   *
   * @param units those that agree in every byte that was checked
   */
  JobEnding withReadUnits(Collection<Integer> units) {
    return new JobEnding(outcome, rebuilt, failure, message, leftOut, unitsAgree,
        new ArrayList<>(units), undecided);
  }

  TaskOutcome outcome() {
    return outcome;
  }

  /** Units that are on their targets. */
  List<Integer> rebuilt() {
    return rebuilt;
  }

  /** Names the node to do without and what to beware of next time; or null. */
  RepairException failure() {
    return failure;
  }

  String message() {
    return message;
  }

  /** UUIDs of the nodes without which the units added up. */
  List<String> leftOut() {
    return leftOut;
  }

  /** Whether units contradicted each other, and agree after all. */
  boolean unitsAgree() {
    return unitsAgree;
  }

  /** Units that agree in every byte that was checked; empty if only samples were. */
  List<Integer> readUnits() {
    return readUnits;
  }

  /** Whether what was left out could not be read once more, and is only suspected. */
  boolean isUndecided() {
    return undecided;
  }
}
