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
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.datanode.metrics.ByteFlow;
import org.hdfsppr.datanode.metrics.FallbackReason;
import org.hdfsppr.datanode.metrics.RepairPhase;
import org.hdfsppr.datanode.replica.StockWriteSink;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Planner;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.Source;
import org.hdfsppr.stream.Rebuild;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One order, from its plan to its replicas: attempt after attempt, each without the nodes that
 * failed, until the units are rebuilt or somebody else has to try. Run by one thread;
 * {@link #cancel} may come from another one.
 */
@InterfaceAudience.Private
final class RepairJob implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairJob.class);
  /** A busy node is asked again soon, but each time a little later. */
  private static final long PAUSE_MS = 250;

  private final RepairContext context;
  private final RepairOrder order;
  private final String repairId;
  private final ScheduledExecutorService timer;
  private final GroupId group;
  private final CountDownLatch cancelled = new CountDownLatch(1);
  /** Null between attempts. Written with the monitor held. */
  private volatile Rebuild running;
  private String topology;
  private long bytesRead;
  private long remoteBytesRead;
  private long bytesWritten;
  private List<Integer> rebuilt = Collections.emptyList();
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
  private String message = "";
  private volatile String cancelReason = "";

  /** @param timer for the guards of attempts */
  RepairJob(RepairContext context, RepairOrder order, String repairId,
      ScheduledExecutorService timer) {
    this.context = context;
    this.order = order;
    this.repairId = repairId;
    this.timer = timer;
    this.group = order.group();
    this.topology = order.topology();
  }

  /** How a job ended. */
  private enum Ending {
    REBUILT,
    /** Not by us, but somebody else may try. */
    FALLBACK,
    /** By nobody: stock would do harm or nothing. */
    FAILED
  }

  @Override
  public void run() {
    String codec = order.policy().getCodecName();
    long start = context.nanoClock().getAsLong();
    context.metrics().repairStarted(codec, topology);
    Ending ending = Ending.FAILED;
    try {
      ending = repair(codec);
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      // A LinkageError: our jar was taken away under the running DataNode.
      ending = fallBack(FallbackReason.OTHER, e);
    } finally {
      long elapsedMs =
          TimeUnit.NANOSECONDS.toMillis(context.nanoClock().getAsLong() - start);
      if (ending == Ending.REBUILT) {
        context.metrics().repairSucceeded(codec, topology, elapsedMs);
      } else {
        context.metrics().repairFailed(codec, topology, elapsedMs);
      }
      settle(ending);
    }
  }

  private void settle(Ending ending) {
    switch (ending) {
      case REBUILT:
        order.rebuilt(rebuiltEnding());
        break;
      case FALLBACK:
        order.giveUp(JobEnding.failed(lastFailure, message));
        break;
      case FAILED:
      default:
        order.failed(JobEnding.failed(cause(), message));
        break;
    }
  }

  /**
   * Why nothing is rebuilt. A contradiction, whatever followed it, and though the job was cancelled
   * then: a manager must neither hand the group to stock nor have it rebuilt unchecked.
   */
  private RepairException cause() {
    return contradiction == null ? lastFailure : contradiction;
  }

  /**
   * Of several targets one may have failed, and a manager is to do without that one. Where units
   * contradicted each other before, it must know that as well, as in {@link #cause}: then the node
   * is the target's and the cause the contradiction.
   */
  private JobEnding rebuiltEnding() {
    TaskOutcome outcome = TaskOutcome.succeeded(bytesRead, remoteBytesRead, bytesWritten);
    if (lastFailure == null) {
      List<String> leftOut =
          culprits.stream().map(NodeRef::uuid).collect(Collectors.toList());
      JobEnding ending = unitsAgree
          ? JobEnding.rebuiltWithoutArithmetic(rebuilt, outcome, contradiction, leftOut)
          : withoutSuspect
          ? JobEnding.rebuiltWithoutSuspect(rebuilt, outcome, contradiction, leftOut, undecided)
          : JobEnding.rebuilt(rebuilt, outcome);
      return ending.withReadUnits(readUnits);
    }
    if (contradiction == null) {
      return JobEnding.partlyRebuilt(rebuilt, outcome, lastFailure, lastFailure.toString());
    }
    // What is longest stands last: on its way to a manager the text is cut.
    String both = "units contradict each other, and then " + lastFailure + "; before that "
        + contradiction;
    return JobEnding.partlyRebuilt(rebuilt, outcome, new RepairException(
        contradiction.failureCause(), lastFailure.node(), both, contradiction), both);
  }

  /** Settles a job that never ran. */
  void drop(String reason) {
    if (!order.isSettled()) {
      order.failed(JobEnding.failed(null, reason));
    }
  }

  /** Lets somebody else try, unless its units contradict each other. */
  private Ending fallBack(FallbackReason reason, Throwable why) {
    if (contradiction != null) {
      return refuse(why);
    }
    message = reason + ": " + why;
    if (order.hasStockWorker()) {
      context.metrics().fallback(reason);
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
    if (!CodecRegistry.getInstance().getCodecNames().contains(codec)) {
      return fallBack(FallbackReason.UNKNOWN_CODEC,
          new IOException("codec '" + codec + "' is not on this DataNode's class path"));
    }
    ErasureCodingPolicy policy = order.policy();
    LinearCode code;
    try {
      code = Codes.forCodec(context.datanode().getConf(), codec, policy.getNumDataUnits(),
          policy.getNumParityUnits());
    } catch (IOException e) {
      if (PprCodec.byName(codec).isPresent()) {
        // Whatever stands here in place of our coder is what stock would decode with.
        LOG.error("Repair {} of {} is refused and NOT handed to the stock worker: {}", repairId,
            group, e.toString());
        return fail(e.toString());
      }
      return fallBack(FallbackReason.PROBE_FAILED, e);
    }
    GroupSnapshot snapshot = snapshot(policy);
    AttemptPolicy attempts = new AttemptPolicy(snapshot.destination(), order.isDoubted());
    Exception last = null;
    int limit = context.settings().attempts();
    // Each suspect has its turn, however many attempts that takes: a group with a wrong unit would
    // otherwise be refused for ever.
    for (int attempt = 1; attempt <= limit + attempts.suspectsTried() && !isCancelled();
        attempt++) {
      RepairPlan plan;
      try {
        plan = planWithEnough(resolved(snapshot), code, attempts, attempt);
        noteIfUnchecked(plan);
        if (isUnchecked(plan) && context.settings().mustCheck()) {
          return fallBack(FallbackReason.TOO_FEW_HELPERS, new NoPlanException(
              "every reconstruction is to be validated, and stock can do that with less"));
        }
      } catch (NoPlanException e) {
        if (attempts.doubted() && attempts.leaveOutNextSuspect()) {
          last = e;
          continue;
        }
        return fallBack(FallbackReason.TOO_FEW_HELPERS, e);
      }
      try {
        attempt(plan, attempts, attempt);
        readAgain(snapshot, code, plan, attempts);
        sayWhatIsWrong(attempts);
        return Ending.REBUILT;
      } catch (RepairException e) {
        // Also if the job is cancelled by now: no cancellation makes bytes contradict each other.
        noteContradiction(e);
        if (isCancelled()) {
          break;
        }
        last = e;
        lastFailure = e;
        LOG.warn("Repair {} of {}: attempt {} failed, {}; plan {}", repairId, group, attempt,
            e.toString(), plan.root());
        RepairException judged = judged(plan, e, attempts);
        if (Thread.currentThread().isInterrupted()) {
          // Hadoop interrupts whoever writes a replica when its volume is taken away.
          return fallBack(FallbackReason.LOCAL_WRITE_FAILED, e);
        } else if (isDuplicate(e)) {
          LOG.warn("Repair {} of {}: a replica is already here, whole, corrupt or being written,"
              + " so that none can be written; the NameNode decides what follows", repairId, group);
          return fail("a replica is already here: " + e.getMessage());
        } else if (e.failureCause() == FailureCause.WRITE) {
          return fallBack(FallbackReason.LOCAL_WRITE_FAILED, e);
        } else if (!attempts.retryAfter(plan, judged)) {
          break;
        }
        pauseIfNeeded(judged, attempt);
      }
    }
    if (isCancelled()) {
      String why = "cancelled: " + cancelReason
          + (contradiction == null ? "" : "; units contradict each other: " + contradiction);
      LOG.info("Repair {} of {} is given up, {}", repairId, group, why);
      return fail(why);
    }
    return fallBack(FallbackReason.REPEATED_FAILURE, last);
  }

  /**
   * Wrong bytes have been seen and their source could not be found. The stock worker would not
   * notice, so it must not try either; the NameNode will schedule the group again.
   */
  private Ending refuse(Throwable why) {
    LOG.error("Repair {} of {} is refused and NOT handed to the stock worker: the units of this"
        + " group contradict each other although their checksums are right, so that one of them is"
        + " wrong. Compare the file with a copy, or run " + Runbook.VERIFY_FILE
        + ". Last failure: {}",
        repairId, group, why.toString());
    return fail("units contradict each other: " + why);
  }

  private GroupSnapshot snapshot(ErasureCodingPolicy policy) {
    List<Holder> targets = new ArrayList<>();
    for (RepairTarget target : order.targets()) {
      targets.add(new Holder(target.index(), reference(target.node())));
    }
    // This node leads: its own unit, if it is to have one, stands first.
    String self = context.datanode().getDatanodeUuid();
    NodeRef destination = null;
    for (Holder target : targets) {
      if (target.node().uuid().equals(self)) {
        destination = target.node();
      }
    }
    if (destination == null) {
      throw new IllegalStateException("This DataNode is not among the targets " + targets);
    }
    return new GroupSnapshot(group, order.groupBytes(), policy.getNumDataUnits(),
        policy.getNumParityUnits(), policy.getCellSize(), order.live(), targets, destination);
  }

  private static NodeRef reference(DatanodeInfo node) {
    return new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
        node.getXferPort(), NodeRef.NO_REPAIR_PORT, node.getNetworkLocation());
  }

  /** The snapshot with what is known by now of who runs the extension. */
  private GroupSnapshot resolved(GroupSnapshot snapshot) {
    Map<String, NodeRef> nodes = new HashMap<>();
    order.live().forEach(holder -> nodes.put(holder.node().uuid(), holder.node()));
    return snapshot.withLive(holder ->
        new Holder(holder.unit(), nodes.getOrDefault(holder.node().uuid(), holder.node())));
  }

  /**
   * Plans without those that failed or are slow or busy, or with some of the latter where there is
   * no plan otherwise, or none whose result can be checked.
   */
  private RepairPlan planWithEnough(GroupSnapshot resolved, LinearCode code,
      AttemptPolicy attempts, int attempt) throws NoPlanException {
    while (true) {
      try {
        RepairPlan plan = plan(attempts.usable(resolved), code, attempts, attempt);
        if (!isUnchecked(plan)
            || isUnchecked(plan(attempts.usableAtMost(resolved), code, attempts, attempt))
            || !attempts.relax()) {
          return plan;
        }
      } catch (NoPlanException e) {
        if (!attempts.relax()) {
          throw e;
        }
      }
    }
  }

  private RepairPlan plan(GroupSnapshot usable, LinearCode code, AttemptPolicy attempts,
      int attempt) throws NoPlanException {
    long start = context.nanoClock().getAsLong();
    RepairSettings settings = context.settings();
    int checkOneIn = attempts.doubted() ? 1 : settings.checkOneIn();
    RepairPlan plan = Planner.plan(usable, code,
        order.options(checkOneIn, group.groupId() / 16 + attempt));
    if (attempts.doubted() && !plan.isFullyChecked()) {
      throw new NoPlanException("wrong bytes have been seen, and no spare helpers are left to check"
          + " all others with");
    }
    context.metrics().phaseTook(RepairPhase.PLAN,
        TimeUnit.NANOSECONDS.toMillis(context.nanoClock().getAsLong() - start));
    return plan;
  }

  private void attempt(RepairPlan plan, AttemptPolicy attempts, int attempt)
      throws RepairException {
    RepairSettings settings = context.settings();
    Map<Integer, RepairTarget> targets = new HashMap<>();
    order.targets().forEach(target -> targets.put(target.index(), target));
    PartialSumRequest request = request(plan);
    int endTimeoutMs =
        Math.max(settings.stallTimeoutMs(), StockWriteSink.endTimeoutMs(context.datanode()));
    ReplicaSinks sinks = new ReplicaSinks(context.datanode(), context.host(), targets,
        settings.stallTimeoutMs(), endTimeoutMs);
    // One target after the other finishes its replica, and then says what it has.
    long endingMs = 2L * targets.size() * endTimeoutMs;
    long start = context.nanoClock().getAsLong();
    try (Rebuild rebuild = new Rebuild(plan, request, context.host(), sinks, context.kernel(),
        context.memory().leading(), context.nanoClock())) {
      // The last attempt may take its time: the stock worker would not be faster.
      boolean patient = attempts.toleratesSlow() || attempt >= settings.attempts();
      try {
        run(rebuild, request, patient, endingMs);
      } finally {
        countBytes(rebuild, sinks.remoteBytes());
        context.metrics().addBytes(ByteFlow.SENT_TO_REMOTE_TARGETS, sinks.remoteBytes());
      }
      succeed(plan, rebuild, attempts, attempt,
          TimeUnit.NANOSECONDS.toMillis(context.nanoClock().getAsLong() - start));
    }
  }

  /**
   * @param patient whether it goes on over slow links
   * @param endingMs how long the targets may take to finish their replicas
   */
  private void run(Rebuild rebuild, PartialSumRequest request, boolean patient, long endingMs)
      throws RepairException {
    RepairSettings settings = context.settings();
    AttemptGuard guard = new AttemptGuard(request, endingMs, rebuild.stats()::slicesDone,
        rebuild::cancel, rebuild::cancel, timer, context.nanoClock());
    setRunning(rebuild);
    try {
      rebuild.run(context.connector(), new Rebuild.SlowLimit(context.rates(),
          settings.slowWindowMs(), patient ? 0 : settings.slowPercent()));
    } finally {
      guard.end();
      setRunning(null);
    }
  }

  /**
   * Finds out about units that the repair did without. What was wanted is rebuilt by now and
   * committed: however this ends, that stays.
   */
  private void readAgain(GroupSnapshot snapshot, LinearCode code, RepairPlan right,
      AttemptPolicy attempts) {
    unitsAgree = attempts.readsOnly();
    if (!withoutSuspect && (unitsAgree || !order.isDoubted())) {
      return;
    }
    SecondReading reading;
    try {
      reading = new SecondReading(resolved(snapshot), code,
          order.options(1, group.groupId() / 16), right, this::check);
      culprits.forEach(reading::ofSuspect);
      if (order.isDoubted() && !reading.leavesDoubt()) {
        reading.ofUnread();
      }
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      // What is not found to agree is suspected.
      LOG.warn("Repair {} of {}: what it did without cannot be read again", repairId, group, e);
      undecided = withoutSuspect;
      return;
    }
    readUnits = reading.agreeing();
    culprits = reading.guilty();
    unitsAgree = contradiction != null && !reading.leavesDoubt();
    undecided = reading.isUndecided();
    withoutSuspect = reading.leavesDoubt();
  }

  /** However it ends: what was wanted has been rebuilt. */
  private SecondReading.Finding check(RepairPlan plan) {
    if (isCancelled()) {
      return SecondReading.Finding.UNKNOWN;
    }
    try {
      PartialSumRequest request = request(plan);
      try (Rebuild rebuild = new Rebuild(plan, request, context.host(), new DroppedUnits(),
          context.kernel(), context.memory().leading(), context.nanoClock())) {
        try {
          run(rebuild, request, true, 0);
        } finally {
          countBytes(rebuild, rebuild.bytesWritten());
        }
        return SecondReading.Finding.AGREES;
      }
    } catch (RepairException e) {
      LOG.info("Repair {} of {}: what was left out is not found to be right, {}; plan {}",
          repairId, group, e.toString(), plan.root());
      if (e.failureCause() != FailureCause.VERIFICATION) {
        return SecondReading.Finding.UNKNOWN;
      }
      noteContradiction(e);
      return SecondReading.Finding.CONTRADICTS;
    }
  }

  private void sayWhatIsWrong(AttemptPolicy attempts) {
    if (attempts.readsOnly()) {
      LOG.error("Repair {} of {}: all units agree when they are read as stock reads them, and do"
          + " not add up otherwise. A DataNode calculates wrongly: test the memory of those that"
          + " helped in the attempts before", repairId, group);
    } else if (unitsAgree && culprits.isEmpty()) {
      LOG.warn("Repair {} of {}: units contradicted each other at first ({}), but all agree now,"
          + " and so does what was left out. A node has calculated wrongly once; which one is"
          + " not known", repairId, group, contradiction.toString());
    } else if (unitsAgree) {
      LOG.error("Repair {} of {}: the units add up only without the arithmetic of {}, and the units"
          + " there are right. This DataNode calculates wrongly: test its memory", repairId, group,
          culprits);
    } else if (withoutSuspect && undecided) {
      LOG.warn("Repair {} of {}: the units add up without those on {}, and it could not be found"
          + " out whether one of these is wrong", repairId, group, culprits);
    } else if (withoutSuspect) {
      LOG.error("Repair {} of {}: the units add up only without some of those on {}. Their"
          + " checksums are right, but the content of one contradicts the others: inspect these"
          + " DataNodes and replicas", repairId, group, culprits);
    }
  }

  private PartialSumRequest request(RepairPlan plan) throws RepairException {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    List<Source> shares = new ArrayList<>();
    plan.root().forEach(node -> shares.addAll(node.sources()));
    for (Source share : shares) {
      ExtendedBlock block = share.block().toExtendedBlock();
      try {
        tokens.put(share.block(), context.datanode().getBlockAccessToken(block,
            EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]));
      } catch (IOException e) {
        throw new RepairException(FailureCause.INTERNAL, plan.root().node(),
            "no token could be made for " + block + ": " + e, e);
      }
    }
    return new PartialSumRequest(repairId, group, plan.geometry(), plan.lostRows(),
        plan.checkRows(), context.settings().stallTimeoutMs(), plan.root(), tokens);
  }

  private void succeed(RepairPlan plan, Rebuild rebuild, AttemptPolicy attempts, int attempt,
      long elapsedMs) {
    List<Source> shares = new ArrayList<>();
    plan.root().forEach(node -> shares.addAll(node.sources()));
    for (Source share : shares) {
      // What the whole tree read for the result: the number that stock's metric means.
      long bytes = plan.bytesRead(share);
      if (bytes > 0) {
        bytesRead += bytes;
        remoteBytesRead += DataNodeHost.isLocal(share.holder()) ? 0 : bytes;
      }
    }
    bytesWritten = rebuild.bytesWritten();
    rebuilt = rebuild.committed();
    lastFailure = missing(plan, rebuild);
    context.rates().fade();
    context.metrics().slicesVerified(rebuild.slicesVerified());
    context.metrics().phaseTook(RepairPhase.CONNECT, rebuild.connectMs());
    context.metrics().phaseTook(RepairPhase.TRANSFER, rebuild.transferMs());
    context.metrics().phaseTook(RepairPhase.FINALISE, rebuild.commitMs());
    StockTimes.add(context.datanode().getMetrics(), rebuild);
    LOG.info("Repair {} of {}: units {} of {} rebuilt in {} ms (connect {}, transfer {}, finalise"
        + " {}), attempt {}, {} by recipe {}, {} bytes of sums received, {} by stock reads,"
        + " {} of {} slices verified, plan {}", repairId, group, rebuild.committed(),
        plan.targets(), elapsedMs, rebuild.connectMs(), rebuild.transferMs(), rebuild.commitMs(),
        attempt, plan.topology(), plan.recipe(), rebuild.bytesReceived(), rebuild.stockBytes(),
        rebuild.slicesVerified(), plan.geometry().slices(), plan.root());
    readUnits = attempts.doubted() ? plan.unitsChecked() : Collections.emptySet();
    withoutSuspect = attempts.leftOutSuspect() != null;
    culprits = withoutSuspect ? new ArrayList<>(attempts.culprits(plan))
        : Collections.emptyList();
  }

  /** The failure of a target, of several, that could not be written; null if there is none. */
  private static RepairException missing(RepairPlan plan, Rebuild rebuild) {
    for (int i = 0; i < plan.targets().size(); i++) {
      IOException failure = rebuild.writeFailure(i);
      if (failure != null) {
        return new RepairException(FailureCause.WRITE, plan.targets().get(i).node(),
            failure.toString(), failure);
      }
    }
    return null;
  }

  private void countBytes(Rebuild rebuild, long notWrittenHere) {
    context.metrics().addBytes(ByteFlow.RECEIVED_FROM_CHILDREN, rebuild.bytesReceived());
    context.metrics().addBytes(ByteFlow.RECEIVED_ACROSS_RACKS, rebuild.bytesAcrossRacks());
    context.metrics().addBytes(ByteFlow.RECEIVED_BY_STOCK_READS, rebuild.stockBytes());
    context.metrics().addBytes(ByteFlow.HELPER_DISK_READ, rebuild.diskBytes());
    context.metrics().addBytes(ByteFlow.REPLICA_WRITTEN,
        rebuild.bytesWritten() - notWrittenHere);
  }

  private boolean isUnchecked(RepairPlan plan) {
    return context.settings().checkOneIn() > 0 && !plan.isFullyChecked();
  }

  private void noteIfUnchecked(RepairPlan plan) {
    if (isUnchecked(plan)) {
      context.metrics().verificationImpossible();
      LOG.warn("Repair {} of {}: no units are left over to check all of the result with; plan"
          + " {}", repairId,
          group, plan.root());
    }
  }

  /** A node that another one cannot reach may well be reached by others. */
  private RepairException judgedUnreachable(RepairPlan plan, RepairException e,
      AttemptPolicy attempts) {
    NodeRef node = e.node();
    List<PlanNode> parents = new ArrayList<>();
    plan.root().forEach(parent -> {
      for (PlanNode child : parent.children()) {
        if (child.node().equals(node)) {
          parents.add(parent);
        }
      }
    });
    boolean ownChild = parents.contains(plan.root());
    if (ownChild || parents.isEmpty() || !context.peers().stillServes(node)) {
      context.peers().noteUnreachable(node);
    } else if (!attempts.noAnswer(parents.get(0).node(), node)) {
      return new RepairException(FailureCause.OVERLOADED, node,
          "it is reached from here, but " + parents.get(0).node() + " got no answer", e);
    } else {
      LOG.warn("Repair {} of {}: {} is reached from here but not from {}, which is left out",
          repairId, group, node, parents.get(0).node());
    }
    return e;
  }

  /** Takes note of a failure, and says what it is as seen from here. */
  private RepairException judged(RepairPlan plan, RepairException e, AttemptPolicy attempts) {
    if (e.failureCause() == FailureCause.UNREACHABLE) {
      return judgedUnreachable(plan, e, attempts);
    } else if (e.failureCause() == FailureCause.UNSUPPORTED
        && plan.geometry().subChunks() > 1) {
      // An older version, which other repairs can use, and a stock read is no help for this one.
      attempts.leaveOut(e.node());
    } else if (e.failureCause() == FailureCause.UNSUPPORTED) {
      context.peers().noteUnreachable(e.node());
    }
    return e;
  }

  private void noteContradiction(RepairException e) {
    if (e.failureCause() == FailureCause.VERIFICATION) {
      contradiction = e;
      context.metrics().verificationFailed();
    }
  }

  private static boolean isDuplicate(RepairException e) {
    return e.failureCause() == FailureCause.WRITE
        && e.getCause() instanceof ReplicaAlreadyExistsException;
  }

  private void pauseIfNeeded(RepairException e, int attempt) {
    if (!AttemptPolicy.shouldPause(e)) {
      return;
    }
    try {
      if (cancelled.await(PAUSE_MS * attempt, TimeUnit.MILLISECONDS)) {
        LOG.debug("Repair {} of {}: cancelled while it waited", repairId, group);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      cancel("interrupted");
    }
  }

  private boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  private synchronized void setRunning(Rebuild rebuild) {
    running = rebuild;
    if (rebuild != null && isCancelled()) {
      rebuild.cancel();
    }
  }

  /** Ends the job soon: the attempt under way fails, and no other follows. */
  synchronized void cancel(String reason) {
    if (!isCancelled()) {
      cancelReason = reason;
    }
    cancelled.countDown();
    if (running != null) {
      running.cancel();
    }
  }

  /** How much of the attempt under way is done, 0 to 100; 0 if there is none. Waits for nothing. */
  int donePercent() {
    Rebuild now = running;
    return now == null ? 0 : now.donePercent();
  }

  String repairId() {
    return repairId;
  }

  RepairOrder order() {
    return order;
  }

  GroupId group() {
    return group;
  }
}
