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
package org.hdfsppr.client.files;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.hdfsppr.datanode.RepairCluster.holders;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.SpreadAccess;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.spread.DataNodeMover;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.operate.SpreadMove;
import org.hdfsppr.plan.GroupId;

/** Three files that form a CORE group, with two blocks of a column on one DataNode. */
final class CrowdedFiles {
  static final String FOLDER = "/crowded";
  private static final int FILES = 3;
  private static final int K = 3;
  private static final int UNITS = 5;
  private static final int INDEXES = 3;
  private static final int UNIT_BYTES = 2 * ConvertCluster.CELL;

  private final ConvertCluster cluster;
  private final UserGroupInformation owner;
  private final List<Path> paths = new ArrayList<>();
  private final List<byte[]> contents = new ArrayList<>();
  /** The files and their parity file. */
  private final List<Path> rows = new ArrayList<>();

  /** @param owner owns the files, and protects them */
  CrowdedFiles(ConvertCluster cluster, UserGroupInformation owner) {
    this.cluster = cluster;
    this.owner = owner;
  }

  /** Writes the files, and waits until they are a group. */
  void write() throws Exception {
    String policy = cluster.enable(new ECSchema("rs", K, UNITS - K), ConvertCluster.CELL);
    Path folder = new Path(FOLDER);
    cluster.hdfs().fs.mkdirs(folder);
    cluster.hdfs().fs.setErasureCodingPolicy(folder, policy);
    for (int i = 0; i < FILES; i++) {
      Path path = new Path(folder, "f" + i);
      contents.add(cluster.hdfs().write(path, INDEXES * K * UNIT_BYTES - i * 1_000, UNIT_BYTES,
          31 + i));
      paths.add(path);
      cluster.hdfs().fs.setOwner(path, owner.getShortUserName(), "users");
    }
    cluster.hdfs().fs.setOwner(folder, owner.getShortUserName(), "users");
    run(owner, "-core", "-protect", FOLDER, "-t", String.valueOf(FILES));
    await("the group is formed", () -> status().path("groups").asInt() == 1
        && status().path("forming").asInt() == 0);
    rows.addAll(paths);
    rows.add(Path.getPathWithoutSchemeAndAuthority(
        new MemberFiles(cluster, owner).awaitOnlyParity()));
    awaitWhole();
  }

  private void run(UserGroupInformation user, String... args) throws Exception {
    assertEquals(0, cluster.run(user, args), cluster.out() + cluster.err());
  }

  JsonNode status() {
    try {
      run(owner, "-core", "-status", FOLDER, "-json");
      return cluster.last();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until each unit has one replica. */
  private void awaitWhole() {
    await("each unit has one replica", () -> {
      try {
        for (Path row : rows) {
          for (LocatedStripedBlock group : cluster.hdfs().groups(row)) {
            if (group.getLocations().length != UNITS || holders(group).size() != UNITS) {
              return false;
            }
          }
        }
        return cluster.hdfs().mini().getNamesystem().getPendingDeletionBlocks() == 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private LocatedStripedBlock group(Path row, int index) throws IOException {
    return cluster.hdfs().groups(row).get(index);
  }

  /** Counts the columns with two blocks on one node. */
  int together() throws IOException {
    int together = 0;
    for (int index = 0; index < INDEXES; index++) {
      for (int unit = 0; unit < UNITS; unit++) {
        Set<String> nodes = new HashSet<>();
        for (Path row : rows) {
          nodes.add(holders(group(row, index)).get(unit).getDatanodeUuid());
        }
        together += nodes.size() < rows.size() ? 1 : 0;
      }
    }
    return together;
  }

  /** Moves blocks of the second file to where the first file has those of their columns. */
  void crowd() throws Exception {
    SpreadAccess access = new SpreadAccess(cluster.hdfs().mini().getNamesystem());
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    try (DataNodeMover mover = DataNodeMover.open(cluster.hdfs().clientConf())) {
      for (int index = 0; index < INDEXES; index++) {
        Map<Integer, DatanodeInfo> beside = holders(group(paths.get(0), index));
        for (int unit = 0; unit < UNITS; unit++) {
          LocatedStripedBlock group = group(paths.get(1), index);
          Map<Integer, DatanodeInfo> own = holders(group);
          if (!own.containsValue(beside.get(unit))) {
            GroupId id = new GroupId(group.getBlock().getBlockPoolId(),
                group.getBlock().getBlockId(), group.getBlock().getGenerationStamp());
            LocatedBlock granted = access.grant(new BlockMove(id, unit, StorageType.DISK,
                own.get(unit).getDatanodeUuid(), beside.get(unit).getDatanodeUuid()), user);
            mover.move(new SpreadMove(granted, 1, index, unit));
            awaitWhole();
          }
        }
      }
    }
    assertTrue(together() > 0, "no block could be moved beside another one");
    int together = together();
    await("the status counts them", () ->
        status().path("columns_together").asInt() == together);
  }

  /** Lets a superuser part the columns, and checks that nothing else has changed. */
  void spread(UserGroupInformation superuser) throws Exception {
    int before = together();
    List<Set<Long>> blocks = blocks();
    boolean isDone = false;
    int moved = 0;
    // A DataNode that a unit leaves takes no other unit of the row in the same run.
    for (int runs = 0; runs < 3 && !isDone; runs++) {
      int code = cluster.run(superuser, "-core", "-spread", FOLDER, "-json");
      JsonNode done = cluster.last();
      isDone = done.path("done").asBoolean();
      assertEquals(isDone ? 0 : 1, code, cluster.out() + cluster.err());
      assertEquals(INDEXES * UNITS, done.path("columns").asInt(), done::toString);
      assertTrue(runs > 0 || before == done.path("columns_together").asInt(), done::toString);
      assertEquals(0, done.path("blocks_failed").asInt(), done::toString);
      assertEquals(isDone ? 0 : 1, done.path("columns_staying").size(), done::toString);
      moved += done.path("blocks_moved").asInt();
      awaitWhole();
    }
    assertTrue(isDone, cluster.out());
    assertTrue(moved >= before, moved + " blocks of " + before + " columns");
    assertEquals(0, together());
    await("the status counts none", () -> status().path("columns_together").asInt() == 0);
    for (int row = 0; row < rows.size(); row++) {
      for (int index = 0; index < INDEXES; index++) {
        assertEquals(UNITS, new HashSet<>(holders(group(rows.get(row), index)).values()).size(),
            "nodes of a row");
      }
    }
    assertEquals(blocks, blocks());
    for (int i = 0; i < FILES; i++) {
      assertTrue(cluster.hdfs().hasContent(paths.get(i), contents.get(i)), "content of " + i);
    }
    assertEquals(1, status().path("groups").asInt());
    run(owner, "-core", "-check", FOLDER);
    run(superuser, "-core", "-spread");
    assertTrue(cluster.out().contains("0 with two blocks on one DataNode; 0 blocks moved"),
        cluster.out());
  }

  private List<Set<Long>> blocks() throws IOException {
    List<Set<Long>> all = new ArrayList<>();
    for (Path row : rows) {
      Set<Long> ids = new HashSet<>();
      for (LocatedStripedBlock group : cluster.hdfs().groups(row)) {
        ids.add(group.getBlock().getBlockId());
        ids.add(group.getBlock().getGenerationStamp());
      }
      all.add(ids);
    }
    return all;
  }
}
