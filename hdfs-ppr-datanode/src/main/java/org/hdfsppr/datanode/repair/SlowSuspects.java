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
package org.hdfsppr.datanode.repair;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RepairException;

/**
 * Works out from slow attempts which node causes them. A slow attempt names a slow link, and either
 * end of the link may be the cause. A node that two attempts name is the likelier cause. If an
 * attempt is slow although a node was left out, that node is not the only cause. Used by one
 * thread.
 */
@InterfaceAudience.Private
final class SlowSuspects {
  /**
   * The most slow attempts of one repair. Each attempt takes at least the window over which rates
   * are measured. One attempt finds the link, a second finds the slow end of the link, and two more
   * find a second slow node. After that, a slow repair is better than none.
   */
  static final int ATTEMPTS_MAX = 4;
  /**
   * The destination counts as slow only after this many slow attempts have named it. In a star each
   * link ends at the destination, so an attempt also names the destination if a helper is slow.
   */
  private static final int DESTINATION_DOUBTS = 3;

  private final NodeRef self;
  private final Map<NodeRef, Integer> timesNamed = new LinkedHashMap<>();
  private final Set<NodeRef> leftOut = new LinkedHashSet<>();
  /** Nodes that were left out of an attempt that was slow nonetheless. */
  private final Set<NodeRef> cleared = new HashSet<>();
  private int slowAttempts;
  private boolean tolerated;

  /** @param self the destination, which no attempt can do without */
  SlowSuspects(NodeRef self) {
    this.self = self;
  }

  /** Notes that the last attempt, which left out the nodes in {@code leftOut}, was slow. */
  void slow(RepairException failure) {
    slowAttempts++;
    cleared.addAll(leftOut);
    NodeRef lower = failure.node;
    NodeRef upper = failure.otherSuspect == null ? self : failure.otherSuspect;
    timesNamed.merge(lower, 1, Integer::sum);
    timesNamed.merge(upper, 1, Integer::sum);
    NodeRef suspect = weight(upper) > weight(lower) ? upper : lower;
    if (weight(suspect) == 0 || suspect.equals(self) || slowAttempts >= ATTEMPTS_MAX) {
      tolerated = true;
    }
    if (weight(suspect) > 0 && !suspect.equals(self)) {
      leftOut.add(suspect);
    }
  }

  private int weight(NodeRef node) {
    int times = timesNamed.get(node);
    if (node.equals(self)) {
      return times >= DESTINATION_DOUBTS ? times : 0;
    }
    return cleared.contains(node) ? 0 : times;
  }

  boolean isLeftOut(NodeRef node) {
    return leftOut.contains(node);
  }

  /**
   * Takes back nodes that were left out, because too few helpers remain without them. The first
   * call takes back the nodes whose absence did not help, because an attempt without them was slow
   * as well. A later call takes back all nodes, and the repair then accepts any speed.
   *
   * @return whether any node was left out
   */
  boolean relax() {
    if (leftOut.isEmpty()) {
      return false;
    }
    if (!leftOut.removeAll(cleared)) {
      leftOut.clear();
      tolerated = true;
    }
    return true;
  }

  /** Returns whether the next attempt may take as long as it needs. */
  boolean tolerated() {
    return tolerated;
  }
}
