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

/**
 * What the engine learns from the repair manager, and reports to it. Any thread may call these
 * methods.
 */
@InterfaceAudience.Private
public interface VersionGate {
  /**
   * @return whether this NameNode is active, so that only it changes what the extension keeps in
   *     the namespace
   */
  boolean isActive();

  /**
   * @return the term of the repair manager; it grows each time that this NameNode becomes active
   */
  long term();

  /**
   * @return why no conversion and no parity file may be made on any DataNode now, as a sentence
   *     without a full stop; empty if they may be made where {@link #links} allows it
   */
  Optional<String> whyNot();

  /**
   * @param groups a small number of groups
   * @return UUIDs of the DataNodes that have units of these groups
   */
  Set<String> nodes(Collection<GroupId> groups);

  /** @return the load of the DataNodes' network links, in which makings book their part */
  LinkLoads links();

  /**
   * Says why no commit may be made now. Repairs are no reason, because writers wait for a commit
   * when the logs are full.
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
   * Reports a group whose units contradict each other to the repair manager, which then doubts the
   * group.
   *
   * @param group the group
   * @param wrongUnit index of the wrong unit; {@link org.hdfsppr.manage.ScrubFinding#NO_UNIT} if it
   *     is not known
   * @return false if the repair manager cannot take the report now
   */
  boolean doubt(GroupId group, int wrongUnit);
}
