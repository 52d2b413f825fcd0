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

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/** The nodes of holders, as a list that takes no memory of its own. Immutable. */
@InterfaceAudience.Private
final class HoldersNodes extends AbstractList<NodeRef> implements RandomAccess {
  private final List<Holder> holders;

  /** @param holders a list that does not change */
  HoldersNodes(List<Holder> holders) {
    this.holders = holders;
  }

  @Override
  public NodeRef get(int index) {
    return holders.get(index).node;
  }

  @Override
  public int size() {
    return holders.size();
  }

  /** Returns whether a list has exactly the nodes of the holders, as the same objects. */
  static boolean areAll(List<NodeRef> nodes, List<Holder> holders) {
    if (nodes.size() != holders.size()) {
      return false;
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) != holders.get(i).node) {
        return false;
      }
    }
    return true;
  }
}
