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

/** The states of a repair as the NameNode knows them, and the transitions between them. */
@InterfaceAudience.Private
public enum RepairState {
  /** The NameNode has the repair as pending; its destination has not fetched the command yet. */
  PLANNED,
  /** The command is in an answer to the destination's heartbeat. */
  SENT,
  /** The destination names the repair among its running repairs. */
  RUNNING,
  /**
   * The destination has reported the repair as done. The block report, which proves this, has not
   * come yet.
   */
  REPORTED,
  /** The NameNode has the rebuilt replicas. */
  DONE,
  /** The repair ended without success, and its group is to be planned again. */
  FAILED;

  /**
   * Returns the states that may follow this state. A state may be skipped, because a block report
   * may come before the destination's reports.
   */
  Set<RepairState> next() {
    switch (this) {
      case PLANNED:
        return EnumSet.of(SENT, DONE, FAILED);
      case SENT:
        return EnumSet.of(RUNNING, REPORTED, DONE, FAILED);
      case RUNNING:
        return EnumSet.of(REPORTED, DONE, FAILED);
      case REPORTED:
        return EnumSet.of(DONE, FAILED);
      default:
        return EnumSet.noneOf(RepairState.class);
    }
  }

  /** @return true if no other state follows this state */
  public boolean isEnd() {
    return this == DONE || this == FAILED;
  }
}
