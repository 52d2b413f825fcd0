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
import org.hdfsppr.conf.PprKeys;

/** Finds settings that have different values on different nodes. */
@InterfaceAudience.Private
final class SettingsCheck implements Check {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    Map<String, Map<String, List<String>>> nodesByKeyAndValue = new TreeMap<>();
    for (NodeFacts node : facts.speaking()) {
      node.self().ifPresent(self -> self.settings.forEach((key, value) ->
          nodesByKeyAndValue.computeIfAbsent(key, name -> new TreeMap<>())
              .computeIfAbsent(comparable(key, value), text -> new ArrayList<>())
              .add(node.name())));
    }
    List<Finding> findings = new ArrayList<>();
    nodesByKeyAndValue.forEach((key, nodesByValue) -> {
      if (nodesByValue.size() > 1) {
        findings.add(differs(key, nodesByValue));
      }
    });
    if (findings.isEmpty()) {
      findings.add(Finding.ok(FindingCode.SETTINGS_DIFFER, "The " + nodesByKeyAndValue.size()
          + " settings have the same values on all DataNodes."
          + Prose.tooOld(facts.speaking(), node -> node.self().isPresent())));
    }
    return findings;
  }

  /** Of an address only the port has to be the same everywhere. */
  private static String comparable(String key, String value) {
    return key.equals(PprKeys.DATANODE_ADDRESS_KEY)
        ? "port " + value.substring(value.lastIndexOf(':') + 1) : value;
  }

  private static Finding differs(String key, Map<String, List<String>> nodesByValue) {
    List<Map.Entry<String, List<String>>> fewestFirst = new ArrayList<>(nodesByValue.entrySet());
    fewestFirst.sort(Comparator.comparing(entry -> entry.getValue().size()));
    List<String> odd = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : fewestFirst) {
      if (said.size() < fewestFirst.size() - 1) {
        odd.addAll(each.getValue());
      }
      said.add("'" + each.getKey() + "' on " + Prose.list(each.getValue()));
    }
    return Finding.warning(FindingCode.SETTINGS_DIFFER, odd,
        key + " is " + Prose.list(said) + ".");
  }
}
