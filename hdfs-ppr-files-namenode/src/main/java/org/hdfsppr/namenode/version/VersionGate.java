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
package org.hdfsppr.namenode.version;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.GroupId;

/** What the repair manager says to the engine. Any thread may call it. */
@InterfaceAudience.Private
public interface VersionGate {
  /** @return whether this NameNode is active, so that what it keeps in the namespace is its own */
  boolean isActive();

  /** @return the term of the repair manager; it rises when this NameNode becomes active again */
  long term();

  /**
   * @return why no conversion and no parity file may be made anywhere now, as a sentence without a
   *     full stop; empty if they may be made where {@link #links} lets them
   */
  Optional<String> whyNot();

  /**
   * @param groups a few groups
   * @return UUIDs of the DataNodes that have units of these groups
   */
  Set<String> nodes(Collection<GroupId> groups);

  /** @return the load of the DataNodes' links, where makings take their places */
  LinkLoads links();

  /**
   * Says why no commit may be made now. Repairs do not hold up commits, because writers wait for
   * commits when logs are full.
   *
   * @return the reason, as a sentence without a full stop; empty if commits may be made
   */
  Optional<String> whyNoCommit();

  /**
   * @param group the group
   * @return whether it is known that units of this group may contradict each other
   */
  boolean isDoubted(GroupId group);

  /**
   * Has the repair manager doubt a group whose units contradict each other.
   *
   * @param group the group
   * @param wrongUnit index of the wrong unit; {@link org.hdfsppr.manage.ScrubFinding#NO_UNIT} if it
   *     is not known
   * @return false if the manager cannot take it now
   */
  boolean doubt(GroupId group, int wrongUnit);
}
