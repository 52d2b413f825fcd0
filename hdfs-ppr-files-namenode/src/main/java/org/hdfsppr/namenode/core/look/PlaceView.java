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
package org.hdfsppr.namenode.core.look;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/** Looks up on which DataNodes the blocks of block groups are. Thread-safe. */
@InterfaceAudience.Private
@FunctionalInterface
public interface PlaceView {
  /**
   * Looks up some block groups within one hold of the namesystem's read lock.
   *
   * @param groups the block groups at one index of a CORE group
   * @return for each block group that exists, by unit, the UUIDs of the DataNodes that have a
   *     replica in any state, or that are targets of a running repair
   */
  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups);
}
