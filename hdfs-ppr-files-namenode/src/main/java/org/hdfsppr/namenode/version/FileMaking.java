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

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.hdfsppr.plan.NodeRef;

/**
 * Has all groups of a new file made while the file is open, closes the file, and has the result
 * checked: {@link #makeGroups}, {@link #complete}, {@link #compare} and {@link #checkAll}, in this
 * order. Used by one thread at a time.
 */
final class FileMaking {
  /**
   * How many groups of a file may have unfinished units at a time. More groups would only wait for
   * each other, because about ten nodes work on each group.
   */
  private static final int GROUPS_MAX = 16;
  /**
   * How long stock may take to find a file complete after DataNodes have reported all its units,
   * ms. If a unit is lost in that time, stock does not find the file complete, and the file is made
   * anew.
   */
  private static final long COMPLETE_MS_MAX = 60_000;

  /** Says how the groups of a file are made. */
  interface Recipes {
    /** Returns how many groups the file has. */
    int count();

    /** Returns the bytes of file data in a group. */
    long bytes(int index);

    /** Returns the work that makes a group, which was just added to the file. */
    GroupWork of(int index, FileGroup made) throws IOException;
  }

  private final VersionContext context;
  private final EngineParts parts;
  private final WorkFile work;
  private final MakingGuard guard;
  /** A name of the file that is made, for log lines and messages. */
  private final String what;
  private final List<GroupWork> groups = new ArrayList<>();
  /**
   * The indices of the groups for which {@link VersionNamespace#expect} was called, and {@link
   * VersionNamespace#expectNoMore} is still to be called.
   */
  private final BitSet expected = new BitSet();
  /** When all groups were made, monotonic ms. */
  private long madeMs;
  /** Null until the checks begin. */
  private VerificationRounds rounds;

  FileMaking(VersionContext context, WorkFile work, MakingGuard guard, String what) {
    this.context = context;
    this.parts = context.parts;
    this.work = work;
    this.guard = guard;
    this.what = what;
  }

  /** Returns what making the groups has cost so far. */
  VersionBytes spent() {
    return groups.stream().map(GroupWork::bytes).reduce(VersionBytes.NONE, VersionBytes::plus);
  }

  /** Returns how long it takes until all units of the file survive a power cut, ms. */
  long durableInMs() {
    return groups.stream().mapToLong(GroupWork::durableInMs).max().orElse(0);
  }

  /** Cancels all orders that have not ended. */
  void cancel() {
    groups.forEach(GroupWork::cancel);
    if (rounds != null) {
      rounds.cancel();
    }
  }

  /** Lets the repair manager repair the groups again. */
  void release() {
    work.groups().forEach(group -> parts.made.remove(group.id));
  }

  /** Takes a step in which groups advance, and at most one group is added to the file. */
  Progress makeGroups(Recipes recipes) throws IOException, VersionStopException {
    guard.checkGoOn();
    List<BitSet> reported = parts.namespace.reported(work.inodeId);
    int open = 0;
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).advance(reported.get(i));
      if (!groups.get(i).isDone(reported.get(i))) {
        open++;
      } else if (expected.get(i)) {
        parts.namespace.expectNoMore(work.groups().get(i).id);
        expected.clear(i);
      }
    }
    if (groups.size() == recipes.count() && open == 0) {
      parts.hook.reached(VersionPoint.MADE, context.path);
      madeMs = parts.clockMs.getAsLong();
      return Progress.DONE;
    }
    boolean isAdded = groups.size() < recipes.count() && open < GROUPS_MAX && mayAdd(reported)
        && work.add(recipes.bytes(groups.size()));
    if (!isAdded) {
      return MakingGuard.LOOK;
    }
    parts.hook.reached(VersionPoint.GROUP_ADDED, context.path);
    FileGroup added = work.groups().get(groups.size());
    GroupWork group = recipes.of(groups.size(), added);
    parts.made.add(added.id);
    groups.add(group);
    group.begin();
    return Progress.AT_ONCE;
  }

  /** Closes the file, once stock finds its last group complete. */
  Progress complete() throws IOException, VersionStopException {
    if (work.complete()) {
      parts.hook.reached(VersionPoint.COMPLETED, context.path);
      return Progress.DONE;
    }
    guard.checkGoOn();
    if (parts.clockMs.getAsLong() - madeMs > COMPLETE_MS_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, what
          + " did not become complete within " + COMPLETE_MS_MAX / 1_000 + " s");
    }
    return MakingGuard.LOOK;
  }

  /**
   * Returns whether the last group may be committed, which stock does when the next group is added.
   * After a restart, the NameNode takes a committed group of the edit log for complete, and stays
   * in safe mode until DataNodes report the group's units. If this NameNode dies, no other NameNode
   * has the missing units of this file made. So DataNodes must have reported as many units as stock
   * waits for before the group is committed.
   */
  private boolean mayAdd(List<BitSet> reported) throws IOException {
    int last = groups.size() - 1;
    boolean may = last < 0
        || reported.get(last).cardinality() >= groups.get(last).unitsForCompletion();
    if (may && last >= 0) {
      parts.hook.reached(VersionPoint.LINKED, context.path);
      Map<Integer, NodeRef> nodes = groups.get(last).nodes();
      if (!nodes.keySet().stream().allMatch(reported.get(last)::get)) {
        expected.set(last);
        parts.namespace.expect(work.groups().get(last).id, nodes);
      }
    }
    return may;
  }

  /**
   * Checks that the closed file has the groups, the lengths and the policy that were ordered.
   *
   * @param facts the file at the path of the work file
   * @param policy name of the policy that it has to have
   */
  void compare(FileFacts facts, String policy) throws VersionStopException {
    List<FileGroup> made = facts.groups;
    boolean isRight = facts.inodeId == work.inodeId && facts.open == null
        && facts.policy != null && facts.policy.name.equalsIgnoreCase(policy)
        && made.size() == work.groups().size();
    for (int i = 0; isRight && i < made.size(); i++) {
      FileGroup wanted = work.groups().get(i);
      isRight = made.get(i).id.equals(wanted.id) && made.get(i).bytes == wanted.bytes;
    }
    if (!isRight) {
      throw new VersionStopException(VersionEnd.FAILED, what + " is not what was ordered: "
          + made);
    }
    FileGroup lost = made.stream()
        .max(Comparator.comparingInt((FileGroup group) -> group.lostUnits))
        .orElse(null);
    if (lost != null && lost.lostUnits > 0) {
      throw new VersionStopException(VersionEnd.FAILED, what + " has lost a unit of " + lost.id
          + " already");
    }
  }

  /**
   * Takes a step of the {@link VerificationRounds}.
   *
   * @param isUrgent whether DataNodes fetch the orders before their next regular heartbeat
   */
  Progress checkAll(boolean isUrgent) throws IOException, VersionStopException {
    if (rounds == null) {
      rounds = new VerificationRounds(context, work, groups, guard, what, isUrgent);
    }
    return rounds.step();
  }
}
