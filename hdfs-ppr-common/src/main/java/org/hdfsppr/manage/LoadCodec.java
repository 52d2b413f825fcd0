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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.LoadProto;
import org.hdfsppr.wire.Door;

/**
 * Turns a {@link NodeLoad} into a message and back. The message has no fields for unknown rates.
 */
@InterfaceAudience.Private
final class LoadCodec {
  private LoadCodec() {
  }

  static LoadProto toProto(NodeLoad load) {
    LoadProto.Builder builder = LoadProto.newBuilder()
        .setRepairsAsDestination(load.asDestination)
        .setRepairsAsHelper(load.asHelper)
        .setFreeSlots(load.freeSlots)
        .setUserReadBytesPerS(load.userReadBytesPerSecond)
        .setUserWrittenBytesPerS(load.userWrittenBytesPerSecond)
        .setXceivers(load.xceivers);
    if (load.cpuPercent != NodeLoad.UNKNOWN) {
      builder.setCpuPercent(load.cpuPercent);
    }
    if (load.diskReadBytesPerSecond != NodeLoad.UNKNOWN) {
      builder.setDiskReadBytesPerS(load.diskReadBytesPerSecond);
    }
    if (load.diskWrittenBytesPerSecond != NodeLoad.UNKNOWN) {
      builder.setDiskWrittenBytesPerS(load.diskWrittenBytesPerSecond);
    }
    if (load.knowsDisks()) {
      builder.setDiskUsersBusyPercent(load.diskUsersBusyPercent)
          .setDiskBytesPerS(load.diskBytesPerSecond);
    }
    if (load.readLimitBytesPerSecond != NodeLoad.UNLIMITED) {
      builder.setReadLimitBytesPerS(load.readLimitBytesPerSecond);
    }
    if (load.writeLimitBytesPerSecond != NodeLoad.UNLIMITED) {
      builder.setWriteLimitBytesPerS(load.writeLimitBytesPerSecond);
    }
    load.repairRates().ifPresent(rates ->
        builder.setRepairRates(RepairRatesCodec.toProto(rates)));
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static NodeLoad parse(LoadProto proto) {
    NodeLoad load = new NodeLoad(
        Fields.count("repairs_as_destination", proto.getRepairsAsDestination()),
        Fields.count("repairs_as_helper", proto.getRepairsAsHelper()),
        Fields.count("free_slots", proto.getFreeSlots()),
        Fields.bytes("user_read_bytes_per_s", proto.getUserReadBytesPerS()),
        Fields.bytes("user_written_bytes_per_s", proto.getUserWrittenBytesPerS()),
        Fields.count("xceivers", proto.getXceivers()),
        proto.hasCpuPercent() ? Door.within("cpu_percent", proto.getCpuPercent(), 0, 100)
            : NodeLoad.UNKNOWN,
        proto.hasDiskReadBytesPerS()
            ? Fields.bytes("disk_read_bytes_per_s", proto.getDiskReadBytesPerS())
            : NodeLoad.UNKNOWN,
        proto.hasDiskWrittenBytesPerS()
            ? Fields.bytes("disk_written_bytes_per_s", proto.getDiskWrittenBytesPerS())
            : NodeLoad.UNKNOWN);
    if (proto.hasDiskUsersBusyPercent() && proto.hasDiskBytesPerS()) {
      load = load.withDisks(
          Door.within("disk_users_busy_percent", proto.getDiskUsersBusyPercent(), 0, 100),
          Door.within("disk_bytes_per_s", proto.getDiskBytesPerS(), 1, Long.MAX_VALUE));
    }
    if (proto.hasRepairRates()) {
      load = load.withRepairRates(RepairRatesCodec.parse(proto.getRepairRates()));
    }
    return load.withLimits(
        proto.hasReadLimitBytesPerS()
            ? limit("read_limit_bytes_per_s", proto.getReadLimitBytesPerS()) : NodeLoad.UNLIMITED,
        proto.hasWriteLimitBytesPerS()
            ? limit("write_limit_bytes_per_s", proto.getWriteLimitBytesPerS())
            : NodeLoad.UNLIMITED);
  }

  private static long limit(String name, long value) {
    return Door.within(name, value, 1, Long.MAX_VALUE);
  }
}
