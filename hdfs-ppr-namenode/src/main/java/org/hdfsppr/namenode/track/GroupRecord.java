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

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.hdfsppr.plan.GroupId;

/**
 * The manager's record of one group: its state, the rules that its plans may break, its failures
 * and its doubt, but not its units. Only its {@link GroupBook} changes it. A field is null if there
 * is nothing to remember. This saves memory, because a NameNode may have records of many thousand
 * groups.
 */
final class GroupRecord {
  final GroupId id;
  private GroupState state = GroupState.GONE;
  private boolean reportedLost;
  private boolean copied;
  private Set<RelaxedRule> concessions;
  private RetryHistory history;
  private Doubt doubt;
  private GroupRecord older;

  GroupRecord(GroupId id) {
    this.id = Objects.requireNonNull(id, "id");
  }

  GroupState state() {
    return state;
  }

  /**
   * Changes the state.
   *
   * @throws IllegalStateException if {@code next} may not follow the present state; the record is
   *     unchanged then
   */
  void become(GroupState next) {
    if (!state.next().contains(next)) {
      throw new IllegalStateException(id + " cannot go from " + state + " to " + next);
    }
    state = next;
  }

  /**
   * Returns whether the NameNode has reported the group as lost. Reports from before the group's
   * last repair began, or from before the group was last gone, do not count.
   */
  boolean isReportedLost() {
    return reportedLost;
  }

  void setReportedLost(boolean isReportedLost) {
    reportedLost = isReportedLost;
  }

  /** Returns whether stock, when it gets the group, is to copy units and not to decode. */
  boolean isCopied() {
    return copied;
  }

  void setCopied(boolean isCopied) {
    copied = isCopied;
  }

  boolean has(RelaxedRule concession) {
    return concessions != null && concessions.contains(concession);
  }

  /** Allows plans for the group to break a rule; returns true if they might not break it before. */
  boolean concede(RelaxedRule concession) {
    if (concessions == null) {
      concessions = EnumSet.noneOf(RelaxedRule.class);
    }
    return concessions.add(concession);
  }

  void clearConcessions() {
    concessions = null;
  }

  /** Returns how the group's repairs have failed; null if no failures are remembered. */
  RetryHistory history() {
    return history;
  }

  void setHistory(RetryHistory now) {
    history = now;
  }

  /** Returns the doubt about the group's units, or null. */
  Doubt doubt() {
    return doubt;
  }

  void setDoubt(Doubt now) {
    doubt = now;
  }

  /**
   * Returns the next record in the chain of {@link GroupBook.BookRecords}: the one of an older
   * generation stamp of the same block group; null if there is none.
   */
  GroupRecord older() {
    return older;
  }

  void setOlder(GroupRecord record) {
    older = record;
  }

  /** Returns the state in which the group waits, which depends on the doubt about its units. */
  GroupState waitingState() {
    return doubt == null ? GroupState.WAITING
        : doubt.isCertain() ? GroupState.DOUBTED : GroupState.HELD;
  }

  @Override
  public String toString() {
    return id + " " + state;
  }
}
