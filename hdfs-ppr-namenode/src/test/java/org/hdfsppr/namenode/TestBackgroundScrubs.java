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
package org.hdfsppr.namenode;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Background checks on a cluster with both plugins: from the setting to the doubt. */
class TestBackgroundScrubs {
  private static final String XATTR = "trusted.hdfs-ppr.scrub";
  private static final Path DIRECTORY = new Path("/ec");
  private static final int NODES = 6;
  private static final int FILES = 6;
  private static final int FILE_BYTES = 4 << 20;

  @TempDir
  File directory;
  private RepairCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    // The directory has several pages.
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, 2);
    cluster = RepairCluster.start(conf, NODES);
  }

  private void restart(long bytesPerSecond) throws IOException {
    Configuration conf = cluster.mini().getConfiguration(0);
    conf.setLong(PprKeys.NAMENODE_SCRUB_RATE_KEY, bytesPerSecond);
    conf.set(PprKeys.NAMENODE_SCRUB_PATHS_KEY, "/nowhere, " + DIRECTORY + "/");
    cluster.mini().restartNameNode(0, true);
  }

  private static Path file(int number) {
    return new Path(DIRECTORY, "f" + number);
  }

  private JsonNode document(String name) {
    try {
      return new ObjectMapper().readTree(
          new URL(cluster.mini().getHttpUri(0) + "/ppr/v1/" + name));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns how far the checks of the directory are; the missing path comes before it. */
  private JsonNode checks() {
    return document("verification").path("directories").path(1);
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aWrongUnitIsFoundAndDoubted() throws Exception {
    start();
    cluster.directory(DIRECTORY.toString(), "RS-3-2-1024k");
    for (int i = 0; i < FILES; i++) {
      cluster.write(file(i), FILE_BYTES, FILE_BYTES, i);
    }
    cluster.write(new Path("/replicated"), 1_000, 1 << 20, 1);
    JsonNode off = document("verification");
    assertEquals("off", off.path("state").textValue(), off.toString());

    // Another NameNode has checked the first three files. One of them became wrong after that.
    LocatedStripedBlock passed = cluster.groups(file(1)).get(0);
    cluster.spoil(passed, 0, 100, true);
    LocatedStripedBlock wrong = cluster.groups(file(4)).get(0);
    DatanodeInfo holder = RepairCluster.holders(wrong).get(3);
    cluster.spoil(wrong, 3, 1_234_567, true);
    Instant started = Instant.now().minusSeconds(60);
    cluster.fs.setXAttr(DIRECTORY, XATTR, ("{\"version\":1,\"pass\":3,\"started\":\"" + started
        + "\",\"cursor\":\"/ec/f2\",\"groups\":3,\"checked\":2,\"contradictions\":0,"
        + "\"not_checked\":1,\"bytes\":1000}").getBytes(StandardCharsets.UTF_8));
    // The first of its groups is full, and the file is still open.
    FSDataOutputStream open = cluster.fs.create(file(7), true, 4_096, (short) 1, 1 << 20);
    open.write(new byte[FILE_BYTES]);
    open.hflush();

    restart(8 << 20);
    await("the pass ends", () -> checks().path("last_finished").isTextual());
    JsonNode checks = checks();
    assertEquals("/ec", checks.path("path").textValue());
    assertEquals(3, checks.path("pass").intValue(), checks.toString());
    assertEquals(2 + 3, checks.path("groups_checked").intValue(), checks.toString());
    assertEquals(1, checks.path("contradictions").intValue(), checks.toString());
    assertEquals(2, checks.path("not_checked").intValue(), "the open file: " + checks);
    JsonNode finding = document("verification").path("findings").path(0);
    String name = "blk_" + wrong.getBlock().getBlockId();
    assertEquals(name, finding.path("group").textValue(), finding.toString());
    assertEquals("contradiction", finding.path("result").textValue());
    assertEquals(3, finding.path("wrong_unit").intValue());
    assertEquals(holder.getHostName() + ":" + holder.getXferPort(),
        finding.path("node").textValue());
    await("the group is doubted", () -> document("status").path("doubted").intValue() == 1);
    await("the doubt is shown", () -> document("doubts").path("doubts").size() == 1);
    JsonNode doubt = document("doubts").path("doubts").path(0);
    assertEquals(name, doubt.path("group").textValue());
    assertTrue(doubt.path("certain").booleanValue());
    assertEquals(1, doubt.path("suspects").size(), doubt.toString());
    assertEquals(1, document("verification").path("findings_total").intValue(),
        "what is before the cursor is left to the next pass");
    assertFalse(document("verification").toString().contains("/ec/"), "no file is named");

    restart(8 << 20);
    await("the note is read", () -> checks().path("pass").intValue() == 3);
    assertEquals(checks.toString(), checks().toString());
    assertEquals(0, document("verification").path("findings_total").intValue());
    String note = new String(cluster.fs.getXAttr(DIRECTORY, XATTR), StandardCharsets.UTF_8);
    assertTrue(note.contains("\"started\":\"" + started + "\""), note);
    open.close();
  }
}
