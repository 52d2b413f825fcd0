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

/** How a job ended, and the bytes that it moved. Immutable. */
@InterfaceAudience.Private
public final class JobEnding {
  /** The bytes that the job has moved */
  public final TaskOutcome outcome;
  /** The indices of the units that are on their targets. */
  final List<Integer> rebuilt;
  /**
   * The failure, which names its cause and the node to leave out next time; null if nothing failed.
   */
  final RepairException failure;
  final String message;
  final Suspicion suspicion;
  /** The units that agree in every checked byte; empty if only samples were checked. */
  final List<Integer> readUnits;

  private JobEnding(TaskOutcome outcome, List<Integer> rebuilt, RepairException failure,
      String message) {
    this(outcome, rebuilt, failure, message, Suspicion.NONE, Collections.emptyList());
  }

  private JobEnding(TaskOutcome outcome, List<Integer> rebuilt, RepairException failure,
      String message, Suspicion suspicion, List<Integer> readUnits) {
    this.outcome = outcome;
    this.rebuilt = Collections.unmodifiableList(new ArrayList<>(rebuilt));
    this.failure = failure;
    this.message = message;
    this.suspicion = suspicion;
    this.readUnits = Collections.unmodifiableList(new ArrayList<>(readUnits));
  }

  /** Makes the ending of a job that has put all wanted units on their targets. */
  static JobEnding rebuilt(List<Integer> units, TaskOutcome outcome) {
    return new JobEnding(outcome, units, null, "");
  }

  /**
   * Makes the ending of a job that has put all wanted units on their targets, but has left out a
   * unit of the group that is wrong or may be wrong. That unit still exists.
   *
   * @param contradiction the contradiction that the job saw before it left that unit out
   * @param leftOut UUIDs of nodes; one of them has the wrong unit
   * @param undecided whether the unit is only suspected
   */
  static JobEnding rebuiltWithoutSuspect(List<Integer> units, TaskOutcome outcome,
      RepairException contradiction, List<String> leftOut, boolean undecided) {
    return new JobEnding(outcome, units, contradiction,
        "one unit was left out, as units contradict each other: " + contradiction,
        new Suspicion(leftOut, false, undecided), Collections.emptyList());
  }

  /**
   * Makes the ending of a job that has put all wanted units on their targets, and has found that
   * the units of the group agree after all.
   *
   * @param contradiction the contradiction that the wrong arithmetic of a node caused
   * @param leftOut UUIDs of nodes; one of them has calculated wrongly; empty if it may have been
   *     any node
   */
  static JobEnding rebuiltWithoutArithmetic(List<Integer> units, TaskOutcome outcome,
      RepairException contradiction, List<String> leftOut) {
    return new JobEnding(outcome, units, contradiction,
        "no unit is wrong, but a node has calculated wrongly: " + contradiction,
        new Suspicion(leftOut, true, false), Collections.emptyList());
  }

  /**
   * Makes the ending of a job that has put only some of the wanted units on their targets.
   *
   * @param failure names the target that could not be written to
   * @param message why the other units are missing
   */
  static JobEnding partlyRebuilt(List<Integer> units, TaskOutcome outcome,
      RepairException failure, String message) {
    return new JobEnding(outcome, units, failure, message);
  }

  /**
   * Makes the ending of a job that has rebuilt nothing.
   *
   * @param failure the failure of the last attempt, or null if no attempt failed
   * @param message why no other attempt follows
   */
  static JobEnding failed(RepairException failure, String message) {
    return new JobEnding(TaskOutcome.failed(0, 0, 0), Collections.emptyList(), failure, message);
  }

  /**
   * Returns this ending with the units that were read and agree.
   *
   * @param units the units that agree in every byte that was checked
   */
  JobEnding withReadUnits(Collection<Integer> units) {
    return new JobEnding(outcome, rebuilt, failure, message, suspicion, new ArrayList<>(units));
  }

  /** What a job concludes about units that contradicted each other. Immutable. */
  static final class Suspicion {
    static final Suspicion NONE = new Suspicion(List.of(), false, false);

    /** The UUIDs of the suspected nodes. The other units agree without the units of these nodes. */
    final List<String> leftOut;
    /**
     * Whether the units agree after all: they contradicted each other before only because a node
     * calculated wrongly.
     */
    final boolean unitsAgree;
    /** Whether a unit is only suspected, because the job could not read the unit once more. */
    final boolean undecided;

    Suspicion(List<String> leftOut, boolean unitsAgree, boolean undecided) {
      this.leftOut = List.copyOf(leftOut);
      this.unitsAgree = unitsAgree;
      this.undecided = undecided;
    }
  }
}
