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
package org.hdfsppr.client;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs ppr -convert} on a cluster with both plugins: from the command to the bytes. */
@Timeout(300)
class TestConvertOnCluster {
  private static final int NODES = 11;
  private static final int CELL = 16 << 10;
  private static final int FILES = 4;
  private static final int FILE_BYTES = 6 * 3 * CELL + 1_234;
  private static final String RS = "RS-6-3-16k";
  private static final String LRC = "LRC-RS-L2-6-4-16k";
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});

  @TempDir
  File directory;
  private RepairCluster cluster;
  private final List<byte[]> contents = new ArrayList<>();
  private String out;
  private String err;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = RepairCluster.configure(new HdfsConfiguration(), directory);
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    cluster = RepairCluster.start(conf, NODES);
    for (ECSchema schema : new ECSchema[] {new ECSchema("rs", 6, 3),
        new ECSchema("lrc-rs-l2", 6, 4)}) {
      cluster.fs().enableErasureCodingPolicy(cluster.fs().addErasureCodingPolicies(
          new ErasureCodingPolicy[] {new ErasureCodingPolicy(schema, CELL)})[0].getPolicy()
          .getName());
    }
    Path data = new Path("/warm/data");
    cluster.fs().mkdirs(data);
    cluster.fs().setErasureCodingPolicy(data, RS);
    for (int i = 0; i < FILES; i++) {
      contents.add(cluster.write(file(i), FILE_BYTES, 2L * CELL, i));
      cluster.fs().setOwner(file(i), "alice", "users");
    }
    cluster.write(new Path("/warm/data/of-root"), 100, 2L * CELL, 99);
    cluster.fs().setOwner(data, "alice", "users");
    await("the plugin is in charge", () -> document("status").path("in_charge").asBoolean()
        && document("status").path("participants").asInt(NODES) >= NODES);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Path file(int number) {
    return new Path("/warm/data/f" + number);
  }

  private JsonNode document(String name) {
    try {
      return new ObjectMapper().readTree(
          new URL(cluster.mini().getHttpUri(0) + "/ppr/v1/" + name));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private int run(UserGroupInformation user, String... args) throws Exception {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.set("fs.defaultFS", cluster.mini().getURI().toString());
    int code = user.doAs((PrivilegedExceptionAction<Integer>) () -> PprTool.run(() -> conf,
        new PrintWriter(outText), new PrintWriter(errText), args));
    out = outText.toString();
    err = errText.toString();
    return code;
  }

  private String policy(Path path) throws IOException {
    return cluster.fs().getErasureCodingPolicy(path).getName();
  }

  private void assertContents() throws IOException {
    for (int i = 0; i < FILES; i++) {
      byte[] read = new byte[FILE_BYTES];
      try (FSDataInputStream in = cluster.fs().open(file(i))) {
        in.readFully(0, read);
      }
      assertArrayEquals(contents.get(i), read);
    }
  }

  @Test
  void aUserConvertsItsFilesThereAndBack() throws Exception {
    assertEquals(0, run(ALICE, "-convert", "-policy", LRC, "-dry-run", "-idle", "0", "-json",
        "/warm/data"), out + err);
    JsonNode dry = last();
    assertEquals(FILES, dry.path("converted").asInt(), out);
    assertEquals(1, dry.path("refused_by_reason").path("no_permission").asInt(), out);
    assertTrue(dry.path("repair_after").asLong() < dry.path("repair_before").asLong(), out);
    assertTrue(dry.path("bytes_linked").asLong() >= (long) FILES * FILE_BYTES, out);
    assertEquals(RS, policy(file(0)));

    String group = "blk_" + cluster.groups(file(0)).get(0).getBlock().getBlockId();
    assertEquals(1, run(ALICE, "-convert", "-policy", LRC, "-idle", "0", "-grace", "1h", "-wait",
        "-id", "there", "/warm/data"), "a file is another user's: " + out + err);
    assertTrue(out.contains("1 refused: no_permission"), out);
    for (int i = 0; i < FILES; i++) {
      assertEquals(LRC, policy(file(i)), out + err);
      assertEquals("alice", cluster.fs().getFileStatus(file(i)).getOwner());
    }
    assertEquals(LRC, policy(new Path("/warm/data")), "new files get the policy");
    assertEquals(RS, policy(new Path("/warm/data/of-root")));
    assertContents();

    String page = document("conversions").toString();
    assertTrue(page.contains("\"there\""), page);
    assertFalse(page.contains("/warm") || page.contains("alice"), page);

    UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
    assertEquals(0, run(superuser, "-explain", group), err);
    assertTrue(out.replaceAll("\\s+", " ").contains("the old version of a converted file"), out);
    assertEquals(0, run(superuser, "-convert", "-policy", RS, "-idle", "0", "-grace", "0",
        "-wait", "/warm/data"), out + err);
    assertEquals(RS, policy(file(3)));
    assertContents();
    assertEquals(0, run(ALICE, "-convert", "-status"), err);
    assertTrue(out.contains("there"), out);
  }

  private JsonNode last() throws IOException {
    String[] lines = out.split(System.lineSeparator());
    return new ObjectMapper().readTree(lines[lines.length - 1]);
  }
}
