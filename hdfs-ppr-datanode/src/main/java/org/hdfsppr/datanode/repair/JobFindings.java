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
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what a job has found so far: the last failure, whether units contradicted each other,
 * the units that are rebuilt, and the nodes that are suspected. Makes the {@link JobEnding} from
 * these findings. Used by one thread.
 */
final class JobFindings {
  private static final Logger LOG = LoggerFactory.getLogger(JobFindings.class);

  private final RepairMetrics metrics;
  private final String job;
  private RebuiltUnits rebuilt =
      new RebuiltUnits(Collections.emptyList(), TaskOutcome.failed(0, 0, 0), null, "");
  private RepairException lastFailure;
  /**
   * Whether the units agree only because the repair left out a unit. That unit is wrong, or may be
   * wrong.
   */
  private boolean withoutSuspect;
  /**
   * Whether the job could not find out if the unit left out is wrong. The unit then counts only as
   * suspected.
   */
  private boolean undecided;
  /** The nodes that were left out because of a suspected unit, or that have calculated wrongly. */
  private List<NodeRef> culprits = Collections.emptyList();
  /**
   * Whether the units agree, although they contradicted each other before. A node has then
   * calculated wrongly.
   */
  private boolean unitsAgree;
  /** The units that agree in every byte; empty if the job checked only samples. */
  private Set<Integer> readUnits = Collections.emptySet();
  /** The failure that showed that units contradict each other, or null. */
  private RepairException contradiction;

  /** @param job names the repair and its group in logs */
  JobFindings(RepairMetrics metrics, String job) {
    this.metrics = metrics;
    this.job = job;
  }

  /** Notes that an attempt has failed. */
  void failed(RepairException e) {
    lastFailure = e;
  }

  /** Notes {@code e} as the contradiction, if {@code e} says that units contradict each other. */
  void noteContradiction(RepairException e) {
    if (e.failureCause == FailureCause.VERIFICATION) {
      contradiction = e;
      metrics.verificationFailed();
    }
  }

  /** Returns the failure that showed that units contradict each other, or null. */
  RepairException contradiction() {
    return contradiction;
  }

  /** Notes the units that a successful attempt has rebuilt. */
  void rebuilt(RepairPlan plan, RebuiltUnits units, AttemptPolicy attempts) {
    rebuilt = units;
    lastFailure = units.missing;
    readUnits = attempts.doubted() ? plan.unitsChecked() : Collections.emptySet();
    unitsAgree = attempts.readsOnly();
    withoutSuspect = attempts.leftOutSuspect() != null;
    culprits = withoutSuspect ? new ArrayList<>(attempts.culprits(plan)) : Collections.emptyList();
  }

  /** Returns whether the units agree only because the repair left out a unit. */
  boolean isWithoutSuspect() {
    return withoutSuspect;
  }

  /** Returns whether the units agree after all, although they contradicted each other before. */
  boolean unitsAgree() {
    return unitsAgree;
  }

  /** Returns the suspected nodes. The other units agree without the units of these nodes. */
  List<NodeRef> culprits() {
    return Collections.unmodifiableList(culprits);
  }

  /**
   * Notes that the job cannot read again the units that it left out, so that these units stay
   * suspected.
   */
  void cannotReadAgain() {
    undecided = withoutSuspect;
  }

  /** Notes the result of reading once more the units that were left out. */
  void readAgain(SecondReading reading) {
    readUnits = reading.agreeing;
    culprits = reading.guilty;
    unitsAgree = contradiction != null && !reading.leavesDoubt();
    undecided = reading.isUndecided();
    withoutSuspect = reading.leavesDoubt();
  }

  /** Logs for operators which node or unit is wrong, if any is. */
  void sayWhatIsWrong(AttemptPolicy attempts) {
    if (attempts.readsOnly()) {
      LOG.error("{}: all units agree when they are read as stock reads them, and do"
          + " not add up otherwise. A DataNode calculates wrongly: test the memory of the"
          + " DataNodes that helped in the attempts before", job);
    } else if (unitsAgree && culprits.isEmpty()) {
      LOG.warn("{}: units contradicted each other at first ({}), but all agree now,"
          + " also those that were left out. Some node has calculated wrongly once; it is not"
          + " known which one", job, contradiction.toString());
    } else if (unitsAgree) {
      LOG.error("{}: the units add up only without the arithmetic of {}, and the units"
          + " there are right. This DataNode calculates wrongly: test its memory", job,
          culprits);
    } else if (withoutSuspect && undecided) {
      LOG.warn("{}: the units add up without those on {}, and the repair could not"
          + " find out whether one of these is wrong", job, culprits);
    } else if (withoutSuspect) {
      LOG.error("{}: the units add up only without some of those on {}. Their"
          + " checksums are right, but the content of one contradicts the others: inspect these"
          + " DataNodes and replicas", job, culprits);
    }
  }

  /**
   * Returns the ending of a job that has rebuilt nothing; the stock worker or a manager may try
   * next.
   */
  JobEnding gaveUpEnding(String message) {
    return JobEnding.failed(lastFailure, message);
  }

  /**
   * Returns the ending of a job that has rebuilt nothing. If units contradicted each other, the
   * ending names this contradiction as the failure, even if another failure or a cancellation came
   * later. The manager must know of the contradiction, because it must neither hand such a group to
   * stock nor order a repair without checks.
   */
  JobEnding failedEnding(String message) {
    return JobEnding.failed(contradiction == null ? lastFailure : contradiction, message);
  }

  /**
   * Returns the ending of a job that has rebuilt units. If one of several targets has failed, the
   * ending names that target, so that a manager leaves it out next time. If units contradicted each
   * other before, the manager must know that as well. The failure in the ending then names the
   * target as its node, and has the cause of the contradiction.
   */
  JobEnding rebuiltEnding() {
    List<Integer> units = rebuilt.units;
    TaskOutcome outcome = rebuilt.outcome;
    if (lastFailure == null) {
      List<String> leftOut =
          culprits.stream().map(ref -> ref.uuid).collect(Collectors.toList());
      JobEnding ending = unitsAgree
          ? JobEnding.rebuiltWithoutArithmetic(units, outcome, contradiction, leftOut)
          : withoutSuspect
          ? JobEnding.rebuiltWithoutSuspect(units, outcome, contradiction, leftOut, undecided)
          : JobEnding.rebuilt(units, outcome);
      return ending.withReadUnits(readUnits);
    }
    if (contradiction == null) {
      return JobEnding.partlyRebuilt(units, outcome, lastFailure, lastFailure.toString());
    }
    // A manager may receive only the beginning of this text, so the longest part stands last.
    String both = "units contradict each other, and then " + lastFailure + "; before that "
        + contradiction;
    return JobEnding.partlyRebuilt(units, outcome, new RepairException(
        contradiction.failureCause, lastFailure.node, both, contradiction), both);
  }
}
