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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.PatchCommand.PatchSource;
import org.hdfsppr.plan.NodeRef;

/**
 * Says on which ways the changes of data units go to a parity unit: one node of each other rack
 * adds up what its rack has, so that the rack sends the length of one change to each parity unit,
 * as CAU's parity deltas. Changes in the parity unit's own rack go there directly. Pure.
 */
@InterfaceAudience.Private
final class DeltaTree {
  /**
   * Lists the sources of a parity unit.
   *
   * @param parity the node of the parity unit
   * @param data the nodes of all data units that have bytes
   * @param changed the data units with updates
   */
  List<PatchSource> sources(NodeRef parity, Map<Integer, NodeRef> data, Set<Integer> changed) {
    List<PatchSource> sources = new ArrayList<>();
    Map<String, Integer> collectors = new HashMap<>();
    data.forEach((unit, node) -> {
      int via = PatchSource.DIRECT;
      if (changed.contains(unit) && !node.rack().equals(parity.rack())) {
        Integer collector = collectors.putIfAbsent(node.rack(), unit);
        via = collector == null ? PatchSource.DIRECT : collector;
      }
      sources.add(new PatchSource(unit, node, changed.contains(unit), via));
    });
    return sources;
  }
}
