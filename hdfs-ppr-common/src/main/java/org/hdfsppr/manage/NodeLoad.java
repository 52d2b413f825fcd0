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
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos.LoadProto;
import org.hdfsppr.wire.WireRules;

/**
 * The load of a DataNode at the time of a heartbeat, and how much more it can do. Rates are
 * averages since the last heartbeat, in bytes per second. Immutable.
 */
@InterfaceAudience.Private
public final class NodeLoad {
  /** The value of a measurement that the machine does not provide. */
  public static final int UNKNOWN = -1;
  /** The value of a limit that the operator has not configured. */
  public static final long UNLIMITED = -1;

  /** Number of repairs that wait or run on this node as their destination */
  public final int asDestination;
  /** Number of repairs of other destinations in which this node is a helper */
  public final int asHelper;
  /** How many further repairs the node could start at once */
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
  /** Number of threads that serve clients and other DataNodes */
  public final int xceivers;
  /** Load of all processors of the machine, 0 to 100, or {@link #UNKNOWN} */
  public final int cpuPercent;
  /** Bytes per second read from all disks of the machine, or {@link #UNKNOWN} */
  public final long diskReadBytesPerSecond;
  /** Bytes per second written to all disks of the machine, or {@link #UNKNOWN} */
  public final long diskWrittenBytesPerSecond;
  /**
   * Percentage of time for which the disks of the node's volumes are busy with other work than
   * repairs, or {@link #UNKNOWN}
   */
  public final int diskUsersBusyPercent;
  /**
   * Bytes per second that the disks of the node's volumes can stream together, or {@link #UNKNOWN}
   */
  public final long diskBytesPerSecond;
  /** Bytes per second that all repairs may read on this node, or {@link #UNLIMITED} */
  public final long readLimitBytesPerSecond;
  /** Bytes per second that the repairs led by this node may write, or {@link #UNLIMITED} */
  public final long writeLimitBytesPerSecond;
  /**
   * The rates at which repairs use the node's link; empty if the node's version is too old to
   * report them
   */
  public final Optional<RepairRates> repairRates;
  private final LoadProto proto;

  /**
   * Makes a load without the optional measurements and limits; the methods {@link #withMachine},
   * {@link #withDisks}, {@link #withLimits} and {@link #withRepairRates} add these.
   *
   * @param asDestination number of repairs that wait or run on this node as their destination,
   *     ordered by a manager or by stock HDFS
   * @param asHelper number of repairs of other destinations in which this node is a helper
   * @param freeSlots how many further repairs the node could start at once
   * @param userReadBytesPerSecond bytes per second that clients and other DataNodes read from the
   *     node's replicas; reads of repairs do not count
   * @param userWrittenBytesPerSecond bytes per second that clients and other DataNodes write to the
   *     node; writes of repairs do not count
   * @param xceivers number of threads that serve clients and other DataNodes
   */
  public NodeLoad(int asDestination, int asHelper, int freeSlots, long userReadBytesPerSecond,
      long userWrittenBytesPerSecond, int xceivers) {
    this(LoadProto.newBuilder()
        .setRepairsAsDestination(asDestination)
        .setRepairsAsHelper(asHelper)
        .setFreeSlots(freeSlots)
        .setUserReadBytesPerS(userReadBytesPerSecond)
        .setUserWrittenBytesPerS(userWrittenBytesPerSecond)
        .setXceivers(xceivers));
  }

  /**
   * Takes the values from a message, which omits a value that is unknown and a limit that is not
   * configured.
   */
  private NodeLoad(LoadProto.Builder load) {
    repairRates = load.hasRepairRates() ? Optional.of(RepairRates.parse(load.getRepairRates()))
        : Optional.empty();
    repairRates.ifPresent(rates -> load.setRepairRates(rates.toProto()));
    proto = load.build();
    asDestination = proto.getRepairsAsDestination();
    asHelper = proto.getRepairsAsHelper();
    freeSlots = proto.getFreeSlots();
    userReadBytesPerSecond = proto.getUserReadBytesPerS();
    userWrittenBytesPerSecond = proto.getUserWrittenBytesPerS();
    xceivers = proto.getXceivers();
    cpuPercent = proto.hasCpuPercent() ? proto.getCpuPercent() : UNKNOWN;
    diskReadBytesPerSecond = proto.hasDiskReadBytesPerS() ? proto.getDiskReadBytesPerS() : UNKNOWN;
    diskWrittenBytesPerSecond =
        proto.hasDiskWrittenBytesPerS() ? proto.getDiskWrittenBytesPerS() : UNKNOWN;
    diskUsersBusyPercent =
        proto.hasDiskUsersBusyPercent() ? proto.getDiskUsersBusyPercent() : UNKNOWN;
    diskBytesPerSecond = proto.hasDiskBytesPerS() ? proto.getDiskBytesPerS() : UNKNOWN;
    readLimitBytesPerSecond =
        proto.hasReadLimitBytesPerS() ? proto.getReadLimitBytesPerS() : UNLIMITED;
    writeLimitBytesPerSecond =
        proto.hasWriteLimitBytesPerS() ? proto.getWriteLimitBytesPerS() : UNLIMITED;
  }

  /**
   * Adds measurements of the whole machine, including other processes.
   *
   * @param cpu load of all processors of the machine, 0 to 100, or {@link #UNKNOWN}
   * @param diskRead bytes per second read from all disks of the machine, or {@link #UNKNOWN}
   * @param diskWritten bytes per second written to all disks of the machine, or {@link #UNKNOWN}
   * @return the same load with these measurements
   */
  public NodeLoad withMachine(int cpu, long diskRead, long diskWritten) {
    LoadProto.Builder load = proto.toBuilder().clearCpuPercent().clearDiskReadBytesPerS()
        .clearDiskWrittenBytesPerS();
    if (cpu != UNKNOWN) {
      load.setCpuPercent(cpu);
    }
    if (diskRead != UNKNOWN) {
      load.setDiskReadBytesPerS(diskRead);
    }
    if (diskWritten != UNKNOWN) {
      load.setDiskWrittenBytesPerS(diskWritten);
    }
    return new NodeLoad(load);
  }

  /**
   * Adds measurements of the disks of the node's volumes.
   *
   * @param usersBusyPercent percentage of time for which the disks are busy with other work than
   *     repairs, 0 to 100
   * @param bytesPerSecond bytes per second that all disks together can stream, more than 0
   * @return the same load with these measurements
   */
  public NodeLoad withDisks(int usersBusyPercent, long bytesPerSecond) {
    return new NodeLoad(proto.toBuilder()
        .setDiskUsersBusyPercent(usersBusyPercent).setDiskBytesPerS(bytesPerSecond));
  }

  /**
   * Adds the operator's limits for all repairs of the node together.
   *
   * @param readBytesPerSecond limit for reads, more than 0, or {@link #UNLIMITED}
   * @param writeBytesPerSecond limit for writes, more than 0, or {@link #UNLIMITED}
   * @return the same load with these limits
   */
  public NodeLoad withLimits(long readBytesPerSecond, long writeBytesPerSecond) {
    LoadProto.Builder load =
        proto.toBuilder().clearReadLimitBytesPerS().clearWriteLimitBytesPerS();
    if (readBytesPerSecond != UNLIMITED) {
      load.setReadLimitBytesPerS(readBytesPerSecond);
    }
    if (writeBytesPerSecond != UNLIMITED) {
      load.setWriteLimitBytesPerS(writeBytesPerSecond);
    }
    return new NodeLoad(load);
  }

  /**
   * Adds the rates at which repairs use the node's link.
   *
   * @param rates the rates
   * @return the same load with these rates
   */
  public NodeLoad withRepairRates(RepairRates rates) {
    return new NodeLoad(proto.toBuilder().setRepairRates(rates.toProto()));
  }

  /** @return whether {@link #diskUsersBusyPercent} and {@link #diskBytesPerSecond} are known */
  public boolean knowsDisks() {
    return diskBytesPerSecond != UNKNOWN;
  }

  /** Encodes the load. The message has each known value, even if the value is zero. */
  LoadProto toProto() {
    return proto.toBuilder()
        .setUserReadBytesPerS(userReadBytesPerSecond)
        .setUserWrittenBytesPerS(userWrittenBytesPerSecond)
        .setXceivers(xceivers)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static NodeLoad parse(LoadProto proto) {
    FieldRules.count("repairs_as_destination", proto.getRepairsAsDestination());
    FieldRules.count("repairs_as_helper", proto.getRepairsAsHelper());
    FieldRules.count("free_slots", proto.getFreeSlots());
    FieldRules.bytes("user_read_bytes_per_s", proto.getUserReadBytesPerS());
    FieldRules.bytes("user_written_bytes_per_s", proto.getUserWrittenBytesPerS());
    FieldRules.count("xceivers", proto.getXceivers());
    // For a field that the message omits, the getter returns 0, which is within these bounds.
    WireRules.within("cpu_percent", proto.getCpuPercent(), 0, 100);
    FieldRules.bytes("disk_read_bytes_per_s", proto.getDiskReadBytesPerS());
    FieldRules.bytes("disk_written_bytes_per_s", proto.getDiskWrittenBytesPerS());
    // The object drops fields that this version does not know, because they could be of any size.
    LoadProto.Builder load =
        proto.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
    if (proto.hasDiskUsersBusyPercent() && proto.hasDiskBytesPerS()) {
      WireRules.within("disk_users_busy_percent", proto.getDiskUsersBusyPercent(), 0, 100);
      WireRules.within("disk_bytes_per_s", proto.getDiskBytesPerS(), 1, Long.MAX_VALUE);
    } else {
      load.clearDiskUsersBusyPercent().clearDiskBytesPerS();
    }
    if (proto.hasReadLimitBytesPerS()) {
      WireRules.within("read_limit_bytes_per_s", proto.getReadLimitBytesPerS(), 1, Long.MAX_VALUE);
    }
    if (proto.hasWriteLimitBytesPerS()) {
      WireRules.within("write_limit_bytes_per_s", proto.getWriteLimitBytesPerS(), 1,
          Long.MAX_VALUE);
    }
    return new NodeLoad(load);
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
        + repairRates.map(rates -> ", " + rates).orElse("");
  }
}
