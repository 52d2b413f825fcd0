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
 * Makes the orders by which DataNodes compute digests of a group's units, if digests are wanted. A
 * digest is either asked for in the order that makes a unit, or in an order of its own for a block
 * that exists. Immutable.
 */
final class DigestOrders {
  /**
   * How long an order may wait at its node before the node reads for it, ms. Orders of other jobs
   * and of other NameNodes may come first, and those of each job take up to {@link
   * DigestSlots#READ_MS_MAX}. Besides, an order gets many times the time that its rate needs,
   * because the node reads for other orders at the same time, and disks may be slow.
   */
  private static final long WAIT_MS = 600_000;
  /**
   * How many units a node reads for digests at a time at the most, with some to spare; all of them
   * share one rate. A node has threads for four orders of links and for eight makings.
   */
  static final int READ_AT_A_TIME = 16;
  /**
   * How many units a node reads for digests at the most until it has read one that it has just
   * accepted.
   */
  static final int READ_UNTIL_THEN = READ_AT_A_TIME + DigestSlots.AT_A_TIME;

  final boolean areWanted;
  private final GroupDigests digests;
  private final long bytesPerSecond;

  /**
   * @param digests takes the digests
   * @param bytesPerSecond how many bytes a node reads for the job at the most, bytes/s
   */
  DigestOrders(boolean areWanted, GroupDigests digests, long bytesPerSecond) {
    this.areWanted = areWanted;
    this.digests = digests;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Returns how many bytes a node reads in a second for one order. That is the job's rate, unless
   * that would occupy one of the node's few threads for more than {@link DigestSlots#READ_MS_MAX}:
   * then the rate is higher.
   *
   * @param nodeBytesPerSecond how many bytes a node may read for all jobs, bytes/s
   */
  private long rate(long bytes, long nodeBytesPerSecond) {
    return Math.min(nodeBytesPerSecond,
        Math.max(bytesPerSecond, bytes * 1_000 / DigestSlots.READ_MS_MAX));
  }

  /** Returns for how long a node reads for an order, ms. */
  long readMs(long bytes, long nodeBytesPerSecond) {
    return ms(bytes, rate(bytes, nodeBytesPerSecond));
  }

  /**
   * Returns for how long a job would have to read at its own rate to be allowed the bytes of an
   * order, ms; 0 if the job may read as much as the node.
   */
  long paidMs(long bytes, long nodeBytesPerSecond) {
    return bytesPerSecond < nodeBytesPerSecond ? ms(bytes, bytesPerSecond) : 0;
  }

  private static long ms(long bytes, long bytesPerSecond) {
    return (bytes * 1_000 + bytesPerSecond - 1) / bytesPerSecond;
  }

  /**
   * Returns an order for digests of blocks that exist on a node.
   *
   * @param nodeBytesPerSecond how many bytes a node may read for all jobs, bytes/s
   * @param msMost upper bound of the order's deadline, ms, at least 1
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
   * Adds a key for digests to an order that makes units, so that its nodes also send digests.
   *
   * @param sendsDigests whether the node sends digests of blocks that exist; a node that does not
   *     knows only digests of the plain form
   */
  MakeCommand with(MakeCommand command, boolean sendsDigests) {
    return areWanted && (sendsDigests || !digests.key().isFolded)
        ? command.withDigestKey(digests.key()) : command;
  }

  /**
   * Returns whether the node of a unit has to be asked for the unit's digest by an order of its
   * own, because the order that linked or made the unit did not bring one. Orders that link never
   * do. With folded digests, orders that make units bring only some: a node sends them only if it
   * can read the units at once.
   */
  boolean isToAsk(boolean isMade) {
    return areWanted && (!isMade || digests.key().isFolded);
  }

  /**
   * Returns whether a unit has to be made once more because its digest of the plain form is
   * missing. The node that carries out an order sends such digests only of the units on its own
   * disks. If its report has no digest at all, the node does not know digests or could not read,
   * and making the unit again would not help.
   *
   * @param name the index of the unit in the report
   */
  boolean lacks(VersionReport report, int name) {
    return areWanted && !digests.key().isFolded && report != null
        && !report.digests.isEmpty()
        && !report.digests.containsKey(name);
  }
}
