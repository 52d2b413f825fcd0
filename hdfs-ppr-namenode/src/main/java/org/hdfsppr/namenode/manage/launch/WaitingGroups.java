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
package org.hdfsppr.namenode.manage.launch;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts groups into the queue of groups that wait for a repair. A group goes before others if
 * clients read it degraded, which means that they rebuild lost units themselves. Used by the
 * manager's thread.
 */
@InterfaceAudience.Private
public final class WaitingGroups {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingGroups.class);

  private final ManagerKnowledge known;
  /** Whether any DataNode reports a group that clients read degraded. */
  private boolean anyReadDegraded;

  /** @param known the state and the settings that the manager's parts share */
  public WaitingGroups(ManagerKnowledge known) {
    this.known = known;
  }

  /**
   * Takes the DataNodes' reports of degraded reads and moves forward the groups that were read. A
   * report changes nothing if the group does not wait, or if the reporting node holds no unit of
   * the group.
   */
  public void takeReads() {
    anyReadDegraded = false;
    for (DataNodeAgent agent : known.agents.live()) {
      String uuid = agent.node().uuid;
      anyReadDegraded |= agent.saysAnyReadDegraded();
      for (ReadGroup read : agent.takeReadDegraded()) {
        GroupId id =
            new GroupId(known.cluster.blockPoolId(), read.groupId, read.generationStamp);
        boolean isThere = known.queue.find(id).filter(group -> group.occupied().stream()
            .anyMatch(holder -> holder.uuid.equals(uuid))).isPresent();
        if (isThere && known.queue.markReadDegraded(id, known.retries.notBeforeMs(id))) {
          LOG.debug("{} is read, it goes before others", id);
          known.metrics.count(ManagerCounter.GROUPS_PROMOTED);
        }
      }
    }
  }

  /**
   * @param group the group, as the NameNode describes it
   * @return whether clients read the group degraded, or did so before it was queued
   */
  public boolean isReadDegraded(LostGroup group) {
    return known.queue.isReadDegraded(group.id)
        || anyReadDegraded && known.agents.isReadDegraded(group);
  }

  /**
   * Puts a group into the queue. The group may have been there before.
   *
   * @param group the group, as the NameNode describes it
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   */
  public void put(LostGroup group, long notBeforeMs) {
    known.groups.takeBack(group.id);
    known.groups.lost(group.id);
    known.queue.put(known.core.known(group), notBeforeMs, isReadDegraded(group));
    if (known.retries.isPrioritized(group.id)) {
      known.queue.prioritize(group.id, notBeforeMs);
    }
  }

  /**
   * Puts a group into the queue. The queue may have the same view of the group already, see {@link
   * RepairQueue#renew}.
   *
   * @param group the group, as the NameNode describes it
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   */
  public void renew(LostGroup group, long notBeforeMs) {
    known.groups.takeBack(group.id);
    known.groups.lost(group.id);
    boolean isThere = known.queue.contains(group.id);
    known.queue.renew(known.core.known(group), notBeforeMs, isReadDegraded(group));
    if (!isThere && known.retries.isPrioritized(group.id)) {
      known.queue.prioritize(group.id, notBeforeMs);
    }
  }
}
