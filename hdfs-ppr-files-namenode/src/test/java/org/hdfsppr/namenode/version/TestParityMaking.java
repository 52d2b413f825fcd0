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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.io.EnumSetWritable;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Parity files on a cluster with both plugins. */
@Timeout(300)
class TestParityMaking {
  private static final long SEED = 20261125;
  private static final int GROUP = (int) VersionCluster.BLOCK * VersionCluster.K;
  /** Not in CORE's folder: when it starts, it deletes what has no record there. */
  private static final Path FOLDER = new Path("/.hdfs-ppr/parities");
  private static final String PARITY = FOLDER.toUri().getPath() + "/p";

  @TempDir
  File directory;
  private VersionCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.fs().mkdirs(FOLDER, new FsPermission((short) 0700));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ParityRequest request(String... paths) throws Exception {
    NamespaceAccess namespace = new NamespaceAccess(cluster.mini().getNamesystem(),
        cluster.mini().getConfiguration(0), VersionHook.NONE);
    List<TargetFile> members = new ArrayList<>();
    for (String path : paths) {
      members.add(namespace.file(path,
          ((HdfsFileStatus) cluster.fs().getFileStatus(new Path(path))).getFileId(),
          System.getProperty("user.name")).orElseThrow());
    }
    return new ParityRequest("core", (form, holder) -> new ParityPlace.Created(PARITY,
        cluster.mini().getNameNodeRpc().create(PARITY, form.permission, holder,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)), false, (short) 1,
            form.blockBytes, CryptoProtocolVersion.supported(), form.policy,
            form.storagePolicy).getFileId()), members.get(0).facts.policy, members);
  }

  private ParityOutcome make(ParityRequest request) throws Exception {
    return cluster.engine().submit(request).orElseThrow().get(120, TimeUnit.SECONDS);
  }

  /** Returns the XOR of contents, group by group, each continued with zeros. */
  static byte[] xor(List<byte[]> contents) {
    byte[] sum = new byte[contents.stream().mapToInt(data -> data.length).max().getAsInt()];
    for (byte[] data : contents) {
      for (int i = 0; i < data.length; i++) {
        sum[i] ^= data[i];
      }
    }
    return sum;
  }

  private Map<Integer, Set<String>> columns(String path, int index) throws Exception {
    Map<Integer, Set<String>> columns = new HashMap<>();
    List<LocatedStripedBlock> groups = cluster.cluster.groups(new Path(path));
    if (index < groups.size()) {
      RepairCluster.holders(groups.get(index)).forEach((unit, node) ->
          columns.computeIfAbsent(unit, none -> new HashSet<>()).add(node.getDatanodeUuid()));
    }
    return columns;
  }

  @Test
  void eachUnitIsTheSumOfItsColumn() throws Exception {
    // Two groups and a piece of a stripe, one full group, and less than a cell.
    List<byte[]> data = List.of(cluster.write("/ec/a", 2 * GROUP + 70_001, SEED),
        cluster.write("/ec/b", GROUP, SEED + 1), cluster.write("/ec/c", 5_000, SEED + 2));
    ParityOutcome outcome = make(request("/ec/a", "/ec/b", "/ec/c"));
    assertTrue(outcome.isMade(), outcome.toString());
    assertEquals(3, outcome.groups.size());
    byte[] parity = DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(PARITY));
    assertArrayEquals(xor(data), parity);
    HdfsFileStatus status = (HdfsFileStatus) cluster.fs().getFileStatus(new Path(PARITY));
    assertEquals(outcome.inodeId, status.getFileId());
    assertEquals(0600, status.getPermission().toShort());
    for (int index = 0; index < 3; index++) {
      for (Map.Entry<Integer, Set<String>> column : columns(PARITY, index).entrySet()) {
        for (String member : List.of("/ec/a", "/ec/b", "/ec/c")) {
          Set<String> nodes = columns(member, index).getOrDefault(column.getKey(), Set.of());
          nodes.forEach(node -> assertFalse(column.getValue().contains(node),
              "a node has two blocks of column " + column.getKey()));
        }
      }
    }
    // The parity units of the new file are those of its data: it can be read without two of them.
    LocatedStripedBlock group = cluster.cluster.groups(new Path(PARITY)).get(0);
    cluster.cluster.kill(RepairCluster.holders(group).get(0));
    cluster.cluster.kill(RepairCluster.holders(group).get(4));
    cluster.assertContent(PARITY, parity);
  }

  @Test
  void aWrongUnitOfAFileIsFoundAndNothingIsLeft() throws Exception {
    cluster.write("/ec/a", GROUP, SEED);
    cluster.write("/ec/b", GROUP, SEED + 1);
    LocatedStripedBlock group = cluster.cluster.groups(new Path("/ec/b")).get(0);
    cluster.cluster.spoil(group, 2, 100, true);
    ParityOutcome outcome = make(request("/ec/a", "/ec/b"));
    assertEquals(VersionEnd.FAILED, outcome.outcome.end);
    assertTrue(outcome.outcome.sentence.contains("contradict"), outcome.toString());
    assertFalse(cluster.fs().exists(new Path(PARITY)));
  }

  @Test
  void noVersionOfAFileIsMadeMeanwhile() throws Exception {
    cluster.write("/ec/a", GROUP, SEED);
    cluster.write("/ec/b", GROUP, SEED + 1);
    List<VersionOutcome> refused = new ArrayList<>();
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.COMPLETED && path.equals(PARITY)) {
        try {
          refused.add(cluster.make("/ec/b", VersionCluster.XOR));
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    });
    assertTrue(make(request("/ec/a", "/ec/b")).isMade());
    assertEquals(RefusalReason.BUSY, refused.get(0).reason);
    VersionHooks.set(VersionHook.NONE);
    assertEquals(VersionEnd.PUBLISHED, cluster.make("/ec/b", VersionCluster.XOR).end);
  }
}
