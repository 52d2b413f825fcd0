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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;

/**
 * The NameNode's queue of groups that need reconstruction, as the scheduler of the claimed groups
 * sees it.
 *
 * <p>One cycle is: {@link #poll}, plan without any lock, {@link #begin} the planned repairs, send
 * the commands, and {@link #abort} what fails. A repair that succeeds ends by the block report of
 * its targets, as with stock; a later poll reports it.
 *
 * <p>The caller that installs it must go on polling: after a minute without a poll stock takes
 * over, until the next poll.
 *
 * <p>Several threads may use it, but one thread should poll, because each change is reported once.
 * No method may be called with one of the NameNode's locks held.
 */
@InterfaceAudience.Private
public interface ReconstructionQueue {
  /** For {@link #release}: until the claims change or the NameNode's role does. */
  long FOR_GOOD = Long.MAX_VALUE;

  /**
   * Whether this NameNode schedules repairs at all: it is active, knows its blocks and is not in
   * safe mode. If not, polls are empty and no repair can begin.
   *
   * @return whether repairs can begin
   */
  boolean isActive();

  /**
   * The number of this NameNode's present time of scheduling. It grows whenever the queue starts
   * afresh, over failovers and restarts too, so that a command with a smaller term than another is
   * older.
   *
   * @return the term; 0 if this NameNode has not been active
   */
  long term();

  /**
   * A DataNode has heard of a term that is newer than this NameNode's. Either another NameNode has
   * become active, or this NameNode's metadata have been rolled back. In the second case no
   * DataNode obeys this NameNode until its term is larger; a later {@link #poll} makes it larger
   * once it is sure that this NameNode is the active one.
   *
   * @param newest the newer term
   */
  void heardOfTerm(long newest);

  /**
   * What changed since the last call.
   *
   * @param groups_max how many groups to look at, at most; a group that was looked at need not give
   *     a change. Ask again while {@link QueueChanges#hasMore}.
   * @return the changes, and whether there are more
   */
  QueueChanges poll(int groups_max);

  /**
   * @param groups the groups to look at
   * @return the same groups as they are now, without those whose repair may not begin here
   */
  List<LostGroup> look(Collection<GroupId> groups);

  /**
   * Starts repairs in the NameNode's books: each group is looked at once more, and then moves from
   * the queue to the pending ones. If anything is thrown, none of them has begun.
   *
   * @param term the term that the groups were polled in
   * @param assignments what was planned
   * @param anyRack whether targets are accepted that leave the group on fewer racks than it should
   *     be on, for the case that no better ones are there
   * @return one result for each assignment, in their order
   */
  List<BeginResult> begin(long term, List<Assignment> assignments, boolean anyRack);

  /**
   * Gives up a repair: its units are not pending any more, and those that are still lost are polled
   * again at once, with their age.
   *
   * @param grant the repair that failed
   * @return false if it had ended already
   */
  boolean abort(Grant grant);

  /**
   * Gives up many repairs. They share the NameNode's write lock, which is held in short pieces, for
   * a bounded number of repairs each. The caller pauses between calls if it has thousands.
   *
   * @param grants the repairs that failed
   */
  void abortAll(Collection<Grant> grants);

  /**
   * Marks these repairs as alive. Stock's sweep of repairs that are pending for too long (300 s by
   * default) then does not take them for lost. Repairs that have ended are left alone.
   *
   * @param grants the repairs under way
   */
  void keepAlive(Collection<Grant> grants);

  /**
   * Hands groups that are queued to stock. Holds the NameNode's write lock in short pieces, one
   * after the other. The caller pauses between calls if it has thousands.
   *
   * @param groups the groups that stock gets
   * @param ms how long, or {@link #FOR_GOOD}. A repair that stock has begun by then is stock's to
   *     end.
   */
  void release(Collection<GroupId> groups, long ms);

  /**
   * Keeps stock from decoding a group until {@link #letGo} or until the group is deleted, also when
   * the group is released, not claimed, whole for a time, or not polled, and after a failover.
   * Stock goes on copying units that can be copied.
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

  /** Asks {@link Claims} anew about all that is queued. Undoes {@link #release}. */
  void claimsChanged();

  /** @return how long this queue has held the NameNode's lock since the start */
  LockTimes lockTimes();

  /** @return the present sizes */
  QueueCounts counts();
}
