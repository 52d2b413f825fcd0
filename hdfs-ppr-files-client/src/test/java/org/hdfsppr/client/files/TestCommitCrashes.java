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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.operate.WaitingUpdates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The NameNode ends at each moment of a commit, and starts again, or another one becomes active.
 * The file is then as it was, or committed; the logs have what the version does not have.
 */
@Timeout(900)
class TestCommitCrashes {
  /** From the first rename on, the version is published after a restart. */
  private static final Set<VersionPoint> PUBLISHED =
      EnumSet.range(VersionPoint.PUBLISH_MOVED, VersionPoint.CLEANED);

  private static final int PARITIES = 2;
  /** As long after a crash, no NameNode trims what another one has published. */
  private static final long YOUNG_NANOS = TimeUnit.MINUTES.toNanos(1);

  @TempDir
  java.nio.file.Path directory;
  private UpdateCluster cluster;

  @AfterEach
  void stop() {
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Ends the thread of a commit as a crash does: nothing runs after it. */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;
  }

  private void haltAt(VersionPoint wanted, Path file) throws IOException {
    AtomicBoolean isReached = new AtomicBoolean();
    VersionHooks.set((point, of) -> {
      if (of.equals(file.toString()) && point == wanted && !isReached.getAndSet(true)) {
        throw new Halt();
      }
    });
    cluster.plugin().commit(file.toString(), null);
    RepairCluster.await("the commit reaches " + wanted, isReached::get);
    VersionHooks.set(VersionHook.NONE);
  }

  /** A part of the cluster that ends. */
  private interface Crash {
    void happen() throws Exception;
  }

  private void crashAt(Crash crash, VersionPoint... points) throws Exception {
    CommitChecks checks = new CommitChecks(cluster);
    for (VersionPoint point : points) {
      System.out.println("TestCommitCrashes: " + point);
      Path file = UpdateCluster.path("at-" + point);
      byte[] before = cluster.write("at-" + point, point.ordinal());
      byte[] content = before.clone();
      Random random = new Random(point.ordinal());
      long crashNanos;
      try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
        TestCommits.update(updater, content, random, 12, UpdateCluster.CELL);
        updater.hsync();
        haltAt(point, file);
        crashNanos = System.nanoTime();
        crash.happen();
        cluster.awaitInCharge(UpdateCluster.NODES);
        boolean isPublished = PUBLISHED.contains(point);
        byte[] committed = content.clone();
        RepairCluster.await("the file is there", () -> {
          try {
            return cluster.hdfs().fs.exists(file);
          } catch (IOException e) {
            return false;
          }
        });
        assertArrayEquals(isPublished ? committed : before,
            CommitChecks.read(cluster.hdfs().fs, file, before.length), point.toString());
        checks.assertSeen(file, content);
        TestCommits.update(updater, content, random, 3, UpdateCluster.CELL);
        checks.assertSeen(file, content);
      }
      awaitUnits(file);
      WaitingUpdates earlier = checks.pending(file);
      assertEquals(PUBLISHED.contains(point), earlier.committed > 0, point.toString());
      assertTrue(point != VersionPoint.TRIMMING || earlier.trimmed < earlier.committed);
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state, point + ": " + status);
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
      boolean isYoung = System.nanoTime() - crashNanos < YOUNG_NANOS;
      if (earlier.trimmed == earlier.committed) {
        checks.assertTrimmed(file);
      } else if (isYoung) {
        // This NameNode does not know whether a power cut could lose the version before.
        assertTrue(status.message.startsWith("the logs keep what is committed for "),
            point + ": " + status);
        assertEquals(earlier.trimmed, checks.pending(file).trimmed);
      }
      assertTrue(cluster.hdfs().fs.delete(file, false));
    }
  }

  /** After a restart, the NameNode refuses commits until DataNodes have reported all units. */
  private void awaitUnits(Path file) {
    RepairCluster.await("all units of " + file + " are reported", () -> {
      try {
        for (LocatedStripedBlock group : cluster.hdfs().groups(file)) {
          long cells = (group.getBlockSize() - 1) / UpdateCluster.CELL + 1;
          if (RepairCluster.holders(group).size() < Math.min(UpdateCluster.K, cells) + PARITIES) {
            return false;
          }
        }
        return true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private void restart() throws Exception {
    cluster.hdfs().mini().restartNameNode(0, true);
    cluster.hdfs().mini().waitActive();
  }

  /** Before terms begin and behind them, before publishing, between the renames, and behind. */
  @Test
  void aRestartAtSomePoints() throws Exception {
    cluster = UpdateCluster.start(directory, PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
    crashAt(this::restart, VersionPoint.COMMIT_BEGUN, VersionPoint.COLLECTED,
        VersionPoint.PARITIES_ORDERED, VersionPoint.PUBLISH_MOVED, VersionPoint.TRIMMING);
  }

  /** Slow, since the NameNode starts again after each point. */
  @Test
  @Tag("slow")
  void aRestartAtEachPoint() throws Exception {
    cluster = UpdateCluster.start(directory, PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
    crashAt(this::restart, VersionPoint.ofCommits());
  }

  /** Slow, as above. */
  @Test
  @Tag("slow")
  void aFailoverAtEachPoint() throws Exception {
    cluster = UpdateCluster.pair(directory, PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
    crashAt(() -> {
      cluster.hdfs().failOver();
      // The engine of the NameNode that is standby now still waits for its making, which is dead.
      cluster.hdfs().restartStandby();
    }, VersionPoint.ofCommits());
  }
}
