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
package org.hdfsppr.manage;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The load of a DataNode at one moment, and the capacity that it has left. Rates are averages since
 * the last heartbeat, in bytes per second. Immutable.
 */
@InterfaceAudience.Private
public final class NodeLoad {
  /** Stands for a value that the machine does not provide. */
  public static final int UNKNOWN = -1;
  /** Stands for a limit that is not configured. */
  public static final long UNLIMITED = -1;

  /** Repairs that wait or run on this node as their destination */
  public final int asDestination;
  /** Repairs of other destinations that this node helps with */
  public final int asHelper;
  /** Repairs that the node could start at once in addition */
  public final int freeSlots;
  /**
   * Bytes per second that clients and other DataNodes read from the node's replicas; reads of
   * repairs do not count
   */
  public final long userReadBytesPerSecond;
  /**
   * Bytes per second that clients and other DataNodes write to the node; writes of repairs do not
   * count
   */
  public final long userWrittenBytesPerSecond;
  /** Threads that serve clients and other DataNodes */
  public final int xceivers;
  /** Load of all processors of the machine, 0 to 100, or {@link #UNKNOWN} */
  public final int cpuPercent;
  /** Bytes per second read from all disks of the machine, or {@link #UNKNOWN} */
  public final long diskReadBytesPerSecond;
  /** Bytes per second written to all disks of the machine, or {@link #UNKNOWN} */
  public final long diskWrittenBytesPerSecond;
  /**
   * Percentage of the time of the disks under the volumes that goes to other work than repairs, or
   * {@link #UNKNOWN}
   */
  public final int diskUsersBusyPercent;
  /** Bytes per second that the disks under the volumes can stream together, or {@link #UNKNOWN} */
  public final long diskBytesPerSecond;
  /** Bytes per second that all repairs may read on this node, or {@link #UNLIMITED} */
  public final long readLimitBytesPerSecond;
  /** Bytes per second that the repairs led by this node may write, or {@link #UNLIMITED} */
  public final long writeLimitBytesPerSecond;
  private final RepairRates repairRates;

  /**
   * @param asDestination repairs that wait or run on this node as their destination, ordered by
   *     managers or by stock
   * @param asHelper repairs of other destinations that this node helps with
   * @param freeSlots repairs that the node could start at once in addition
   * @param userReadBytesPerSecond bytes per second that clients and other DataNodes read from the
   *     node's replicas; reads of repairs do not count
   * @param userWrittenBytesPerSecond bytes per second that clients and other DataNodes write to the
   *     node; writes of repairs do not count
   * @param xceivers threads that serve clients and other DataNodes
   * @param cpuPercent load of all processors of the machine, 0 to 100, or {@link #UNKNOWN}
   * @param diskReadBytesPerSecond bytes per second read from all disks of the machine, or {@link
   *     #UNKNOWN}
   * @param diskWrittenBytesPerSecond bytes per second written to all disks of the machine, or
   *     {@link #UNKNOWN}
   */
  public NodeLoad(int asDestination, int asHelper, int freeSlots, long userReadBytesPerSecond,
      long userWrittenBytesPerSecond, int xceivers, int cpuPercent, long diskReadBytesPerSecond,
      long diskWrittenBytesPerSecond) {
    this(asDestination, asHelper, freeSlots, userReadBytesPerSecond, userWrittenBytesPerSecond,
        xceivers, cpuPercent, diskReadBytesPerSecond, diskWrittenBytesPerSecond, UNKNOWN, UNKNOWN,
        UNLIMITED, UNLIMITED, null);
  }

  private NodeLoad(int asDestination, int asHelper, int freeSlots, long userReadBytesPerSecond,
      long userWrittenBytesPerSecond, int xceivers, int cpuPercent, long diskReadBytesPerSecond,
      long diskWrittenBytesPerSecond, int diskUsersBusyPercent, long diskBytesPerSecond,
      long readLimitBytesPerSecond, long writeLimitBytesPerSecond, RepairRates repairRates) {
    this.asDestination = asDestination;
    this.asHelper = asHelper;
    this.freeSlots = freeSlots;
    this.userReadBytesPerSecond = userReadBytesPerSecond;
    this.userWrittenBytesPerSecond = userWrittenBytesPerSecond;
    this.xceivers = xceivers;
    this.cpuPercent = cpuPercent;
    this.diskReadBytesPerSecond = diskReadBytesPerSecond;
    this.diskWrittenBytesPerSecond = diskWrittenBytesPerSecond;
    this.diskUsersBusyPercent = diskUsersBusyPercent;
    this.diskBytesPerSecond = diskBytesPerSecond;
    this.readLimitBytesPerSecond = readLimitBytesPerSecond;
    this.writeLimitBytesPerSecond = writeLimitBytesPerSecond;
    this.repairRates = repairRates;
  }

  /**
   * Adds measurements of the disks under the node's volumes.
   *
   * @param usersBusyPercent percentage of the disks' time that goes to other work than repairs, 0
   *     to 100
   * @param bytesPerSecond bytes per second that all disks together can stream, more than 0
   * @return the same load with these measurements
   */
  public NodeLoad withDisks(int usersBusyPercent, long bytesPerSecond) {
    return new NodeLoad(asDestination, asHelper, freeSlots, userReadBytesPerSecond,
        userWrittenBytesPerSecond, xceivers, cpuPercent, diskReadBytesPerSecond,
        diskWrittenBytesPerSecond, usersBusyPercent, bytesPerSecond, readLimitBytesPerSecond,
        writeLimitBytesPerSecond, repairRates);
  }

  /**
   * Adds the operator's limits for all repairs of the node together.
   *
   * @param readBytesPerSecond limit for reads, more than 0, or {@link #UNLIMITED}
   * @param writeBytesPerSecond limit for writes, more than 0, or {@link #UNLIMITED}
   * @return the same load with these limits
   */
  public NodeLoad withLimits(long readBytesPerSecond, long writeBytesPerSecond) {
    return new NodeLoad(asDestination, asHelper, freeSlots, userReadBytesPerSecond,
        userWrittenBytesPerSecond, xceivers, cpuPercent, diskReadBytesPerSecond,
        diskWrittenBytesPerSecond, diskUsersBusyPercent, diskBytesPerSecond, readBytesPerSecond,
        writeBytesPerSecond, repairRates);
  }

  /**
   * Adds the rates at which repairs use the node's link.
   *
   * @param rates the rates
   * @return the same load with these rates
   */
  public NodeLoad withRepairRates(RepairRates rates) {
    return new NodeLoad(asDestination, asHelper, freeSlots, userReadBytesPerSecond,
        userWrittenBytesPerSecond, xceivers, cpuPercent, diskReadBytesPerSecond,
        diskWrittenBytesPerSecond, diskUsersBusyPercent, diskBytesPerSecond,
        readLimitBytesPerSecond, writeLimitBytesPerSecond, rates);
  }

  /** @return whether {@link #diskUsersBusyPercent} and {@link #diskBytesPerSecond} are known */
  public boolean knowsDisks() {
    return diskBytesPerSecond != UNKNOWN;
  }

  /** @return the rates at which repairs use the node's link; empty if the node is too old */
  public Optional<RepairRates> repairRates() {
    return Optional.ofNullable(repairRates);
  }

  @Override
  public String toString() {
    return asDestination + " repairs led, " + asHelper + " helped, " + freeSlots + " slots free, "
        + userReadBytesPerSecond + " bytes/s read, " + userWrittenBytesPerSecond
        + " bytes/s written, " + xceivers + " xceivers, CPU " + cpuPercent + " %, disks "
        + diskReadBytesPerSecond + " bytes/s read, " + diskWrittenBytesPerSecond
        + " bytes/s written, users keep them busy " + diskUsersBusyPercent + " %, they stream "
        + diskBytesPerSecond + " bytes/s, repairs may read " + readLimitBytesPerSecond
        + " bytes/s and write " + writeLimitBytesPerSecond + " bytes/s"
        + (repairRates == null ? "" : ", " + repairRates);
  }
}
