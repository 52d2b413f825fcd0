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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job has found out so far: the last failure, whether units contradicted each other, what is
 * rebuilt, and which nodes are suspected. It becomes the {@link JobEnding}. Used by one thread.
 */
@InterfaceAudience.Private
final class JobFindings {
  private static final Logger LOG = LoggerFactory.getLogger(JobFindings.class);

  private final RepairMetrics metrics;
  private final String job;
  private RebuiltUnits rebuilt =
      new RebuiltUnits(Collections.emptyList(), TaskOutcome.failed(0, 0, 0), null, "");
  private RepairException lastFailure;
  /** Whether what was rebuilt adds up without some unit only, which is or may be wrong. */
  private boolean withoutSuspect;
  /** Whether that could not be found out: it is suspected at most. */
  private boolean undecided;
  /** Nodes that were left out then, or that have calculated wrongly. */
  private List<NodeRef> culprits = Collections.emptyList();
  /** Whether the units agree after all, so that a node has calculated wrongly. */
  private boolean unitsAgree;
  /** Units that agree in every byte; none if only samples were checked. */
  private Set<Integer> readUnits = Collections.emptySet();
  /** What said that units contradict each other, or null. */
  private RepairException contradiction;

  /** @param job the repair and its group, for logs */
  JobFindings(RepairMetrics metrics, String job) {
    this.metrics = metrics;
    this.job = job;
  }

  /** An attempt has failed. */
  void failed(RepairException e) {
    lastFailure = e;
  }

  /** Takes note if {@code e} says that units contradict each other. */
  void noteContradiction(RepairException e) {
    if (e.failureCause() == FailureCause.VERIFICATION) {
      contradiction = e;
      metrics.verificationFailed();
    }
  }

  /** What said that units contradict each other, or null. */
  RepairException contradiction() {
    return contradiction;
  }

  /** An attempt has added up. */
  void rebuilt(RepairPlan plan, RebuiltUnits units, AttemptPolicy attempts) {
    rebuilt = units;
    lastFailure = units.missing();
    readUnits = attempts.doubted() ? plan.unitsChecked() : Collections.emptySet();
    unitsAgree = attempts.readsOnly();
    withoutSuspect = attempts.leftOutSuspect() != null;
    culprits = withoutSuspect ? new ArrayList<>(attempts.culprits(plan))
        : Collections.emptyList();
  }

  /** Whether what was rebuilt adds up without some unit only. */
  boolean isWithoutSuspect() {
    return withoutSuspect;
  }

  /** Whether the units agree after all. */
  boolean unitsAgree() {
    return unitsAgree;
  }

  /** Nodes that were left out. */
  List<NodeRef> culprits() {
    return Collections.unmodifiableList(culprits);
  }

  /** What was left out cannot be read once more. */
  void cannotReadAgain() {
    undecided = withoutSuspect;
  }

  /** What was left out has been read once more. */
  void readAgain(SecondReading reading) {
    readUnits = reading.agreeing();
    culprits = reading.guilty();
    unitsAgree = contradiction != null && !reading.leavesDoubt();
    undecided = reading.isUndecided();
    withoutSuspect = reading.leavesDoubt();
  }

  /** Logs for operators which node or unit is wrong, if any is. */
  void sayWhatIsWrong(AttemptPolicy attempts) {
    if (attempts.readsOnly()) {
      LOG.error("{}: all units agree when they are read as stock reads them, and do"
          + " not add up otherwise. A DataNode calculates wrongly: test the memory of those that"
          + " helped in the attempts before", job);
    } else if (unitsAgree && culprits.isEmpty()) {
      LOG.warn("{}: units contradicted each other at first ({}), but all agree now,"
          + " and so does what was left out. A node has calculated wrongly once; which one is"
          + " not known", job, contradiction.toString());
    } else if (unitsAgree) {
      LOG.error("{}: the units add up only without the arithmetic of {}, and the units"
          + " there are right. This DataNode calculates wrongly: test its memory", job,
          culprits);
    } else if (withoutSuspect && undecided) {
      LOG.warn("{}: the units add up without those on {}, and it could not be found"
          + " out whether one of these is wrong", job, culprits);
    } else if (withoutSuspect) {
      LOG.error("{}: the units add up only without some of those on {}. Their"
          + " checksums are right, but the content of one contradicts the others: inspect these"
          + " DataNodes and replicas", job, culprits);
    }
  }

  /** How a job ended that has not rebuilt anything, and lets stock or a manager try. */
  JobEnding gaveUpEnding(String message) {
    return JobEnding.failed(lastFailure, message);
  }

  /**
   * How a job ended that has not rebuilt anything. The failure is a contradiction where there was
   * one, whatever followed it, and though the job was cancelled then: a manager must neither hand
   * the group to stock nor have it rebuilt unchecked.
   */
  JobEnding failedEnding(String message) {
    return JobEnding.failed(contradiction == null ? lastFailure : contradiction, message);
  }

  /**
   * How a job ended that has rebuilt units. Of several targets one may have failed, and a manager
   * is to do without that one. Where units contradicted each other before, the manager must know
   * that as well: then the node is the target's and the cause the contradiction.
   */
  JobEnding rebuiltEnding() {
    List<Integer> units = rebuilt.units();
    TaskOutcome outcome = rebuilt.outcome();
    if (lastFailure == null) {
      List<String> leftOut =
          culprits.stream().map(NodeRef::uuid).collect(Collectors.toList());
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
    // What is longest stands last: on its way to a manager the text is cut.
    String both = "units contradict each other, and then " + lastFailure + "; before that "
        + contradiction;
    return JobEnding.partlyRebuilt(units, outcome, new RepairException(
        contradiction.failureCause(), lastFailure.node(), both, contradiction), both);
  }
}
