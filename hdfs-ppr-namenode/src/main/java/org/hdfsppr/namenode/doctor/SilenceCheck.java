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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds live DataNodes whose plugin sends no heartbeats any more. */
@InterfaceAudience.Private
final class SilenceCheck implements Check {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    List<NodeFacts> silent = new ArrayList<>(facts.plugins);
    silent.removeIf(node -> !node.silent);
    if (silent.isEmpty()) {
      return List.of(Finding.ok(FindingCode.AGENT_SILENT, "The plugins on "
          + Prose.count(facts.plugins.size()) + " send heartbeats."));
    }
    return List.of(Finding.error(FindingCode.AGENT_SILENT, Prose.names(silent),
        "The DataNode is live, but its plugin sends no heartbeats any more: "
        + Prose.list(silent.stream().map(node -> node.name() + " (silent for "
            + TimeUnit.MILLISECONDS.toSeconds(node.heardMsAgo) + " s)")
            .collect(Collectors.toList())) + "."));
  }
}
