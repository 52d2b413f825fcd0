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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;

/** Looks up block groups in the NameNode's block map. Thread-safe. */
@InterfaceAudience.Private
@FunctionalInterface
public interface BlockView {
  /**
   * Looks up some block groups within one hold of the namesystem's read lock.
   *
   * @param blockGroups ids of block groups; some of them may be null
   * @return the identities, in the same order; null for a null id, and for a block group that is
   *     unknown, deleted or not complete
   */
  List<GroupIdentity> groups(List<Long> blockGroups);
}
