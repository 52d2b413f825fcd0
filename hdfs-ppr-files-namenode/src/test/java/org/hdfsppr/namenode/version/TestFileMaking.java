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

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the making of a file. The NameNode and the plans of groups are made up. */
class TestFileMaking {
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final long INODE = 17;
  private static final String POLICY = "LRC";
  private static final GroupPolicy CODE = new GroupPolicy("lrc-rs-l2", 6, 4, CELL);

  private final MadeGroups made = new MadeGroups();
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private final List<GroupId> added = new ArrayList<>();
  private VersionContext context;
  private WorkFile work;
  private FileMaking making;

  @BeforeEach
  void parts() throws Exception {
    ClientProtocol namenode = mock(ClientProtocol.class);
    HdfsFileStatus created = mock(HdfsFileStatus.class);
    when(created.getFileId()).thenReturn(INODE);
    when(namenode.create(anyString(), any(), anyString(), any(), anyBoolean(), anyShort(),
        anyLong(), any(), any(), any())).thenReturn(created);
    when(namenode.addBlock(anyString(), anyString(), any(), any(), anyLong(), any(), any()))
        .thenAnswer(call -> {
          added.add(new GroupId("BP-1", -1600 - 16 * added.size(), 1001));
          return new LocatedStripedBlock(block(added.get(added.size() - 1)),
              DatanodeInfo.EMPTY_ARRAY, null, null, new byte[0], 0, false,
              DatanodeInfo.EMPTY_ARRAY);
        });
    when(namespace.reported(INODE)).thenAnswer(call -> added.stream().map(group -> {
      BitSet units = new BitSet();
      units.set(0, CODE.dataUnits);
      return units;
    }).collect(Collectors.toList()));
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenReturn(Optional.empty());
    VersionStore store = VersionStores.of(() -> namenode);
    EngineParts parts = new EngineParts(
        new EngineParts.Files(namespace, store),
        new EngineParts.DataNodes(new FakeDoor(12), new OrderBook()),
        new EngineParts.Manager(gate, made),
        new CodePathCache(policy -> null),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> 0, () -> 0));
    context = new VersionContext(parts, new VersionContext.Job("j1", 0),
        new VersionContext.MadeFile("/f", INODE, CODE), 3, () -> { });
    work = WorkFile.create(store, "/work", FsPermission.getFileDefault(), 1 << 27, null, "holder",
        POLICY);
    making = new FileMaking(context, work,
        new MakingGuard(parts, Optional::empty, () -> false, () -> false),
        "the new version of /f");
  }

  private static ExtendedBlock block(GroupId group) {
    return new ExtendedBlock(group.poolId, group.groupId, 0, group.generationStamp);
  }

  /** Two groups. The plan of the first one has no orders, and there is none of the second one. */
  private final class TwoGroups implements FileMaking.Recipes {
    /** For each plan: the groups of the file that repairs leave alone at this moment. */
    private final List<List<GroupId>> leftAlone = new ArrayList<>();

    @Override
    public int count() {
      return 2;
    }

    @Override
    public long bytes(int index) {
      return BYTES;
    }

    @Override
    public GroupWork of(int index, FileGroup group) {
      return new GroupMaking(context, new GroupRecipe() {
        @Override
        public MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes)
            throws VersionStopException {
          leftAlone.add(added.stream().filter(made::has).collect(Collectors.toList()));
          if (index > 0) {
            throw new VersionStopException(RefusalReason.NO_NODES, "as the test says");
          }
          return new MakePlan(List.of(), List.of());
        }

        @Override
        public void locate() {
          throw new AssertionError("no unit has failed");
        }

        @Override
        public boolean wantsDigests() {
          return false;
        }

        @Override
        public LinkCommand link(String id, List<UnitPlace> places) {
          throw new AssertionError("there is nothing to link");
        }

        @Override
        public MakeCommand make(String id, Make make, List<CommandTarget> targets) {
          throw new AssertionError("there is nothing to make");
        }

        @Override
        public VersionStopException contradiction(RepairResult result) {
          throw new AssertionError("there is no result");
        }

        @Override
        public boolean mustBeDurable() {
          return false;
        }

        @Override
        public String what() {
          return "the new version of " + group.id;
        }
      }, group);
    }
  }

  /** For stock, the units that are not made yet are lost as soon as their group is committed. */
  @Test
  void repairsLeaveGroupsAloneUntilTheMakingReleasesThem() {
    TwoGroups groups = new TwoGroups();
    assertEquals("as the test says",
        assertThrows(VersionStopException.class,
            () -> PhaseSteps.takeAll(() -> making.makeGroups(groups))).getMessage());
    assertEquals(2, added.size());
    assertEquals(List.of(added.subList(0, 1), added), groups.leftAlone);
    making.cancel();
    added.forEach(group -> assertTrue(made.has(group), "the file is still there"));
    making.release();
    added.forEach(group -> assertFalse(made.has(group), "repairs look after it again"));
  }

  private List<FileGroup> groups(long lastBytes, int lastLost) throws Exception {
    while (work.groups().size() < 2) {
      assertTrue(work.add(BYTES));
    }
    return List.of(new FileGroup(added.get(0), BYTES, 0),
        new FileGroup(added.get(1), lastBytes, lastLost));
  }

  private static FileFacts.Builder facts(long inodeId, String policy, List<FileGroup> groups) {
    return FileFacts.of("/work", FileFacts.Kind.FILE, inodeId).with(f -> {
      f.groups = groups;
      f.policy = new PolicyFacts(policy, CODE, true);
    });
  }

  private void assertRefused(FileFacts facts, String why) {
    String sentence = assertThrows(VersionStopException.class,
        () -> making.compare(facts, POLICY)).getMessage();
    assertTrue(sentence.contains(why), sentence);
  }

  @Test
  void onlyTheFileThatWasOrderedIsPublished() throws Exception {
    List<FileGroup> right = groups(BYTES, 0);
    assertDoesNotThrow(() -> making.compare(facts(INODE, POLICY, right).build(), POLICY));
    assertRefused(facts(INODE + 1, POLICY, right).build(), "is not what was ordered");
    assertRefused(facts(INODE, "RS", right).build(), "is not what was ordered");
    assertRefused(facts(INODE, POLICY, right).with(f -> f.policy = null).build(),
        "is not what was ordered");
    assertRefused(facts(INODE, POLICY, right).with(f -> f.open = "it is being written").build(),
        "is not what was ordered");
    assertRefused(facts(INODE, POLICY, right.subList(0, 1)).build(), "is not what was ordered");
    assertRefused(facts(INODE, POLICY, List.of(right.get(1), right.get(0))).build(),
        "is not what was ordered");
    assertRefused(facts(INODE, POLICY, groups(BYTES - 1, 0)).build(), "is not what was ordered");
    assertRefused(facts(INODE, POLICY, groups(BYTES, 1)).build(),
        "has lost a unit of " + added.get(1));
  }
}
