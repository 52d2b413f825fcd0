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

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.metrics.FallbackReason;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out one order, from the first plan to the finished replicas. The job makes attempt after
 * attempt, each without the nodes that failed, until the units are rebuilt or the job gives up.
 * {@link AttemptPlans} plans an attempt, {@link AttemptRunner} carries it out, and {@link
 * AttemptPolicy} decides what follows its failure. {@link JobFindings} collects what the job finds,
 * and makes the {@link JobEnding} from it. One thread runs the job; another thread may call {@link
 * #end}.
 */
@InterfaceAudience.Private
public final class RepairJob implements JobPool.Job {
  private static final Logger LOG = LoggerFactory.getLogger(RepairJob.class);

  private final RepairContext context;
  final RepairOrder order;
  final String repairId;
  private final ScheduledExecutorService timer;
  final GroupId group;
  /** The text that names the repair and its group in logs. */
  private final String name;
  private final JobControl control = new JobControl();
  private final JobFindings findings;
  private String message = "";

  /**
   * @param context the parts that all repairs of this DataNode share
   * @param order the order that the job carries out and settles
   * @param repairId identifies the repair in requests and logs
   * @param timer the timer that the guards of attempts use
   */
  public RepairJob(RepairContext context, RepairOrder order, String repairId,
      ScheduledExecutorService timer) {
    this.context = context;
    this.order = order;
    this.repairId = repairId;
    this.timer = timer;
    this.group = order.group();
    this.name = "Repair " + repairId + " of " + group;
    this.findings = new JobFindings(context.metrics, name);
  }

  /** How a job ended. */
  private enum Ending {
    REBUILT,
    /** The job has rebuilt nothing, and the stock worker or a manager may try. */
    FALLBACK,
    /**
     * The job has rebuilt nothing, and the stock worker must not try, because its repair would do
     * harm or have no effect.
     */
    FAILED
  }

  @Override
  public String subject() {
    return "of " + group;
  }

  @Override
  public void run() {
    String codec = order.policy().getCodecName();
    long start = context.nanoClock.getAsLong();
    if (order.isRepair()) {
      context.metrics.repairStarted(order.label(), order.topology());
    }
    Ending ending = Ending.FAILED;
    try {
      ending = repair(codec);
    } catch (IOException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // A LinkageError arises if an operator removes the jar while the DataNode runs.
      ending = fallBack(FallbackReason.OTHER, e);
    } finally {
      long elapsedMs =
          TimeUnit.NANOSECONDS.toMillis(context.nanoClock.getAsLong() - start);
      if (order.isRepair()) {
        count(ending, order.label(), elapsedMs);
      }
      settle(ending);
    }
  }

  private void count(Ending ending, String codec, long elapsedMs) {
    if (ending == Ending.REBUILT) {
      context.metrics.repairSucceeded(codec, order.topology(), elapsedMs);
    } else {
      context.metrics.repairFailed(codec, order.topology(), elapsedMs);
    }
  }

  private void settle(Ending ending) {
    switch (ending) {
      case REBUILT:
        order.rebuilt(findings.rebuiltEnding());
        break;
      case FALLBACK:
        order.giveUp(findings.gaveUpEnding(message));
        break;
      case FAILED:
      default:
        order.failed(findings.failedEnding(message));
        break;
    }
  }

  @Override
  public void drop(String reason) {
    if (!order.isSettled()) {
      order.failed(JobEnding.failed(null, "cancelled while it waited: " + reason));
    }
  }

  /**
   * Leaves the order to stock or the manager. If the units contradict each other, refuses the order
   * instead.
   */
  private Ending fallBack(FallbackReason reason, Throwable why) {
    if (findings.contradiction() != null) {
      return refuse(why);
    }
    message = reason + ": " + why;
    if (order.hasStockWorker()) {
      context.metrics.fallback(reason);
      LOG.warn("Repair {} of {} goes to the stock worker, {}: {}", repairId, group, reason,
          why.toString());
    } else {
      LOG.warn("Repair {} of {} goes back to the manager, {}: {}", repairId, group, reason,
          why.toString());
    }
    LOG.debug("Repair {} of {}: cause", repairId, group, why);
    return Ending.FALLBACK;
  }

  private Ending fail(String why) {
    message = why;
    return Ending.FAILED;
  }

  private Ending repair(String codec) throws IOException {
    DataNodeFaultInjector.get().stripedBlockReconstruction();
    if (order.isOfHadoopsCodec() && !CodecRegistry.getInstance().getCodecNames().contains(codec)) {
      return fallBack(FallbackReason.UNKNOWN_CODEC,
          new IOException("codec '" + codec + "' is not on this DataNode's class path"));
    }
    ErasureCodingPolicy policy = order.policy();
    LinearCode code;
    try {
      code = Codes.forCodec(context.datanode.getConf(), codec, policy.getNumDataUnits(),
          policy.getNumParityUnits());
    } catch (IOException e) {
      if (PprCodec.byName(codec).isPresent()) {
        // The codec is this project's, but it is not proven that the coder which Hadoop would use
        // computes its code. The stock worker must not get the task, because it would decode with
        // that coder.
        LOG.error("Repair {} of {} is refused and NOT handed to the stock worker: {}", repairId,
            group, e.toString());
        return fail(e.toString());
      }
      return fallBack(FallbackReason.PROBE_FAILED, e);
    }
    return repair(new AttemptPlans(context, order, code));
  }

  private Ending repair(AttemptPlans plans) {
    AttemptRunner runner = new AttemptRunner(context, order, repairId, timer, control);
    AttemptPolicy attempts = new AttemptPolicy(plans.destination(), order.isDoubted());
    FailureJudge judge = new FailureJudge(context.peers, name);
    DoubtDiagnosis doubts = new DoubtDiagnosis(plans, runner, control, findings, name);
    Exception last = null;
    int limit = context.settings.attempts();
    // The job leaves out one suspect after another, and each such attempt raises the limit by one.
    // Otherwise the attempts could run out before the job has found the wrong unit. It would then
    // refuse the repair, and so would each later job for the group.
    for (int attempt = 1; attempt <= limit + attempts.suspectsTried() && !control.isCancelled();
        attempt++) {
      RepairPlan plan;
      try {
        plan = plans.next(attempts, attempt);
        boolean isUnchecked = plans.isUnchecked(plan) && !order.isCheckedByManager();
        if (isUnchecked) {
          noteUnchecked(plan);
        }
        if (isUnchecked && context.settings.mustCheck) {
          return fallBack(FallbackReason.TOO_FEW_HELPERS, new NoPlanException(
              "the settings ask for a check of all results, and stock can check with fewer units"));
        }
      } catch (NoPlanException e) {
        if (attempts.doubted() && attempts.leaveOutNextSuspect()) {
          last = e;
          continue;
        }
        return fallBack(FallbackReason.TOO_FEW_HELPERS, e);
      }
      try {
        // The last attempt may be slow, because the stock worker would not be faster.
        boolean patient = attempts.toleratesSlow() || attempt >= limit;
        RebuiltUnits rebuilt = runner.rebuild(plan, patient, attempt);
        LOG.info("Repair {} of {}: {}", repairId, group, rebuilt.summary);
        findings.rebuilt(plan, rebuilt, attempts);
        doubts.readAgain(plan, order.isDoubted());
        findings.sayWhatIsWrong(attempts);
        return Ending.REBUILT;
      } catch (RepairException e) {
        // The job notes a contradiction even after a cancellation, because a cancellation cannot
        // cause a contradiction.
        findings.noteContradiction(e);
        if (control.isCancelled()) {
          break;
        }
        last = e;
        findings.failed(e);
        LOG.warn("Repair {} of {}: attempt {} failed, {}; plan {}", repairId, group, attempt,
            e.toString(), plan.root);
        RepairException judged = judge.judged(plan, e, attempts);
        if (Thread.currentThread().isInterrupted()) {
          // Hadoop interrupts the threads that write a replica when it removes the volume.
          return fallBack(FallbackReason.LOCAL_WRITE_FAILED, e);
        } else if (isDuplicate(e)) {
          LOG.warn("Repair {} of {}: a replica is already here, whole, corrupt or being written,"
              + " so that none can be written; the NameNode decides what follows", repairId, group);
          return fail("a replica is already here: " + e.getMessage());
        } else if (findings.contradiction() != null && !order.seeksWrongUnit()) {
          break;
        } else if (e.failureCause == FailureCause.WRITE) {
          return fallBack(FallbackReason.LOCAL_WRITE_FAILED, e);
        } else if (!attempts.retryAfter(plan, judged)) {
          break;
        }
        pause(attempts.pauseMs(judged, attempt));
      }
    }
    if (control.isCancelled()) {
      RepairException contradiction = findings.contradiction();
      String why = "cancelled: " + control.reason()
          + (contradiction == null ? "" : "; units contradict each other: " + contradiction);
      LOG.info("Repair {} of {} is given up, {}", repairId, group, why);
      return fail(why);
    }
    return fallBack(FallbackReason.REPEATED_FAILURE, last);
  }

  /**
   * Refuses the order, because the job has seen wrong bytes and could not find their source. The
   * stock worker would not notice wrong bytes, so it must not try either. The NameNode schedules
   * the group again.
   */
  private Ending refuse(Throwable why) {
    if (!order.seeksWrongUnit()) {
      LOG.error("Repair {} of {} is refused: the unit that its column of CORE gives contradicts its"
          + " row, so that a unit of one of them is wrong. The row rebuilds the unit next, if it"
          + " can. Last failure: {}", repairId, group, why.toString());
      return fail("the column contradicts the row: " + why);
    }
    LOG.error("Repair {} of {} is refused and NOT handed to the stock worker: the units of this"
        + " group contradict each other although their checksums are right, so that one of them is"
        + " wrong. Compare the file with a copy, or run " + Runbook.VERIFY_FILE
        + ". Last failure: {}",
        repairId, group, why.toString());
    return fail("units contradict each other: " + why);
  }

  private void noteUnchecked(RepairPlan plan) {
    context.metrics.verificationImpossible();
    LOG.warn("Repair {} of {}: no units are left over to check all of the result with; plan"
        + " {}", repairId, group, plan.root);
  }

  private static boolean isDuplicate(RepairException e) {
    return e.failureCause == FailureCause.WRITE
        && e.getCause() instanceof ReplicaAlreadyExistsException;
  }

  private void pause(long pauseMs) {
    if (pauseMs == 0) {
      return;
    }
    try {
      if (control.awaitCancelled(pauseMs)) {
        LOG.debug("Repair {} of {}: cancelled while it waited", repairId, group);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      end("interrupted");
    }
  }

  /** Ends the job soon: the attempt under way fails, and no other follows. */
  @Override
  public void end(String reason) {
    control.cancel(reason);
  }

  /**
   * Returns how much of the attempt under way is done, 0 to 100 percent; 0 if no attempt is under
   * way. Does not wait.
   */
  int donePercent() {
    return control.donePercent();
  }
}
