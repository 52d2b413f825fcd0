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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Versions on a cluster with both plugins. */
@Timeout(300)
class TestVersions {
  private static final long SEED = 20261125;

  @TempDir
  File directory;
  private VersionCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = VersionCluster.start(directory);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void assertDecodes(String path, byte[] data, int unit) throws Exception {
    LocatedStripedBlock group = cluster.cluster.groups(new Path(path)).get(0);
    cluster.cluster.kill(RepairCluster.holders(group).get(unit));
    cluster.assertContent(path, data);
    RepairCluster.await("the unit is back", () -> cluster.cluster.holds(new Path(path), unit));
    cluster.assertContent(path, data);
  }

  @Test
  void aFileGetsAnotherCodeInPlace() throws Exception {
    // Three groups, the last of which is short.
    byte[] data = cluster.write("/ec/f", (int) (VersionCluster.BLOCK * 6 * 2 + 70_001), SEED);
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(VersionCluster.XOR, cluster.policyOf("/ec/f"));
    cluster.assertContent("/ec/f", data);
    assertEquals(3, outcome.bytes.groups);
    assertTrue(outcome.bytes.linked >= data.length, outcome.toString());
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(9 + 9 + 5 + 3);
    assertDecodes("/ec/f", data, 1);
  }

  @Test
  void localParitiesAreAdded() throws Exception {
    byte[] data = cluster.write("/ec/f", (int) (VersionCluster.BLOCK * 6 + 5), SEED);
    VersionOutcome outcome =
        cluster.make(cluster.request("/ec/f", VersionCluster.LRC)
            .check(VerificationMode.FULL).build());
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.assertContent("/ec/f", data);
    outcome = cluster.make("/ec/f", VersionCluster.RS);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
  }

  /**
   * A NameNode that starts takes each group but the last one for complete. It would stay in safe
   * mode, and find data lost, if their units were only to come.
   */
  @Test
  void aGroupIsAddedOnlyWhenTheOneBeforeItCanBeRead() throws Exception {
    byte[] data = cluster.write("/ec/groups", 500_000, SEED);
    String work = VersionHome.CONVERSIONS.directory(
        ((HdfsFileStatus) cluster.fs().getFileStatus(new Path("/ec/groups"))).getFileId())
        + "/" + VersionNamespace.NEW;
    List<Integer> units = Collections.synchronizedList(new ArrayList<>());
    NamespaceAccess namenode = new NamespaceAccess(cluster.mini().getNamesystem(),
        cluster.mini().getConfiguration(0), VersionHook.NONE);
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.GROUP_ADDED) {
        try {
          // Clients are named all nodes of a group that is not complete.
          List<BitSet> reported = namenode.reported(((HdfsFileStatus)
              cluster.fs().getFileStatus(new Path(work))).getFileId());
          reported.subList(0, reported.size() - 1)
              .forEach(group -> units.add(group.cardinality()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    });
    VersionOutcome outcome = cluster.make("/ec/groups", VersionCluster.LRC);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(3, units.size(), "units of the groups before the second and the third one");
    units.forEach(known -> assertTrue(known >= VersionCluster.K, units.toString()));
    cluster.assertContent("/ec/groups", data);
  }

  @Test
  void whatBelongsToThePathStays() throws Exception {
    byte[] data = cluster.write("/ec/f", 200_000, SEED);
    Path path = new Path("/ec/f");
    cluster.fs().setOwner(path, "alice", "users");
    cluster.fs().setPermission(path, new FsPermission((short) 0640));
    cluster.fs().modifyAclEntries(path, List.of(new AclEntry.Builder()
        .setType(AclEntryType.USER).setName("bob").setScope(AclEntryScope.ACCESS)
        .setPermission(FsAction.READ_WRITE).build()));
    cluster.fs().setXAttr(path, "user.colour", new byte[] {1, 2});
    cluster.fs().setXAttr(path, "trusted.shape", new byte[] {3});
    cluster.fs().setStoragePolicy(path, "ALL_SSD");
    cluster.fs().setTimes(path, 1_000_000, 2_000_000);
    FileStatus before = cluster.fs().getFileStatus(path);
    List<AclEntry> acl = cluster.fs().getAclStatus(path).getEntries();
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    FileStatus after = cluster.fs().getFileStatus(path);
    assertEquals(before.getOwner(), after.getOwner());
    assertEquals(before.getGroup(), after.getGroup());
    assertEquals(before.getPermission(), after.getPermission());
    assertEquals(before.getModificationTime(), after.getModificationTime());
    assertEquals(before.getAccessTime(), after.getAccessTime());
    assertEquals(acl, cluster.fs().getAclStatus(path).getEntries());
    Map<String, byte[]> attributes = cluster.fs().getXAttrs(path);
    assertEquals(2, attributes.size());
    assertEquals("ALL_SSD", cluster.fs().getStoragePolicy(path).getName());
    cluster.assertContent("/ec/f", data);
    cluster.restartNameNode();
    cluster.cluster.awaitQuiet();
    RepairCluster.await("the DataNodes have reported", () ->
        cluster.cluster.holds(path, 0) && cluster.cluster.holds(path, 5));
    cluster.assertContent("/ec/f", data);
    assertEquals(before.getPermission(), cluster.fs().getFileStatus(path).getPermission());
  }

  /** A user that a directory above lets in by default gets no right to a file by its conversion. */
  @Test
  void aDefaultAclOfTheRootDoesNotGetIntoAFile() throws Exception {
    byte[] data = cluster.write("/ec/f", 200_000, SEED);
    Path path = new Path("/ec/f");
    FsPermission before = cluster.fs().getFileStatus(path).getPermission();
    cluster.fs().modifyAclEntries(new Path("/"), List.of(new AclEntry.Builder()
        .setType(AclEntryType.USER).setName("bob").setScope(AclEntryScope.DEFAULT)
        .setPermission(FsAction.ALL).build()));
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(List.of(), cluster.fs().getAclStatus(path).getEntries());
    assertEquals(before, cluster.fs().getFileStatus(path).getPermission());
    cluster.restartNameNode();
    assertEquals(List.of(), cluster.fs().getAclStatus(path).getEntries());
    assertEquals(before, cluster.fs().getFileStatus(path).getPermission());
    cluster.assertContent("/ec/f", data);
  }

  @Test
  void aStreamThatWasOpenedBeforeReadsOnDuringTheGrace() throws Exception {
    assertEquals("right", streamOpenedBefore("/ec/kept", VersionCluster.XOR, 600_000));
  }

  /**
   * Shows the danger, with all nodes alive. Stock's stream does not find a replica, takes the unit
   * for lost, asks for locations by path, and keeps its decoder: it takes parity units of the new
   * code for those of the old one.
   */
  @Test
  void aStreamThatWasOpenedBeforeIsWrongAfterTheGrace() throws Exception {
    assertEquals("wrong", streamOpenedBefore("/ec/gone", VersionCluster.XOR, 0));
  }

  /** That the old version is still there does not help: the stream does not ask for it again. */
  @Test
  void aStreamThatWasOpenedBeforeIsWrongDuringTheGraceIfANodeIsDead() throws Exception {
    assertEquals("wrong", streamOpenedBefore("/ec/kept", VersionCluster.XOR, 600_000, 1));
  }

  /** The first parity unit has the same bytes in both codes, the others have not. */
  @Test
  void aStreamThatWasOpenedBeforeDecodesOneUnitWithAParityThatStays() throws Exception {
    assertEquals("right", streamOpenedBefore("/ec/one", VersionCluster.NONXOR, 600_000, 1));
  }

  @Test
  void aStreamThatWasOpenedBeforeIsWrongIfItNeedsAParityThatChanges() throws Exception {
    assertEquals("wrong", streamOpenedBefore("/ec/two", VersionCluster.NONXOR, 600_000, 2, 3));
  }

  /** This code keeps two parity units. */
  @Test
  void aStreamThatWasOpenedBeforeDecodesTwoUnitsOfACodeThatKeepsTwoParities() throws Exception {
    assertEquals("right", streamOpenedBefore("/ec/kept", VersionCluster.LRC, 600_000, 1, 2));
  }

  /** The janitor has looked before, found nothing to wait for, and would look much later. */
  @Test
  void theOldVersionGoesWhenAShortGraceEnds() throws Exception {
    byte[] data = cluster.write("/ec/short", (int) VersionCluster.BLOCK, SEED);
    VersionOutcome outcome =
        cluster.make(cluster.request("/ec/short", VersionCluster.LRC).graceMs(2000).build());
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.awaitNothingLeft();
    cluster.assertContent("/ec/short", data);
  }

  /** Returns what a stock stream reads that was opened before, when nodes of units are dead. */
  private String streamOpenedBefore(String path, String policy, long graceMs, int... dead)
      throws Exception {
    byte[] data = cluster.write(path, (int) (VersionCluster.BLOCK * 6), SEED);
    try (FSDataInputStream in = cluster.fs().open(new Path(path))) {
      assertEquals(data[0] & 0xff, in.read());
      int replicas = cluster.replicas();
      VersionOutcome outcome =
          cluster.make(cluster.request(path, policy).graceMs(graceMs).build());
      assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
      if (graceMs == 0) {
        RepairCluster.await("the old replicas are gone", () -> cluster.replicas() <= replicas);
      } else {
        assertEquals(1, cluster.left().size());
      }
      Map<Integer, DatanodeInfo> holders =
          RepairCluster.holders(cluster.cluster.groups(new Path(path)).get(0));
      for (int unit : dead) {
        cluster.mini().stopDataNode(holders.get(unit).getXferAddr());
      }
      byte[] read = new byte[data.length];
      in.readFully(0, read);
      return Arrays.equals(data, read) ? "right" : "wrong";
    }
  }
}
