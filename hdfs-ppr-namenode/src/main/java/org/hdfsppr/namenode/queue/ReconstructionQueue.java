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
package org.hdfsppr.namenode.queue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;

/**
 * The NameNode's queue of groups that need reconstruction, as the scheduler of the claimed groups
 * sees it.
 *
 * <p>One cycle is: {@link #poll}, plan without any lock, {@link #begin} the planned repairs, send
 * the commands, and {@link #abort} what fails. A repair that succeeds ends when its targets report
 * the rebuilt replicas, as with stock. A later poll reports that end.
 *
 * <p>The caller that installs the queue must keep polling. After a minute without a poll, stock
 * takes over until the next poll.
 *
 * <p>Several threads may use the queue, but only one thread should poll, because each change is
 * reported once. No method may be called with one of the NameNode's locks held.
 */
@InterfaceAudience.Private
public interface ReconstructionQueue {
  /**
   * The time with which {@link #release} hands groups to stock until the claims or the NameNode's
   * role change.
   */
  long FOR_GOOD = Long.MAX_VALUE;

  /**
   * How many groups {@link #findAll} and {@link #places} take at most: the rows of a CORE group.
   */
  int FOUND_MAX = 64;

  /**
   * Returns whether this NameNode schedules repairs at all: it is active, knows its blocks and is
   * not in safe mode. If not, polls are empty and no repair can begin.
   *
   * @return whether repairs can begin
   */
  boolean isActive();

  /**
   * Returns the number of the period in which this NameNode now schedules. The number grows
   * whenever the queue starts with no groups, also after a failover or a restart. Therefore a
   * command with a smaller term is older than one with a larger term.
   *
   * @return the term; 0 if this NameNode has not been active
   */
  long term();

  /**
   * Takes note that a DataNode knows a term that is newer than this NameNode's. Either another
   * NameNode has become active, or this NameNode's metadata have been rolled back. In the second
   * case no DataNode obeys this NameNode until its term is larger. A later {@link #poll} makes the
   * term larger once the queue is sure that this NameNode is the active one.
   *
   * @param newest the newer term
   */
  void heardOfTerm(long newest);

  /**
   * Returns what changed since the last call.
   *
   * @param groups_max the greatest number of groups that this call looks at, changed or not. Call
   *     again while {@link QueueChanges#hasMore}.
   * @return the changes, and whether there are more
   */
  QueueChanges poll(int groups_max);

  /**
   * @param groups the groups to look at
   * @return the present view of each of these groups that may be repaired now
   */
  List<LostGroup> look(Collection<GroupId> groups);

  /**
   * Describes a group, whether it has lost units or not, and whether it is claimed or not.
   *
   * @param groupId the group's id, without its generation stamp
   * @return the present view of the group, with its present generation stamp; empty if the NameNode
   *     has no such group, or the file is deleted
   */
  Optional<LostGroup> find(long groupId);

  /**
   * Describes several groups at one moment, under one hold of the NameNode's lock, as {@link #find}
   * does.
   *
   * @param groupIds ids of at most {@link #FOUND_MAX} groups, without their generation stamps
   * @return the groups that the NameNode has and that are complete, by their ids
   */
  Map<Long, LostGroup> findAll(Collection<Long> groupIds);

  /**
   * Says where the units of some groups are or will be, at one moment, under one hold of the
   * NameNode's lock.
   *
   * @param groups at most {@link #FOUND_MAX} groups
   * @return for each group that there is, and each unit, the UUIDs of the nodes that have a replica
   *     in any state, or are to get one by a repair that has begun
   */
  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups);

  /**
   * Lets {@link #begin} refuse repairs that would put two blocks of a column of CORE onto one node.
   *
   * @param book finds the CORE group of a block group
   */
  void useColumns(CoreGroupLookup book);

  /**
   * Begins repairs in the NameNode: looks at each group again, and then moves it from the queue to
   * the pending reconstructions. If the method throws an exception, no repair has begun.
   *
   * @param term the term in which the groups were polled
   * @param assignments the planned repairs
   * @param anyRack true to accept targets that leave a group on fewer racks than it should be on;
   *     for groups that have no better targets
   * @return one result for each assignment, in the same order
   */
  List<BeginResult> begin(long term, List<Assignment> assignments, boolean anyRack);

  /**
   * Gives up a repair. The NameNode does not expect its units any more. If units are still lost,
   * the next poll reports the group again, with the time at which the group was queued.
   *
   * @param grant the repair that failed
   * @return false if the repair had ended already
   */
  boolean abort(RepairGrant grant);

  /**
   * Gives up many repairs. This method takes the NameNode's write lock several times, each time for
   * a bounded number of repairs. A caller with thousands of repairs should pause between calls.
   *
   * @param grants the repairs that failed
   */
  void abortAll(Collection<RepairGrant> grants);

  /**
   * Renews pending repairs. Stock's timeout of pending reconstructions (300 s by default) then does
   * not end them. Does nothing for repairs that have ended.
   *
   * @param grants the repairs under way
   */
  void keepAlive(Collection<RepairGrant> grants);

  /**
   * Hands queued groups to stock. This method takes the NameNode's write lock several times, each
   * time for a short time. A caller with thousands of groups should pause between calls.
   *
   * @param groups the groups that stock gets
   * @param ms how long stock keeps the groups, ms, or {@link #FOR_GOOD}. If stock has begun a
   *     repair before the end of this time, stock also finishes that repair.
   */
  void release(Collection<GroupId> groups, long ms);

  /**
   * Keeps stock from decoding a group until {@link #letGo} or until the group is deleted. Stock
   * does not decode the group even if the group is released, is not claimed any more, is whole for
   * a time, or is not polled. The same applies after a failover. Stock still copies units that can
   * be copied.
   *
   * @param group the group
   * @return false if the group is gone, or too many groups are held back already
   */
  boolean holdBack(GroupId group);

  /**
   * Ends {@link #holdBack}.
   *
   * @param group the group
   * @return whether the group was held back
   */
  boolean letGo(GroupId group);

  /**
   * Asks {@link SchedulingClaims} again about all queued groups. Also ends the effect of each
   * {@link #release}.
   */
  void claimsChanged();

  /** @return how long this queue has held the NameNode's lock since the start */
  LockTimes lockTimes();

  /** @return the present sizes of the queue and its parts */
  QueueCounts counts();
}
