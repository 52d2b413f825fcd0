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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the blocks of one command, as soon as this node has no repairs to do, and computes their
 * digests if the NameNode asks for them. It does not make blocks again that exist on this DataNode.
 */
final class MakeJob extends VersionJob {
  private static final Logger LOG = LoggerFactory.getLogger(MakeJob.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /** After which time a waiting job looks again whether this node still has repairs, ms. */
  private static final long LOOK_MS = 200;
  /**
   * How many bytes are read for digests at most before the result is reported. They were just
   * written, so that reading this many is fast.
   */
  static final long DIGEST_BYTES_MAX = 4 << 20;

  /**
   * How many commands this node carries out at a time at most. A making is as slow as the busiest
   * network link of its tree. With two makings, this node's link often idles while other nodes'
   * links are full, so that more are useful. The NameNode's {@code LinkLoads} orders no more for a
   * node than this; the bound here limits the threads and the memory of a node in any case. A
   * repair that comes has to share the node with no more makings than these.
   */
  static final int AT_A_TIME = 8;

  private final String uuid;
  private final RepairMetrics metrics;
  private final MakingRuns runs;
  private final BooleanSupplier hasRepairs;
  private final MakeCommand command;
  private Making making;

  /**
   * @param runs makes blocks and computes their digests
   * @param hasRepairs whether this node has repairs to do
   */
  MakeJob(VersionReplicas replicas, MakingRuns runs, BooleanSupplier hasRepairs,
      MakeCommand command, Consumer<RepairResult> whenEnded) {
    super(replicas, command, command.work.deadlineMs, whenEnded);
    this.uuid = replicas.uuid();
    this.metrics = replicas.metrics;
    this.runs = runs;
    this.hasRepairs = hasRepairs;
    this.command = command;
  }

  @Override
  String kind() {
    return "makings";
  }

  @Override
  List<BlockRef> blocks() {
    return command.work.targets.stream().filter(target -> target.node.uuid.equals(uuid))
        .map(target -> command.work.group.block(target.unit)).collect(Collectors.toList());
  }

  @Override
  RepairResult refusal() {
    if (!command.work.destination().uuid.equals(uuid)) {
      return refused(null, "the first target is " + command.work.destination().uuid
          + ", this DataNode is " + uuid);
    }
    try {
      runs.prepare(command, result -> { });
      return null;
    } catch (IllegalArgumentException e) {
      return refused(FailureCause.UNSUPPORTED, e.getMessage());
    }
  }

  @Override
  void work() {
    try {
      boolean waits = hasRepairs.getAsBoolean();
      if (waits) {
        LOG.debug("Making {}: waits for repairs on this node", command.id());
      }
      while (endedBecause() == null && hasRepairs.getAsBoolean()) {
        pause(LOOK_MS);
      }
      if (endedBecause() != null) {
        finish(nothing(endedBecause() + (waits ? ", repairs on this node went first" : "")));
        return;
      }
      make();
    } catch (IOException e) {
      finish(failed(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      finish(nothing(JobPool.STOPS));
    }
  }

  private void make() throws IOException {
    List<CommandTarget> here = new ArrayList<>();
    List<CommandTarget> elsewhere = new ArrayList<>();
    List<Integer> there = new ArrayList<>();
    for (CommandTarget target : command.work.targets) {
      ExtendedBlock block = command.work.group.block(target.unit).toExtendedBlock();
      if (target.node.uuid.equals(uuid) && replicas.reportsAgain(block)) {
        LOG.debug("Making {}: {} is here already", command.id(), block);
        there.add(target.unit);
      } else if (target.node.uuid.equals(uuid)) {
        here.add(target);
      } else {
        elsewhere.add(target);
      }
    }
    if (here.isEmpty()) {
      finish(elsewhere.isEmpty() ? result(RepairOutcome.REBUILT, there, null, "")
          : result(RepairOutcome.FAILED, there, null, "what this node is to store is here already,"
              + " and another node has to make " + elsewhere));
      return;
    }
    List<CommandTarget> missing = new ArrayList<>(here);
    missing.addAll(elsewhere);
    MakeCommand rest = there.isEmpty() ? command
        : new MakeCommand(command.work.withTargets(missing), command.bytesPerSecond);
    Making begun = runs.prepare(rest, made -> finish(there.isEmpty() ? made : with(there, made)));
    synchronized (this) {
      making = begun;
    }
    if (endedBecause() != null) {
      begun.cancel(endedBecause());
    }
    begun.run();
  }

  @Override
  public synchronized void end(String reason) {
    super.end(reason);
    if (making != null) {
      making.cancel(reason);
    }
  }

  private void finish(RepairResult made) {
    synchronized (this) {
      // The making has ended, so that end must not cancel it any more.
      making = null;
    }
    RepairResult result = withDigests(isDurable(made) ? made.withVersion(
        made.version.asDurable()) : made);
    VersionReport report = result.version;
    if (report.madeBytes > 0) {
      metrics.versions(VersionCount.MADE, result.rebuiltUnits.size());
      metrics.versions(VersionCount.MADE_BYTES, report.madeBytes);
    }
    if (result.outcome != RepairOutcome.REBUILT) {
      metrics.versions(VersionCount.MAKINGS_FAILED, 1);
      PEER_LOG.warn("makings", "Making {}: not all blocks of {} were made: {}", command.id(),
          command.work.groupId(), result);
    }
    report(result);
  }

  /**
   * Returns whether all blocks that a result names are known to be on the disk: they are if all are
   * on this node. Other DataNodes sync their blocks, too, but do not report whether that has
   * failed.
   */
  private boolean isDurable(RepairResult made) {
    return command.work.targets.stream()
        .allMatch(target -> target.node.uuid.equals(uuid)
            || !made.rebuiltUnits.contains(target.unit));
  }

  /**
   * Adds to the result the digests of the blocks that this node has. If reading the blocks may take
   * long, the result leaves the digests out: meanwhile the NameNode would take this node for dead,
   * and have the unit made again. A NameNode that asks for folded digests then asks for them by
   * another command; for an older one, they are always read here.
   */
  private RepairResult withDigests(RepairResult made) {
    if (command.digestKey.isEmpty()) {
      return made;
    }
    Map<Integer, BlockRef> here = new TreeMap<>();
    for (CommandTarget target : command.work.targets) {
      if (target.node.uuid.equals(uuid) && made.rebuiltUnits.contains(target.unit)) {
        here.put(target.unit, command.work.group.block(target.unit));
      }
    }
    long bytes = here.values().stream().mapToLong(ref -> ref.length).sum();
    if (command.digestKey.get().isFolded && (bytes > atOnce() || hasRepairs.getAsBoolean())) {
      return made;
    }
    return made.withVersion(made.version.withDigests(digests(here,
        command.digestKey.get(), command.bytesPerSecond, runs)));
  }

  /**
   * Returns how many bytes may be read for digests before the result is reported: what this job
   * reads in a second, up to {@link #DIGEST_BYTES_MAX}.
   */
  private long atOnce() {
    return command.bytesPerSecond == MakeCommand.UNLIMITED ? DIGEST_BYTES_MAX
        : Math.min(DIGEST_BYTES_MAX, command.bytesPerSecond);
  }

  /** Returns the result of a making with the units added that existed before. */
  private RepairResult with(List<Integer> there, RepairResult made) {
    TreeSet<Integer> units = new TreeSet<>(there);
    units.addAll(made.rebuiltUnits);
    return made.ofAllParts(units, elapsedMs());
  }

  private RepairResult failed(IOException e) {
    LOG.debug("Making {}: not begun", command.id(), e);
    return result(RepairOutcome.FAILED, Collections.emptyList(), FailureCause.WRITE, e.toString());
  }

  private RepairResult result(RepairOutcome outcome, List<Integer> units, FailureCause cause,
      String message) {
    return new RepairResult(command.id(), command.term(), outcome, units, 0, elapsedMs())
        .withFailure(cause == null ? null : uuid, cause, message)
        .withVersion(VersionReport.NOTHING);
  }

  @Override
  RepairResult nothing(String why) {
    return result(RepairOutcome.FAILED, Collections.emptyList(), null, why);
  }
}
