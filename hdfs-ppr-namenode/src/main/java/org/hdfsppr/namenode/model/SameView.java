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
package org.hdfsppr.namenode.model;

import java.util.List;
import java.util.function.BiPredicate;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Says whether parts of two descriptions of a group are so equal that a scheduler would make the
 * same plan from both.
 */
final class SameView {
  private SameView() {
  }

  /** Compares lists, element by element. */
  static <T> boolean all(List<T> some, List<T> others, BiPredicate<T, T> same) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (!same.test(some.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean holder(UnitHolder one, UnitHolder two) {
    return one.unit == two.unit && node(one.node, two.node);
  }

  /**
   * Compares two nodes and their addresses. {@code NodeRef.equals} is not enough, because it
   * ignores a change of the address.
   */
  static boolean node(NodeRef one, NodeRef two) {
    return one.equals(two) && one.repairPort == two.repairPort
        && one.xferPort == two.xferPort && one.ipAddr.equals(two.ipAddr)
        && one.hostName.equals(two.hostName) && one.rack.equals(two.rack);
  }
}
