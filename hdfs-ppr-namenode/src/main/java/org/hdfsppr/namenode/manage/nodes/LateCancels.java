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
package org.hdfsppr.namenode.manage.nodes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;

/**
 * Cancellations for DataNodes that are silent, until these are heard again. A node whose
 * heartbeats do not arrive goes on with what it was ordered, and later writes a unit that another
 * node has made since. Thread-safe.
 */
@InterfaceAudience.Private
final class LateCancels {
  /**
   * The most nodes that cancellations are kept for: several racks. If more nodes are silent, most
   * new versions have lost units anyway, and the node whose cancellations are the oldest is the
   * least likely to come back.
   */
  static final int NODES_MAX = 256;
  /**
   * The most cancellations that are kept for one node: twice as many as commands for versions wait
   * at a node, because some commands run, and some are ordered again when the node comes back for a
   * moment.
   */
  static final int ORDERS_MAX = 256;

  /** By UUID. The first node is the one that has had cancellations for the longest time. */
  private final Map<String, Deque<CancelCommand>> nodes = new LinkedHashMap<>();

  /** Keeps a cancellation, and drops the oldest one if there are too many. */
  synchronized void add(String uuid, CancelCommand command) {
    if (!nodes.containsKey(uuid) && nodes.size() == NODES_MAX) {
      nodes.remove(nodes.keySet().iterator().next());
    }
    Deque<CancelCommand> cancels = nodes.computeIfAbsent(uuid, node -> new ArrayDeque<>());
    if (cancels.size() == ORDERS_MAX) {
      cancels.remove();
    }
    cancels.add(command);
  }

  /** Returns the cancellations for a node, oldest first, and forgets them. */
  synchronized Iterable<CancelCommand> take(String uuid) {
    Deque<CancelCommand> cancels = nodes.remove(uuid);
    return cancels == null ? new ArrayDeque<>() : cancels;
  }

  synchronized void clear() {
    nodes.clear();
  }
}
