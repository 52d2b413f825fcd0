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
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.namenode.StockReplay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Versions of files with a storage policy, on DataNodes that each have a disk and an archive, and
 * under a quota.
 */
@Timeout(600)
class TestVersionStorage {
  private static final long SEED = 20261125;
  private static final byte UNSPECIFIED = 0;
  private static final Path FOLDER = new Path("/ec/folder");
  private static final String FILE = "/ec/folder/f";

  /** Bytes of a file with two groups; the second group is not full. */
  private static final int BYTES = 6 * (int) VersionCluster.BLOCK + 70_000;

  @TempDir
  File directory;
  private VersionCluster cluster;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = VersionCluster.conf(directory);
    cluster = VersionCluster.of(new MiniDFSCluster.Builder(conf)
        .numDataNodes(VersionCluster.NODES).storagesPerDatanode(2)
        .storageTypes(new StorageType[] {StorageType.DISK, StorageType.ARCHIVE}).build());
    cluster.fs().mkdirs(FOLDER);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Returns the types of the storages on which units lie, those from a unit on. */
  private Set<StorageType> storages(int from) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (LocatedStripedBlock group : cluster.cluster.groups(new Path(FILE))) {
      for (int i = 0; i < group.getBlockIndices().length; i++) {
        if (group.getBlockIndices()[i] >= from) {
          types.add(group.getStorageTypes()[i]);
        }
      }
    }
    return types;
  }

  /** Returns the id of the policy that is set on the file or inherited. */
  private byte storagePolicy() throws IOException {
    return ((HdfsFileStatus) cluster.fs().getFileStatus(new Path(FILE))).getStoragePolicy();
  }

  /**
   * Returns what quotas count, which is what is there. Hadoop counts no quotas of storage types for
   * erasure-coded files.
   */
  private String used() throws IOException {
    QuotaUsage counted = cluster.fs().getQuotaUsage(FOLDER);
    ContentSummary there = cluster.fs().getContentSummary(FOLDER);
    assertEquals(there.getSpaceConsumed(), counted.getSpaceConsumed());
    assertEquals(there.getFileCount() + there.getDirectoryCount(),
        counted.getFileAndDirectoryCount());
    return counted.getSpaceConsumed() + " bytes, " + counted.getFileAndDirectoryCount();
  }

  private void setQuota(long bytes) throws IOException {
    cluster.fs().setQuota(FOLDER, 100, bytes);
  }

  @Test
  void coldFilesStayCold() throws Exception {
    cluster.fs().setStoragePolicy(FOLDER, HdfsConstants.COLD_STORAGE_POLICY_NAME);
    setQuota(1L << 30);
    byte[] data = cluster.write(FILE, BYTES, SEED);
    byte policy = storagePolicy();
    String before = used();
    assertEquals(EnumSet.of(StorageType.ARCHIVE), storages(0));
    for (String code : new String[] {VersionCluster.LRC, VersionCluster.XOR, VersionCluster.RS}) {
      VersionOutcome outcome = cluster.make(FILE, code);
      assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
      assertTrue(outcome.bytes.linked >= BYTES, outcome.toString());
      assertEquals(0, outcome.bytes.copied, outcome.toString());
      assertEquals(EnumSet.of(StorageType.ARCHIVE), storages(0), code);
      assertEquals(policy, storagePolicy(), code);
      cluster.assertContent(FILE, data);
      used();
      cluster.awaitNothingLeft();
    }
    assertEquals(before, used());
    // The policy is still inherited: the file follows its directory.
    cluster.fs().setStoragePolicy(FOLDER, HdfsConstants.HOT_STORAGE_POLICY_NAME);
    assertEquals(HdfsConstants.HOT_STORAGE_POLICY_ID, storagePolicy());
    used();
  }

  /** Until a mover comes, the units of such a file are where they were written. */
  @Test
  void newUnitsOfAFileThatIsColdByNowAreCold() throws Exception {
    setQuota(1L << 30);
    byte[] data = cluster.write(FILE, BYTES, SEED);
    assertEquals(EnumSet.of(StorageType.DISK), storages(0));
    cluster.fs().setStoragePolicy(new Path(FILE), HdfsConstants.COLD_STORAGE_POLICY_NAME);
    VersionOutcome outcome = cluster.make(FILE, VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(HdfsConstants.COLD_STORAGE_POLICY_ID, storagePolicy());
    // This code keeps the first parity of RS.
    assertEquals(EnumSet.of(StorageType.ARCHIVE), storages(VersionCluster.K + 1));
    cluster.assertContent(FILE, data);
    used();
    // The file has a policy of its own, and none is left without that.
    cluster.fs().unsetStoragePolicy(new Path(FILE));
    assertEquals(UNSPECIFIED, storagePolicy());
  }

  @Test
  void aQuotaIsKept() throws Exception {
    cluster.fs().setStoragePolicy(FOLDER, HdfsConstants.COLD_STORAGE_POLICY_NAME);
    setQuota(1L << 30);
    byte[] data = cluster.write(FILE, BYTES, SEED);
    long used = cluster.fs().getQuotaUsage(FOLDER).getSpaceConsumed();
    String before = used();
    // A local parity more of each group does not fit.
    setQuota(used + 1);
    VersionOutcome outcome = cluster.make(FILE, VersionCluster.LRC);
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.QUOTA, outcome.reason, outcome.toString());
    assertEquals(VersionCluster.RS, cluster.policyOf(FILE));
    assertEquals(before, used());
    cluster.awaitNothingLeft();
    // A code with as many parities does: nothing counts twice meanwhile.
    setQuota(used);
    outcome = cluster.make(FILE, VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(before, used());
    cluster.assertContent(FILE, data);
  }

  /** The snapshot keeps the old version, and stock counts both when the new one gets its path. */
  @Test
  void aFileThatASnapshotHasByNowNeedsRoomForBothVersions() throws Exception {
    setQuota(1L << 30);
    byte[] data = cluster.write(FILE, BYTES, SEED);
    long used = cluster.fs().getQuotaUsage(FOLDER).getSpaceConsumed();
    AtomicReference<String> acted = new AtomicReference<>("not done");
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.VERIFIED) {
        try {
          cluster.fs().allowSnapshot(FOLDER);
          cluster.fs().createSnapshot(FOLDER, "s");
          setQuota(2 * used - 1);
          acted.set("done");
        } catch (IOException e) {
          acted.set(e.toString());
        }
      }
    });
    VersionOutcome outcome = cluster.make(FILE, VersionCluster.XOR);
    VersionHooks.set(VersionHook.NONE);
    assertEquals("done", acted.get());
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.QUOTA, outcome.reason, outcome.toString());
    assertEquals(VersionCluster.RS, cluster.policyOf(FILE));
    cluster.awaitNothingLeft();
    setQuota(2 * used);
    outcome = cluster.make(FILE, VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.assertContent(FILE, data);
    cluster.assertContent(FOLDER + "/.snapshot/s/f", data);
  }

  /**
   * Version 0.2.0 has renamed files that snapshots have. Hadoop fails to delete them: the directory
   * is then gone in memory and not in the edit log.
   */
  @Test
  void anOldVersionOfAnEarlierReleaseStaysAsLongAsASnapshotHoldsIt() throws Exception {
    byte[] data = cluster.write(FILE, BYTES, SEED);
    Path snapshots = new Path(FOLDER, ".snapshot");
    cluster.fs().allowSnapshot(FOLDER);
    cluster.fs().createSnapshot(FOLDER, "s");
    cluster.fs().createSnapshot(FOLDER, "t");
    TargetFile file = cluster.target(FILE);
    VersionRecord record = VersionRecord.begin(
        cluster.request(FILE, VersionCluster.XOR).graceMs(0).build(), file, 1).publishing(1);
    Path work = new Path(record.directory());
    Path old = new Path(work, VersionNamespace.OLD);
    cluster.fs().mkdirs(work);
    cluster.fs().setXAttr(work, "trusted." + VersionNamespace.XATTR, record.toBytes());
    assertTrue(cluster.fs().rename(new Path(FILE), old));
    cluster.write(FILE, BYTES, SEED);
    // Another note, which has no blocks, comes behind the one that has.
    cluster.fs().allowSnapshot(work.getParent());
    cluster.fs().createSnapshot(work.getParent(), "r");
    cluster.fs().setTimes(old, 5, 5);
    for (String gone : new String[] {"", "s", "r"}) {
      if (!gone.isEmpty()) {
        cluster.fs().deleteSnapshot("r".equals(gone) ? work.getParent() : FOLDER, gone);
      }
      cluster.restartNameNode(FILE);
      cluster.engine();
      assertEquals(1, cluster.left().size(), cluster.left().toString());
      cluster.assertContent(FILE, data);
      cluster.assertContent(snapshots + "/t/f", data);
      assertReplays();
    }
    cluster.fs().deleteSnapshot(FOLDER, "t");
    cluster.restartNameNode(FILE);
    cluster.awaitNothingLeft();
    cluster.assertContent(FILE, data);
    // The next start replays the deletion.
    assertReplays();
    cluster.restartNameNode(FILE);
    cluster.assertContent(FILE, data);
  }

  /** A stock NameNode starts, and has the same files. */
  private void assertReplays() throws IOException {
    StockReplay.assertStarts(cluster.mini(), new File(directory, "replay"), "/");
  }
}
