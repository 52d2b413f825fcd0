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
package org.hdfsppr.namenode.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatRequest;

/** Finds different versions of the extension among the nodes. */
@InterfaceAudience.Private
final class VersionCheck implements Check {
  private static final String NAMELESS = "0.1.0";

  @Override
  public List<Finding> examine(ClusterFacts facts) {
    Map<String, List<String>> byVersion = new TreeMap<>();
    for (NodeFacts node : facts.speaking()) {
      boolean isNameless = node.software.equals(HeartbeatRequest.NO_VERSION);
      // Version 0.1.0 gave no version. A newer node without one runs classes that no release has.
      if (!isNameless || node.self().isEmpty()) {
        byVersion.computeIfAbsent(isNameless ? NAMELESS : node.software,
            version -> new ArrayList<>()).add(node.name());
      }
    }
    String own = facts.namenode.software;
    boolean likeOwn = byVersion.isEmpty() || byVersion.containsKey(own)
        || own.equals(HeartbeatRequest.NO_VERSION);
    if (byVersion.size() <= 1 && likeOwn) {
      return List.of(Finding.ok(FindingCode.VERSIONS_DIFFER, "All DataNodes with the plugin and"
          + " this NameNode run version "
          + byVersion.keySet().stream().findFirst().orElse(own) + "."));
    }
    List<Map.Entry<String, List<String>>> fewestFirst = new ArrayList<>(byVersion.entrySet());
    fewestFirst.sort(Comparator.comparing(entry -> entry.getValue().size()));
    List<String> odd = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : fewestFirst) {
      if (said.size() < fewestFirst.size() - 1) {
        odd.addAll(each.getValue());
      }
      said.add(each.getKey() + " on " + Prose.list(each.getValue()));
    }
    return List.of(Finding.warning(FindingCode.VERSIONS_DIFFER, odd,
        "Different versions of hdfs-ppr work together: " + Prose.list(said)
        + "; this NameNode runs " + own + "."));
  }
}
