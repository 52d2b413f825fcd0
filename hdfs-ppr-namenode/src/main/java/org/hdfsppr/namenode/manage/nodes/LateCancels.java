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
   * For how many nodes cancellations are kept, as many as several racks have. If more are silent,
   * the cluster has lost units of most new versions anyway, and the node that has waited longest is
   * the one least likely to come back.
   */
  static final int NODES_MAX = 256;
  /**
   * How many are kept for one node: twice as many as commands for versions wait at a node, because
   * others run, and some are ordered again when it comes back for a moment.
   */
  static final int ORDERS_MAX = 256;

  /** By UUID; the node for which one has been kept longest comes first. */
  private final Map<String, Deque<CancelCommand>> nodes = new LinkedHashMap<>();

  /** Keeps a cancellation. The oldest one goes if there are too many. */
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
