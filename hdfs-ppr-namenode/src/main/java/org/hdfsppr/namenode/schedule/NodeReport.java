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
package org.hdfsppr.namenode.schedule;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a node's heartbeat says that matters for planning: the node's work besides repairs, its
 * limits, and what its plugin supports. Immutable.
 */
@InterfaceAudience.Private
public final class NodeReport {
  /**
   * The report that is assumed for a node until its first report: the node has no other work, and
   * can lead any number of repairs.
   */
  public static final NodeReport NONE =
      new NodeReport(0, 0, 0, Integer.MAX_VALUE, true, Collections.emptySet());

  final UserLoad users;
  final int freeSlots;
  final boolean acceptsBlocks;
  private final Set<Long> residentBlocks;
  final RepairBounds bounds;
  private final boolean narrowLinks;
  private final boolean columns;

  /**
   * @param userUpBytesPerS rate at which clients read from the node, bytes/s
   * @param userDownBytesPerS rate at which clients write to the node, bytes/s
   * @param diskBusyShare share of the disks' time that is used by other work than repairs, 0 to 1
   * @param freeSlots number of further repairs that the node could lead now
   * @param acceptsBlocks whether the node may store rebuilt blocks: it has space and stays in
   *     service
   * @param residentBlocks ids of the internal blocks that the node holds in memory
   */
  public NodeReport(double userUpBytesPerS, double userDownBytesPerS, double diskBusyShare,
      int freeSlots, boolean acceptsBlocks, Set<Long> residentBlocks) {
    this(new UserLoad(userUpBytesPerS, userDownBytesPerS, diskBusyShare), freeSlots, acceptsBlocks,
        Collections.unmodifiableSet(new HashSet<>(residentBlocks)), RepairBounds.UNKNOWN, false,
        false);
  }

  private NodeReport(UserLoad users, int freeSlots, boolean acceptsBlocks,
      Set<Long> residentBlocks, RepairBounds bounds, boolean narrowLinks, boolean columns) {
    this.users = users;
    this.freeSlots = Math.max(0, freeSlots);
    this.acceptsBlocks = acceptsBlocks;
    this.residentBlocks = residentBlocks;
    this.bounds = bounds;
    this.narrowLinks = narrowLinks;
    this.columns = columns;
  }

  /**
   * Returns a copy of this report with the rate at which all disks of the node can stream together,
   * as the node has measured it.
   *
   * @param bytesPerS the rate at which all disks together can stream, bytes/s
   * @return the report with that rate
   * @throws IllegalArgumentException if the rate is not above 0
   */
  public NodeReport withDisks(double bytesPerS) {
    return new NodeReport(users, freeSlots, acceptsBlocks, residentBlocks,
        new RepairBounds(bytesPerS, bounds.readLimitBytesPerS, bounds.writeLimitBytesPerS),
        narrowLinks, columns);
  }

  /**
   * Returns a copy of this report with the operator's limits for all repairs of the node together.
   * A limit that the operator has not set is {@link NodeCapacity#UNLIMITED}.
   *
   * @param readBytesPerS the limit for the reads of all repairs on the node, bytes/s
   * @param writeBytesPerS the limit for the writes of all repairs on the node, bytes/s
   * @return the report with these limits
   * @throws IllegalArgumentException if a limit is not above 0
   */
  public NodeReport withLimits(double readBytesPerS, double writeBytesPerS) {
    return new NodeReport(users, freeSlots, acceptsBlocks, residentBlocks,
        new RepairBounds(bounds.diskBytesPerS, readBytesPerS, writeBytesPerS), narrowLinks,
        columns);
  }

  /**
   * Returns a copy of this report that says whether the node supports narrow links.
   *
   * @param knows whether the node can send only the independent rows of a link, and derive the
   *     other rows from those that it receives
   * @return the changed copy
   */
  public NodeReport withNarrowLinks(boolean knows) {
    return new NodeReport(users, freeSlots, acceptsBlocks, residentBlocks, bounds, knows, columns);
  }

  /**
   * Returns a copy of this report that says whether the node can repair by columns of CORE.
   *
   * @param knows whether the node can lead such a repair
   * @return the changed copy
   */
  public NodeReport withColumns(boolean knows) {
    return new NodeReport(users, freeSlots, acceptsBlocks, residentBlocks, bounds, narrowLinks,
        knows);
  }

  boolean knowsColumns() {
    return columns;
  }

  boolean knowsNarrowLinks() {
    return narrowLinks;
  }

  boolean hasInMemory(long blockId) {
    return residentBlocks.contains(blockId);
  }

  /** What the node's users need of its link and its disks. */
  static final class UserLoad {
    final double upBytesPerS;
    final double downBytesPerS;
    /** Share of the disks' time, 0 to 1. */
    final double diskBusyShare;

    UserLoad(double upBytesPerS, double downBytesPerS, double diskBusyShare) {
      this.upBytesPerS = Math.max(0, upBytesPerS);
      this.downBytesPerS = Math.max(0, downBytesPerS);
      this.diskBusyShare = Math.max(0, Math.min(1, diskBusyShare));
    }
  }

  /** The rates that bound repairs, bytes/s; {@link NodeCapacity#UNLIMITED} where none does. */
  static final class RepairBounds {
    static final RepairBounds UNKNOWN = new RepairBounds(NodeCapacity.UNLIMITED,
        NodeCapacity.UNLIMITED, NodeCapacity.UNLIMITED);

    /** The rate of all disks together, as the node has measured it. */
    final double diskBytesPerS;
    /** The operator's limit for the reads of all repairs of the node. */
    final double readLimitBytesPerS;
    final double writeLimitBytesPerS;

    RepairBounds(double diskBytesPerS, double readLimitBytesPerS, double writeLimitBytesPerS) {
      this.diskBytesPerS = NodeCapacity.checked(diskBytesPerS);
      this.readLimitBytesPerS = NodeCapacity.checked(readLimitBytesPerS);
      this.writeLimitBytesPerS = NodeCapacity.checked(writeLimitBytesPerS);
    }
  }
}
