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
package org.hdfsppr.namenode.scrub;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.GroupId;

/** The repair manager, as far as a scrubber needs it. Any thread may call it. */
@InterfaceAudience.Private
public interface ScrubGate {
  /** @return whether this NameNode is active; only the active one writes the notes of passes */
  boolean isActive();

  /** @return the term of the repair manager; it rises when this NameNode becomes active again */
  long term();

  /**
   * @return why no check may run anywhere now, as a sentence without a full stop; empty if checks
   *     may run where {@link #links} lets them
   */
  Optional<String> whyNot();

  /** @return the load of the DataNodes' links, where checks take their places */
  LinkLoads links();

  /**
   * @param group the group
   * @return whether it is known already that units of this group may contradict each other
   */
  boolean isDoubted(GroupId group);

  /**
   * Makes the repair manager begin a doubt of a group. The units of this group certainly contradict
   * each other.
   *
   * @param group the group
   * @param wrongUnit index of the wrong unit; {@link ScrubFinding#NO_UNIT} if it is not known
   * @return false if the manager cannot take the group now; the caller then has to repeat the call
   */
  boolean doubt(GroupId group, int wrongUnit);
}
