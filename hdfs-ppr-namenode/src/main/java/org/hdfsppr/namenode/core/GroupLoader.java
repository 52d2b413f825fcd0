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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.BadMembershipException;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.core.membership.MembershipCodec;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.MemberNow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the groups that the namespace keeps, some in each step, after a start and after a failover.
 * Used by one thread.
 */
@InterfaceAudience.Private
final class GroupLoader {
  private static final Logger LOG = LoggerFactory.getLogger(GroupLoader.class);
  /** A group takes some 100 us, so that a step takes about 20 ms. */
  static final int GROUPS_PER_STEP = 200;

  private final CoreFolder folder;
  private final CoreNamespace namespace;
  private final GroupShelf shelf;
  private final GroupJudge judge;
  private final Dissolver dissolver;
  private final Deque<String> shards = new ArrayDeque<>();
  private final Deque<String> names = new ArrayDeque<>();

  GroupLoader(CoreFolder folder, CoreNamespace namespace, GroupShelf shelf, GroupJudge judge,
      Dissolver dissolver) {
    this.folder = folder;
    this.namespace = namespace;
    this.shelf = shelf;
    this.judge = judge;
    this.dissolver = dissolver;
  }

  void begin() throws IOException {
    names.clear();
    shards.clear();
    shards.addAll(folder.shards());
  }

  boolean isDone() {
    return shards.isEmpty() && names.isEmpty();
  }

  /**
   * Reads some groups.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   * @throws IOException if the NameNode does not answer; the next step tries it again
   */
  void step(Protections protections, long nowMs) throws IOException {
    for (int i = 0; i < GROUPS_PER_STEP && !isDone(); i++) {
      if (names.isEmpty()) {
        names.addAll(folder.parities(shards.peek()));
        shards.remove();
      } else {
        load(names.peek(), protections, nowMs);
        names.remove();
      }
    }
  }

  private void load(String name, Protections protections, long nowMs) throws IOException {
    long id;
    try {
      id = Long.parseLong(name);
      if (!name.equals(Long.toString(id))) {
        throw new NumberFormatException(name + " is another way to write " + id);
      }
    } catch (NumberFormatException e) {
      LOG.warn("{} is no parity file of a CORE group, because its name is no inode id", name);
      return;
    }
    CoreMembership record;
    try {
      Optional<byte[]> bytes = folder.record(id);
      record = bytes.isPresent() ? MembershipCodec.decode(bytes.get()) : null;
    } catch (FileNotFoundException e) {
      LOG.debug("The parity file {} is gone", id, e);
      return;
    } catch (BadMembershipException e) {
      if (e.why() == BadMembershipException.Why.TOO_NEW) {
        LOG.error("CORE group {} is not used, because a newer hdfs-ppr has written its record;"
            + " upgrade this NameNode's: {}", id, e.getMessage());
        return;
      }
      LOG.error("CORE group {} is dissolved, because its record cannot be read: {}", id,
          e.getMessage());
      record = null;
    }
    if (record == null || record.groupId() != id || record.parity().fileId() != id) {
      dissolver.dissolve(id, Dissolution.BAD_RECORD);
      return;
    }
    take(record, protections, nowMs);
  }

  private void take(CoreMembership record, Protections protections, long nowMs)
      throws IOException {
    List<Long> ids = new ArrayList<>();
    for (MemberRow row : record.files()) {
      ids.add(row.fileId());
    }
    ids.add(record.groupId());
    List<Optional<MemberNow>> now = namespace.members(ids);
    CoreGroup group = GroupRecords.read(record, now, namespace.poolId()).orElse(null);
    if (group == null) {
      dissolver.dissolve(record.groupId(), Dissolution.MEMBER_REWRITTEN);
      return;
    }
    GroupJudge.Verdict verdict = judge.judge(group, now, protections, nowMs);
    // A group that does not fit any more is dissolved by the next comparison, unless a file needs
    // it.
    if (verdict.reason() != null && !shelf.besides(group).isEmpty()) {
      dissolver.dissolve(group, verdict.reason());
      return;
    }
    for (CoreGroup other : shelf.besides(group)) {
      if (other.id() > group.id()) {
        dissolver.dissolve(group, Dissolution.REPLACED);
        return;
      }
      dissolver.dissolve(other, Dissolution.REPLACED);
    }
    shelf.add(group, verdict.directory()).found(verdict);
  }
}
