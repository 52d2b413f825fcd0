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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.core.membership.BadMembershipException;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.operate.UnusedGroup;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all groups from the namespace after a start or a failover, some in each step. Used by one
 * thread.
 */
final class GroupLoader {
  private static final Logger LOG = LoggerFactory.getLogger(GroupLoader.class);
  /** How many groups one step reads. One takes some 50 us, so a step takes about 10 ms. */
  static final int GROUPS_PER_STEP = 200;
  /**
   * If a group cannot be read this many times, the loader sets it aside as unused, and goes on with
   * the others. Until then it tries this group again and reads no other one. Otherwise it would set
   * all groups aside if the NameNode did not answer for a moment.
   */
  static final int FAILURES_MAX = 3;
  /** How many unused groups are read again in each round of comparisons; this takes some ms. */
  private static final int AGAIN_MAX = 20;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreFolder folder;
  private final CoreNamespace namespace;
  private final CoreGroupRegistry shelf;
  private final CoreGroupRules judge;
  private final Dissolver dissolver;
  private final UnusedGroups unused;
  private final Deque<String> shards = new ArrayDeque<>();
  private final Deque<String> names = new ArrayDeque<>();
  /**
   * The records of the groups that the present step reads, by group id. A group without a record
   * has an empty value; one whose file does not exist has no entry.
   */
  private final Map<Long, Optional<byte[]>> records = new HashMap<>();
  /**
   * The ids of the groups that are read in the second round, because none of their files has lost
   * units. A million of them take some 30 MB.
   */
  private final Deque<Long> later = new ArrayDeque<>();
  private boolean mayChange;
  /** How often the next group could not be read. */
  private int failures;

  GroupLoader(CoreFolder folder, CoreNamespace namespace, CoreGroupRegistry shelf,
      CoreGroupRules judge,
      Dissolver dissolver, UnusedGroups unused) {
    this.folder = folder;
    this.namespace = namespace;
    this.shelf = shelf;
    this.judge = judge;
    this.dissolver = dissolver;
    this.unused = unused;
  }

  void begin() throws IOException {
    names.clear();
    later.clear();
    shards.clear();
    failures = 0;
    shards.addAll(folder.shards());
  }

  boolean isDone() {
    return shards.isEmpty() && names.isEmpty() && later.isEmpty();
  }

  /**
   * Reads some groups. In the first round, it reads only those of files with lost units, if there
   * are such files: their repairs wait until the groups are read, but only for a limited time.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   * @param mayDissolve whether groups that do not fit their files are dissolved. If not, they are
   *     set aside as unused, and are read again later
   * @throws IOException if the NameNode does not answer; the next step tries it again
   */
  void step(Protections protections, long nowMs, boolean mayDissolve) throws IOException {
    mayChange = mayDissolve;
    if (names.isEmpty() && !shards.isEmpty()) {
      names.addAll(folder.parities(shards.peek()));
      shards.remove();
    }
    boolean isSecondRound = names.isEmpty();
    try {
      readAhead(isSecondRound);
      Set<Long> lost = isSecondRound ? Set.of() : namespace.lostFiles();
      for (int i = 0; i < GROUPS_PER_STEP && !(isSecondRound ? later : names).isEmpty(); i++) {
        if (isSecondRound) {
          load(later.peek(), protections, nowMs);
          later.remove();
        } else {
          load(names.peek(), lost, protections, nowMs);
          names.remove();
        }
      }
    } finally {
      records.clear();
    }
  }

  /**
   * Reads the records of this step's groups in one call. If that fails, they are read one by one
   * later.
   */
  private void readAhead(boolean isSecondRound) throws StandbyException {
    List<Long> ids = new ArrayList<>();
    if (isSecondRound) {
      later.stream().limit(GROUPS_PER_STEP).forEach(ids::add);
    } else {
      names.stream().limit(GROUPS_PER_STEP).forEach(name -> inode(name).ifPresent(ids::add));
    }
    try {
      records.putAll(namespace.attributes(ids, CoreFolder.XATTR));
    } catch (StandbyException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The records of {} CORE groups are read one by one", ids.size(), e);
    }
  }

  /**
   * Returns whether a group can be left for the second round, because none of its files has lost
   * units.
   */
  private boolean canWait(long id, Set<Long> lost) {
    Optional<byte[]> record = records.getOrDefault(id, Optional.empty());
    if (lost.isEmpty() || record.isEmpty() || lost.contains(id)) {
      return false;
    }
    try {
      return parse(record.get()).files.stream()
          .noneMatch(row -> lost.contains(row.fileId));
    } catch (BadMembershipException | BadRecordException e) {
      LOG.trace("The record of CORE group {} cannot be read, as its reader will say", id, e);
      return false;
    }
  }

  /** Parses the record of a group, sealed or not. */
  static CoreMembership parse(byte[] record)
      throws BadMembershipException, BadRecordException {
    return CoreMembership.parse(SealedRecord.open(SealedKind.CORE_GROUP, record));
  }

  private static OptionalLong inode(String name) {
    try {
      long id = Long.parseLong(name);
      return name.equals(Long.toString(id)) ? OptionalLong.of(id) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      LOG.trace("{} is no inode id", PeerText.oneLine(name), PeerText.oneLine(e));
      return OptionalLong.empty();
    }
  }

  private void load(String name, Set<Long> lost, Protections protections, long nowMs)
      throws IOException {
    OptionalLong id = inode(name);
    if (id.isPresent() && canWait(id.getAsLong(), lost)) {
      later.add(id.getAsLong());
    } else if (id.isPresent()) {
      load(id.getAsLong(), protections, nowMs);
    } else {
      LOG.warn("{} is no parity file of a CORE group, because its name is no inode id",
          PeerText.oneLine(name));
    }
  }

  /**
   * Reads some of the unused groups again. Their files may be gone by now, or may be readable. This
   * may dissolve groups.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   * @throws IOException if the NameNode does not answer; the next call tries other groups
   */
  void lookAgain(Protections protections, long nowMs) throws IOException {
    mayChange = true;
    for (long id : unused.next(AGAIN_MAX)) {
      load(id, protections, nowMs);
    }
  }

  /**
   * Reads a group. If that fails {@link #FAILURES_MAX} times, sets it aside as unused, so that the
   * other groups are read.
   */
  private void load(long id, Protections protections, long nowMs) throws IOException {
    Optional<UnusedGroup> found;
    try {
      found = read(id, protections, nowMs);
    } catch (StandbyException | RetriableException e) {
      throw e;
    } catch (IOException e) {
      if (!unused.has(id) && ++failures < FAILURES_MAX) {
        throw e;
      }
      found = Optional.of(unreadable(id, e));
    } catch (RuntimeException e) {
      peerLog.error("group", "CORE group {} cannot be read. Others like it may follow", id, e);
      found = Optional.of(unreadable(id, e));
    }
    failures = 0;
    if (found.isEmpty()) {
      unused.remove(id);
      return;
    }
    if (!unused.has(id)) {
      peerLog.warn("unused", "CORE group {} is not used, and its parity file is kept: {}. Others"
          + " like it may follow; 'hdfs ppr -core -status' lists them", id, found.get().why);
    }
    unused.put(found.get());
  }

  private static UnusedGroup unreadable(long id, Exception e) {
    return new UnusedGroup(id, "the NameNode cannot read it: " + PeerText.oneLine(e.toString()),
        "it is tried again all the time; look into the NameNode's log if it stays");
  }

  /** Reads a group. Returns why it is unused; empty if it is used, dissolved, or does not exist. */
  private Optional<UnusedGroup> read(long id, Protections protections, long nowMs)
      throws IOException {
    CoreMembership record;
    try {
      // The map has no entry for a file that does not exist; the call then throws an exception.
      Optional<byte[]> bytes = records.containsKey(id) ? records.get(id) : folder.record(id);
      if (bytes.isEmpty()) {
        // The file was not finished, or a superuser has removed its record.
        dissolver.left(id);
        return Optional.empty();
      }
      record = parse(bytes.get());
    } catch (FileNotFoundException e) {
      LOG.debug("The parity file {} is gone", id, e);
      return Optional.empty();
    } catch (BadRecordException e) {
      return Optional.of(new UnusedGroup(id, PeerText.firstLine(e),
          e.why == BadRecordException.Why.CORRUPT ? deletion(id)
              : "another version of hdfs-ppr has written it: upgrade this NameNode's"));
    } catch (BadMembershipException e) {
      return Optional.of(new UnusedGroup(id, PeerText.firstLine(e),
          e.why == BadMembershipException.Why.TOO_NEW ? "a newer hdfs-ppr has written it:"
              + " upgrade this NameNode's" : deletion(id)));
    }
    if (record.groupId != id || record.parity.fileId != id) {
      if (!mayChange) {
        return Optional.of(later(id));
      }
      dissolver.dissolve(id, DissolutionReason.BAD_RECORD);
      return Optional.empty();
    }
    return take(record, protections, nowMs);
  }

  private static UnusedGroup later(long id) {
    return new UnusedGroup(id, "its parity file or one of its members is not as it was recorded,"
        + " or is in another group, too", "nothing: it is looked at again when the NameNode has"
        + " left safe mode");
  }

  private static String deletion(long id) {
    return "as the files of the group can be in new groups, have its parity file deleted: 'hdfs dfs"
        + " -setfattr -x trusted." + CoreFolder.XATTR + " " + CoreFolder.parity(id) + "'";
  }

  private Optional<UnusedGroup> take(CoreMembership record, Protections protections, long nowMs)
      throws IOException {
    List<Long> ids = new ArrayList<>();
    for (MemberRow row : record.files) {
      ids.add(row.fileId);
    }
    ids.add(record.groupId);
    List<Optional<MemberState>> now = namespace.members(ids);
    List<List<GroupIdentity>> groups = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      // If only a snapshot has the file, it is no member any more. But the repair of another member
      // may need its blocks.
      groups.add(now.get(i).isPresent() ? now.get(i).get().groups
          : namespace.keptGroups(ids.get(i)));
    }
    CoreGroup group = GroupRecords.read(record,
        now.get(ids.size() - 1).map(found -> found.policy).orElse(null),
        groups, namespace.poolId())
        .orElse(null);
    if (group == null) {
      if (!mayChange) {
        return Optional.of(later(record.groupId));
      }
      dissolver.dissolve(record.groupId, DissolutionReason.PARITY_CHANGED);
      return Optional.empty();
    }
    CoreGroupRules.Verdict verdict = judge.judge(group, now, protections, nowMs);
    List<CoreGroup> others = shelf.besides(group);
    if (!mayChange && !others.isEmpty()) {
      return Optional.of(later(group.id()));
    }
    boolean isNewest = others.stream().allMatch(other -> other.id() < group.id());
    boolean isUseless = !others.isEmpty() && (verdict.reason != null || !isNewest);
    for (CoreGroup one : isUseless ? List.of(group) : others) {
      if (LastRecoveryPath.isOf(one, namespace)) {
        return Optional.of(new UnusedGroup(group.id(), "a file of it is in CORE group "
            + others.get(0).id() + ", too, and one of both groups is needed until its files are"
            + " repaired", "bring back DataNodes with lost units, or wait for the repairs"));
      }
    }
    if (isUseless) {
      dissolver.dissolve(group, verdict.reason == null ? DissolutionReason.REPLACED
          : verdict.reason);
      return Optional.empty();
    }
    others.forEach(other -> dissolver.dissolve(other, DissolutionReason.REPLACED));
    // A group that must be dissolved is added as well. The next comparison dissolves it, unless the
    // repair of a file still needs it.
    shelf.add(group, verdict.directory).found(verdict);
    return Optional.empty();
  }
}
