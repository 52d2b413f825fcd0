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

import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates go on when another NameNode becomes active, which knows all terms that were given. */
@Timeout(300)
class TestUpdateFailovers {
  private static final int ROUNDS = 4;

  @TempDir
  Path directory;

  @Test
  void termsAndHoldersAreThoseThatTheOtherNameNodeHasGiven() throws Exception {
    try (UpdateCluster cluster = UpdateCluster.pair(directory)) {
      byte[] content = cluster.write("file", 1);
      Random random = new Random(2);
      DatanodeInfo leader = RepairCluster.holders(
          cluster.hdfs().groups(UpdateCluster.path("file")).get(0)).get(1);
      try (PprFileSystem fs = cluster.client();
          FileUpdater updater = fs.openForUpdate(UpdateCluster.path("file"));
          FSDataInputStream in = fs.open(UpdateCluster.path("file"))) {
        for (int round = 0; round < ROUNDS; round++) {
          byte[] update = new byte[60_000];
          random.nextBytes(update);
          int position = random.nextInt(content.length - update.length);
          updater.write(position, update);
          updater.hflush();
          System.arraycopy(update, 0, content, position, update.length);
          byte[] read = new byte[content.length];
          in.readFully(0, read);
          assertArrayEquals(content, read, "round " + round);
          cluster.hdfs().failOver();
          if (round == 1) {
            cluster.hdfs().mini().stopDataNode(leader.getXferAddr());
          }
        }
      }
      try (PprFileSystem fs = cluster.client();
          FSDataInputStream in = fs.open(UpdateCluster.path("file"))) {
        byte[] read = new byte[content.length];
        in.readFully(0, read);
        assertArrayEquals(content, read, "a client that has no tickets yet");
      }
    }
  }
}
