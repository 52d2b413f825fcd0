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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.CoreAccess;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file has lost more units than its code bears, and a file of its CORE group goes, while the
 * blocks of both are still there: the group is kept until the repair through its columns.
 */
@Timeout(300)
class TestLastRecoveryPathOnCluster {
  private static final long SEED = 20261127;

  @TempDir
  File directory;
  private CoreCluster cluster;
  private byte[] content;

  @BeforeEach
  void start() throws Exception {
    System.out.println("seed " + SEED);
    cluster = CoreCluster.start(directory);
    cluster.directory("/ec", CoreCluster.RS);
    cluster.fs().allowSnapshot(new Path("/ec"));
    for (int i = 0; i < 3; i++) {
      byte[] written = cluster.write("/ec/f" + i, CoreCluster.GROUP - i, SEED + i);
      content = i == 0 ? written : content;
    }
    cluster.protect("/ec", false, 3);
    cluster.awaitGroups(1);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void operate(String command) throws Exception {
    assertEquals(0, ToolRunner.run(new DFSAdmin(cluster.mini().getConfiguration(0)),
        new String[] {"-refresh", "localhost:" + cluster.mini().getNameNodePort(), "ppr",
            command}));
  }

  /** Loses three units of the first file, and its code bears two. Nothing is repaired yet. */
  private void loseBeyondItsCode() throws Exception {
    operate("pause");
    LocatedStripedBlock group = cluster.groups("/ec/f0").get(0);
    Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
    for (int unit = 0; unit < CoreCluster.K; unit++) {
      RepairCluster.drop(cluster.repairs().datanode(holders.get(unit)),
          RepairCluster.internalBlock(group, unit));
    }
    RepairCluster.await("the NameNode knows that only columns help", () ->
        cluster.service().status().get(StatusNumber.RECOVERABLE_THROUGH_CORE) == 1);
  }

  private boolean isDissolved() {
    return !cluster.status().dissolved.isEmpty();
  }

  /** Waits until a comparison has found a change, and sees that the group is kept until later. */
  private void assertKeptUntilRepaired(String lost) throws Exception {
    RepairCluster.await("a comparison has found the change", () ->
        isDissolved() || cluster.status().sum(Number.STALE) > 0);
    assertEquals(Map.of(), cluster.status().dissolved);
    assertEquals(1, cluster.kept().size());
    operate("resume");
    cluster.repairs().awaitUnits(new Path(lost), CoreCluster.UNITS);
    assertArrayEquals(content, cluster.content(new Path(lost)));
    RepairCluster.await("the group is dissolved", this::isDissolved);
    assertEquals(Map.of("member_gone", 1L), cluster.status().dissolved);
    assertTrue(cluster.kept().isEmpty(), cluster.kept().toString());
  }

  /** After a failover, the groups of such files are read before all others. */
  @Test
  void theNameNodeSaysWhichFilesHaveLostUnits() throws Exception {
    CoreNamespace namespace = new CoreAccess(cluster.mini().getNamesystem(),
        cluster.mini().getConfiguration(0));
    loseBeyondItsCode();
    assertEquals(Set.of(cluster.fs().getClient().getFileInfo("/ec/f0").getFileId()),
        namespace.lostFiles());
    operate("resume");
    cluster.repairs().awaitUnits(new Path("/ec/f0"), CoreCluster.UNITS);
    RepairCluster.await("no file has lost units", () -> {
      try {
        return namespace.lostFiles().isEmpty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  @Test
  void aMemberThatOnlyASnapshotHasStillHelps() throws Exception {
    loseBeyondItsCode();
    cluster.fs().createSnapshot(new Path("/ec"), "s");
    assertTrue(cluster.fs().delete(new Path("/ec/f1"), false));
    assertKeptUntilRepaired("/ec/f0");
  }

  @Test
  void aLostFileThatOnlyASnapshotHasIsRepaired() throws Exception {
    loseBeyondItsCode();
    cluster.fs().createSnapshot(new Path("/ec"), "s");
    assertTrue(cluster.fs().delete(new Path("/ec/f0"), false));
    assertKeptUntilRepaired("/ec/.snapshot/s/f0");
  }

  /** Its blocks go on as those of another file. */
  @Test
  @Tag("slow")
  void aMemberThatWasAddedToAnotherFileStillHelps() throws Exception {
    cluster.write("/ec/long", CoreCluster.GROUP, SEED);
    loseBeyondItsCode();
    cluster.fs().concat(new Path("/ec/long"), new Path[] {new Path("/ec/f1")});
    assertKeptUntilRepaired("/ec/f0");
  }
}
