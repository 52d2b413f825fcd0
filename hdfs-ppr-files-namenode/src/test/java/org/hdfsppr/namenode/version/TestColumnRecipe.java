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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.ParityMaker.ColumnRecipe;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where units of a parity group go, and in which order their columns are added up. */
class TestColumnRecipe {
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final int UNITS = 9;
  private static final int FILES = 2;
  private static final int NODES = 15;
  private static final GroupPolicy CODE = new GroupPolicy("rs", 6, 3, CELL);
  private static final FileGroup MADE = new FileGroup(new GroupId("BP-1", -1600, 1002), BYTES, 0);

  /** All nodes are in one rack. */
  private final FakeDoor door = new FakeDoor(NODES) {
    @Override
    NodeRef node(int number) {
      return withPort(new NodeRef(uuid(number), "10.0.0." + number, "host" + number, 9866,
          NodeRef.NO_REPAIR_PORT, "/rack"));
    }
  };
  private EngineParts parts;
  private ColumnRecipe recipe;

  @BeforeEach
  void recipe() throws Exception {
    ClientProtocol namenode = mock(ClientProtocol.class);
    List<TargetFile> files = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      HdfsLocatedFileStatus located = located(file);
      when(namenode.getLocatedFileInfo("/.reserved/.inodes/" + (17 + file), false))
          .thenReturn(located);
      List<FileGroup> groups = List.of(group(file));
      FileFacts facts = FileFacts.of("/f" + file, FileFacts.Kind.FILE, 17 + file).with(f -> {
        f.groups = groups;
        f.policy = new PolicyFacts("RS", CODE, true);
      }).build();
      files.add(new TargetFile(facts, 16, "f" + file, FsPermission.getFileDefault(), 1 << 27,
          null));
    }
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    parts = new EngineParts(
        new EngineParts.Files(mock(VersionNamespace.class), VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(door, new OrderBook()),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy -> null),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> 0, () -> 0));
    MemberUnits units = new MemberUnits(parts, files);
    units.locate();
    recipe = new ColumnRecipe(new VersionContext(parts, new VersionContext.Job("j1", 0),
        new VersionContext.MadeFile("/p", 20, CODE), 3, () -> { }),
        List.of(group(0), group(1)), List.of(), MADE, units);
  }

  private static FileGroup group(int file) {
    return new FileGroup(new GroupId("BP-1", -3200 - 16 * file, 1001), BYTES, 0);
  }

  /** Unit u of file f lies at node u + 3 f. */
  private HdfsLocatedFileStatus located(int file) {
    DatanodeInfo[] nodes = new DatanodeInfo[UNITS];
    byte[] indices = new byte[UNITS];
    for (int i = 0; i < UNITS; i++) {
      NodeRef node = door.node(i + 3 * file);
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
          node.hostName, node.uuid, node.xferPort, 1, 1, 1))
          .setNetworkLocation(node.rack).build();
      indices[i] = (byte) i;
    }
    GroupId id = group(file).id;
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(List.of(new LocatedStripedBlock(
        new ExtendedBlock("BP-1", id.groupId, BYTES, id.generationStamp), nodes, null, null,
        indices, 0, false, DatanodeInfo.EMPTY_ARRAY)));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  private MakePlan plan() throws Exception {
    Set<Integer> all = new TreeSet<>();
    for (int unit = 0; unit < UNITS; unit++) {
      all.add(unit);
    }
    return recipe.plan(all, List.of(), new NodeNotes(door));
  }

  private static List<String> helpers(Make make) {
    return make.helpers.stream().map(helper -> helper.node.uuid)
        .collect(Collectors.toList());
  }

  /** Books units that a node receives for other groups. */
  private void busy(int node, int units) {
    parts.links.plan(LinkLoads.Work.MAKING, List.of(), List.of(FakeDoor.uuid(node)),
        (long) units * CELL);
  }

  @Test
  void nodesThatReceiveMuchGetNoUnit() throws Exception {
    List<Integer> busy = List.of(2, 5, 7, 12, 14);
    busy.forEach(node -> busy(node, 20));
    Set<String> targets = plan().makes.stream().map(make -> make.targets.get(0).node.uuid)
        .collect(Collectors.toSet());
    assertEquals(UNITS, targets.size());
    busy.forEach(node -> assertFalse(targets.contains(FakeDoor.uuid(node)), targets.toString()));
  }

  /** The far end of a chain receives nothing. */
  @Test
  void theNodeThatReceivesMostIsAtTheFarEnd() throws Exception {
    List<Integer> busy = List.of(4, 8, 10);
    busy.forEach(node -> busy(node, 20));
    int seen = 0;
    for (Make make : plan().makes) {
      List<String> chain = helpers(make);
      for (int node : busy) {
        String uuid = FakeDoor.uuid(node);
        if (chain.contains(uuid)) {
          assertEquals(uuid, chain.get(chain.size() - 1), chain.toString());
          seen++;
        }
      }
    }
    // Node 4 has a unit of each file, node 8 too, and node 10 one.
    assertEquals(5, seen);
  }

  /** What the plan itself lets a node receive counts as well. */
  @Test
  void oneGroupSpreadsWhatItsNodesReceive() throws Exception {
    int[] received = new int[NODES];
    for (Make make : plan().makes) {
      List<String> receiving = new ArrayList<>(helpers(make).subList(0, FILES - 1));
      receiving.add(make.targets.get(0).node.uuid);
      for (int node = 0; node < NODES; node++) {
        received[node] += receiving.contains(FakeDoor.uuid(node)) ? 1 : 0;
      }
    }
    for (int node = 0; node < NODES; node++) {
      assertTrue(received[node] <= 2, "node " + node + " receives " + received[node]);
    }
  }
}
