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
package org.hdfsppr.namenode.spread;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;

/** A live DataNode, and what room it has for further blocks. Immutable. */
@InterfaceAudience.Private
public final class SpreadNode {
  /** The room on all volumes of one storage type of a DataNode. Immutable. */
  public static final class Room {
    private final long largest;
    private final long total;
    private final int scheduled;

    /**
     * @param largest the free bytes on the volume that has the most
     * @param total the free bytes on all these volumes together
     * @param scheduled how many blocks the NameNode has already scheduled for these volumes
     */
    public Room(long largest, long total, int scheduled) {
      this.largest = largest;
      this.total = total;
      this.scheduled = scheduled;
    }

    /**
     * Returns whether one more block fits, if blocks of {@code planned} bytes are still to come. As
     * the NameNode does, it reckons with as many bytes for each scheduled block as for this one.
     */
    boolean takes(long bytes, long planned) {
      return largest - planned >= bytes && total - planned - bytes * scheduled >= bytes;
    }
  }

  final String uuid;
  final String rack;
  final boolean target;
  private final Map<StorageType, Room> rooms;

  /**
   * @param uuid the DataNode's UUID
   * @param rack the DataNode's rack
   * @param isTarget whether the DataNode may get blocks: it is in service, and has sent a heartbeat
   *     lately
   * @param rooms by storage type, the room on the DataNode's volumes
   */
  public SpreadNode(String uuid, String rack, boolean isTarget, Map<StorageType, Room> rooms) {
    this.uuid = Objects.requireNonNull(uuid, "uuid");
    this.rack = Objects.requireNonNull(rack, "rack");
    this.target = isTarget;
    Map<StorageType, Room> copy = new EnumMap<>(StorageType.class);
    copy.putAll(rooms);
    this.rooms = Collections.unmodifiableMap(copy);
  }

  boolean takes(StorageType type, long bytes, long planned) {
    Room room = rooms.get(type);
    return room != null && room.takes(bytes, planned);
  }

  /** Returns the free bytes on all volumes of a storage type together. */
  long free(StorageType type) {
    Room room = rooms.get(type);
    return room == null ? 0 : room.total;
  }

  @Override
  public String toString() {
    return uuid + rack;
  }
}
