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
package org.hdfsppr.namenode.schedule;

import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;

/** Lets each unit go to one certain node, which another filter has accepted for it. Immutable. */
@InterfaceAudience.Private
final class FixedPlaces implements DestinationFilter {
  private final DestinationFilter filter;
  private final Map<Integer, NodeRef> places;

  /**
   * @param filter decides, in addition, which nodes may be destinations of the group
   * @param places the node of each unit
   */
  FixedPlaces(DestinationFilter filter, Map<Integer, NodeRef> places) {
    this.filter = filter;
    this.places = Map.copyOf(places);
  }

  @Override
  public boolean accepts(LostGroup group, NodeRef node) {
    return filter.accepts(group, node);
  }

  @Override
  public boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
    return node.equals(places.get(unit));
  }
}
