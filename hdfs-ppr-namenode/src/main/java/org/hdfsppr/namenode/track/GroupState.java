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
package org.hdfsppr.namenode.track;

import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The states of a group that has lost units, and the transitions between them.
 *
 * <pre>
 *            GONE ---lost--> WAITING | HELD | DOUBTED ---begun--> AT_WORK
 *             ^  ^              |  ^                                 |
 *             |  | left to stock|  | taken back, fails, given up     |
 *             |  |              v  +---------------------------------+
 *             |  +--handed-- STOCKS_TURN                             |
 *             +------------------- whole, returned, deleted ---------+
 * </pre>
 */
@InterfaceAudience.Private
public enum GroupState {
  /** The NameNode reports no loss of this group that the manager is to repair. */
  GONE,
  /** The group waits for a plan, and there is no doubt about its units. */
  WAITING,
  /**
   * The group waits, and one node's check of its units has failed. Another node's repair decides
   * whether the units contradict each other. Until then stock does not get the group to decode.
   */
  HELD,
  /** The group waits, and its units are known to contradict each other. */
  DOUBTED,
  /**
   * The NameNode has a repair of the group as pending, and the commands of the repair are under
   * way.
   */
  AT_WORK,
  /** Stock gets the group. If stock does not repair it, the NameNode reports it as lost again. */
  STOCKS_TURN;

  /** Returns the states that may follow this state. Remaining in a state is not a transition. */
  Set<GroupState> next() {
    switch (this) {
      case GONE:
        return EnumSet.of(WAITING, HELD, DOUBTED);
      case WAITING:
        return EnumSet.of(HELD, DOUBTED, AT_WORK, STOCKS_TURN, GONE);
      case HELD:
        return EnumSet.of(WAITING, DOUBTED, AT_WORK, STOCKS_TURN, GONE);
      case DOUBTED:
        // A contradiction that is known does not become a suspicion again.
        return EnumSet.of(WAITING, AT_WORK, STOCKS_TURN, GONE);
      case AT_WORK:
        // Stock gets a group only after the repair has ended.
        return EnumSet.of(WAITING, HELD, DOUBTED, GONE);
      case STOCKS_TURN:
        // A repair begins only for a group in the manager's queue, and this group is not there.
        return EnumSet.of(WAITING, HELD, DOUBTED, GONE);
      default:
        throw new IllegalStateException("A state without transitions: " + this);
    }
  }

  /** @return whether the group waits for a plan, in doubt or not */
  public boolean isWaiting() {
    return this == WAITING || this == HELD || this == DOUBTED;
  }
}
