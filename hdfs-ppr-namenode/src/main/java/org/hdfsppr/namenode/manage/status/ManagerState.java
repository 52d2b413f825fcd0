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
package org.hdfsppr.namenode.manage.status;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** The state of all repairs together, in one word. */
@InterfaceAudience.Private
public enum ManagerState {
  /** Another NameNode is active. */
  STANDBY,
  /** This NameNode is in safe mode, or has not begun to order repairs yet. */
  STARTING,
  /** Stock schedules the repairs, or nothing is repaired at all. */
  NOT_IN_CHARGE,
  /** A group has lost more units than its code can rebuild. */
  DATA_LOST,
  /** There is something to repair, and nothing has advanced for a minute. */
  STUCK,
  /** An operator has paused all repairs. */
  PAUSED,
  /** A group has no spare unit: if one more of its units is lost, data are lost. */
  AT_RISK,
  /** Groups are repaired, wait, or are with stock. */
  REPAIRING,
  /** No group waits for a repair or is with stock, and none is repaired. */
  OK;

  /** @return the name as the NameNode's JSON documents show it, lower case */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
