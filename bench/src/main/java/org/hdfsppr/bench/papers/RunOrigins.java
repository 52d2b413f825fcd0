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
package org.hdfsppr.bench.papers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;


/**
 * Compares what runs were measured on. A ratio of runs of two machines, or of two versions, says
 * nothing of what the runs compare.
 */
final class RunOrigins {
  private static final String UNKNOWN = "unknown";

  private RunOrigins() {
  }

  /**
   * {@return the facts in which the origins differ, each with its values, such as {@code version: 1
   * or 2}; empty if all are the same}
   *
   * @param origins what {@link MachineFacts} says of each run
   */
  static List<String> differences(Collection<Map<String, String>> origins) {
    TreeSet<String> names = new TreeSet<>();
    origins.forEach(origin -> names.addAll(origin.keySet()));
    TreeMap<String, TreeSet<String>> values = new TreeMap<>();
    for (Map<String, String> origin : origins) {
      names.forEach(name -> values.computeIfAbsent(name, none -> new TreeSet<>())
          .add(origin.getOrDefault(name, UNKNOWN)));
    }
    List<String> differences = new ArrayList<>();
    values.forEach((name, different) -> {
      if (different.size() > 1) {
        differences.add(name + ": " + String.join(" or ", different));
      }
    });
    return differences;
  }
}
