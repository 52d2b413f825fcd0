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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.FinalizedRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A superuser finalizes records of files that have updates already. */
@Timeout(300)
class TestFinalizeOnCluster {
  private static final String TAG = "trusted.hdfs-ppr.update";
  private static final int PLAIN_TAG_BYTES = 33;

  @TempDir
  java.nio.file.Path directory;

  private static void update(UpdateCluster cluster, Path file, byte[] content, int value)
      throws IOException {
    byte[] update = new byte[3_000];
    Arrays.fill(update, (byte) value);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      updater.write(0, update);
    }
    System.arraycopy(update, 0, content, 0, update.length);
  }

  private static void assertContent(UpdateCluster cluster, Path file, byte[] content)
      throws IOException {
    byte[] read = new byte[content.length];
    try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(file)) {
      in.readFully(0, read);
    }
    assertArrayEquals(content, read);
  }

  private static FinalizedRecords finalizeRecords(UpdateCluster cluster, boolean isGo)
      throws IOException {
    return PluginCalls.of(cluster.clientConf(), seconds -> false, Time::monotonicNow)
        .call(plugin -> plugin.finalizeRecords(isGo));
  }

  private static byte[] tag(UpdateCluster cluster, Path file) throws IOException {
    return cluster.hdfs().fs.getXAttr(file, TAG);
  }

  @Test
  void filesWithUpdatesGoOn() throws IOException {
    try (UpdateCluster cluster = UpdateCluster.start(directory)) {
      Path file = UpdateCluster.path("file");
      byte[] content = cluster.write("file", 1);
      update(cluster, file, content, 2);
      byte[] plain = tag(cluster, file);
      assertEquals(PLAIN_TAG_BYTES, plain.length, "as 0.2.0 writes it");
      assertFalse(finalizeRecords(cluster, false).areFinalized());
      assertTrue(finalizeRecords(cluster, true).isChanged);
      assertFalse(finalizeRecords(cluster, true).isChanged);
      assertTrue(finalizeRecords(cluster, false).areFinalized());
      assertContent(cluster, file, content);
      update(cluster, file, content, 3);
      assertArrayEquals(plain, tag(cluster, file), "the tag has not changed");
      assertEquals(CommitStatus.State.PUBLISHED, cluster.commit(file).state);
      assertEquals((byte) 0x89, tag(cluster, file)[0], "sealed with the commit");
      assertContent(cluster, file, content);
      update(cluster, file, content, 4);
      assertContent(cluster, file, content);
      assertEquals(CommitStatus.State.PUBLISHED, cluster.commit(file).state);
      assertContent(cluster, file, content);
    }
  }
}
