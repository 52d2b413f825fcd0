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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * References to DataNodes, and holders of units on them, that all descriptions of groups share. A
 * million groups may wait, each with several holders, and there are few nodes. Thread-safe.
 */
@InterfaceAudience.Private
final class KnownNodes {
  /** If more nodes are known, all are forgotten, which costs memory only. No cluster has these. */
  private static final int NODES_MAX = 100_000;
  private static final int UNITS_MAX = 16;

  private final ToIntFunction<String> repairPort;
  private final Map<String, Known> byUuid = new ConcurrentHashMap<>();

  /** A reference, and the holders that have been asked for, by unit. */
  private static final class Known {
    private final NodeRef ref;
    private final Holder[] holders = new Holder[UNITS_MAX];

    Known(NodeRef ref) {
      this.ref = ref;
    }

    Holder holder(int unit) {
      Holder holder = holders[unit];
      if (holder == null) {
        // Another thread may make an equal one meanwhile.
        holder = new Holder(unit, ref);
        holders[unit] = holder;
      }
      return holder;
    }
  }

  /** @param repairPort maps a DataNode's UUID to its repair port; called without a lock */
  KnownNodes(ToIntFunction<String> repairPort) {
    this.repairPort = repairPort;
  }

  /** The nodes as they are now, for one answer. Each node is looked at once. Used by one thread. */
  final class Now {
    private final Map<DatanodeDescriptor, Known> seen = new IdentityHashMap<>();

    NodeRef ref(DatanodeDescriptor node) {
      return seen.computeIfAbsent(node, KnownNodes.this::look).ref;
    }

    Holder holder(int unit, DatanodeDescriptor node) {
      return seen.computeIfAbsent(node, KnownNodes.this::look).holder(unit);
    }
  }

  Now now() {
    return new Now();
  }

  private Known look(DatanodeDescriptor node) {
    String uuid = node.getDatanodeUuid();
    NodeRef ref = new NodeRef(uuid, node.getIpAddr(), node.getHostName(), node.getXferPort(),
        repairPort.applyAsInt(uuid), node.getNetworkLocation());
    Known known = byUuid.get(uuid);
    if (known == null || !known.ref.saysTheSameAs(ref)) {
      if (byUuid.size() >= NODES_MAX) {
        byUuid.clear();
      }
      known = new Known(ref);
      byUuid.put(uuid, known);
    }
    return known;
  }
}
