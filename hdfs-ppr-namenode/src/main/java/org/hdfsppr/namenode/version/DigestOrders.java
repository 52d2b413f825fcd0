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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.plan.BlockRef;

/**
 * Asks the nodes of a group for digests, if they are wanted: with the order that makes a unit, and
 * by an order of its own for a block that is there. Immutable.
 */
@InterfaceAudience.Private
final class DigestOrders {
  /**
   * How long digests may wait for others of their node beyond what these take, ms. Orders of other
   * NameNodes, and of larger blocks, take it.
   */
  private static final long WAIT_MS = 600_000;
  /**
   * How many units a node reads for digests at a time, at one rate together, with some to spare: it
   * has threads for four orders of links and for eight makings.
   */
  static final int READ_AT_A_TIME = 16;

  private final boolean areWanted;
  private final GroupDigests digests;
  private final long bytesPerSecond;

  /**
   * @param digests takes the digests
   * @param bytesPerSecond the most bytes that a node reads in a second
   */
  DigestOrders(boolean areWanted, GroupDigests digests, long bytesPerSecond) {
    this.areWanted = areWanted;
    this.digests = digests;
    this.bytesPerSecond = bytesPerSecond;
  }

  boolean areWanted() {
    return areWanted;
  }

  /** Asks for digests of blocks that a node has. */
  LinkCommand of(String id, long term, List<BlockRef> blocks) {
    long bytes = blocks.stream().mapToLong(BlockRef::length).sum();
    return LinkCommand.digests(id, term, blocks, digests.key(), bytesPerSecond,
        Math.min(RepairCommand.DEADLINE_MS_MAX, WAIT_MS
            + (READ_AT_A_TIME + DigestPlaces.AT_A_TIME) * 1_000 * bytes / bytesPerSecond));
  }

  /**
   * Asks for digests of what a node makes.
   *
   * @param sendsDigests whether the node sends digests of blocks; another one knows the plain form
   *     only
   */
  MakeCommand with(MakeCommand command, boolean sendsDigests) {
    return areWanted && (sendsDigests || !digests.key().isFolded())
        ? command.withDigestKey(digests.key()) : command;
  }

  /**
   * Returns whether the node of a unit is asked for its digest by an order of its own, if the order
   * that linked or made it has sent none. After a link that is always so. A node that knows folded
   * digests sends those of what it makes only if it can read that at once.
   */
  boolean isToAsk(boolean isMade) {
    return areWanted && (!isMade || digests.key().isFolded());
  }

  /**
   * Returns whether a unit has to be made once more for its digest of the plain form: the node that
   * has carried out an order sends digests of its own units only. If its report has no digest at
   * all, the node does not know digests, or could not read, and to ask others would be useless.
   *
   * @param name the unit's number in the report
   */
  boolean lacks(VersionReport report, int name) {
    return areWanted && !digests.key().isFolded() && report != null
        && !report.digests().isEmpty()
        && !report.digests().containsKey(name);
  }
}
