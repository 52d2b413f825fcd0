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

import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the units that a successful repair left out are wrong, or a node has calculated
 * wrongly. The rebuilt units are on their targets before this check begins, and stay there whatever
 * it finds. Used by one thread.
 */
final class DoubtDiagnosis {
  private static final Logger LOG = LoggerFactory.getLogger(DoubtDiagnosis.class);

  private final AttemptPlans plans;
  private final AttemptRunner runner;
  private final JobControl control;
  private final JobFindings findings;
  private final String job;

  /** @param job names the repair and its group in logs */
  DoubtDiagnosis(AttemptPlans plans, AttemptRunner runner, JobControl control, JobFindings findings,
      String job) {
    this.plans = plans;
    this.runner = runner;
    this.control = control;
    this.findings = findings;
    this.job = job;
  }

  /**
   * Reads once more the units that the repair left out. For a doubted group, this method also reads
   * the units that no attempt has read yet.
   *
   * @param right the plan of the successful attempt, whose units agree
   * @param doubted whether the order says that units of the group contradict each other
   */
  void readAgain(RepairPlan right, boolean doubted) {
    if (!findings.isWithoutSuspect() && (findings.unitsAgree() || !doubted)) {
      return;
    }
    SecondReading reading;
    try {
      reading = plans.secondReading(right, this::check);
      findings.culprits().forEach(reading::ofSuspect);
      if (doubted && !reading.leavesDoubt()) {
        reading.ofUnread();
      }
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      // A unit stays suspected unless a reading finds that it agrees.
      LOG.warn("{}: the units that it left out cannot be read again", job, e);
      findings.cannotReadAgain();
      return;
    }
    findings.readAgain(reading);
  }

  private SecondReading.Finding check(RepairPlan plan) {
    if (control.isCancelled()) {
      return SecondReading.Finding.UNKNOWN;
    }
    try {
      runner.check(plan);
      return SecondReading.Finding.AGREES;
    } catch (RepairException e) {
      LOG.info("{}: a check of the units that it left out has failed, {}; plan {}", job,
          e.toString(), plan.root);
      if (e.failureCause != FailureCause.VERIFICATION) {
        return SecondReading.Finding.UNKNOWN;
      }
      findings.noteContradiction(e);
      return SecondReading.Finding.CONTRADICTS;
    }
  }
}
