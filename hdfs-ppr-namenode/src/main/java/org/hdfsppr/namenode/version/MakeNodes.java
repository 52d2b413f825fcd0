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

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Says which DataNodes, by their UUIDs, a making keeps busy, and how. */
@InterfaceAudience.Private
final class MakeNodes {
  private MakeNodes() {
  }

  /** Returns the nodes that read or write. Helpers beyond the first k are only spare. */
  static Set<String> all(Make make) {
    Set<String> nodes = sending(make);
    make.targets.forEach(target -> nodes.add(target.node.uuid));
    return nodes;
  }

  /** Returns the nodes that read and send. */
  static Set<String> sending(Make make) {
    return make.helpers.stream().limit(make.dataUnits).map(helper -> helper.node.uuid)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the nodes that receive: the targets, and all nodes of a chain but its far end. */
  static Set<String> receiving(Make make) {
    List<String> chain = new ArrayList<>(sending(make));
    Set<String> nodes = new LinkedHashSet<>(chain.subList(0, chain.size() - 1));
    make.targets.forEach(target -> nodes.add(target.node.uuid));
    return nodes;
  }
}
