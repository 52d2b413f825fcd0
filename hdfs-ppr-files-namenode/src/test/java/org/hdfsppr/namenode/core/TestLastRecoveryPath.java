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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.core.CorePaper.Node;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** A group of two members, two block groups in the first one and one in the second one. */
class TestLastRecoveryPath {
  private static final int PARITY = 2;
  private static final int BEYOND = 3;

  private final CoreGroup group = PaperGroups.group(10, 2);
  private final List<FileGroup> now = new ArrayList<>();

  private void put(int row, int index, int lostUnits) {
    GroupIdentity recorded = group.identity(row, index);
    put(recorded, recorded.generationStamp, recorded.length, lostUnits);
  }

  private void put(GroupIdentity recorded, long stamp, long length, int lostUnits) {
    now.add(new FileGroup(new GroupId(group.poolId, recorded.groupId, stamp), length,
        lostUnits));
  }

  private boolean isLastWay() {
    return LastRecoveryPath.isOf(group, now);
  }

  @Test
  void aLostBlockGroupNeedsItsWholeColumn() {
    assertFalse(isLastWay());
    put(0, 0, BEYOND);
    put(1, 0, 0);
    assertFalse(isLastWay(), "the parity file has no block");
    put(PARITY, 0, 0);
    assertTrue(isLastWay());
    now.remove(1);
    assertFalse(isLastWay(), "the second member has no block");
  }

  @Test
  void whatItsOwnCodeRebuildsNeedsNoColumn() {
    put(0, 0, BEYOND - 1);
    put(1, 0, 0);
    put(PARITY, 0, 0);
    assertFalse(isLastWay());
  }

  /** The second member ends before the second block group of the first one. */
  @Test
  void aRowWithoutABlockInTheColumnIsNotMissed() {
    put(0, 1, BEYOND);
    put(PARITY, 1, 0);
    assertTrue(isLastWay());
  }

  @Test
  void blocksOfOtherStampsAndLengthsAreNotTheRecordedOnes() {
    put(0, 0, BEYOND);
    put(PARITY, 0, 0);
    GroupIdentity recorded = group.identity(1, 0);
    put(recorded, recorded.generationStamp + 1, recorded.length, 0);
    assertFalse(isLastWay());
    now.remove(2);
    put(recorded, recorded.generationStamp, recorded.length + 1, 0);
    assertFalse(isLastWay());
    now.remove(2);
    put(recorded, recorded.generationStamp, recorded.length, 0);
    assertTrue(isLastWay());
  }

  /** No file has the recorded inodes: it goes by block groups only. */
  @Test
  void theNamespaceIsAskedForBlockGroups() throws IOException {
    CorePaper files = new CorePaper();
    for (int row = 0; row <= PARITY; row++) {
      Node other = files.create(1, "other" + row, CorePaper.RS);
      other.groups.add(group.identity(row, 0));
      other.lostUnits = row == 1 ? BEYOND : 0;
    }
    assertTrue(LastRecoveryPath.isOf(group, files));
    files.delete(files.nodes.get(files.nodes.keySet().stream().reduce((one, two) -> two)
        .orElseThrow()));
    assertFalse(LastRecoveryPath.isOf(group, files));
    assertEquals(List.of(), files.blockGroups(List.of(1L)));
  }
}
