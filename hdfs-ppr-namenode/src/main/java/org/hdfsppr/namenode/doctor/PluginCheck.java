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

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds live DataNodes without the plugin. */
@InterfaceAudience.Private
final class PluginCheck implements Check {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    Set<String> known = facts.plugins.stream().map(node -> node.node.uuid)
        .collect(Collectors.toSet());
    List<String> without = facts.live.stream().filter(node -> !known.contains(node.uuid))
        .map(NodeFacts::nameOf).collect(Collectors.toList());
    return List.of(without.isEmpty()
        ? Finding.ok(FindingCode.PLUGIN_MISSING,
            "The plugin runs on all " + facts.live.size() + " live DataNodes.")
        : Finding.warning(FindingCode.PLUGIN_MISSING, without, Prose.count(without.size())
            + " of " + facts.live.size() + " live ones sent no heartbeat of the plugin: "
            + Prose.list(without) + "."));
  }
}
