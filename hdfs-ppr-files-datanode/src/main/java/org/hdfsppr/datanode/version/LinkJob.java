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
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.NoLinkException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess.FinalisedReplica;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.watch.OldReadWatch;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the links of one command, one after another. It then syncs their names to the disk, each
 * directory once, and after that reports them to the NameNode. If a link fails, the others are
 * still made. A command without links asks for digests of existing blocks. If this node has no time
 * for all digests, the result has {@link FailureCause#OVERLOADED}, so that the NameNode asks again.
 * If a block cannot be read, the command still counts as done.
 */
final class LinkJob extends VersionJob {
  private static final Logger LOG = LoggerFactory.getLogger(LinkJob.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /**
   * How many commands this node carries out at a time at most. A link is a few operations on a
   * directory, and one sync of it. With several threads, the file system writes several syncs at
   * once, and other commands go on while one waits for a slow volume, or copies on a volume that
   * cannot link.
   */
  static final int AT_A_TIME = 4;

  private final ReplicaLinksAccess links;
  private final RepairMetrics metrics;
  private final LinkCommand command;
  private final BlockLineage lineage;
  private final MakingRuns runs;
  private final OldReadWatch watch;
  private final List<Integer> done = new ArrayList<>();
  /** The digests, by the index of the block in {@link LinkCommand#digested}. */
  private Map<Integer, Integer> digests = Collections.emptyMap();
  private long linkedBytes;
  private long copiedBytes;
  private FailureCause cause;
  private String failures = "";

  /**
   * @param runs computes the digests of blocks
   * @param lineage takes note of which block was linked to which
   * @param watch sees whether clients still read the old blocks
   */
  LinkJob(VersionReplicas replicas, MakingRuns runs, BlockLineage lineage, OldReadWatch watch,
      LinkCommand command, Consumer<RepairResult> whenEnded) {
    super(replicas, command, command.deadlineMs, whenEnded);
    this.links = replicas.links;
    this.metrics = replicas.metrics;
    this.command = command;
    this.lineage = lineage;
    this.runs = runs;
    this.watch = watch;
  }

  @Override
  String kind() {
    return "commands with links";
  }

  @Override
  List<BlockRef> blocks() {
    return command.links.stream().map(link -> link.to).collect(Collectors.toList());
  }

  /**
   * Commands that want digests have a queue of their own. They read blocks, which may take minutes,
   * and links of commits, for which writers may wait, must not wait for that.
   */
  @Override
  int lane() {
    return command.digestKey.isPresent() ? 1 : 0;
  }

  @Override
  void accepted() {
    if (command.watchesOld) {
      // The watch counts reads from now on, and not only once the links are made.
      watch.watch(command.poolId, command.links.stream().map(link -> link.from.blockId)
          .collect(Collectors.toList()));
    }
  }

  /**
   * After a refusal without a cause, the NameNode has the units made elsewhere. For digests,
   * {@code OVERLOADED} makes it ask this node again, because no other node can compute them.
   */
  @Override
  RepairResult refusedForNow(String why) {
    return refused(command.digestKey.isPresent() ? FailureCause.OVERLOADED : null, why);
  }

  /** A link that is made, but not yet synced to the disk. */
  private final class Made {
    private final int index;
    private final FinalisedReplica replica;
    private final boolean wasThere;

    Made(int index, FinalisedReplica replica, boolean wasThere) {
      this.index = index;
      this.replica = replica;
      this.wasThere = wasThere;
    }

    private LinkCommand.Link link() {
      return command.links.get(index);
    }

    /** Syncs the replica to the disk, and then reports it. */
    void finish(ReplicaSyncs.Batch syncs) throws IOException {
      ExtendedBlock to = link().to.toExtendedBlock();
      if (wasThere) {
        // An earlier command has made this replica. That command, or the DataNode's process, may
        // have ended before its sync.
        syncs.forceAll(to);
        links.report(to, replica);
        return;
      }
      boolean isForced = false;
      try {
        syncs.forceName(to);
        isForced = true;
      } finally {
        if (!isForced) {
          links.drop(to);
        }
      }
      links.reportLinked(to, replica);
      linkedBytes += to.getNumBytes();
      metrics.versions(VersionCount.LINKED, 1);
      metrics.versions(VersionCount.LINKED_BYTES, to.getNumBytes());
    }
  }

  @Override
  void work() {
    List<Made> all = new ArrayList<>();
    for (int i = 0; i < command.links.size(); i++) {
      try {
        if (endedBecause() != null) {
          throw new InterruptedIOException(endedBecause());
        }
        Made made = link(i);
        if (made == null) {
          done(i);
        } else {
          all.add(made);
        }
      } catch (IOException | RuntimeException e) {
        failed(command.links.get(i), e);
      }
    }
    ReplicaSyncs.Batch syncs = replicas.syncs.batch();
    for (Made made : all) {
      try {
        made.finish(syncs);
        done(made.index);
      } catch (IOException | RuntimeException e) {
        failed(made.link(), e);
      }
    }
    if (done.size() < command.links.size()) {
      PEER_LOG.warn("links", "Links {}: {} of {} were not made: {}", command.id(),
          command.links.size() - done.size(), command.links.size(), failures);
    }
    if (command.digestKey.isPresent()) {
      digests = digests(digested(), command.digestKey.get(),
          command.digestBytesPerSecond, runs);
    }
    report(result());
  }

  /**
   * Returns the blocks whose digests the command wants, by their indices in the command's list,
   * which the result has, too.
   */
  private Map<Integer, BlockRef> digested() {
    Map<Integer, BlockRef> blocks = new TreeMap<>();
    for (int i = 0; i < command.digested.size(); i++) {
      blocks.put(i, command.digested.get(i));
    }
    return blocks;
  }

  private void done(int index) {
    LinkCommand.Link link = command.links.get(index);
    lineage.made(link.from, link.to, 0);
    done.add(index);
  }

  /**
   * Makes a link. Returns null if its volume cannot link; then this method has copied the replica,
   * and has synced and reported the copy.
   */
  private Made link(int index) throws IOException {
    LinkCommand.Link link = command.links.get(index);
    ExtendedBlock from = link.from.toExtendedBlock();
    ExtendedBlock to = link.to.toExtendedBlock();
    FinalisedReplica there = links.finalised(to);
    if (there != null) {
      LOG.debug("Links {}: {} is here already", command.id(), to);
      return new Made(index, there, true);
    }
    try {
      return new Made(index, links.link(from, to), false);
    } catch (NoLinkException e) {
      PEER_LOG.info("copy", "Links {}: {} is copied to {}, because {}", command.id(), from, to,
          e.getMessage());
      replicas.copy(from, to, this::endedBecause, ReplicaCopy.UNCHANGED);
      copiedBytes += from.getNumBytes();
      metrics.versions(VersionCount.COPIED, 1);
      metrics.versions(VersionCount.COPIED_BYTES, from.getNumBytes());
      return null;
    }
  }

  private void failed(LinkCommand.Link link, Exception e) {
    metrics.versions(VersionCount.LINKS_FAILED, 1);
    // When Hadoop drops a replica, it interrupts the thread that writes it. This clears the
    // interrupt, which would otherwise make the next links fail.
    Thread.interrupted();
    LOG.debug("Links {}: {} was not made", command.id(), link, e);
    if (failures.isEmpty()) {
      cause = cause(e);
      failures = link + ": " + e;
    }
  }

  private RepairResult result() {
    if (mayReadMoreLater()) {
      String why = endedBecause() == null ? "no memory is free" : endedBecause();
      return failed(FailureCause.OVERLOADED, "not all digests were computed: " + why)
          .withVersion(VersionReport.NOTHING.withDigests(digests));
    }
    boolean all = done.size() == command.links.size();
    return new RepairResult(command.id(), command.term(),
        all ? RepairOutcome.REBUILT : RepairOutcome.FAILED, done, linkedBytes + copiedBytes,
        elapsedMs())
        .withFailure(cause == null ? null : replicas.uuid(), cause, failures)
        .withVersion(new VersionReport(linkedBytes, copiedBytes, 0, copiedBytes, 0)
            .withDigests(digests).asDurable());
  }

  @Override
  RepairResult nothing(String why) {
    boolean mayReadLater = command.digestKey.isPresent() && endedBecause() != null;
    return failed(mayReadLater ? FailureCause.OVERLOADED : null, why)
        .withVersion(VersionReport.NOTHING);
  }

  private RepairResult failed(FailureCause failed, String why) {
    return new RepairResult(command.id(), command.term(), RepairOutcome.FAILED,
        Collections.emptyList(), 0, elapsedMs()).withFailure(null, failed, why);
  }
}
