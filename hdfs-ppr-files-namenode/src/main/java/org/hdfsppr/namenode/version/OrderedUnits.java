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

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Which units of a new group may have a second replica that no check has seen. A DataNode that was
 * given up because it was silent may have carried out its order nevertheless, and may come back.
 * Then the NameNode knows two replicas of the unit. A check reads only one of them, and stock may
 * delete that one. Used by one thread at a time.
 */
final class OrderedUnits {
  private final Map<Integer, String> nodes = new HashMap<>();
  private final BitSet unsure = new BitSet();

  /**
   * Takes note of an order that makes a unit. From then on, the unit counts, even if it is ordered
   * in another way later.
   */
  void made(int unit) {
    unsure.set(unit);
  }

  /**
   * Takes note of an order that links or changes a unit on the node of its old replica. The unit
   * counts only if another node had such an order before.
   */
  void kept(int unit, String uuid) {
    String first = nodes.putIfAbsent(unit, uuid);
    if (first != null && !first.equals(uuid)) {
      unsure.set(unit);
    }
  }

  /** Returns the units that may have a second replica. */
  BitSet units() {
    return (BitSet) unsure.clone();
  }
}
