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

/** Sees on which DataNodes the blocks of block groups are. Thread-safe. */
@InterfaceAudience.Private
@FunctionalInterface
public interface PlaceView {
  /**
   * Looks at some block groups in one hold of the namesystem's lock for reading.
   *
   * @param groups the block groups of one index of a CORE group
   * @return for each block group that exists, and for each of its units, the UUIDs of the nodes
   *     that have a replica in any state, or that a running repair has chosen as targets
   */
  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups);
}
