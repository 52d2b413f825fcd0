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
package org.hdfsppr.namenode.manage.explain;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.manage.launch.DestinationObstacle;

/**
 * Counts the live DataNodes that may be the destination of one group, and the others by obstacle.
 */
final class DestinationCensus {
  /** The greatest number of nodes that a sentence names for each obstacle. */
  private static final int NAMES_MAX = 5;

  private final Map<DestinationObstacle, List<String>> refused =
      new EnumMap<>(DestinationObstacle.class);
  private int accepted;
  private int all;

  /** Counts a node without an obstacle. */
  void accept() {
    accepted++;
    all++;
  }

  void refuse(DestinationObstacle why, String node) {
    refused.computeIfAbsent(why, one -> new ArrayList<>()).add(node);
    all++;
  }

  int accepted() {
    return accepted;
  }

  /**
   * Returns the obstacle that keeps most nodes out, without those that hold a unit of the group; of
   * several, the first of the enum. Empty if each node holds a unit or is accepted.
   */
  Optional<DestinationObstacle> worst() {
    return refused.keySet().stream().filter(why -> why != DestinationObstacle.HOLDS_UNIT)
        .reduce((one, other) ->
            refused.get(other).size() > refused.get(one).size() ? other : one);
  }

  List<String> nodes(DestinationObstacle why) {
    return refused.getOrDefault(why, List.of());
  }

  /** Returns all counts in one line. */
  String words() {
    return "of " + all + " live DataNodes, " + refused.entrySet().stream()
        .map(entry -> entry.getValue().size() + " " + entry.getKey().words
            + (entry.getKey() == DestinationObstacle.HOLDS_UNIT ? "" : " (" + some(entry.getValue())
            + ")"))
        .collect(Collectors.joining(", "))
        + (accepted == 0 ? "" : ", and " + accepted + " may take it now");
  }

  private static String some(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(NAMES_MAX, names.size())))
        + (names.size() > NAMES_MAX ? ", ..." : "");
  }
}
