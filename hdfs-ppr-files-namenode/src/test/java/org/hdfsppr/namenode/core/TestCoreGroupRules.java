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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.junit.jupiter.api.Test;

/** What becomes of a group, by what there is of its files. */
class TestCoreGroupRules {
  private static final long DIRECTORY = 501;
  private static final long SETTLE_MS = 60_000;
  private static final long NOW_MS = 10 * SETTLE_MS;
  private static final int PARITY = 2;
  private static final PolicyFacts POLICY =
      new PolicyFacts("RS-3-2-1k", new GroupPolicy("rs", 3, 2, 1_024), true);
  private static final PolicyFacts OTHER =
      new PolicyFacts("RS-6-3-1k", new GroupPolicy("rs", 6, 3, 1_024), true);
  private static final String HOME = "/data/";
  private static final String TRASH = "/user/alice/.Trash/Current/";

  private final CoreGroup group = PaperGroups.group(10, 2);
  private final Protections protections = new Protections(
      List.of(new ProtectedDirectory(DIRECTORY, "/data", 2, false, "alice")));
  private final List<Optional<MemberState>> now = new ArrayList<>();

  TestCoreGroupRules() {
    for (int row = 0; row <= PARITY; row++) {
      now.add(Optional.empty());
      put(row, HOME, POLICY, identities(row), false);
    }
  }

  private List<GroupIdentity> identities(int row) {
    List<GroupIdentity> identities = new ArrayList<>();
    for (int index = 0; index < group.rows.get(row).blockGroups; index++) {
      identities.add(group.identity(row, index));
    }
    return identities;
  }

  private List<GroupIdentity> rewritten(int row) {
    List<GroupIdentity> identities = identities(row);
    GroupIdentity old = identities.get(0);
    identities.set(0,
        new GroupIdentity(old.groupId, old.generationStamp + 1, old.length));
    return identities;
  }

  private List<GroupIdentity> grown(int row, GroupIdentity more) {
    List<GroupIdentity> identities = identities(row);
    identities.add(more);
    return identities;
  }

  private void put(int row, String directory, PolicyFacts policy, List<GroupIdentity> groups,
      boolean isOpen) {
    now.set(row, Optional.of(
        new MemberState(directory + row, List.of(DIRECTORY, 1L), policy, groups,
            isOpen ? Set.of(MemberState.Mark.OPEN) : Set.of(), 0)));
  }

  private CoreGroupRules.Verdict judge() {
    return new CoreGroupRules(SETTLE_MS).judge(group, now, protections, NOW_MS);
  }

  @Test
  void aGroupStaysWithItsFiles() {
    assertNull(judge().reason);
    assertEquals(DIRECTORY, judge().directory);
    assertEquals(OptionalInt.empty(), judge().thrownAway);
  }

  @Test
  void theOnlyFileInTheTrashWithTheRecordedBytesCanBeTakenOut() {
    put(1, TRASH, POLICY, identities(1), false);
    assertEquals(DissolutionReason.MEMBER_GONE, judge().reason);
    assertEquals(OptionalInt.of(1), judge().thrownAway);
    put(1, TRASH, POLICY, rewritten(1), false);
    assertEquals(OptionalInt.empty(), judge().thrownAway);
    assertEquals(1, judge().stale);
    put(1, TRASH, OTHER, identities(1), false);
    assertEquals(OptionalInt.empty(), judge().thrownAway);
    put(1, TRASH, null, identities(1), false);
    assertEquals(OptionalInt.empty(), judge().thrownAway);
    now.set(1, Optional.empty());
    assertEquals(OptionalInt.empty(), judge().thrownAway);
  }

  @Test
  void nothingIsTakenOutOfAParityFileThatIsNotTheRecordedOne() {
    put(1, TRASH, POLICY, identities(1), false);
    put(PARITY, HOME, POLICY, rewritten(PARITY), false);
    assertEquals(OptionalInt.empty(), judge().thrownAway);
    now.set(PARITY, Optional.empty());
    assertEquals(OptionalInt.empty(), judge().thrownAway);
  }

  /** Its writer may go on, and what it has written last is not complete. */
  @Test
  void aFileThatIsStillWrittenHasNotGrownYet() {
    GroupIdentity more = new GroupIdentity(-900, 8, 100);
    put(0, HOME, POLICY, grown(0, more), true);
    assertNull(judge().reason);
    put(0, HOME, POLICY, grown(0, null), false);
    assertNull(judge().reason);
    put(0, HOME, POLICY, grown(0, more), false);
    assertEquals(DissolutionReason.MEMBER_GREW, judge().reason);
  }
}
