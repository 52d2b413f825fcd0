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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.datanode.update.UnitUpdates;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.LatestUpdates;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one unit of a new version for a commit: copies the unit of the old version, and changes the
 * copy on the way. If it is a parity unit, the job then checks samples of the copy.
 */
final class PatchJob extends VersionJob {
  private static final Logger LOG = LoggerFactory.getLogger(PatchJob.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /**
   * How many patches this node makes at a time at most. Each keeps a disk busy while it copies a
   * unit; a second one can go on while the first waits for sums of other nodes.
   */
  static final int AT_A_TIME = 2;

  private final RepairMetrics metrics;
  private final PatchTools tools;
  private final PatchCommand command;
  private long copiedBytes;
  /** The digest of the data unit's change, by the unit's index; empty if there is none. */
  private Map<Integer, Integer> digests = Map.of();

  PatchJob(VersionReplicas replicas, PatchTools tools, PatchCommand command,
      Consumer<RepairResult> whenEnded) {
    super(replicas, command, command.deadlineMs, whenEnded);
    this.metrics = replicas.metrics;
    this.tools = tools;
    this.command = command;
  }

  @Override
  String kind() {
    return "patches";
  }

  @Override
  List<BlockRef> blocks() {
    return List.of(command.to());
  }

  @Override
  void work() {
    RepairResult result;
    try {
      if (endedBecause() != null) {
        throw new InterruptedIOException(endedBecause());
      }
      patch();
      metrics.versions(VersionCount.PATCHED, 1);
      metrics.versions(VersionCount.PATCHED_BYTES, copiedBytes);
      result = result(RepairOutcome.REBUILT, List.of(command.unit), null, null, "");
    } catch (IOException | RuntimeException e) {
      metrics.versions(VersionCount.PATCHES_FAILED, 1);
      PEER_LOG.warn("patches", "Patch {}: unit {} of {} was not made: {}", command.id(),
          command.unit, command.old, e.toString());
      LOG.debug("Patch {} has failed", command, e);
      result = result(RepairOutcome.FAILED, Collections.emptyList(), node(e), cause(e),
          e.toString());
    }
    report(result);
  }

  private void patch() throws IOException {
    LinearCode code = Codes.forCodec(replicas.datanode.getConf(), command.codec,
        command.made.dataUnits(), command.made.parityUnits());
    if (command.log().isPresent()) {
      LogPart log = command.log().get();
      if (!isThere()) {
        try (UnitUpdates updates =
            tools.logs.open(log.ticket, log.first, log.last)) {
          copy(new LoggedChange(command, updates));
        }
      }
      tools.logs.lineage.made(command.from(), command.to(), log.last);
      digest(log);
      return;
    }
    KnownChanges known = new KnownChanges(command, code, tools, this::endedBecause);
    metrics.versions(VersionCount.CHANGES_WRONG, known.wrong());
    ParityChange change = new ParityChange(command, code,
        new ParitySums(command, code, replicas.datanode, tools, known.changes),
        known.changes.keySet());
    if (command.isForwarder()) {
      // This is needed even if the unit exists already: a restart of this process loses the kept
      // changes, which are in files without names.
      metrics.versions(VersionCount.FORWARDED,
          change.forward(tools.forwarded, directory(), this::endedBecause));
    }
    if (!isThere()) {
      copy(change);
      metrics.versions(VersionCount.CHANGES_KNOWN, known.changes.size());
      metrics.versions(VersionCount.CHANGES_ASKED, known.asked());
    }
    tools.logs.lineage.made(command.from(), command.to(), 0);
    try (UnitSource stored = replicas.host.openLocal(command.to().toExtendedBlock())) {
      change.check(stored);
    } catch (ChecksumException e) {
      // One of the changes that this node has calculated may be wrong, so the next try must get
      // them from other nodes.
      known.distrust();
      throw new RepairException(FailureCause.VERIFICATION, replicas.host.self(), e.getMessage(), e);
    }
  }

  /**
   * Computes the digest of a data unit's change from the two stored versions, if the command wants
   * it. If that fails, the job goes on without a digest, and the nodes of parity units do not
   * calculate the change, but get it from this node.
   */
  private void digest(LogPart log) throws IOException {
    if (log.digestSeed.isEmpty()) {
      return;
    }
    try (UnitSource from = replicas.host.openLocal(command.from().toExtendedBlock());
        UnitSource to = replicas.host.openLocal(command.to().toExtendedBlock())) {
      digests = Map.of(command.unit, ChangeDigest.between(from, to, command.ranges,
          log.digestSeed.getAsLong(), tools, this::endedBecause));
    } catch (IOException e) {
      if (endedBecause() != null) {
        throw e;
      }
      LOG.debug("Patch {}: the change of {} has no digest", command.id(), command.to(), e);
    }
  }

  /** Returns the directory of the volume that holds the old version of the unit. */
  private Path directory() throws IOException {
    FsVolumeSpi volume =
        replicas.datanode.getFSDataset().getVolume(command.from().toExtendedBlock());
    if (volume == null) {
      throw new ReplicaNotFoundException("there is no replica of " + command.from() + " here");
    }
    return Path.of(volume.getBaseURI());
  }

  /**
   * Returns whether an earlier command has made the new unit already. If so, reports the replica to
   * the NameNode again.
   */
  private boolean isThere() throws IOException {
    boolean isThere = replicas.reportsAgain(command.to().toExtendedBlock());
    if (isThere) {
      LOG.debug("Patch {}: {} is here already", command.id(), command.to());
    }
    return isThere;
  }

  private void copy(ReplicaChange change) throws IOException {
    ExtendedBlock from = command.from().toExtendedBlock();
    replicas.copy(from, command.to().toExtendedBlock(), this::endedBecause, change);
    copiedBytes = from.getNumBytes();
  }

  private String node(Exception e) {
    return e instanceof RepairException ? ((RepairException) e).node.uuid
        : cause(e) == null ? null : replicas.uuid();
  }

  private RepairResult result(RepairOutcome outcome, List<Integer> units, String failed,
      FailureCause cause, String message) {
    return new RepairResult(command.id(), command.term(), outcome, units, copiedBytes, elapsedMs())
        .withFailure(failed, cause, message)
        .withVersion(new VersionReport(0, copiedBytes, 0, copiedBytes, 0).withDigests(digests)
            .asDurable());
  }

  @Override
  RepairResult nothing(String why) {
    return result(RepairOutcome.FAILED, Collections.emptyList(), null, null, why);
  }

  /**
   * Applies the updates of a log to a data unit for a commit. The bytes of an update replace those
   * of the unit; if they are a delta, they are added by XOR, see {@link NumberedUpdate}. Bytes that
   * a later update replaces are not read. Used by one thread.
   */
  static final class LoggedChange implements ReplicaChange {
    private static final int WINDOW_BYTES = 256 << 10;

    private final UnitUpdates updates;
    /**
     * For each epoch, which update has written each byte last. If there are no deltas, all updates
     * are under the key 0, because then only the last one of each byte counts.
     */
    private final NavigableMap<Long, LatestUpdates> latest = new TreeMap<>();

    /**
     * @param command the command, which names the ranges that change
     * @param updates the updates that the command names
     * @throws IOException if an update writes outside of the command's ranges, where the parity
     *     units would not change with it, or if there are deltas and the old version already has
     *     one of the updates
     */
    LoggedChange(PatchCommand command, UnitUpdates updates) throws IOException {
      this.updates = updates;
      List<NumberedUpdate> records = updates.records();
      boolean hasDeltas = records.stream().anyMatch(update -> update.isDelta);
      long committed = command.log().orElseThrow().ticket.committed;
      for (int i = 0; i < records.size(); i++) {
        NumberedUpdate record = records.get(i);
        long end = record.offset + record.length;
        Map.Entry<Long, Long> range = command.ranges.floorEntry(record.offset);
        if (range == null || range.getValue() < end) {
          throw new IOException("Update " + record.sequence + " writes bytes " + record.offset
              + " to " + end + ", which the command does not name");
        }
        if (hasDeltas && record.epoch <= committed) {
          throw new IOException("Update " + record.sequence + " of epoch " + record.epoch
              + " is in the version of commit " + committed + " already");
        }
        latest.computeIfAbsent(hasDeltas ? record.epoch : 0, none -> new LatestUpdates())
            .add(record.offset, end, i);
      }
    }

    @Override
    public int windowBytes() {
      return WINDOW_BYTES;
    }

    @Override
    public void apply(long offset, ByteBuffer window) throws IOException {
      for (LatestUpdates layer : latest.values()) {
        for (LatestUpdates.Piece piece : layer.within(offset, offset + window.remaining())) {
          apply(piece, offset, window);
        }
      }
    }

    private void apply(LatestUpdates.Piece piece, long offset, ByteBuffer window)
        throws IOException {
      NumberedUpdate record = updates.records().get(piece.update);
      int inUpdate = (int) (piece.from - record.offset);
      int at = window.position() + (int) (piece.from - offset);
      ByteBuffer part = window.duplicate();
      part.position(at).limit(at + (int) (piece.to - piece.from));
      if (!record.isDelta) {
        updates.read(piece.update, inUpdate, part);
        return;
      }
      ByteBuffer delta = ByteBuffer.allocate(part.remaining());
      updates.read(piece.update, inUpdate, delta);
      for (int i = 0; i < delta.limit(); i++) {
        window.put(at + i, (byte) (window.get(at + i) ^ delta.get(i)));
      }
    }
  }
}
