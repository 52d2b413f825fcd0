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

import static org.hdfsppr.client.files.ConvertCluster.ALICE;
import static org.hdfsppr.client.files.ConvertCluster.CELL;
import static org.hdfsppr.client.files.ConvertCluster.LRC;
import static org.hdfsppr.client.files.ConvertCluster.RS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs ppr -convert} on a cluster with both plugins: from the command to the bytes. */
@Timeout(300)
class TestConvertOnCluster {
  private static final int FILES = 4;
  private static final int FILE_BYTES = 6 * 3 * CELL + 1_234;
  private static final Path DATA = new Path("/warm/data");

  @TempDir
  File directory;
  private ConvertCluster cluster;
  private final List<byte[]> contents = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    cluster = new ConvertCluster(directory);
    for (int i = 0; i < FILES; i++) {
      contents.add(cluster.write(file(i), RS, FILE_BYTES, i));
    }
    cluster.hdfs().write(new Path(DATA, "of-root"), 100, 2L * CELL, 99);
    cluster.awaitInCharge();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Path file(int number) {
    return new Path(DATA, "f" + number);
  }

  private void assertContents() throws IOException {
    for (int i = 0; i < FILES; i++) {
      byte[] read = new byte[FILE_BYTES];
      try (FSDataInputStream in = cluster.hdfs().fs.open(file(i))) {
        in.readFully(0, read);
      }
      assertArrayEquals(contents.get(i), read);
    }
  }

  @Test
  void aUserConvertsItsFilesThereAndBack() throws Exception {
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-dry-run", "-idle", "0",
        "-json", "/warm/data"), cluster.out() + cluster.err());
    JsonNode dry = cluster.last();
    assertEquals(FILES, dry.path("converted").asInt(), cluster.out());
    assertEquals(1, dry.path("refused_by_reason").path("no_permission").asInt(), cluster.out());
    assertTrue(dry.path("repair_after").asLong() < dry.path("repair_before").asLong(),
        cluster.out());
    assertTrue(dry.path("bytes_linked").asLong() >= (long) FILES * FILE_BYTES, cluster.out());
    assertEquals(RS, cluster.policy(file(0)));

    String group = "blk_" + cluster.hdfs().groups(file(0)).get(0).getBlock().getBlockId();
    assertEquals(1, cluster.run(ALICE, "-convert", "-policy", LRC, "-idle", "0", "-grace",
        "1h", "-wait", "-id", "there", "/warm/data"),
        "a file is another user's: " + cluster.out() + cluster.err());
    assertTrue(cluster.out().contains("1 refused: no_permission"), cluster.out());
    for (int i = 0; i < FILES; i++) {
      assertEquals(LRC, cluster.policy(file(i)), cluster.out() + cluster.err());
      assertEquals("alice", cluster.hdfs().fs.getFileStatus(file(i)).getOwner());
    }
    assertEquals(LRC, cluster.policy(DATA), "new files get the policy");
    assertEquals(RS, cluster.policy(new Path(DATA, "of-root")));
    assertContents();

    String page = cluster.document("conversions").toString();
    assertTrue(page.contains("\"there\""), page);
    assertFalse(page.contains("/warm") || page.contains("alice"), page);

    UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
    assertEquals(0, cluster.run(superuser, "-explain", group), cluster.err());
    assertTrue(cluster.out().replaceAll("\\s+", " ")
        .contains("the old version of a converted file"), cluster.out());
    assertEquals(0, cluster.run(superuser, "-convert", "-policy", RS, "-idle", "0", "-grace", "0",
        "-wait", "/warm/data"), cluster.out() + cluster.err());
    assertEquals(RS, cluster.policy(file(3)));
    assertContents();
    assertEquals(0, cluster.run(ALICE, "-convert", "-status"), cluster.err());
    assertTrue(cluster.out().contains("there"), cluster.out());
  }
}
