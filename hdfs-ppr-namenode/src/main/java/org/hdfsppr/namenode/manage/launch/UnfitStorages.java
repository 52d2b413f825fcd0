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
package org.hdfsppr.namenode.manage.launch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;

/**
 * Remembers the nodes on which the NameNode found no storage for a unit: no storage of a type that
 * the file's storage policy wants, or none with enough free space. For a while, such a node gets no
 * unit of a file with that storage policy if the unit is as long as the one that found no storage,
 * or longer. Otherwise each group would ask again, and take the NameNode's write lock each time.
 * Used by one thread.
 */
@InterfaceAudience.Private
public final class UnfitStorages {
  /** How long a node is left out, ms; it is short because the free space of nodes changes. */
  public static final long FOR_MS = 60_000;
  /**
   * The greatest number of nodes that are remembered for each storage policy; there are few
   * policies. If there are more nodes, the oldest is forgotten, and the NameNode is asked about
   * that node again.
   */
  static final int NODES_MAX = 20_000;

  private static final class Unfit {
    private final long bytes;
    private final long untilMs;

    Unfit(long bytes, long untilMs) {
      this.bytes = bytes;
      this.untilMs = untilMs;
    }
  }

  private final LongSupplier clockMs;
  /**
   * The unfit nodes. The first key combines the storage policy with a bit that says whether all
   * types that the policy allows were tried. The second key is the node's UUID.
   */
  private final Map<Integer, Map<String, Unfit>> byPolicy = new HashMap<>();

  UnfitStorages(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  private static int key(LostGroup group, boolean anyType) {
    return group.storagePolicy << 1 | (anyType ? 1 : 0);
  }

  /**
   * Returns the size of a full unit, bytes. The error is less than a cell, so that sizes can be
   * compared.
   */
  private static long unitBytes(LostGroup group) {
    int units = group.policy.dataUnits;
    return (group.groupBytes + units - 1) / units;
  }

  void add(NodeRef node, LostGroup group, boolean anyType) {
    Map<String, Unfit> nodes = byPolicy.computeIfAbsent(key(group, anyType),
        policy -> new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Unfit> eldest) {
            return size() > NODES_MAX;
          }
        });
    Unfit before = nodes.get(node.uuid);
    boolean isKnown = before != null && clockMs.getAsLong() < before.untilMs;
    long bytes = unitBytes(group);
    nodes.put(node.uuid, new Unfit(isKnown ? Math.min(before.bytes, bytes) : bytes,
        clockMs.getAsLong() + FOR_MS));
  }

  boolean isUnfit(NodeRef node, LostGroup group, boolean anyType) {
    Map<String, Unfit> nodes = byPolicy.get(key(group, anyType));
    Unfit unfit = nodes == null ? null : nodes.get(node.uuid);
    if (unfit == null) {
      return false;
    }
    if (clockMs.getAsLong() >= unfit.untilMs) {
      nodes.remove(node.uuid);
      return false;
    }
    return unitBytes(group) >= unfit.bytes;
  }
}
