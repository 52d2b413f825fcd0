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
package org.hdfsppr.client.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Puts the DataNodes of a group into the order of their chain. Nodes of one rack stand together, so
 * that few sums cross racks. Each group begins with another rack and another node, so that all
 * nodes take turns in sending to the client. Thread-safe.
 */
final class HelperOrder {
  /** Stands for this client where plans need a node. */
  static final NodeRef READER = new NodeRef("client", "", "", 0, NodeRef.NO_REPAIR_PORT, "");
  /**
   * The ids of successive groups differ by this number, because each group has ids for 16 units.
   */
  private static final long IDS_OF_GROUP = 16;

  private final ToIntFunction<DatanodeInfo> repairPort;

  /** @param repairPort the port at which a DataNode serves sums if it does */
  HelperOrder(ToIntFunction<DatanodeInfo> repairPort) {
    this.repairPort = repairPort;
  }

  /**
   * Returns one holder for each unit that has bytes and a known holder.
   *
   * @param withoutPort UUIDs of the nodes that do not serve sums
   */
  List<UnitHolder> of(LocatedUnits group, Set<String> withoutPort) {
    TreeMap<String, List<UnitHolder>> racks = new TreeMap<>();
    for (int unit = 0; unit < group.units(); unit++) {
      DatanodeInfo node = group.holder(unit);
      if (node != null && group.unitBytes(unit) > 0) {
        racks.computeIfAbsent(node.getNetworkLocation(), rack -> new ArrayList<>())
            .add(new UnitHolder(unit, new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
                node.getHostName(), node.getXferPort(),
                withoutPort.contains(node.getDatanodeUuid()) ? NodeRef.NO_REPAIR_PORT
                    : repairPort.applyAsInt(node), node.getNetworkLocation())));
      }
    }
    long turn = Math.floorDiv(group.id().groupId, IDS_OF_GROUP);
    List<List<UnitHolder>> order = new ArrayList<>(racks.values());
    rotate(order, turn);
    List<UnitHolder> all = new ArrayList<>();
    for (List<UnitHolder> rack : order) {
      rack.sort(Comparator.comparing(holder -> holder.node.uuid));
      rotate(rack, turn);
      all.addAll(rack);
    }
    return all;
  }

  private static void rotate(List<?> list, long turn) {
    if (!list.isEmpty()) {
      Collections.rotate(list, (int) Math.floorMod(turn, (long) list.size()));
    }
  }
}
