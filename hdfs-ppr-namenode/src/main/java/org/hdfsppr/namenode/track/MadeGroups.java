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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * The groups of new file versions that DataNodes are making at this time. For the NameNode, such a
 * group has lost the units that are not made yet. A repair of them would do the same work a second
 * time. The code that makes versions adds and removes the groups, a few hundred at a time.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class MadeGroups {
  private final Set<GroupId> groups = ConcurrentHashMap.newKeySet();

  /** @param group a group of which some units are being made from now on */
  public void add(GroupId group) {
    groups.add(group);
  }

  /** @param group a group of which no units are being made any more */
  public void remove(GroupId group) {
    groups.remove(group);
  }

  /**
   * @param group any group
   * @return whether units of the group are being made
   */
  public boolean has(GroupId group) {
    return groups.contains(group);
  }
}
