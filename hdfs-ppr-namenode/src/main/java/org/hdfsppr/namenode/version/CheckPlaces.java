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
package org.hdfsppr.namenode.version;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/**
 * Counts the checks of new versions' groups at each DataNode. A DataNode refuses a check for which
 * it has no place, so that files wait here until a node has one. Thread-safe.
 */
@InterfaceAudience.Private
final class CheckPlaces {
  private final VersionDoor door;
  /** How many checks a node has, by its UUID. Nodes without checks are not in it. */
  private final Map<String, Integer> taken = new HashMap<>();

  CheckPlaces(VersionDoor door) {
    this.door = door;
  }

  /**
   * Takes a place on the node that has the fewest checks.
   *
   * @param nodes may lead the check
   * @return the node, to be given back; empty if no node has a place now
   */
  synchronized Optional<NodeRef> take(Collection<NodeRef> nodes) {
    Optional<NodeRef> least = nodes.stream()
        .filter(node -> count(node) < door.checksAtATime(node.uuid))
        .min(Comparator.comparingInt(this::count));
    least.ifPresent(node -> taken.merge(node.uuid, 1, Integer::sum));
    return least;
  }

  private int count(NodeRef node) {
    return taken.getOrDefault(node.uuid, 0);
  }

  /** Gives a place back. */
  synchronized void release(NodeRef node) {
    taken.computeIfPresent(node.uuid, (uuid, count) -> count == 1 ? null : count - 1);
  }
}
