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
package org.hdfsppr.namenode.extend;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.model.ColumnTrust;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;

/** The repair manager, as other parts of the plugin may use it. Any thread may call it. */
@InterfaceAudience.Private
public interface ManagerView {
  /**
   * @return the status at the end of the last cycle. This call does not make the manager prepare
   *     the lists of the status, which would cost time.
   */
  ManagerStatus lastStatus();

  /**
   * @param group the group
   * @return whether it is known that units of this group may contradict each other
   */
  boolean isDoubted(GroupId group);

  /**
   * Makes the manager begin a doubt of a group, because its units contradict each other.
   *
   * @param group the group
   * @param wrongUnit index of the wrong unit; {@link ScrubFinding#NO_UNIT} if it is not known
   * @return false if the manager cannot take the group now; the caller then has to repeat the call
   */
  boolean doubt(GroupId group, int wrongUnit);

  /** @return how many DataNodes can tell whether clients read old versions of files */
  int seeingReads();

  /**
   * @param of the groups
   * @return where blocks of these groups are, see {@link ReconstructionQueue#places}
   */
  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> of);

  /** @return says which columns of CORE groups may be read */
  ColumnTrust columnTrust();

  /** @return the groups that another part of the plugin is making, and that must not be repaired */
  MadeGroups madeGroups();

  /** @return the load of the DataNodes' links by repairs, and by work that is less urgent */
  LinkLoads links();
}
