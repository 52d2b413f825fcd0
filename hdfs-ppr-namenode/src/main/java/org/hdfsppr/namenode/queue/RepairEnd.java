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
package org.hdfsppr.namenode.queue;

import org.apache.hadoop.classification.InterfaceAudience;

/** The ways in which a repair can end in the NameNode. */
@InterfaceAudience.Private
public enum RepairEnd {
  /** The NameNode has all units of the repair, and none is pending any more. */
  DONE,
  /**
   * The NameNode has all units of the repair although its targets are still at work, because the
   * lost units came back. No unit of the repair is pending any more.
   */
  RETURNED,
  /**
   * The NameNode does not expect the units any more: the repair was pending for too long, or a
   * rebuilt unit is lost again. A later poll reports the group if it is still claimed.
   */
  GIVEN_UP,
  /** The file was deleted, or another group has the id of the group that was to be repaired. */
  DELETED
}
