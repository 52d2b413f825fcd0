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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Something fails while a version is made, and enough is left to make it. */
@Timeout(600)
class TestVersionFailures {
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);

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

  /** Kills the node of a unit of the first group when a version first reaches a point. */
  private void aNodeDies(VersionPoint wanted, int unit, String policy) throws Exception {
    cluster.engine();
    byte[] data = cluster.write("/ec/f", FILE_BYTES, wanted.ordinal());
    AtomicReference<MiniDFSCluster.DataNodeProperties> dead = new AtomicReference<>();
    VersionHooks.set((point, path) -> {
      if (point == wanted && dead.get() == null) {
        try {
          dead.set(cluster.cluster.kill(RepairCluster.holders(
              cluster.cluster.groups(new Path(path)).get(0)).get(unit)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    });
    VersionOutcome outcome = cluster.make("/ec/f", policy);
    VersionHooks.set(VersionHook.NONE);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, wanted + " " + outcome);
    assertEquals(policy, cluster.policyOf("/ec/f"));
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
    // Another node has the unit, by the version itself or by a repair after it.
    RepairCluster.await("the unit is back", () -> cluster.cluster.holds(new Path("/ec/f"), unit));
    cluster.assertContent("/ec/f", data);
  }

  @Test
  void aNodeThatHasToLinkDies() throws Exception {
    aNodeDies(VersionPoint.CREATED, 2, VersionCluster.XOR);
  }

  @Test
  void aNodeThatHasToMakeDies() throws Exception {
    aNodeDies(VersionPoint.LINKS_ORDERED, 8, VersionCluster.NONXOR);
  }

  @Test
  void aNodeThatMakesForOthersDies() throws Exception {
    aNodeDies(VersionPoint.MAKES_ORDERED, 6, VersionCluster.XOR);
  }

  @Test
  void aNodeThatHasItsUnitDies() throws Exception {
    aNodeDies(VersionPoint.MADE, 1, VersionCluster.NONXOR);
  }

  @Test
  void aNodeOfACompleteFileDies() throws Exception {
    aNodeDies(VersionPoint.COMPLETED, 0, VersionCluster.XOR);
  }

  /** The old version has all of its units again before the new one takes its place. */
  @Test
  void nodesOfAVerifiedVersionDie() throws Exception {
    cluster.engine();
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 5);
    AtomicInteger tries = new AtomicInteger();
    AtomicInteger published = new AtomicInteger();
    VersionHooks.set((point, path) -> {
      try {
        if (point == VersionPoint.VERIFIED && tries.incrementAndGet() == 1) {
          Path made = new Path(cluster.left().get(0), VersionNamespace.NEW);
          Map<Integer, DatanodeInfo> holders =
              RepairCluster.holders(cluster.cluster.groups(made).get(0));
          // One of these units is linked, and the other one is made.
          cluster.cluster.kill(holders.get(1));
          cluster.cluster.kill(holders.get(8));
        } else if (point == VersionPoint.PUBLISHED) {
          published.set(
              RepairCluster.holders(cluster.cluster.groups(new Path(path)).get(0)).size());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    VersionHooks.set(VersionHook.NONE);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(9, published.get(), "units of the version when it was published");
    assertEquals(2, tries.get());
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
  }

  /** Fails at a point as often as wanted; returns how often versions have reached it. */
  private AtomicInteger failAt(VersionPoint wanted, int times, Throwable failure) {
    AtomicInteger count = new AtomicInteger();
    VersionHooks.set((point, path) -> {
      if (point == wanted && count.incrementAndGet() <= times) {
        TestVersionFailures.<RuntimeException>sneak(failure);
      }
    });
    return count;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable e) throws T {
    throw (T) e;
  }

  @Test
  void aVersionThatHasFailedIsMadeAnew() throws Exception {
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 5);
    AtomicInteger count = failAt(VersionPoint.MADE, 2, new IOException("a fault of this test"));
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(3, count.get());
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(9 + 5 + 3);
  }

  @Test
  void aVersionIsNotMadeAnewForEver() throws Exception {
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 5);
    AtomicInteger count = failAt(VersionPoint.MADE, 99, new IOException("a fault of this test"));
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    assertEquals(3, count.get());
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(9 + 5 + 3);
  }

  /** The job of such a version goes on at the other NameNode: it must not note a failure. */
  @Test
  void aNameNodeThatIsStandbyAllOfASuddenHasStopped() throws Exception {
    cluster.write("/ec/f", FILE_BYTES, 5);
    AtomicInteger count =
        failAt(VersionPoint.VERIFIED, 99, new StandbyException("a fault of this test"));
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.STOPPED, outcome.end, outcome.toString());
    assertEquals(1, count.get());
    cluster.awaitNothingLeft();
  }

  private VersionRefusal refusal(String path) throws IOException {
    VersionEngine engine = cluster.engine();
    VersionRequest request = cluster.request(path, VersionCluster.XOR).build();
    return engine.rules().check(engine.facts(path, request.user), request,
        engine.policy(request.policy), System.currentTimeMillis()).orElse(null);
  }

  /** Doubts the last group of a file, as a check in the background does. */
  private void doubt(String path) throws IOException {
    List<LocatedStripedBlock> groups = cluster.cluster.groups(new Path(path));
    RefreshResponse answer = RefreshRegistry.defaultRegistry().dispatch("ppr", new String[] {
        "doubt", groups.get(groups.size() - 1).getBlock().getBlockName()}).iterator().next();
    assertEquals(0, answer.getReturnCode(), answer.getMessage());
  }

  private void awaitDoubt(String path) {
    RepairCluster.await("a dry run refuses it", () -> {
      try {
        VersionRefusal refusal = refusal(path);
        return refusal != null && refusal.reason == RefusalReason.DOUBTED;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** New parity units that fit a wrong unit would hide it for ever. */
  @Test
  void aFileWhoseUnitsContradictEachOtherIsRefused() throws Exception {
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 5);
    assertEquals(null, refusal("/ec/f"));
    doubt("/ec/f");
    awaitDoubt("/ec/f");
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.DOUBTED, outcome.reason);
    assertTrue(outcome.sentence.contains("hdfs ppr -doubts"), outcome.sentence);
    assertEquals(VersionCluster.RS, cluster.policyOf("/ec/f"));
    cluster.assertContent("/ec/f", data);
  }

  @Test
  void aContradictionThatIsFoundMeanwhileKeepsTheOldVersion() throws Exception {
    byte[] data = cluster.write("/ec/f", FILE_BYTES, 5);
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.VERIFIED) {
        try {
          doubt(path);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        awaitDoubt(path);
      }
    });
    VersionOutcome outcome = cluster.make("/ec/f", VersionCluster.XOR);
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.DOUBTED, outcome.reason);
    assertEquals(VersionCluster.RS, cluster.policyOf("/ec/f"));
    cluster.assertContent("/ec/f", data);
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(9 + 5 + 3);
  }

  /** Stock would carry out the first rename, and neither the second one nor the way back. */
  @Test
  void aNameThatIsTooLongByNowIsRefused() throws Exception {
    String path = "/ec/a-name-that-was-allowed";
    byte[] data = cluster.write(path, FILE_BYTES, 5);
    cluster.mini().getConfiguration(0)
        .setInt(DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_KEY, 12);
    cluster.restartNameNode(path);
    VersionOutcome outcome = cluster.make(path, VersionCluster.XOR);
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.QUOTA, outcome.reason);
    cluster.assertContent(path, data);
    cluster.awaitNothingLeft();
  }

  /** As above. A directory that is just full has room again after the first rename. */
  @Test
  void aDirectoryWithTooManyEntriesByNowIsRefused() throws Exception {
    int entries = 6;
    byte[] data = cluster.write("/ec/full/f", FILE_BYTES, 5);
    for (int i = 0; i < entries; i++) {
      cluster.fs().mkdirs(new Path("/ec/full/d" + i));
    }
    cluster.mini().getConfiguration(0)
        .setInt(DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY, entries);
    cluster.restartNameNode("/ec/full/f");
    VersionOutcome outcome = cluster.make("/ec/full/f", VersionCluster.XOR);
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(RefusalReason.QUOTA, outcome.reason);
    assertTrue(outcome.sentence.contains("max-directory-items"), outcome.sentence);
    cluster.assertContent("/ec/full/f", data);
    cluster.awaitNothingLeft();
    cluster.fs().delete(new Path("/ec/full/d0"), false);
    outcome = cluster.make("/ec/full/f", VersionCluster.XOR);
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.assertContent("/ec/full/f", data);
  }
}
