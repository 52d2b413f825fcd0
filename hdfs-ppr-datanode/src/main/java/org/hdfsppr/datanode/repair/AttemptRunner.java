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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.ByteFlow;
import org.hdfsppr.datanode.metrics.RepairPhase;
import org.hdfsppr.datanode.replica.LocalReplicaSink;
import org.hdfsppr.datanode.replica.ReplicaSync;
import org.hdfsppr.datanode.replica.StockWriteSink;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.stream.DestinationSession;
import org.hdfsppr.stream.NodeStats;
import org.hdfsppr.stream.SlowLimit;
import org.hdfsppr.stream.UnitSink;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;

/**
 * Carries out the plans of one job. For each plan, this class makes the request with its tokens,
 * opens the targets, bounds the time, and counts the bytes that the plan moves. The job decides
 * which plan comes next. Used by one thread.
 */
final class AttemptRunner {
  private final RepairContext context;
  private final RepairOrder order;
  private final String repairId;
  private final AttemptGuard.Timing guards;
  private final JobControl control;

  /**
   * @param timer the timer that the guards of attempts use
   * @param control cancels the plan that runs
   */
  AttemptRunner(RepairContext context, RepairOrder order, String repairId,
      ScheduledExecutorService timer, JobControl control) {
    this.context = context;
    this.order = order;
    this.repairId = repairId;
    this.guards = new AttemptGuard.Timing(timer, context.nanoClock);
    this.control = control;
  }

  /**
   * Rebuilds the units of a plan on their targets.
   *
   * @param patient whether the attempt goes on over slow links
   * @param attempt the number of the attempt, for the log
   * @throws RepairException if the attempt fails; the exception names the node that failed, and no
   *     unit is on any target
   */
  RebuiltUnits rebuild(RepairPlan plan, boolean patient, int attempt) throws RepairException {
    RepairSettings settings = context.settings;
    Map<Integer, RepairTarget> targets = new HashMap<>();
    order.targets().forEach(target -> targets.put(target.index, target));
    PartialSumRequest request = request(plan);
    int endTimeoutMs =
        Math.max(settings.stallTimeoutMs, StockWriteSink.endTimeoutMs(context.datanode));
    ReplicaSinks sinks = new ReplicaSinks(context.datanode, context.host, targets,
        new StockWriteSink.Timeouts(settings.stallTimeoutMs, endTimeoutMs), order.sync());
    // The targets finish one after another. Each first finishes its replica, and then answers with
    // the checksums that it has stored; for each of the two it may take the timeout.
    long endingMs = 2L * targets.size() * endTimeoutMs;
    long start = context.nanoClock.getAsLong();
    try (DestinationSession rebuild = new DestinationSession(plan, request, context.host, sinks,
        context.kernel,
        context.memory.leading(), context.nanoClock)) {
      try {
        run(rebuild, request, patient, endingMs);
      } finally {
        countBytes(rebuild, sinks.remoteBytes());
        context.metrics.addBytes(ByteFlow.SENT_TO_REMOTE_TARGETS, sinks.remoteBytes());
      }
      return succeeded(plan, rebuild, attempt,
          TimeUnit.NANOSECONDS.toMillis(context.nanoClock.getAsLong() - start));
    }
  }

  /**
   * Carries out a plan, and drops the rebuilt units. If this method returns, the units that the
   * plan reads agree.
   *
   * @throws RepairException if a node failed, which the exception names, or if the units contradict
   *     each other
   */
  void check(RepairPlan plan) throws RepairException {
    PartialSumRequest request = request(plan);
    try (DestinationSession rebuild = new DestinationSession(plan, request, context.host,
        new DroppedUnits(),
        context.kernel, context.memory.leading(), context.nanoClock)) {
      try {
        run(rebuild, request, true, 0);
      } finally {
        countBytes(rebuild, rebuild.bytesWritten());
      }
    }
  }

  /**
   * @param patient whether the attempt goes on over slow links
   * @param endingMs how long the targets may take to finish their replicas, ms
   */
  private void run(DestinationSession rebuild, PartialSumRequest request, boolean patient,
      long endingMs)
      throws RepairException {
    RepairSettings settings = context.settings;
    AttemptGuard guard = new AttemptGuard(request, endingMs, rebuild.stats::slicesDone,
        rebuild::cancel, rebuild::cancel, guards);
    control.begin(rebuild);
    try {
      rebuild.run(context.connector, new SlowLimit(context.rates,
          settings.slowWindowMs, patient || request.isPaced() ? 0 : settings.slowPercent));
    } finally {
      guard.end();
      control.end();
    }
  }

  private PartialSumRequest request(RepairPlan plan) throws RepairException {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    List<RepairSource> shares = new ArrayList<>();
    plan.root.forEach(node -> shares.addAll(node.sources));
    for (RepairSource share : shares) {
      ExtendedBlock block = share.block.toExtendedBlock();
      try {
        tokens.put(share.block, context.datanode.getBlockAccessToken(block,
            EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]));
      } catch (IOException e) {
        throw new RepairException(FailureCause.INTERNAL, plan.root.node,
            "no token could be made for " + block + ": " + e, e);
      }
    }
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of(repairId,
        plan.lostRows(), plan.checkRows(), context.settings.stallTimeoutMs), order.group(),
        plan.geometry, plan.root, tokens);
    if (order.bytesPerSecond() != PartialSumRequest.UNLIMITED) {
      request = request.withRate(order.bytesPerSecond());
    }
    return order.isUrgent() ? request.asUrgent() : request;
  }

  private RebuiltUnits succeeded(RepairPlan plan, DestinationSession rebuild, int attempt,
      long elapsedMs) {
    long bytesRead = 0;
    long remoteBytesRead = 0;
    List<RepairSource> shares = new ArrayList<>();
    plan.root.forEach(node -> shares.addAll(node.sources));
    for (RepairSource share : shares) {
      // Stock's metric counts the bytes that all nodes together read for a result.
      long bytes = plan.bytesRead(share);
      if (bytes > 0) {
        bytesRead += bytes;
        remoteBytesRead += DataNodeHost.isLocal(share.holder) ? 0 : bytes;
      }
    }
    context.rates.fade();
    context.metrics.slicesVerified(rebuild.slicesVerified());
    if (order.isRepair()) {
      // A making that lets repairs go first takes long, and would say nothing about repairs.
      context.metrics.phaseTook(RepairPhase.CONNECT, rebuild.connectMs());
      context.metrics.phaseTook(RepairPhase.TRANSFER, rebuild.transferMs());
      context.metrics.phaseTook(RepairPhase.FINALISE, rebuild.commitMs());
      StockTimes.add(context.datanode.getMetrics(), rebuild);
    }
    return new RebuiltUnits(rebuild.committed(),
        TaskOutcome.succeeded(bytesRead, remoteBytesRead, rebuild.bytesWritten()),
        missing(plan, rebuild), summary(plan, rebuild, attempt, elapsedMs));
  }

  private static String summary(RepairPlan plan, DestinationSession rebuild, int attempt,
      long elapsedMs) {
    return "units " + rebuild.committed() + " of " + plan.targets + " rebuilt in " + elapsedMs
        + " ms (connect " + rebuild.connectMs() + ", transfer " + rebuild.transferMs()
        + ", finalise " + rebuild.commitMs() + "), attempt " + attempt + ", " + plan.topology
        + " by recipe " + plan.recipe + ", " + rebuild.bytesReceived()
        + " bytes of sums received, " + rebuild.stockBytes() + " by stock reads, "
        + rebuild.slicesVerified() + " of " + plan.geometry.slices() + " slices verified, plan "
        + plan.root;
  }

  /**
   * Returns the failure of the first target that could not be written, or null if all were written.
   */
  private static RepairException missing(RepairPlan plan, DestinationSession rebuild) {
    for (int i = 0; i < plan.targets.size(); i++) {
      IOException failure = rebuild.writeFailure(i);
      if (failure != null) {
        return new RepairException(FailureCause.WRITE, plan.targets.get(i).node,
            failure.toString(), failure);
      }
    }
    return null;
  }

  private void countBytes(DestinationSession rebuild, long notWrittenHere) {
    order.received(rebuild.bytesReceived() + rebuild.stockBytes());
    context.metrics.addBytes(ByteFlow.RECEIVED_FROM_CHILDREN, rebuild.bytesReceived());
    context.metrics.addBytes(ByteFlow.RECEIVED_ACROSS_RACKS, rebuild.bytesAcrossRacks());
    context.metrics.addBytes(ByteFlow.RECEIVED_BY_STOCK_READS, rebuild.stockBytes());
    context.metrics.addBytes(ByteFlow.HELPER_DISK_READ, rebuild.diskBytes());
    context.metrics.addBytes(ByteFlow.REPLICA_WRITTEN,
        rebuild.bytesWritten() - notWrittenHere);
  }

  /**
   * Opens the destinations of the units of one task: a replica on this DataNode, or a replica that
   * another DataNode writes.
   */
  static final class ReplicaSinks implements DestinationSession.Sinks {
    private final DataNode datanode;
    private final DataNodeHost host;
    private final Map<Integer, RepairTarget> targets;
    private final StockWriteSink.Timeouts timeouts;
    private final ReplicaSync sync;
    private final List<StockWriteSink> remote = new ArrayList<>();

    /**
     * @param targets the task's targets by unit
     * @param timeouts how long writes wait for other DataNodes
     * @param sync forces the names of this DataNode's replicas to the disk before they are
     *     reported. The other targets are then asked to force their replicas to the disk, too. null
     *     if the settings of the DataNodes alone decide
     */
    ReplicaSinks(DataNode datanode, DataNodeHost host, Map<Integer, RepairTarget> targets,
        StockWriteSink.Timeouts timeouts, ReplicaSync sync) {
      this.sync = sync;
      this.datanode = datanode;
      this.host = host;
      this.targets = targets;
      this.timeouts = timeouts;
    }

    @Override
    public UnitSink open(PlanTarget target, DataChecksum checksum) throws IOException {
      RepairTarget to = targets.get(target.unit);
      ExtendedBlock block = target.block.toExtendedBlock();
      if (to.node.getDatanodeUuid().equals(datanode.getDatanodeUuid())) {
        return sync != null ? LocalReplicaSink.openSynced(datanode, block, to.storageType,
            to.storageId, checksum, host.traffic::addWritten, sync)
            : LocalReplicaSink.open(datanode, block, to.storageType, to.storageId, checksum,
                host.traffic::addWritten);
      }
      StockWriteSink sink =
          StockWriteSink.open(datanode, to.node, block, to.storageType, to.storageId,
              checksum, timeouts, sync != null);
      remote.add(sink);
      return sink;
    }

    /** Returns how many bytes the task has sent to other DataNodes. */
    long remoteBytes() {
      return remote.stream().mapToLong(StockWriteSink::bytesWritten).sum();
    }

    @Override
    public void throttleWrite(long bytes) {
      host.throttleWrite(bytes);
    }
  }

  /** Accepts and drops the rebuilt units of a repair whose plan runs only for its check. */
  static final class DroppedUnits implements DestinationSession.Sinks {
    @Override
    public UnitSink open(PlanTarget target, DataChecksum checksum) {
      return new UnitSink() {
        @Override
        public void write(ByteBuffer data) {
          data.position(data.limit());
        }

        @Override
        public void commit() {
          // The sink has kept nothing.
        }

        @Override
        public void close() {
          // The sink has taken nothing that it could give back.
        }
      };
    }

    @Override
    public void throttleWrite(long bytes) {
      // Nothing is written.
    }
  }

  /**
   * Adds the times of repairs to stock's metrics of reconstruction times, which count whole
   * milliseconds.
   */
  static final class StockTimes {
    private StockTimes() {
    }

    /** Adds a repair's times. Each time counts as at least one millisecond. */
    static void add(DataNodeMetrics metrics, DestinationSession rebuild) {
      NodeStats stats = rebuild.stats;
      metrics.incrECReconstructionReadTime(
          roundUp(stats.childWaitNanos() + stats.localNanos() + stats.throttleNanos()));
      metrics.incrECReconstructionDecodingTime(roundUp(stats.multiplyNanos()));
      metrics.incrECReconstructionWriteTime(roundUp(rebuild.sinkNanos()));
      metrics.incrECDecodingTime(stats.multiplyNanos());
    }

    private static long roundUp(long nanos) {
      return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }
}
