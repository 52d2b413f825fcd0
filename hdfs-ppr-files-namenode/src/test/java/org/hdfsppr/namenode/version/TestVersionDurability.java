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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What follows when a power cut has lost names of replicas of a published version. */
@Timeout(300)
class TestVersionDurability {
  /** Longer than the test takes to lose units. */
  private static final long GRACE_MS = 20_000;
  /** More than the code has parity units, so that no repair brings them back. */
  private static final int LOST = 4;
  private static final int UNITS = VersionCluster.K + 3;
  /** As many as the code bears. */
  private static final int AWAY = 3;
  private static final int FILE_BYTES = (int) (VersionCluster.K * VersionCluster.BLOCK);

  @TempDir
  File directory;
  private VersionCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Returns the record of the only version. */
  private VersionRecord record(long inodeId) throws IOException {
    VersionStore store = VersionStores.of(() -> cluster.mini().getNameNodeRpc());
    for (VersionHome home : VersionHome.values()) {
      if (cluster.left().contains(home.directory(inodeId))) {
        return store.read(home, inodeId).orElseThrow();
      }
    }
    throw new AssertionError("no version of " + inodeId + " in " + cluster.left());
  }

  private NamespaceAccess access() {
    return new NamespaceAccess(cluster.mini().getNamesystem(), cluster.mini().getConfiguration(0),
        VersionHook.NONE);
  }

  private Optional<String> lacking(VersionRecord record) throws IOException {
    return access().lacking(record);
  }

  private boolean isGone(VersionRecord record) throws IOException {
    return access().places(record).isPathGone();
  }

  /** Returns the files whose names begin with a text. */
  private static List<java.nio.file.Path> files(DataNode datanode, String begin)
      throws IOException {
    List<java.nio.file.Path> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences volumes =
        datanode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        try (Stream<java.nio.file.Path> all = Files.walk(Paths.get(volume.getBaseURI()))) {
          found.addAll(all.filter(file -> file.getFileName().toString().startsWith(begin))
              .collect(Collectors.toList()));
        }
      }
    }
    return found;
  }

  /** Stops the nodes of some units, and starts them without the names of these units. */
  private void losePower(LocatedStripedBlock group) throws IOException {
    List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
    for (int unit = 0; unit < LOST; unit++) {
      DataNode node = cluster.cluster.datanode(RepairCluster.holders(group).get(unit));
      List<java.nio.file.Path> names =
          files(node, "blk_" + RepairCluster.internalBlock(group, unit).getBlockId());
      assertEquals(2, names.size(), names.toString());
      stopped.add(cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(node)));
      // A DataNode that stops in good order writes down what it has. None did so in a power cut.
      names.addAll(files(node, "replicas"));
      for (java.nio.file.Path name : names) {
        Files.delete(name);
      }
    }
    for (MiniDFSCluster.DataNodeProperties node : stopped) {
      assertTrue(cluster.mini().restartDataNode(node, true));
    }
    cluster.mini().waitActive();
    // Hadoop may take the first report after a restart for that of a new node, as 3.3 always does,
    // and removes nothing then that the node has no more. The next one comes after some hours.
    cluster.mini().triggerBlockReports();
  }

  /** Otherwise units are back before the test has seen that they were missing. */
  private static void pauseRepairs() {
    assertEquals(0, RefreshRegistry.defaultRegistry().dispatch("ppr", new String[] {"pause"})
        .iterator().next().getReturnCode());
  }

  @Test
  void theOldVersionStaysWhileTheNewOneLacksUnits() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.write("/ec/joined", FILE_BYTES, 3);
    Path joined = new Path("/ec/joined");
    assertEquals(VersionEnd.PUBLISHED, cluster.make("/ec/joined", VersionCluster.XOR).end);
    cluster.awaitNothingLeft();
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 1);
    Path file = new Path("/ec/f");
    VersionRequest request =
        cluster.request("/ec/f", VersionCluster.XOR).graceMs(GRACE_MS).build();
    long inode = request.inodeId;
    VersionOutcome outcome = cluster.make(request);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(0, outcome.durableInMs, "all nodes say that their units are durable");
    VersionRecord record = record(inode);
    assertEquals(cluster.request("/ec/f", "any").build().inodeId, record.newInodeId);
    assertEquals(Optional.empty(), lacking(record));
    VersionRecord ofEarlierRelease = VersionRecord.parse(SealedText.seal("version", 1,
        SealedText.open("version", 1, 1, record.toBytes())
            .replaceFirst(",\"new\":[0-9]+,\"group\":-[0-9]+", "")));
    assertEquals(0, ofEarlierRelease.newInodeId);
    assertEquals(0, ofEarlierRelease.newGroupId);
    assertEquals(cluster.cluster.groups(file).get(0).getBlock().getBlockId(),
        record.newGroupId);
    assertEquals(Optional.empty(), lacking(ofEarlierRelease));

    pauseRepairs();
    losePower(cluster.cluster.groups(file).get(0));
    RepairCluster.await("the NameNode misses the units", () -> {
      try {
        // The NameNode may not have used the one before, see losePower.
        cluster.mini().triggerBlockReports();
        return RepairCluster.holders(cluster.cluster.groups(file).get(0)).size()
            == UNITS - LOST && lacking(record).isPresent()
            && lacking(ofEarlierRelease).isPresent();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    // The janitor looks a second after the grace at the latest.
    RepairCluster.await("the grace ends",
        () -> System.currentTimeMillis() > record.graceEndMs() + 5_000);
    assertEquals(List.of(record.directory()), cluster.left());
    Path old = new Path(record.directory(), VersionNamespace.OLD);
    byte[] read = new byte[data.length];
    try (FSDataInputStream in = cluster.fs().open(old)) {
      in.readFully(read);
    }
    assertArrayEquals(data, read);

    // Joined to another file, the new version is there and lacks what it has lacked.
    assertFalse(isGone(record));
    cluster.fs().concat(joined, new Path[] {file});
    assertFalse(cluster.fs().exists(file));
    assertFalse(isGone(record), "nothing has its path, and its groups are in another file");
    assertTrue(lacking(record).isPresent());

    // With the new version, its user has given up what it lacks.
    assertTrue(cluster.fs().delete(joined, false));
    assertTrue(isGone(record));
    assertEquals(Optional.empty(), lacking(record));
    cluster.write("/ec/f", FILE_BYTES - 1, 2);
    assertEquals(Optional.empty(), lacking(ofEarlierRelease), "another file has the path");
  }

  /**
   * Units of the old version may be missing only because their nodes have not come to this NameNode
   * yet. Here, nothing repairs what they have.
   */
  @Test
  void theOldVersionStaysUntilNodesThatAreLateAreDead() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.write("/ec/f", FILE_BYTES, 1);
    Path file = new Path("/ec/f");
    VersionRequest request =
        cluster.request("/ec/f", VersionCluster.XOR).graceMs(3_600_000).build();
    VersionOutcome outcome = cluster.make(request);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    VersionRecord record = record(request.inodeId);
    Path old = new Path(record.directory(), VersionNamespace.OLD);
    pauseRepairs();
    // Both versions have the same replicas as their data units.
    Map<Integer, DatanodeInfo> holders =
        RepairCluster.holders(cluster.cluster.groups(file).get(0));
    for (int unit = 0; unit < AWAY; unit++) {
      DataNode node = cluster.cluster.datanode(holders.get(unit));
      cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(node));
    }
    RepairCluster.await("the NameNode misses their units", () -> {
      try {
        return RepairCluster.holders(cluster.cluster.groups(file).get(0)).size() == UNITS - AWAY
            && RepairCluster.holders(cluster.cluster.groups(old).get(0)).size() == UNITS - AWAY;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    // This door to the NameNode has not looked before, as after a start.
    NamespaceAccess namespace = new NamespaceAccess(cluster.mini().getNamesystem(),
        cluster.mini().getConfiguration(0), VersionHook.NONE);
    String lacking = namespace.lacking(record).orElseThrow();
    assertTrue(lacking.contains("became active a short time ago"), lacking);
    RepairCluster.await("the nodes are dead", () -> {
      try {
        return namespace.lacking(record).isEmpty();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }
}
