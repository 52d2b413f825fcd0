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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.proto.ManagerProtos.TargetProto;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.WireRules;

/** A unit to rebuild, and the storage that is to receive it. Immutable. */
@InterfaceAudience.Private
public final class CommandTarget {
  /** Index of the unit */
  public final int unit;
  /** The DataNode that is to store the unit */
  public final NodeRef node;
  /** Id of the storage on that node */
  public final String storageId;
  /** Type of that storage */
  public final StorageType storageType;

  /**
   * @param unit index of the unit
   * @param node the DataNode that is to store the unit
   * @param storageId id of the storage on that node
   * @param storageType type of that storage
   */
  public CommandTarget(int unit, NodeRef node, String storageId, StorageType storageType) {
    this.unit = unit;
    this.node = Objects.requireNonNull(node, "node");
    this.storageId = Objects.requireNonNull(storageId, "storageId");
    this.storageType = Objects.requireNonNull(storageType, "storageType");
  }

  TargetProto toProto() {
    return TargetProto.newBuilder()
        .setUnit(unit)
        .setNode(WireRules.toProto(node))
        .setStorageId(storageId)
        .setStorageType(storageType.name())
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static CommandTarget parse(TargetProto proto) {
    StorageType type;
    try {
      type = StorageType.valueOf(proto.getStorageType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("storage_type '"
          + WireRules.text("storage_type", proto.getStorageType())
          + "' is unknown to this Hadoop", e);
    }
    return new CommandTarget(proto.getUnit(), FieldRules.node(proto.getNode()),
        WireRules.text("storage_id", proto.getStorageId()), type);
  }

  @Override
  public String toString() {
    return unit + "@" + node + " " + storageType;
  }
}
