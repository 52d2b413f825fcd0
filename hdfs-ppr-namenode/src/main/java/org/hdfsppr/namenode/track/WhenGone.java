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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/** Hears of groups that become {@link GroupState#GONE}. */
@InterfaceAudience.Private
public interface WhenGone {
  /**
   * Takes note that a group is gone.
   *
   * @param id the group
   * @param before its last state
   * @param isRebuilt whether a repair has rebuilt its lost units; if not, they came back, stock has
   *     got the group, or it is deleted
   */
  void gone(GroupId id, GroupState before, boolean isRebuilt);
}
