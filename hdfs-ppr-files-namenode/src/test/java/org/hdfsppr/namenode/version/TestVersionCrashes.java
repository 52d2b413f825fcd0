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
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worker of a version dies at each of the named points, and then the NameNode restarts, or the
 * other NameNode becomes active. The file ends as published or as it was, and nothing is left.
 */
@Timeout(900)
class TestVersionCrashes {
  /** From this point on the edit log has, or may have, the new version. */
  private static final Set<VersionPoint> MAYBE_PUBLISHED =
      EnumSet.range(VersionPoint.PUBLISH_MOVED, VersionPoint.CLEANED);
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 * 2 + 70_001);
  private static final int RS_REPLICAS = 9 + 9 + 8;

  @TempDir
  File directory;
  private VersionCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void assertEnd(VersionPoint point, String path, byte[] data) throws Exception {
    cluster.engine(cluster.active());
    cluster.awaitNothingLeft();
    String policy = cluster.policyOf(path);
    System.out.println("after a crash at " + point + ": " + policy);
    boolean isPublished = policy.equals(VersionCluster.XOR);
    assertEquals(isPublished ? VersionCluster.XOR : VersionCluster.RS, policy);
    assertEquals(MAYBE_PUBLISHED.contains(point), isPublished, point.toString());
    cluster.awaitUnits(path, RS_REPLICAS);
    cluster.assertContent(path, data);
    // Each point has left a file behind, whose replicas are all there are.
    cluster.awaitReplicas(RS_REPLICAS);
    ContentSummary summary = cluster.fs().getContentSummary(new Path("/ec"));
    assertEquals(summary.getSpaceConsumed(),
        cluster.fs().getQuotaUsage(new Path("/ec")).getSpaceConsumed());
    assertEquals(2, summary.getFileAndDirectoryCount());
    // A further version of the file can be made.
    VersionOutcome again = cluster.make(cluster.active(), cluster.request(path,
        isPublished ? VersionCluster.RS : VersionCluster.XOR).build());
    assertEquals(VersionEnd.PUBLISHED, again.end, again.toString());
    cluster.assertContent(path, data);
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(RS_REPLICAS);
  }

  /** Before anything is published, between the two renames, and behind them. */
  @Test
  void aRestartAtSomePoints() throws Exception {
    restartAt(VersionPoint.MADE, VersionPoint.PUBLISH_MOVED, VersionPoint.PUBLISHED);
  }

  /** Slow, since the NameNode starts again after each point. */
  @Test
  @Tag("slow")
  void aRestartAtEachPoint() throws Exception {
    restartAt(VersionPoint.ofConversions());
  }

  private void restartAt(VersionPoint... points) throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.fs().setQuota(new Path("/ec"), 1_000, 1L << 30);
    for (VersionPoint point : points) {
      byte[] data = cluster.write("/ec/f", FILE_BYTES, point.ordinal());
      cluster.haltAt(point, 1, "/ec/f");
      cluster.restartNameNode();
      assertEnd(point, "/ec/f", data);
      assertTrue(cluster.fs().delete(new Path("/ec/f"), false));
      cluster.awaitReplicas(0);
    }
  }

  /** Slow, since a NameNode starts again after each point. */
  @Test
  @Tag("slow")
  void aFailoverAtEachPoint() throws Exception {
    cluster = VersionCluster.startPair(directory);
    cluster.fs().setQuota(new Path("/ec"), 1_000, 1L << 30);
    for (VersionPoint point : VersionPoint.ofConversions()) {
      byte[] data = cluster.write("/ec/f", FILE_BYTES, point.ordinal());
      cluster.haltAt(point, 1, "/ec/f");
      cluster.failOver();
      assertEnd(point, "/ec/f", data);
      assertTrue(cluster.fs().delete(new Path("/ec/f"), false));
      cluster.awaitReplicas(0);
      // The engine of the NameNode that is standby now still waits for its making, which is dead.
      cluster.restartStandby();
    }
  }
}
