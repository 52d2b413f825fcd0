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
package org.hdfsppr.client.spread;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.operate.SpreadMove;

/**
 * Says which move may begin next, so that not too many run in all, and not too many on one
 * DataNode, whether it gives a block away or gets one. Pure. Used by one thread.
 */
@InterfaceAudience.Private
final class MoveQueue {
  /** A DataNode allows 100 moves by default, and shares its bandwidth for them among these. */
  static final int ON_A_NODE_MAX = 4;
  /** Each running move has a thread of this client, which waits nearly always. */
  static final int RUNNING_MAX = 32;

  private final List<SpreadMove> waiting;
  private final Map<String, Integer> onNode = new HashMap<>();
  private int running;

  MoveQueue(Collection<SpreadMove> moves) {
    waiting = new ArrayList<>(moves);
  }

  /** Returns a move that begins now; empty if none may before another one has ended. */
  Optional<SpreadMove> next() {
    if (running >= RUNNING_MAX) {
      return Optional.empty();
    }
    Iterator<SpreadMove> each = waiting.iterator();
    while (each.hasNext()) {
      SpreadMove move = each.next();
      if (isFree(move.from()) && isFree(move.to())) {
        each.remove();
        count(move, 1);
        return Optional.of(move);
      }
    }
    return Optional.empty();
  }

  private boolean isFree(DatanodeInfo node) {
    return onNode.getOrDefault(node.getDatanodeUuid(), 0) < ON_A_NODE_MAX;
  }

  private void count(SpreadMove move, int step) {
    running += step;
    onNode.merge(move.from().getDatanodeUuid(), step, Integer::sum);
    onNode.merge(move.to().getDatanodeUuid(), step, Integer::sum);
  }

  /** Says that a move has ended. */
  void ended(SpreadMove move) {
    count(move, -1);
  }

  /** Returns whether moves are running. Otherwise {@link #next} has the next one, or all ended. */
  boolean isRunning() {
    return running > 0;
  }
}
