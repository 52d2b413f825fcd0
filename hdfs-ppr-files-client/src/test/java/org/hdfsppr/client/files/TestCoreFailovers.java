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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginColumns;
import org.hdfsppr.client.plugin.PluginAddresses;
import org.hdfsppr.column.ColumnTranslator;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** CORE groups on a cluster whose two NameNodes take turns in being active. */
@Timeout(600)
class TestCoreFailovers {
  /** The moments of the making of a parity file. */
  private static final VersionPoint[] MOMENTS = {VersionPoint.CREATED, VersionPoint.GROUP_ADDED,
      VersionPoint.MADE, VersionPoint.COMPLETED, VersionPoint.VERIFIED};
  /** Where an older version made parity files, before it renamed them. */
  private static final String WORK = "/.hdfs-ppr/core/work/";
  private static final String GROUPS = "/.hdfs-ppr/core/groups/";
  private static final String RECORD = "trusted.hdfs-ppr.core-group";
  private static final int TIMEOUT_MS = 30_000;

  @TempDir
  File directory;
  private ConvertCluster cluster;
  private MemberFiles files;

  @BeforeEach
  void start() throws Exception {
    VersionHooks.set(VersionHook.NONE);
    cluster = ConvertCluster.pair(directory, MemberFiles.settings());
    cluster.awaitInCharge();
    files = new MemberFiles(cluster, ConvertCluster.ALICE);
    files.write();
  }

  @AfterEach
  void stop() {
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  private void failOver() throws IOException {
    cluster.hdfs().failOver();
    cluster.awaitInCharge();
  }

  private GroupId firstGroup() throws IOException {
    LocatedStripedBlock group = cluster.hdfs().groups(files.path(0)).get(0);
    return new GroupId(group.getBlock().getBlockPoolId(), group.getBlock().getBlockId(),
        group.getBlock().getGenerationStamp());
  }

  /** Each NameNode that becomes active reads the groups, and repairs and answers with them. */
  @Test
  void theNextActiveNameNodeKnowsTheGroups() throws Exception {
    files.protect();
    files.awaitGroup();
    Path parity = files.awaitOnlyParity();
    try (PprFileSystem early = files.client()) {
      for (int failover = 0; failover < 2; failover++) {
        failOver();
        files.awaitGroup();
        assertEquals(0, files.status().path("formed").asInt(), "nothing is formed anew");
        assertEquals(parity, files.awaitOnlyParity());
        files.run("-pause");
        files.loseBeyondRows();
        // One has asked the NameNode that was active before, and the other one none.
        files.assertReadThroughColumns(early);
        try (PprFileSystem late = files.client()) {
          files.assertReadThroughColumns(late);
        }
        files.run("-resume");
        files.assertRepaired();
        files.assertColumns();
      }
    }
    files.assertParity();
  }

  /** The standby refuses, and does not say that the unit is in no column. */
  @Test
  void aReaderThatAsksTheStandbyGoesOnToTheActive() throws Exception {
    files.protect();
    files.awaitGroup();
    failOver();
    files.awaitGroup();
    Configuration conf = files.readerConf();
    GroupId group = firstGroup();
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    try (ColumnTranslator standby = ColumnTranslator.of(PluginAddresses.plugin(conf,
        FileSystem.getDefaultUri(conf), "nn1", null), user,
        ColumnTranslator.proxies(conf, TIMEOUT_MS))) {
      assertThrows(StandbyException.class, () -> standby.column(group, 0));
    }
    // nn1 is asked first.
    PluginColumns columns = new PluginColumns(conf, FileSystem.getDefaultUri(conf), user);
    assertEquals(MemberFiles.FILES, columns.column(group, 0).size());
    failOver();
    files.awaitGroup();
    // Now nn2 is asked first, which has answered last.
    assertEquals(MemberFiles.FILES, columns.column(group, 0).size());
  }

  /**
   * Stops the making of a parity file at a moment, and fails over. What makes the file goes on when
   * the other NameNode is active.
   */
  private void failOverAt(VersionPoint moment) throws Exception {
    AtomicBoolean isReached = new AtomicBoolean();
    CountDownLatch goOn = new CountDownLatch(1);
    VersionHooks.set((point, path) -> {
      if (point == moment && path.startsWith(GROUPS) && !isReached.getAndSet(true)) {
        awaitLatch(goOn);
      }
    });
    try {
      files.protect();
      await("a parity file reaches " + moment, isReached::get);
      cluster.hdfs().failOver();
    } finally {
      goOn.countDown();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("The failover takes too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What the NameNode before had not published is deleted, and the next one forms the group. There
   * is never a second parity file.
   */
  @Test
  @Tag("slow")
  void aFailoverInAFormationLeavesAGroupOrNothing() throws Exception {
    for (VersionPoint moment : MOMENTS) {
      failOverAt(moment);
      files.awaitGroup();
      files.assertParity();
      System.out.println("after a failover at " + moment + ": " + files.status());
      files.loseBeyondRows();
      files.assertRepaired();
      files.unprotect();
      await("nothing is left of the group", () -> {
        try {
          return files.kept().isEmpty();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
    }
  }

  /** What an older version did not rename is no group: the file is deleted, and the group stays. */
  @Test
  void aRecordWithoutItsPlaceIsNoGroup() throws Exception {
    files.protect();
    files.awaitGroup();
    Path parity = files.awaitOnlyParity();
    Path left = new Path(WORK, "left");
    cluster.hdfs().fs.mkdirs(left.getParent());
    cluster.hdfs().write(left, ConvertCluster.GROUP, ConvertCluster.GROUP, 7);
    cluster.hdfs().fs.setXAttr(left, RECORD, cluster.hdfs().fs.getXAttr(parity, RECORD));
    failOver();
    files.awaitGroup();
    assertEquals(parity, files.awaitOnlyParity());
    files.assertParity();
    assertTrue(files.status().path("dissolved").isEmpty(), files.status().toString());
  }
}
