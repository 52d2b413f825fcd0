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
package org.hdfsppr.namenode.track;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.plan.GroupId;

/**
 * Remembers what was tried for groups, so that an operator can ask why a group is not repaired yet.
 * No decision rests on these notes: groups whose notes were forgotten are repaired as before. Used
 * by the manager's thread.
 */
@InterfaceAudience.Private
public final class GroupNotes {
  /**
   * How many failed tries are remembered for a group at most. An operator reads no more at once.
   */
  public static final int TRIES_MAX = 5;
  /**
   * The greatest number of groups whose failed tries are remembered, and of groups whose end is
   * remembered. With tries of 300 characters, all of them need some 15 MB. If there are more
   * groups, the oldest notes are forgotten.
   */
  static final int GROUPS_MAX = 10_000;

  private static final class Notes {
    private final Deque<FailedTry> tries = new ArrayDeque<>();
    private NoPlanReason noPlan;
    private BeginResult.Refusal notBegun;
    private String whyNotBegun = "";
  }

  /** How the manager's work on a group ended. Immutable. */
  public static final class End {
    /** True if stock has got the group; false if the group is whole or deleted */
    public final boolean withStock;
    /**
     * When this happened, monotonic, ms; {@link Long#MIN_VALUE} if stock is still to get the group
     */
    public final long sinceMs;
    /** What happened, or why stock got the group, in words that continue a sentence */
    public final String text;

    End(boolean withStock, long sinceMs, String text) {
      this.withStock = withStock;
      this.sinceMs = sinceMs;
      this.text = text;
    }
  }

  private final Map<GroupId, Notes> notes = bounded();
  private final Map<Long, End> ends = bounded();

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > GROUPS_MAX;
      }
    };
  }

  private Notes make(GroupId group) {
    return notes.computeIfAbsent(group, id -> new Notes());
  }

  /**
   * Notes a try that failed. If there are more than {@value #TRIES_MAX}, the oldest is forgotten.
   *
   * @param group the group
   * @param failed what failed
   */
  public void failed(GroupId group, FailedTry failed) {
    Deque<FailedTry> tries = make(group).tries;
    tries.addLast(failed);
    if (tries.size() > TRIES_MAX) {
      tries.removeFirst();
    }
  }

  /**
   * Notes that the scheduler has no plan for the group at present.
   *
   * @param group the group
   * @param why the reason
   */
  public void noPlan(GroupId group, NoPlanReason why) {
    make(group).noPlan = why;
  }

  /**
   * Notes that the NameNode refused to begin a planned repair.
   *
   * @param group the group
   * @param why the reason
   * @param detail the reason, in words
   */
  public void notBegun(GroupId group, BeginResult.Refusal why, String detail) {
    Notes one = make(group);
    one.noPlan = null;
    one.notBegun = why;
    one.whyNotBegun = detail;
  }

  /**
   * Notes that a repair of the group has begun, so that earlier refusals do not count any more. The
   * failed tries stay.
   *
   * @param group the group
   */
  public void begun(GroupId group) {
    ends.remove(group.groupId);
    Notes one = notes.get(group);
    if (one != null) {
      one.noPlan = null;
      one.notBegun = null;
      one.whyNotBegun = "";
    }
  }

  /**
   * Notes that stock is to get the group.
   *
   * @param group the group
   * @param why why stock is to get it, in words that follow a colon
   */
  public void leftToStock(GroupId group, String why) {
    ends.put(group.groupId, new End(true, Long.MIN_VALUE, why));
  }

  /**
   * Notes that stock has got the group, for the reason that was noted before.
   *
   * @param group the group
   * @param nowMs the time now, monotonic, ms
   */
  public void handed(GroupId group, long nowMs) {
    End before = ends.get(group.groupId);
    ends.put(group.groupId, new End(true, nowMs, before == null ? "" : before.text));
  }

  /**
   * Notes that the NameNode does not report the group to the manager as lost any more, because
   * stock has the group or because all its units are there.
   *
   * @param group the group
   * @param nowMs the time now, monotonic, ms
   */
  public void gone(GroupId group, long nowMs) {
    End before = ends.get(group.groupId);
    if (before == null || !before.withStock) {
      whole(group, nowMs, "its units have come back, or it was deleted");
    }
  }

  /**
   * Notes that the group has no lost units any more, and forgets what was tried.
   *
   * @param group the group
   * @param nowMs the time now, monotonic, ms
   * @param how what made it whole
   */
  public void whole(GroupId group, long nowMs, String how) {
    notes.remove(group);
    ends.put(group.groupId, new End(false, nowMs, how));
  }

  /**
   * Forgets what was tried, because the group is whole, with stock or gone.
   *
   * @param group the group
   */
  void forget(GroupId group) {
    notes.remove(group);
  }

  /**
   * @param group the group
   * @return the last failed tries, the oldest first, at most {@value #TRIES_MAX}
   */
  public List<FailedTry> tries(GroupId group) {
    Notes one = notes.get(group);
    return one == null ? List.of() : new ArrayList<>(one.tries);
  }

  /**
   * @param group the group
   * @return why the scheduler has no plan; empty if it has not refused the group since the last
   *     repair began
   */
  public Optional<NoPlanReason> noPlan(GroupId group) {
    return Optional.ofNullable(notes.get(group)).map(one -> one.noPlan);
  }

  /**
   * @param group the group
   * @return why the NameNode did not begin the last planned repair; empty if it did
   */
  public Optional<BeginResult.Refusal> notBegun(GroupId group) {
    return Optional.ofNullable(notes.get(group)).map(one -> one.notBegun);
  }

  /**
   * @param group the group
   * @return the reason that {@link #notBegun} returns, in words; empty if there is none
   */
  public String whyNotBegun(GroupId group) {
    Notes one = notes.get(group);
    return one == null ? "" : one.whyNotBegun;
  }

  /**
   * @param number a group's id without its generation stamp
   * @return how the manager's work on the group ended last; empty if that is not remembered
   */
  public Optional<End> end(long number) {
    return Optional.ofNullable(ends.get(number));
  }
}
