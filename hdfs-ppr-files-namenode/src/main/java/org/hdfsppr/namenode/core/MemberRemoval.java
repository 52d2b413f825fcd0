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
 * Removes a member that is in the trash from its group, while its blocks still exist. The XOR of
 * the old parity file and the member's row is a parity file for the other members. To make it,
 * nodes read these two files instead of all the other members. The group uses the old parity file
 * until the record of the new one is written; then the old one is deleted. If anything does not
 * fit, the group is dissolved instead. Used by one thread.
 */
final class MemberRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(MemberRemoval.class);
  /**
   * After the removal, a group must have at least one in this many of the members with which it was
   * formed: with 2, half of them. With fewer members, its parity file takes too much space.
   */
  private static final int MEMBERS_LEAST_SHARE = 2;

  /** The removal of a member, whose new parity file is being made. */
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

    /** Returns the group without the member, with its new parity file. */
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
  /** The removals whose parity files are being made, by the ids of their groups. */
  private final Map<Long, Job> running = new LinkedHashMap<>();
  /**
   * The ids of groups from which a member could not be removed, so that they are to be dissolved.
   */
  private final Set<Long> inVain = new HashSet<>();

  /**
   * @param concurrent how many parity files are made at the same time at most; 0 for none
   * @param wake is called when the making of a parity file has ended, on any thread
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
   * If a member in the trash is the only reason to dissolve a group, begins to remove it.
   *
   * @return whether the group stays for now; false if it has to be dissolved
   * @throws IOException if the NameNode does not answer
   */
  boolean takes(CoreGroupRegistry.Item item, CoreGroupRules.Verdict verdict) throws IOException {
    CoreGroup group = item.group;
    if (verdict.thrownAway.isEmpty()) {
      // The member was deleted from the trash, or there is another reason to dissolve the group.
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
      // The removal can begin later: as long as the blocks of the member exist, the columns of the
      // group can be used.
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
   * Returns whether a member may be removed: enough others stay and, at each index, one of them is
   * as long as the parity file.
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
   * Returns the request to the engine; empty if a file is not as it was recorded, or has lost
   * units. It is also empty if the member to remove has grown. The engine reads all its block
   * groups, and would add those that the old parity file does not cover to the new one. The other
   * members may have grown, because the engine does not read them.
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
   * Takes the parity files that the engine has completed, and replaces the groups by new ones with
   * these.
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
   * @return why the group has to be dissolved instead; null if it need not be
   */
  private String goOn(Job job, CoreGroup after, Protections protections, long nowMs)
      throws IOException {
    CoreGroup before = job.before();
    if (shelf.item(before.id()) != job.item) {
      return "the group was dissolved meanwhile";
    }
    if (judge.judge(before, doors.namespace.members(before.inodeIds()), protections, nowMs).reason
        == null) {
      // The group fits its files again, because a user has moved the member out of the trash.
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
    // From here on, repairs know the new columns, and put no rebuilt unit beside another block of
    // the same column. Earlier repairs did not know them, so this is checked now.
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
