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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds repair ports to which other nodes cannot connect. */
@InterfaceAudience.Private
final class PortCheck implements Check {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    Map<String, List<String>> callers = new HashMap<>();
    for (NodeFacts node : facts.speaking()) {
      for (String uuid : node.unreachable) {
        callers.computeIfAbsent(uuid, key -> new ArrayList<>()).add(node.name());
      }
    }
    List<NodeFacts> toNodes = new ArrayList<>(facts.speaking());
    toNodes.removeIf(node -> !callers.containsKey(node.node.uuid));
    List<NodeFacts> toUs = new ArrayList<>(facts.speaking());
    toUs.removeAll(toNodes);
    toUs.removeIf(node -> facts.whyClosed(node.node.uuid) == null);
    List<Finding> findings = new ArrayList<>();
    if (!toNodes.isEmpty()) {
      findings.add(Finding.error(FindingCode.PORT_CLOSED, Prose.names(toNodes),
          "Other DataNodes could not connect to a repair port in the last 10 minutes: "
          + Prose.list(toNodes.stream().map(node -> "port " + node.node.repairPort + " of "
              + node.name() + ", from " + Prose.list(callers.get(node.node.uuid)))
              .collect(Collectors.toList())) + "."));
    }
    if (!toUs.isEmpty()) {
      findings.add(Finding.warning(FindingCode.PORT_CLOSED, Prose.names(toUs),
          "This NameNode cannot connect to a repair port: " + Prose.list(toUs.stream()
              .map(node -> "port " + node.node.repairPort + " of " + node.name() + " ("
                  + facts.whyClosed(node.node.uuid) + ")").collect(Collectors.toList()))
          + ". Updates in place need it: without it, no client gets a ticket for a unit whose log"
          + " is there, and no update is committed. Where no file is updated in place, a firewall"
          + " may keep the NameNode out."));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(FindingCode.PORT_CLOSED, "This NameNode has connected to the repair"
          + " ports of " + Prose.count(facts.speaking().size() - facts.portsUnchecked)
          + ", and no DataNode says that it could not."
          + (facts.portsUnchecked == 0 ? "" : " It is still trying "
              + Prose.count(facts.portsUnchecked) + "; ask again in some seconds.")));
    }
    return findings;
  }
}
