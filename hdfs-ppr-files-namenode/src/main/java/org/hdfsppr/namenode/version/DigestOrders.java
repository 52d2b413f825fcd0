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
package org.hdfsppr.namenode.version;

import java.util.List;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;

/**
 * Makes orders for the digests of a group, if digests are wanted: adds them to the order that makes
 * a unit, or asks by an order of their own for a block that exists. Immutable.
 */
final class DigestOrders {
  /**
   * How long an order may wait at its node, ms. Other jobs, and other NameNodes, have orders there;
   * those of each job take up to {@link DigestSlots#READ_MS_MAX}. Besides, an order gets many
   * times the time that its rate needs, because others read at the same time, and disks may be
   * slow.
   */
  private static final long WAIT_MS = 600_000;
  /**
   * How many units a node reads for digests at a time, at one rate together, with some to spare:
   * the node has threads for four orders of links and for eight makings.
   */
  static final int READ_AT_A_TIME = 16;
  /**
   * How many units a node may read for digests before it has read one that it has just accepted.
   */
  static final int READ_UNTIL_THEN = READ_AT_A_TIME + DigestSlots.AT_A_TIME;

  final boolean areWanted;
  private final GroupDigests digests;
  private final long bytesPerSecond;

  /**
   * @param digests takes the digests
   * @param bytesPerSecond the most bytes that a node reads in a second for the job
   */
  DigestOrders(boolean areWanted, GroupDigests digests, long bytesPerSecond) {
    this.areWanted = areWanted;
    this.digests = digests;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Returns how many bytes a node reads in a second for one order. That is the job's rate, unless
   * one of the node's few threads would be held for more than {@link DigestSlots#READ_MS_MAX}.
   *
   * @param nodeBytesPerSecond the node's own rate
   */
  private long rate(long bytes, long nodeBytesPerSecond) {
    return Math.min(nodeBytesPerSecond,
        Math.max(bytesPerSecond, bytes * 1_000 / DigestSlots.READ_MS_MAX));
  }

  /** Returns how long a node reads for an order, ms. */
  long readMs(long bytes, long nodeBytesPerSecond) {
    return ms(bytes, rate(bytes, nodeBytesPerSecond));
  }

  /**
   * Returns how long the job's rate takes to pay for an order, ms; 0 if the job reads at the
   * node's.
   */
  long paidMs(long bytes, long nodeBytesPerSecond) {
    return bytesPerSecond < nodeBytesPerSecond ? ms(bytes, bytesPerSecond) : 0;
  }

  private static long ms(long bytes, long bytesPerSecond) {
    return (bytes * 1_000 + bytesPerSecond - 1) / bytesPerSecond;
  }

  /**
   * Returns an order for digests of blocks that a node has.
   *
   * @param nodeBytesPerSecond the node's own rate
   * @param msMost the longest deadline, at least 1 ms
   */
  LinkCommand of(String id, long term, List<BlockRef> blocks, long nodeBytesPerSecond,
      long msMost) {
    long bytes = bytes(blocks);
    long rate = rate(bytes, nodeBytesPerSecond);
    return LinkCommand.digests(id, term, blocks, digests.key(), rate,
        Math.min(Math.min(RepairCommand.DEADLINE_MS_MAX, msMost), WAIT_MS
            + READ_UNTIL_THEN * 1_000 * bytes / rate));
  }

  static long bytes(List<BlockRef> blocks) {
    return blocks.stream().mapToLong(ref -> ref.length).sum();
  }

  /**
   * Adds the wish for digests to an order that makes units.
   *
   * @param sendsDigests whether the node sends digests of blocks that exist; one that does not
   *     knows only the plain form
   */
  MakeCommand with(MakeCommand command, boolean sendsDigests) {
    return areWanted && (sendsDigests || !digests.key().isFolded)
        ? command.withDigestKey(digests.key()) : command;
  }

  /**
   * Returns whether the node of a unit is asked for the digest by an order of its own, because the
   * order that linked or made the unit has sent none. After a link this is always so. A node that
   * knows folded digests sends those of units that it makes only if it can read the units at once.
   */
  boolean isToAsk(boolean isMade) {
    return areWanted && (!isMade || digests.key().isFolded);
  }

  /**
   * Returns whether a unit has to be made once more for a digest of the plain form: the node that
   * carried out the order sends digests only of its own units. If its report has no digest at all,
   * the node does not know digests or could not read, and asking others would be useless.
   *
   * @param name the unit's number in the report
   */
  boolean lacks(VersionReport report, int name) {
    return areWanted && !digests.key().isFolded && report != null
        && !report.digests.isEmpty()
        && !report.digests.containsKey(name);
  }
}
