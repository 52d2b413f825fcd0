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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Background checks where DataNodes want block tokens and Kerberos of each other. The NameNode
 * gives the tokens with its orders.
 */
class TestBackgroundScrubsUnderKerberos {
  private static final String XATTR = "trusted.hdfs-ppr.scrub";
  private static final Path DIRECTORY = new Path("/ec");
  private static final int NODES = 6;
  private static final int FILES = 3;
  private static final int FILE_BYTES = 4 << 20;

  @TempDir
  File directory;
  private Kerberos kerberos;
  private RepairCluster cluster;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestBackgroundScrubsUnderKerberos.class);
    Configuration conf = RepairCluster.configure(kerberos.configuration("privacy"), directory);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    Kerberos.logIn(conf);
    cluster = RepairCluster.start(conf, NODES);
    assertTrue(conf.getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, false));
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aWrongUnitIsFound() throws Exception {
    cluster.directory(DIRECTORY.toString(), "RS-3-2-1024k");
    for (int i = 0; i < FILES; i++) {
      cluster.write(new Path(DIRECTORY, "f" + i), FILE_BYTES, FILE_BYTES, i);
    }
    cluster.spoil(cluster.groups(new Path(DIRECTORY, "f1")).get(0), 2, 54_321, true);

    Configuration conf = cluster.mini().getConfiguration(0);
    conf.setLong(PprKeys.NAMENODE_SCRUB_RATE_KEY, 8 << 20);
    conf.set(PprKeys.NAMENODE_SCRUB_PATHS_KEY, DIRECTORY.toString());
    cluster.mini().restartNameNode(0, true);
    await("the client notices that its connection is gone", () -> {
      try {
        return cluster.fs.exists(DIRECTORY);
      } catch (EOFException e) {
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    await("the pass ends", () -> note().path("last").has("finished"));
    JsonNode last = note().path("last");
    assertEquals(FILES, last.path("groups").asInt(), last.toString());
    assertEquals(FILES, last.path("checked").asInt(), last.toString());
    assertEquals(1, last.path("contradictions").asInt(), last.toString());
    assertEquals(0, last.path("not_checked").asInt(), last.toString());
  }

  private JsonNode note() {
    try {
      byte[] note = cluster.fs.getXAttrs(DIRECTORY).get(XATTR);
      return note == null ? new ObjectMapper().createObjectNode()
          : new ObjectMapper().readTree(new String(note, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
