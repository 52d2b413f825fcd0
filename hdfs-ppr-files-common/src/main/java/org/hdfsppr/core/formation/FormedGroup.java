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
package org.hdfsppr.core.formation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** A CORE group that exists, which means that its parity file has been made. Immutable. */
@InterfaceAudience.Private
public final class FormedGroup {
  /** Id of the group */
  public final long groupId;
  /** Name of the erasure coding policy */
  public final String policy;
  /** The t files, in the order of rows */
  public final List<FormedMember> members;

  /**
   * @param groupId id of the group; of two groups, the one that was formed later has the larger id
   * @param policy name of the erasure coding policy of all members
   * @param members its t files, in the order of rows
   */
  public FormedGroup(long groupId, String policy, List<FormedMember> members) {
    this.groupId = groupId;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.members = Collections.unmodifiableList(new ArrayList<>(members));
  }

  @Override
  public String toString() {
    return "CORE group " + groupId + " (" + members.size() + " files, " + policy + ")";
  }
}
