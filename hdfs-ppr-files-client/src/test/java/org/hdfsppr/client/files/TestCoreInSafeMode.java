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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.plugin.PluginAddresses;
import org.hdfsppr.column.ColumnTranslator;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS serves reads in safe mode, and files that have lost more units than their code bears are
 * read then, too. Nothing is changed.
 */
@Timeout(600)
class TestCoreInSafeMode {
  private static final int TIMEOUT_MS = 30_000;
  /** The units of each file that are left after {@link MemberFiles#loseBeyondRows}. */
  private static final int[] LEFT = {5, 4, 9};
  private static final int UNITS = 9;

  @TempDir
  File directory;
  private ConvertCluster cluster;
  private MemberFiles files;

  private void form(ConvertCluster started) throws Exception {
    cluster = started;
    cluster.awaitInCharge();
    files = new MemberFiles(cluster, ConvertCluster.ALICE);
    files.write();
    files.protect();
    files.awaitGroup();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void safeMode(int nameNode, SafeModeAction action) throws IOException {
    cluster.hdfs().mini().getNameNodeRpc(nameNode).setSafeMode(action, false);
  }

  private long edits() {
    return cluster.hdfs().mini().getNamesystem().getLastWrittenTransactionId();
  }

  /**
   * Reads through columns in safe mode, which changes nothing, and lets the files be repaired.
   *
   * @param isPaused whether repairs are paused
   */
  private void assertReadInSafeMode(Path parity, boolean isPaused) throws Exception {
    long edits = edits();
    assertTrue(cluster.hdfs().mini().getNamesystem().isInSafeMode());
    try (PprFileSystem fs = files.client()) {
      files.assertReadThroughColumns(fs);
    }
    assertEquals(1, files.status().path("groups").asInt());
    await("the groups' service says why it waits", () -> files.status().path("why").asText()
        .contains("safe mode"));
    assertEquals(edits, edits(), "something was written");
    safeMode(0, SafeModeAction.SAFEMODE_LEAVE);
    cluster.awaitInCharge();
    assertEquals(1, files.status().path("groups").asInt());
    if (isPaused) {
      files.run("-resume");
    }
    files.assertRepaired();
    assertEquals(parity, files.awaitOnlyParity());
    assertTrue(files.status().path("dissolved").isEmpty(), files.status().toString());
    files.assertColumns();
    files.assertParity();
  }

  @Test
  void anOperatorsSafeModeLeavesTheGroups() throws Exception {
    form(new ConvertCluster(directory, MemberFiles.settings()));
    Path parity = files.awaitOnlyParity();
    files.run("-pause");
    files.loseBeyondRows();
    safeMode(0, SafeModeAction.SAFEMODE_ENTER);
    await("the plugin knows it", () -> !cluster.document("status").path("in_charge").asBoolean());
    assertReadInSafeMode(parity, true);
  }

  private boolean isReported(Path path, int units) {
    try {
      for (LocatedStripedBlock group : cluster.hdfs().groups(path)) {
        if (RepairCluster.holders(group).size() < units) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      // In safe mode, the NameNode refuses this while it knows no unit of a block group.
      return false;
    }
  }

  /** Safe mode does not end here by itself, as on a large cluster that has lost many blocks. */
  @Test
  void theSafeModeOfAStartLetsColumnsBeRead() throws Exception {
    form(new ConvertCluster(directory, MemberFiles.settings()));
    Path parity = files.awaitOnlyParity();
    files.run("-pause");
    files.loseBeyondRows();
    cluster.hdfs().mini().getConfiguration(0).set("dfs.namenode.safemode.threshold-pct", "1.5");
    cluster.hdfs().mini().restartNameNode(0, false);
    for (int i = 0; i < MemberFiles.FILES; i++) {
      int file = i;
      await("file " + i + " is known", () -> isReported(files.path(file), LEFT[file]));
    }
    await("the parity file is known", () ->
        isReported(new Path(parity.toUri().getPath()), UNITS));
    // The first call may go to a connection from before the restart.
    await("commands reach the plugin", this::reachesPlugin);
    // The restart has ended the pause.
    assertReadInSafeMode(parity, false);
  }

  private boolean reachesPlugin() {
    try {
      return cluster.run(UserGroupInformation.getCurrentUser(), "-core", "-status") == 0;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** It has kept its record in safe mode, and may not use it when it is not active any more. */
  @Test
  void aStandbyInSafeModeAnswersNothing() throws Exception {
    form(ConvertCluster.pair(directory, MemberFiles.settings()));
    LocatedStripedBlock first = cluster.hdfs().groups(files.path(0)).get(0);
    GroupId group = new GroupId(first.getBlock().getBlockPoolId(), first.getBlock().getBlockId(),
        first.getBlock().getGenerationStamp());
    Configuration conf = files.readerConf();
    try (ColumnTranslator asked = ColumnTranslator.of(PluginAddresses.plugin(conf,
        FileSystem.getDefaultUri(conf), "nn1", null), UserGroupInformation.getCurrentUser(),
        ColumnTranslator.proxies(conf, TIMEOUT_MS))) {
      safeMode(0, SafeModeAction.SAFEMODE_ENTER);
      assertEquals(MemberFiles.FILES, asked.column(group, 0).size());
      cluster.hdfs().failOver();
      assertThrows(StandbyException.class, () -> asked.column(group, 0));
      cluster.awaitInCharge();
      files.awaitGroup();
      assertThrows(StandbyException.class, () -> asked.column(group, 0));
      // It is active again, still in safe mode, and reads what the other NameNode has left.
      files.unprotect();
      await("the group is dissolved", () -> files.status().path("groups").asInt() == 0);
      cluster.hdfs().failOver();
      await("it knows that there is none", () -> isInNoColumn(asked, group));
    }
  }

  private static boolean isInNoColumn(ColumnTranslator asked, GroupId group) {
    try {
      return asked.column(group, 0).isEmpty();
    } catch (IOException e) {
      // It has not read its groups yet.
      return false;
    }
  }
}
