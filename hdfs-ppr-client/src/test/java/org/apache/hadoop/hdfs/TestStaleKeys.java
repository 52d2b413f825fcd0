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
package org.apache.hadoop.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client keeps the key that encrypts its transfers for hours. When the DataNodes no longer know
 * the key, the client must fetch another one. No read may use a slower way because of an old key.
 */
@Timeout(240)
class TestStaleKeys {
  private static final String POLICY = "RS-3-2-1024k";
  private static final int UNITS = 5;
  private static final int CELL = 1 << 20;
  private static final int FROM = 1017;
  private static final int LENGTH = 100_000;
  private static final long SEED = 5;

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;
  private static byte[] content;

  /** The ways in which a client gets bytes, each with its own connections. */
  private enum Way { FROM_ITS_DATANODE, BY_TREE, BY_DECODING }

  @BeforeAll
  static void start() throws IOException {
    conf = RepairCluster.configuration(directory);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(conf, UNITS);
    cluster.directory("/ec", POLICY);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Path write(Way way) throws IOException {
    Path file = new Path("/ec/" + way);
    content = cluster.write(file, 3 * CELL, 4L * CELL, SEED);
    cluster.awaitUnits(file, UNITS);
    if (way != Way.FROM_ITS_DATANODE) {
      LocatedStripedBlock group = cluster.groups(file).get(0);
      RepairCluster.drop(cluster.datanode(RepairCluster.holders(group).get(0)),
          RepairCluster.internalBlock(group, 0));
      RepairCluster.await("the NameNode knows what is lost", () -> {
        try {
          return !RepairCluster.holders(cluster.groups(file).get(0)).containsKey(0);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    return file;
  }

  private static PprFileSystem client(Way way) throws IOException {
    Configuration own = new Configuration(conf);
    own.set("fs.hdfs.impl", PprFileSystem.class.getName());
    own.set(PprKeys.CLIENT_DEGRADED_READ_KEY, "rack");
    own.setInt(PprKeys.CLIENT_CACHE_BYTES_KEY, 0);
    // No read counts as slow, so a slow machine causes no second reads.
    own.setInt(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, 0);
    // The clients share no connections, so that each read makes a handshake.
    own.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "stale keys " + way);
    own.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0);
    PprFileSystem client = (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own);
    ReadContext context = ((PprDFSClient) client.getClient()).readContext();
    context.connector.close();
    if (way == Way.BY_DECODING) {
      cluster.mini().getDataNodes()
          .forEach(node -> context.health.noteWithoutPort(node.getDatanodeUuid()));
    }
    return client;
  }

  private static void read(FileSystem client, Path file) throws IOException {
    byte[] read = new byte[LENGTH];
    // The file is opened for each read, so that the block tokens are new and only the key is old.
    try (FSDataInputStream in = client.open(file)) {
      in.readFully(FROM, read);
    }
    assertArrayEquals(Arrays.copyOfRange(content, FROM, FROM + LENGTH), read);
  }

  /**
   * Replaces all keys, as if days had passed. No process has a key any more that was current
   * before.
   */
  private static void replaceKeys() throws IOException, ReflectiveOperationException {
    BlockTokenSecretManager master = cluster.mini().getNamesystem().getBlockManager()
        .getBlockTokenSecretManager();
    int before = master.getCurrentKey().getKeyId();
    // Two updates are needed: the present next key is the current key after the first update, and
    // an old key after the second.
    for (int i = 0; i < 2; i++) {
      master.updateKeys(Long.MAX_VALUE);
    }
    master.clearAllKeysForTesting();
    master.updateKeys(Long.MAX_VALUE);
    assertFalse(master.hasKey(before), "the NameNode still has the old key");
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    for (DataNode node : cluster.mini().getDataNodes()) {
      node.clearAllBlockSecretKeys();
      addKeys(node.getBlockPoolTokenSecretManager(), pool, master.exportKeys());
    }
  }

  /**
   * Since Hadoop 3.5 the method has one more parameter, which says whether the current key changes.
   */
  private static void addKeys(BlockPoolTokenSecretManager manager, String pool,
      ExportedBlockKeys keys) throws ReflectiveOperationException {
    for (Method method : BlockPoolTokenSecretManager.class.getMethods()) {
      if (method.getName().equals("addKeys")) {
        Object[] arguments = {pool, keys, true};
        method.invoke(manager, Arrays.copyOf(arguments, method.getParameterCount()));
        return;
      }
    }
    throw new NoSuchMethodException("addKeys");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aKeyThatDataNodesForgotIsFetchedAnew(Way way) throws Exception {
    Path file = write(way);
    try (PprFileSystem client = client(way)) {
      DFSClient dfs = client.getClient();
      read(client, file);
      int before = dfs.getEncryptionKey().keyId;
      replaceKeys();
      read(client, file);
      assertNotEquals(before, dfs.getEncryptionKey().keyId, "the key is the old one");
      ReadCounters counters = ((PprDFSClient) dfs).readContext().counters;
      assertEquals(0, counters.stockReads(), "reads that went to stock");
      assertEquals(way == Way.BY_TREE ? 2 : 0, counters.trees(), "trees");
      assertEquals(0, counters.treesFailed(), "trees that failed");
      assertEquals(way == Way.BY_DECODING ? 2 : 0, counters.decodes(), "decoded");
    }
  }
}
