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
 * The NameNode's queue of groups that need reconstruction, as the one who schedules the claimed
 * ones sees it.
 *
 * <p>One cycle is: {@link #poll}, plan without any lock, {@link #begin} what was planned, send the
 * commands, and for what fails {@link #abort}. A repair that succeeds ends by the block report of
 * its targets, as with stock; a later poll says so.
 *
 * <p>Whoever installs it must go on polling: if nobody does for a minute, stock takes over, until
 * the next poll.
 *
 * <p>Safe for use by several threads, but {@link #poll} should be one thread's: what it tells it
 * tells once. No method may be called with a lock of the NameNode's held.
 */
@InterfaceAudience.Private
public interface ReconstructionQueue {
  /** For {@link #release}: until the claims change or the NameNode's role does. */
  long FOR_GOOD = Long.MAX_VALUE;

  /**
   * Whether this NameNode schedules repairs at all: it is active, knows its blocks and is not in
   * safe mode. If not, polls are empty and nothing can begin.
   *
   * @return whether repairs can begin
   */
  boolean isActive();

  /**
   * Orders this NameNode's and all others' times of scheduling: a command with a smaller term than
   * another is older. It grows whenever the queue starts afresh, over failovers and restarts too.
   * 0 as long as this NameNode has not been active.
   *
   * @return the term; 0 if this NameNode has not been active
   */
  long term();

  /**
   * A DataNode has heard of a term that is newer than this NameNode's. Either another NameNode has
   * become active, or this one's metadata has been rolled back: then no DataNode obeys it until its
   * term has grown beyond. A later {@link #poll} sees to that once it is sure that this NameNode is
   * the active one.
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
   * @return the same groups as they are now; those that are not ours to begin are left out
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
   * Gives up a repair: what is still pending of it is so no longer, and what is still lost is
   * polled again at once, with its age.
   *
   * @param grant the repair that failed
   * @return false if it had ended already
   */
  boolean abort(Grant grant);

  /**
   * The same for many, which shares the NameNode's write lock: it is held in short pieces, for a
   * bounded number of repairs each, one after the other. With very many the caller pauses in
   * between.
   *
   * @param grants the repairs that failed
   */
  void abortAll(Collection<Grant> grants);

  /**
   * Says that these repairs are alive, so that stock's sweep of what is pending for too long
   * (300 s by default) does not take them for lost. Those that ended are left alone.
   *
   * @param grants the repairs under way
   */
  void keepAlive(Collection<Grant> grants);

  /**
   * Hands groups that are queued to stock. Holds the NameNode's write lock in short pieces, one
   * after the other: whoever has very many gives others a rest in between.
   *
   * @param groups the groups that stock gets
   * @param ms how long, or {@link #FOR_GOOD}. A repair that stock has begun by then is stock's to
   *     end.
   */
  void release(Collection<GroupId> groups, long ms);

  /**
   * Keeps stock from decoding a group, whoever schedules it: released or not, claimed or not, and
   * however long nobody polls. Stock goes on copying what can be copied. That ends by
   * {@link #letGo}, or when the group is deleted; not when it is whole, nor with a failover.
   *
   * @param group the group
   * @return false if there is no such group, or if too many are held back already
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

  /** @return how long the NameNode's lock was held for all this since the start */
  LockTimes lockTimes();

  /** @return what there is now */
  QueueCounts counts();
}
