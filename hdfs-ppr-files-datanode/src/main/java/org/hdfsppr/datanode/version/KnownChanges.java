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
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.UnitDependence;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of data units that the node of a parity unit calculates itself in a commit. It does
 * so either from updates in its log and the bytes that they have overwritten, or from deltas in its
 * log. Other nodes then need not send these changes. If this node is the forwarder of its rack,
 * which keeps changes for the nodes of the rack's other parity units, it also keeps those that it
 * has calculated.
 *
 * <p>A commit checks only samples of a new parity unit, which may miss a wrong byte. So the
 * following rules keep wrong changes out:
 *
 * <ol>
 *   <li>The updates are exactly those that the new version of the data unit has and the old one
 *       lacks, because the log has the history up to the term of the command's ticket, and none of
 *       the updates' numbers is missing.</li>
 *   <li>Old bytes are the unit's bytes right before one of these updates, no matter from which
 *       block they were read. For each byte, only the first update that has written it counts: this
 *       update has overwritten the byte of the old version. The epoch of an update is the number of
 *       the commit to which it belongs. Deltas of an epoch are relative to the unit at the end of
 *       the epoch before, and the old version has no updates of these epochs.</li>
 *   <li>Old bytes were read from the block of the old version, or from an earlier one from which
 *       that block was made. This excludes old bytes of another history, which exists if an
 *       operator has restored an earlier state of the NameNode.</li>
 *   <li>The digest of the whole change has to equal that of the difference between the two versions
 *       that the data unit's node has stored. If one of the rules above is broken, the digests
 *       differ, except by chance. This node then does not use its change, and gets the right one
 *       from other nodes.</li>
 * </ol>
 *
 * <p>Used by one thread.
 */
final class KnownChanges {
  private static final Logger LOG = LoggerFactory.getLogger(KnownChanges.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final PatchCommand command;
  private final PatchTools tools;
  private final Supplier<String> endedBecause;
  /** The right changes, by the index of the data unit. */
  final Map<Integer, UnitSource> changes = new HashMap<>();
  private long asked;
  private long wrong;

  /**
   * Finds the changes of a command for a parity unit.
   *
   * @param code the code of the group
   * @param endedBecause returns why the work has to end early; null if it may go on
   * @throws IOException if the work has to end early
   */
  KnownChanges(PatchCommand command, LinearCode code, PatchTools tools,
      Supplier<String> endedBecause) throws IOException {
    this.command = command;
    this.tools = tools;
    this.endedBecause = endedBecause;
    for (PatchSource source : command.sources) {
      boolean isIn = UnitDependence.of(code, command.unit, source.unit);
      boolean isForwarded = command.isForwarder() && !source.forwarded.isEmpty();
      if (source.isChanged() && (isIn || isForwarded)) {
        UnitSource change = known(source);
        if (change != null) {
          changes.put(source.unit, change);
        } else if (isIn) {
          asked++;
        }
      }
    }
  }

  /** Returns for how many data units other nodes send the changes that this parity unit needs. */
  long asked() {
    return asked;
  }

  /** Returns how many changes this node has calculated wrongly; it does not use them. */
  long wrong() {
    return wrong;
  }

  /**
   * Makes later commands get the changes of this file from other nodes. The caller has found the
   * new parity unit wrong, which may be because of a change that this node has calculated.
   */
  void distrust() {
    for (PatchSource source : command.sources) {
      if (changes.containsKey(source.unit)) {
        tools.logs.distrust(source.log().orElseThrow().ticket);
      }
    }
  }

  /**
   * Returns the change of a data unit; null if this node cannot calculate it, or has calculated it
   * wrongly.
   */
  private UnitSource known(PatchSource source) throws IOException {
    if (source.log().isEmpty()) {
      return null;
    }
    LogPart log = source.log().get();
    // The command says for each range in which way the change comes. If this node calculates the
    // change, it does so for all ranges.
    ByteRanges ranges = new ByteRanges();
    source.summed.forEach(ranges::add);
    source.forwarded.forEach(ranges::add);
    source.collected.forEach(ranges::add);
    UnitSource change = tools.logs.ownChange(log, ranges.ranges(),
        block -> isOfFile(block, source.unit), command.made.length(source.unit))
        .orElse(null);
    return change != null && isRight(source.unit, log, change) ? change : null;
  }

  private boolean isRight(int unit, LogPart log, UnitSource change) throws IOException {
    int digest;
    try {
      digest = ChangeDigest.of(change, log.digestSeed.orElseThrow(), tools, endedBecause);
    } catch (IOException e) {
      if (endedBecause.get() != null) {
        throw e;
      }
      LOG.debug("Patch {}: the change of unit {} is not known here", command.id(), unit, e);
      return false;
    }
    if (digest != log.digest.orElseThrow()) {
      wrong++;
      PEER_LOG.warn("own changes", "Patch {}: the change of unit {} of {} as this DataNode's update"
          + " log has it is not what its DataNode has stored. It comes from there, as all changes"
          + " of the file do until its next commit", command.id(), unit, command.old);
      tools.logs.distrust(log.ticket);
      return false;
    }
    return true;
  }

  /**
   * Returns whether a block is that of a data unit in the old version, or in an earlier version
   * from which the old one was made. This node does not know the data unit's blocks, but the parity
   * unit's: it has one of each version, and the lineage knows which of them was made from which.
   * The ids of both blocks differ by the difference of their units' indices.
   */
  private boolean isOfFile(BlockRef block, int data) {
    BlockRef parity = new BlockRef(block.poolId, block.blockId - data + command.unit,
        block.generationStamp, command.from().length);
    return block.length == command.made.length(data)
        && tools.logs.lineage.leads(parity, command.from());
  }
}
