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
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates with Kerberos, block tokens and privacy on all wires, also that of the NameNode. */
@Timeout(300)
class TestUpdatesUnderKerberos {
  @TempDir
  Path directory;

  @Test
  void updatesGoOnWhenTheNodeThatLeadsDies() throws Exception {
    Kerberos kerberos = Kerberos.start(TestUpdatesUnderKerberos.class);
    try (UpdateCluster cluster = UpdateCluster.withPrivacy(kerberos, directory)) {
      byte[] content = cluster.write("file", 1);
      DatanodeInfo leader = RepairCluster.holders(
          cluster.hdfs().groups(UpdateCluster.path("file")).get(0)).get(0);
      try (PprFileSystem fs = cluster.client();
          FileUpdater updater = fs.openForUpdate(UpdateCluster.path("file"));
          FSDataInputStream in = fs.open(UpdateCluster.path("file"))) {
        update(updater, content, 10);
        assertContent(in, content);
        cluster.kill(leader);
        assertContent(in, content);
        update(updater, content, 20);
        assertContent(in, content);
      }
    } finally {
      kerberos.stop();
    }
  }

  private static void update(FileUpdater updater, byte[] content, int value) throws Exception {
    byte[] update = new byte[40_000];
    Arrays.fill(update, (byte) value);
    updater.write(100L * value, update);
    updater.hsync();
    System.arraycopy(update, 0, content, 100 * value, update.length);
  }

  private static void assertContent(FSDataInputStream in, byte[] content) throws Exception {
    byte[] read = new byte[content.length];
    in.readFully(0, read);
    assertArrayEquals(content, read);
  }
}
