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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes members that lie in a trash out of their groups, while their blocks still exist: the XOR of
 * the parity file and the member's row is the parity file of the other members. That reads two
 * files instead of all the others. The group uses the old parity file until the new one is
 * published, and then deletes it. On any doubt the group is dissolved instead. Used by one thread.
 */
final class MemberRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(MemberRemoval.class);
  /**
   * A group must keep at least one half of the files of which it was formed; with fewer, its parity
   * file costs too much.
   */
  private static final int MEMBERS_LEAST_SHARE = 2;

  /** A group that is to lose one of its members, and whose new parity file is being made. */
  private static final class Job {
    private final CoreGroupRegistry.Item item;
    private final int row;
    private final CompletableFuture<ParityOutcome> future;

    private Job(CoreGroupRegistry.Item item, int row, CompletableFuture<ParityOutcome> future) {
      this.item = item;
      this.row = row;
      this.future = future;
    }

    private CoreGroup before() {
      return item.group;
    }

    /** Returns the group with the new parity file. */
    private CoreGroup after(ParityOutcome made) {
      List<MemberRow> rows = new ArrayList<>(before().members());
      rows.remove(row);
      MemberRow parity = GroupRecords.row(made.inodeId, made.groups);
      CoreMembership record = new CoreMembership(made.inodeId, before().policyName(), parity,
          rows, before().formedFiles());
      rows = new ArrayList<>(rows);
      rows.add(parity);
      return new CoreGroup(record, before().policy, before().poolId, rows);
    }
  }

  private final CoreDoors doors;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreGroupRegistry shelf;
  private final CoreGroupRules judge;
  private final Dissolver dissolver;
  private final int concurrent;
  private final Runnable wake;
  /** The running jobs, by the ids of their groups. */
  private final Map<Long, Job> running = new LinkedHashMap<>();
  /** The ids of groups that are to be dissolved, because a member could not be taken out. */
  private final Set<Long> inVain = new HashSet<>();

  /**
   * @param concurrent the most groups at a time
   * @param wake is called by any thread when a parity file has ended
   */
  MemberRemoval(CoreDoors doors, CoreGroupRegistry shelf, CoreGroupRules judge, Dissolver dissolver,
      int concurrent, Runnable wake) {
    this.doors = doors;
    this.shelf = shelf;
    this.judge = judge;
    this.dissolver = dissolver;
    this.concurrent = concurrent;
    this.wake = wake;
  }

  /**
   * Begins to take a member out, if only this member keeps its group from staying.
   *
   * @return whether the group is kept for now; false if it has to be dissolved
   * @throws IOException if the NameNode does not answer
   */
  boolean takes(CoreGroupRegistry.Item item, CoreGroupRules.Verdict verdict) throws IOException {
    CoreGroup group = item.group;
    if (verdict.thrownAway.isEmpty()) {
      // The file is deleted, or more than one member has changed.
      if (running.containsKey(group.id())) {
        doors.engine.cancel(job(group));
      }
      return false;
    }
    if (running.containsKey(group.id())) {
      return true;
    }
    int row = verdict.thrownAway.getAsInt();
    if (inVain.contains(group.id()) || concurrent == 0 || !mayGo(group, row)) {
      return false;
    }
    if (running.size() >= concurrent || !doors.engine.isActive()
        || doors.namespace.isInSafeMode()) {
      // The taking out begins later. Until then, the columns are right as long as the member's
      // blocks exist.
      return true;
    }
    Optional<ParityRequest> request = request(group, row);
    if (request.isEmpty()) {
      return false;
    }
    Optional<CompletableFuture<ParityOutcome>> future = doors.engine.submit(request.get());
    if (future.isPresent()) {
      running.put(group.id(), new Job(item, row, future.get()));
      future.get().whenComplete((outcome, error) -> wake.run());
    }
    return true;
  }

  private static String job(CoreGroup group) {
    return "core-out-" + group.id();
  }

  /**
   * Returns whether enough members stay, and at each index one of them is as long as the parity
   * file.
   */
  private static boolean mayGo(CoreGroup group, int row) {
    int staying = group.members().size() - 1;
    if (staying < CoreMembership.FILES_MIN
        || staying * MEMBERS_LEAST_SHARE < group.formedFiles()) {
      return false;
    }
    for (int index = 0; index < group.parity().blockGroups; index++) {
      long longest = 0;
      for (int other = 0; other < group.members().size(); other++) {
        GroupIdentity identity = group.identity(other, index);
        if (identity == null && group.hasBlockGroup(other, index)) {
          return false;
        }
        longest = other == row || identity == null ? longest
            : Math.max(longest, identity.length);
      }
      if (longest != group.identity(group.members().size(), index).length) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the request to the engine; empty if a file is not as recorded, or lacks a unit. It is
   * also empty if the leaving member has grown: the engine reads all block groups of that member,
   * and would put those that the parity file does not cover into the new parity file. The other
   * members may grow, because the engine does not read them.
   */
  private Optional<ParityRequest> request(CoreGroup group, int row) throws IOException {
    List<TargetFile> files = new ArrayList<>();
    for (Optional<TargetFile> file : doors.namespace.files(group.inodeIds())) {
      if (file.isEmpty() || FilePlanner.obstacle(file.get().facts).isPresent()
          || !isAsRecorded(group.rows.get(files.size()), file.get())) {
        return Optional.empty();
      }
      files.add(file.get());
    }
    TargetFile parity = files.remove(files.size() - 1);
    TargetFile leaving = files.remove(row);
    if (leaving.groups.size() > group.rows.get(row).blockGroups) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ParityRequest(job(group), doors.place, parity.facts.policy,
          List.of(parity, leaving), files));
    } catch (IllegalArgumentException e) {
      LOG.debug("A parity file and a member do not fit together any more", e);
      return Optional.empty();
    }
  }

  private static boolean isAsRecorded(MemberRow row, TargetFile file) {
    MemberRow now = GroupRecords.row(file.inodeId(), file.groups);
    return now.blockGroups >= row.blockGroups
        && MemberRow.of(file.inodeId(), now.identities().subList(0, row.blockGroups)).toDigest()
            .equals(row.toDigest());
  }

  /**
   * Publishes the parity files that the engine has completed, with which their groups go on.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   */
  void takeEnded(Protections protections, long nowMs) {
    for (Job job : new ArrayList<>(running.values())) {
      if (job.future.isDone()) {
        running.remove(job.before().id());
        take(job, protections, nowMs);
      }
    }
    inVain.removeIf(id -> shelf.item(id) == null);
  }

  private void take(Job job, Protections protections, long nowMs) {
    ParityOutcome outcome = job.future.join();
    if (!outcome.isMade()) {
      outcome.left.ifPresent(dissolver::left);
      if (outcome.outcome.end != VersionEnd.STOPPED
          && outcome.outcome.end != VersionEnd.CANCELLED) {
        failed(job, outcome.outcome.sentence);
      }
      return;
    }
    String why;
    try {
      why = goOn(job, job.after(outcome), protections, nowMs);
    } catch (IOException | RuntimeException e) {
      why = e.toString().split("\n")[0];
    }
    if (why != null) {
      failed(job, why);
      dissolver.discard(outcome.inodeId);
    }
  }

  /**
   * Replaces a group by the one with the new parity file.
   *
   * @return why the group is dissolved instead; null if it is not
   */
  private String goOn(Job job, CoreGroup after, Protections protections, long nowMs)
      throws IOException {
    CoreGroup before = job.before();
    if (shelf.item(before.id()) != job.item) {
      return "the group was dissolved meanwhile";
    }
    if (judge.judge(before, doors.namespace.members(before.inodeIds()), protections, nowMs).reason
        == null) {
      // A user has restored the member from the trash.
      dissolver.discard(after.id());
      return null;
    }
    CoreGroupRules.Verdict verdict =
        judge.judge(after, doors.namespace.members(after.inodeIds()), protections, nowMs);
    if (verdict.reason != null || verdict.stale > 0) {
      return "another member has changed meanwhile";
    }
    if (LastRecoveryPath.isOf(before, doors.namespace)) {
      return "the parity file is needed until a file is repaired";
    }
    // From now on, repairs keep units off the nodes of the new columns. Earlier repairs did not
    // know these columns, so that the spread is checked now.
    shelf.remove(before);
    shelf.add(after, verdict.directory).found(verdict);
    boolean isPublished = false;
    try {
      if (doors.spread.isParityBeside(after)) {
        return "a unit was repaired onto a DataNode with another block of the same column";
      }
      doors.folder.publish(after.id(), after.record().toBytes());
      isPublished = true;
    } finally {
      if (!isPublished) {
        shelf.remove(after);
        shelf.add(before, job.item.directory());
      }
    }
    dissolver.dissolve(before.id(), DissolutionReason.TAKEN_OUT);
    LOG.debug("{} goes on as {}", before, after);
    return null;
  }

  private void failed(Job job, String why) {
    inVain.add(job.before().id());
    peerLog.info("in vain", "CORE group {} is dissolved, because a member in the trash cannot be"
        + " taken out: {}. Others like it may follow", job.before().id(), why);
  }

  void clear() {
    running.values().forEach(job -> dissolver.orphan(job.future));
    running.clear();
    inVain.clear();
  }
}
