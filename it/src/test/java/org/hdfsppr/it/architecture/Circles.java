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
package org.hdfsppr.it.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the circles of a directed graph: sets of nodes in which each node reaches all others. */
final class Circles {
  private Circles() {
  }

  /**
   * Finds the largest such sets with at least two nodes.
   *
   * @param edges maps a node to the nodes that its edges lead to; an edge to the node itself does
   *     not count
   * @return the sets, in the order of their first nodes
   */
  static List<SortedSet<String>> of(Map<String, ? extends Set<String>> edges) {
    Map<String, Set<String>> reached = new TreeMap<>();
    edges.keySet().forEach(node -> reached.put(node, reachedFrom(node, edges)));
    List<SortedSet<String>> circles = new ArrayList<>();
    Set<String> done = new HashSet<>();
    for (Map.Entry<String, Set<String>> node : reached.entrySet()) {
      SortedSet<String> circle = new TreeSet<>();
      for (String other : node.getValue()) {
        if (reached.getOrDefault(other, Collections.emptySet()).contains(node.getKey())) {
          circle.add(other);
        }
      }
      circle.add(node.getKey());
      if (circle.size() > 1 && done.addAll(circle)) {
        circles.add(circle);
      }
    }
    return circles;
  }

  private static Set<String> reachedFrom(String start, Map<String, ? extends Set<String>> edges) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(Set.of(start));
    while (!next.isEmpty()) {
      for (String to : edges.get(next.pop())) {
        if (edges.containsKey(to) && reached.add(to)) {
          next.push(to);
        }
      }
    }
    return reached;
  }
}
