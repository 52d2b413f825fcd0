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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.plan.GroupId;

/** The DataNodes that have the units of a block group at one moment. Immutable. */
@InterfaceAudience.Private
public final class SpreadRow {
  /** The DataNode, storage type and length of the only replica of a unit. Immutable. */
  public static final class Replica {
    final String node;
    final StorageType type;
    final long bytes;

    /**
     * @param node UUID of the DataNode that has it
     * @param type the storage type of its volume
     * @param bytes its length, bytes
     */
    public Replica(String node, StorageType type, long bytes) {
      this.node = Objects.requireNonNull(node, "node");
      this.type = Objects.requireNonNull(type, "type");
      this.bytes = bytes;
    }
  }

  final GroupId id;
  final Map<Integer, Set<String>> held;
  final Map<Integer, Set<String>> staying;
  final Map<Integer, Replica> movable;

  /**
   * @param id the block group
   * @param held for each unit, the UUIDs of the DataNodes that have a replica in any state, or that
   *     are targets of a repair that has begun
   * @param staying like {@code held}, without replicas that are about to be deleted because other
   *     ones have replaced them
   * @param movable for each unit that may move, its only replica. Empty if the block group lacks a
   *     unit, or is being repaired or written
   */
  public SpreadRow(GroupId id, Map<Integer, Set<String>> held,
      Map<Integer, Set<String>> staying, Map<Integer, Replica> movable) {
    this.id = Objects.requireNonNull(id, "id");
    this.held = copy(held);
    this.staying = copy(staying);
    this.movable = Collections.unmodifiableMap(new HashMap<>(movable));
  }

  private static Map<Integer, Set<String>> copy(Map<Integer, Set<String>> of) {
    Map<Integer, Set<String>> copy = new HashMap<>();
    of.forEach((unit, nodes) -> copy.put(unit, Collections.unmodifiableSet(new HashSet<>(nodes))));
    return Collections.unmodifiableMap(copy);
  }
}
