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
package org.hdfsppr.namenode.manage.core;

import java.util.Map;
import java.util.Set;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;

/** The state of one row of a CORE group at one moment. Immutable. */
final class RowState {
  /** The block group as the NameNode sees it; null if it does not exist, or is open for writing. */
  final LostGroup view;
  /** Units that DataNodes have reported as rebuilt, each with its node. */
  final Map<Integer, NodeRef> rebuilt;
  /** Units that are being rebuilt, each with its node. */
  final Map<Integer, NodeRef> underWay;
  /** Whether the group waits for a repair. */
  final boolean wanted;
  /** Whether units of the group contradict each other, so that no other row reads them. */
  final boolean doubted;
  private final Map<Integer, Set<String>> places;

  /**
   * @param view the block group as the NameNode sees it; null if it does not exist, or is open for
   *     writing
   * @param rebuilt units that DataNodes have reported as rebuilt, and that the NameNode may not
   *     know yet, each with its node
   * @param underWay units that are being rebuilt, each with its node
   * @param wanted whether the group waits for a repair
   */
  RowState(LostGroup view, Map<Integer, NodeRef> rebuilt, Map<Integer, NodeRef> underWay,
      boolean wanted) {
    this(view, rebuilt, underWay, wanted, false, Map.of());
  }

  private RowState(LostGroup view, Map<Integer, NodeRef> rebuilt, Map<Integer, NodeRef> underWay,
      boolean wanted, boolean doubted, Map<Integer, Set<String>> places) {
    this.places = Map.copyOf(places);
    this.doubted = doubted;
    this.view = view;
    this.rebuilt = Map.copyOf(rebuilt);
    this.underWay = Map.copyOf(underWay);
    this.wanted = wanted;
  }

  /** Returns a copy of this state which says that units of the row contradict each other. */
  RowState inDoubt() {
    return new RowState(view, rebuilt, underWay, wanted, true, places);
  }

  /**
   * Returns a copy of this state that knows all places of the row's units.
   *
   * @param all for each unit, UUIDs of the nodes that have a replica in any state, or are to get
   *     one
   */
  RowState at(Map<Integer, Set<String>> all) {
    return new RowState(view, rebuilt, underWay, wanted, doubted, all);
  }

  /**
   * Returns the UUIDs of the nodes that have a replica of a unit in any state, or are to get one.
   */
  Set<String> places(int unit) {
    return places.getOrDefault(unit, Set.of());
  }
}
