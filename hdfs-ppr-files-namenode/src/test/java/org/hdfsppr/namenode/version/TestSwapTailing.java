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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.StandbyTail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stays of the two renames of a swap: a standby, or an Observer, that reads one edit at a time
 * is between them once, and finds the file again with the next edit.
 */
@Timeout(300)
class TestSwapTailing {
  private static final String PATH = "/ec/f";

  @TempDir
  File directory;

  @Test
  void aStandbyThatReadsOneEditAtATime() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getAbsolutePath());
    conf.setBoolean("dfs.ha.tail-edits.in-progress", true);
    conf.setLong("dfs.ha.tail-edits.max-txns-per-lock", 1);
    // This test says when the standby reads.
    conf.set("dfs.ha.tail-edits.period", "1h");
    conf.set("dfs.ha.log-roll.period", "1h");
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0)
        .nnTopology(MiniDFSNNTopology.simpleHATopology()).build();
    try {
      cluster.transitionToActive(0);
      EmptySwaps swaps = new EmptySwaps(cluster, VersionHook.NONE);
      swaps.create(PATH);
      PublishOrder order = swaps.order(PATH);
      StandbyTail standby = new StandbyTail(cluster.getNamesystem(1));
      while (standby.read() > 0) {
        // Until it has all that was logged before the swap.
      }
      assertTrue(standby.has(PATH));
      assertTrue(swaps.access.publish(order).isPublished());
      List<Boolean> seen = new ArrayList<>();
      while (standby.read() > 0) {
        seen.add(standby.has(PATH));
      }
      int gap = seen.indexOf(false);
      assertEquals(seen.size() - 2, gap, "between the last two edits: " + seen);
      assertEquals(gap, seen.lastIndexOf(false), "and only there: " + seen);
      assertFalse(seen.isEmpty());
    } finally {
      cluster.shutdown();
    }
  }
}
