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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ColumnAccess;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginColumns;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.column.ColumnRpcHandler;
import org.hdfsppr.namenode.files.FilesProtocols;
import org.hdfsppr.namenode.manage.core.TrustedColumns;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients read lost units through columns: three files and a fourth one with their XOR, as a CORE
 * group has them, and a book that says so.
 */
class TestColumnReads {
  private static final int CELL = 16 << 10;
  private static final int CELLS_OF_UNIT = 4;
  private static final int K = 6;
  private static final int M = 3;
  private static final int NODES = 12;
  /** The last block group of each file has all units, or is the only one. */
  private static final int[] LENGTHS = {54 * CELL + 777, 31 * CELL, 2 * CELL + 5};
  private static final String USER = "bob";

  /** The block groups whose units may contradict each other. */
  private static final Set<GroupId> DOUBTED = ConcurrentHashMap.newKeySet();

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;
  private static RepairManagerServer server;
  private static ColumnRpcHandler desk;

  /** The files of a group, and what the book says of them. */
  private static final class Group implements CoreGroupLookup {
    private final List<Path> files = new ArrayList<>();
    private final List<byte[]> contents = new ArrayList<>();
    private final Map<Long, CoreRows> rows = new HashMap<>();

    @Override
    public Optional<CoreRows> rowsOf(long blockGroup) {
      return Optional.ofNullable(rows.get(blockGroup));
    }
  }

  @BeforeAll
  static void start() throws IOException {
    conf = RepairCluster.configuration(directory);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    cluster = RepairCluster.start(conf, NODES);
    Configuration own = new Configuration(conf);
    own.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    desk = new ColumnRpcHandler(4);
    server = RepairManagerServer.start(own, null, (uuid, address) -> true, (caller, request) -> {
      throw new IOException("no heartbeats here");
    }, List.of(FilesProtocols.columns(desk)));
    assertEquals(List.of(), ColumnAccess.missing());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    cluster.close();
  }

  private static Configuration clientConf() {
    Configuration client = new Configuration(conf);
    client.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + server.address().getPort());
    client.set("fs.hdfs.impl", PprFileSystem.class.getName());
    client.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    return client;
  }

  private static PprFileSystem client() throws IOException {
    return (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), clientConf());
  }

  private static ReadCounters counters(PprFileSystem fs) {
    return ((PprDFSClient) fs.getClient()).readContext().counters;
  }

  /** Writes a group, and opens the desk with it. */
  private static Group group(String codec, String name) throws IOException {
    AddErasureCodingPolicyResponse added = cluster.fs.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {new ErasureCodingPolicy(new ECSchema(codec, K, M), CELL)})[0];
    Path parent = cluster.directory("/" + name, added.getPolicy().getName());
    Group group = new Group();
    byte[] xor = new byte[LENGTHS[0]];
    for (int i = 0; i < LENGTHS.length; i++) {
      byte[] content = new byte[LENGTHS[i]];
      new Random(name.hashCode() + i).nextBytes(content);
      for (int j = 0; j < content.length; j++) {
        xor[j] ^= content[j];
      }
      write(group, new Path(parent, "f" + i), content);
    }
    write(group, new Path(parent, "parity"), xor);
    GroupPolicy policy = new GroupPolicy(codec, K, M, CELL);
    for (int index = 0; index < cluster.groups(group.files.get(0)).size(); index++) {
      List<CoreRows.Row> rows = new ArrayList<>();
      for (Path file : group.files) {
        List<LocatedStripedBlock> blocks = cluster.groups(file);
        rows.add(index < blocks.size() ? new CoreRows.Row(id(blocks.get(index)),
            blocks.get(index).getBlockSize(), false) : null);
      }
      put(group, new CoreRows(1, index, policy, rows));
    }
    desk.open(group, new ColumnAccess(cluster.mini().getNamesystem()),
        new TrustedColumns(DOUBTED::contains), () -> { });
    return group;
  }

  private static void put(Group group, CoreRows rows) {
    rows.rows.stream().filter(row -> row != null)
        .forEach(row -> group.rows.put(row.id.groupId, rows));
  }

  private static GroupId id(LocatedStripedBlock block) {
    return new GroupId(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId(),
        block.getBlock().getGenerationStamp());
  }

  private static void write(Group group, Path path, byte[] content) throws IOException {
    try (OutputStream out = cluster.fs.create(path, true, 4096, (short) 1,
        CELLS_OF_UNIT * CELL)) {
      out.write(content);
    }
    cluster.awaitUnits(path, Math.min(K, (content.length - 1) / CELL + 1) + M);
    group.files.add(path);
    group.contents.add(content);
  }

  private static void lose(Path path, int... units) throws IOException {
    for (LocatedStripedBlock block : cluster.groups(path)) {
      for (int unit : units) {
        if (RepairCluster.holders(block).containsKey(unit)) {
          RepairCluster.drop(cluster.datanode(RepairCluster.holders(block).get(unit)),
              RepairCluster.internalBlock(block, unit));
        }
      }
    }
  }

  private static byte[] read(FileSystem fs, Path path, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(0, bytes);
    }
    return bytes;
  }

  /** The column has three blocks and the row six, so that a lost unit comes from the column. */
  @Test
  void lostUnitsOfCoreFilesComeFromFewerBlocks() throws IOException {
    Group group = group("core-t3", "cheap");
    lose(group.files.get(0), 1);
    // On a busy machine a DataNode may be late, and the client then takes the row.
    RepairCluster.await("a column of three blocks is read", () -> isReadByColumn(group));
    try (PprFileSystem fs = client()) {
      assertArrayEquals(group.contents.get(0),
          read(fs, group.files.get(0), LENGTHS[0]));
    }
  }

  /** Reads a cell of the first file's unit 1 by a client of its own. */
  private static boolean isReadByColumn(Group group) {
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(group.files.get(0))) {
      byte[] bytes = new byte[CELL];
      in.readFully(CELL, bytes);
      assertArrayEquals(Arrays.copyOfRange(group.contents.get(0), CELL, 2 * CELL), bytes);
      return counters(fs).columns() == 1 && counters(fs).trees() == 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Four lost units are more than the row can bear, and columns bring each of them back. */
  @Test
  void rowsWithTooManyLossesStayReadable() throws IOException {
    for (String codec : new String[] {"rs", "core-t3"}) {
      Group group = group(codec, "many-" + codec);
      lose(group.files.get(0), 0, 2, 5, 7);
      lose(group.files.get(1), 1, 3, 4, 6);
      try (PprFileSystem fs = client()) {
        for (int file = 0; file < 2; file++) {
          Path path = group.files.get(file);
          assertArrayEquals(group.contents.get(file), read(fs, path, LENGTHS[file]));
          // As a stateful read, which stock begins and cannot end.
          byte[] bytes = new byte[LENGTHS[file]];
          try (FSDataInputStream in = fs.open(path)) {
            in.readFully(bytes);
          }
          assertArrayEquals(group.contents.get(file), bytes);
        }
        assertTrue(counters(fs).columns() > 0, codec);
      }
    }
  }

  /**
   * A client remembers a column, and one of its files goes away. The column of the CORE group that
   * is formed anew has another block on the DataNode that had the old one.
   */
  @Test
  void aNewerColumnMayHaveABlockOnTheSameDataNode() throws IOException {
    Group group = group("rs", "newer");
    lose(group.files.get(0), 0, 1, 2, 3);
    Configuration own = clientConf();
    own.set(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own);
        FSDataInputStream in = fs.open(group.files.get(0))) {
      byte[] bytes = new byte[4 * CELL];
      in.readFully(0, bytes);
      assertArrayEquals(Arrays.copyOf(group.contents.get(0), 4 * CELL), bytes);
      Map<Integer, DatanodeInfo> before =
          RepairCluster.holders(cluster.groups(group.files.get(1)).get(0));
      int unit = -1;
      for (int tries = 0; unit < 0 && tries < 100; tries++) {
        Group others = new Group();
        write(others, new Path("/newer/other" + tries), group.contents.get(1));
        LocatedStripedBlock block = cluster.groups(others.files.get(0)).get(0);
        Map<Integer, DatanodeInfo> after = RepairCluster.holders(block);
        for (int i = 0; i < 4; i++) {
          unit = after.get(i).equals(before.get(i)) ? i : unit;
        }
        CoreRows rows = group.rows.get(id(cluster.groups(group.files.get(0)).get(0)).groupId);
        List<CoreRows.Row> changed = new ArrayList<>(rows.rows);
        changed.set(1, new CoreRows.Row(id(block), block.getBlockSize(), false));
        put(group, new CoreRows(1, 0, rows.policy, changed));
      }
      assertTrue(unit >= 0, "no unit of a hundred files is where it was");
      lose(group.files.get(1), 0, 1, 2, 3);
      int from = (K + unit) * CELL;
      bytes = new byte[CELL];
      in.readFully(from, bytes);
      assertArrayEquals(Arrays.copyOfRange(group.contents.get(0), from, from + CELL), bytes);
    }
  }

  /** A unit that is lost in two rows is in no column that can be read. */
  @Test
  void lostColumnsAreNotRead() throws IOException {
    Group group = group("rs", "both");
    lose(group.files.get(0), 0, 1, 2, 3);
    lose(group.files.get(3), 0);
    try (PprFileSystem fs = client()) {
      assertThrows(IOException.class, () -> read(fs, group.files.get(0), CELL));
      try (FSDataInputStream in = fs.open(group.files.get(0))) {
        byte[] bytes = new byte[CELL];
        in.readFully(CELL, bytes);
        assertArrayEquals(Arrays.copyOfRange(group.contents.get(0), CELL, 2 * CELL),
            bytes);
      }
    }
  }

  /**
   * The second row is beyond its code, too, so that the NameNode names its corrupt replicas beside
   * the good ones. A unit of it is corrupt on one node, and has been rebuilt on another.
   */
  @Test
  void aGoodReplicaIsReadThoughACorruptOneIsThere() throws IOException {
    Group group = group("rs", "corrupt");
    lose(group.files.get(0), 0, 1, 2, 3);
    lose(group.files.get(1), 3, 4, 5, 6);
    LocatedStripedBlock block = cluster.groups(group.files.get(1)).get(0);
    GroupId first = id(cluster.groups(group.files.get(0)).get(0));
    byte[][] good = replica(block, 0);
    cluster.spoil(block, 0, 100, false);
    cluster.report(block, 0);
    RepairCluster.await("the NameNode knows the corrupt replica", () ->
        cluster.mini().getNamesystem().getBlockManager()
            .getCorruptReplicas(block.getBlock().getLocalBlock()) != null);
    PluginColumns columns = new PluginColumns(clientConf(), cluster.fs.getUri(),
        UserGroupInformation.getCurrentUser());
    assertEquals(List.of(), columns.column(first, 0), "there is no other replica");
    Set<DatanodeInfo> taken = new HashSet<>(Arrays.asList(block.getLocations()));
    DataNode spare = cluster.mini().getDataNodes().stream()
        .filter(node -> !taken.contains(node.getDatanodeId())).findFirst().orElseThrow();
    put(spare, RepairCluster.internalBlock(block, 0), good);
    RepairCluster.await("the NameNode knows the new replica", () -> {
      try {
        return Arrays.stream(cluster.groups(group.files.get(1)).get(0).getLocations())
            .anyMatch(node -> node.getDatanodeUuid().equals(spare.getDatanodeUuid()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(group.files.get(0))) {
      byte[] bytes = new byte[CELL];
      in.readFully(0, bytes);
      assertArrayEquals(Arrays.copyOf(group.contents.get(0), CELL), bytes);
    }
    List<LocatedBlock> column = columns.column(first, 0);
    assertEquals(List.of(spare.getDatanodeUuid()), Arrays.stream(column.get(0).getLocations())
        .map(DatanodeInfo::getDatanodeUuid).collect(Collectors.toList()));
  }

  /** Returns the bytes of a unit's replica, and those of its checksums. */
  private static byte[][] replica(LocatedStripedBlock block, int unit) throws IOException {
    BlockLocalPathInfo files = cluster.datanode(RepairCluster.holders(block).get(unit))
        .getFSDataset().getBlockLocalPathInfo(RepairCluster.internalBlock(block, unit));
    return new byte[][] {Files.readAllBytes(Paths.get(files.getBlockPath())),
        Files.readAllBytes(Paths.get(files.getMetaPath()))};
  }

  /** Gives a DataNode a replica, and has it reported. */
  private static void put(DataNode node, ExtendedBlock block, byte[][] replica)
      throws IOException {
    block.setNumBytes(replica[0].length);
    cluster.mini().getFsDatasetTestUtils(node).createFinalizedReplica(block);
    BlockLocalPathInfo files = node.getFSDataset().getBlockLocalPathInfo(block);
    Files.write(Paths.get(files.getBlockPath()), replica[0]);
    Files.write(Paths.get(files.getMetaPath()), replica[1]);
    cluster.mini().triggerBlockReports();
  }

  /**
   * A unit of another file is wrong, and its checksums are right. As soon as the NameNode doubts
   * that file's block group, no reader gets the error as bytes of its own file.
   */
  @Test
  void columnsWithABlockInDoubtAreNotRead() throws IOException {
    Group cheap = group("core-t3", "doubted-cheap");
    lose(cheap.files.get(0), 1);
    spoilDoubted(cheap, 1);
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(cheap.files.get(0))) {
      byte[] bytes = new byte[CELL];
      in.readFully(CELL, bytes);
      assertArrayEquals(Arrays.copyOfRange(cheap.contents.get(0), CELL, 2 * CELL), bytes);
      assertEquals(0, counters(fs).columns(), "the row is whole enough");
    }
    Group only = group("rs", "doubted-only");
    lose(only.files.get(0), 0, 1, 2, 3);
    spoilDoubted(only, 0);
    try (PprFileSystem fs = client()) {
      assertThrows(IOException.class, () -> read(fs, only.files.get(0), CELL));
      assertEquals(0, counters(fs).columns());
    }
    DOUBTED.clear();
    DOUBTED.add(id(cluster.groups(only.files.get(0)).get(0)));
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(only.files.get(0))) {
      byte[] bytes = new byte[CELL];
      in.readFully(CELL, bytes);
      assertArrayEquals(Arrays.copyOfRange(only.contents.get(0), CELL, 2 * CELL), bytes,
          "a column reads no unit of the row that has lost the block");
    } finally {
      DOUBTED.clear();
    }
  }

  private static void spoilDoubted(Group group, int unit) throws IOException {
    LocatedStripedBlock block = cluster.groups(group.files.get(1)).get(0);
    cluster.spoil(block, unit, 100, true);
    DOUBTED.add(id(block));
  }

  /** A record that is not what the block map has gives no bytes, also if it calls the row right. */
  @Test
  void blocksThatWereNotRecordedAreNotRead() throws IOException {
    Group group = group("rs", "stale");
    lose(group.files.get(0), 0, 1, 2, 3);
    for (CoreRows rows : new ArrayList<>(group.rows.values())) {
      List<CoreRows.Row> changed = new ArrayList<>(rows.rows);
      CoreRows.Row second = changed.get(1);
      if (second != null) {
        changed.set(1, new CoreRows.Row(new GroupId(second.id.poolId, second.id.groupId,
            second.id.generationStamp + 1), second.bytes, false));
        put(group, new CoreRows(1, rows.index, rows.policy, changed));
      }
    }
    try (PprFileSystem fs = client()) {
      assertThrows(IOException.class, () -> read(fs, group.files.get(0), CELL));
      assertEquals(0, counters(fs).columns());
    }
  }

  /** A caller that may not read one of the files gets no block of any of them. */
  @Test
  void callersWithoutTheRightToAllFilesGetNoColumn() throws Exception {
    Group group = group("rs", "rights");
    lose(group.files.get(0), 0, 1, 2, 3);
    cluster.fs.setPermission(group.files.get(3), new FsPermission((short) 0));
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting(USER, new String[] {"people"});
    URI uri = cluster.fs.getUri();
    GroupId first = id(cluster.groups(group.files.get(0)).get(0));
    bob.doAs((PrivilegedExceptionAction<Void>) () -> {
      try (FileSystem fs = FileSystem.newInstance(uri, clientConf())) {
        // The parity file belongs to the NameNode, and holds nothing but these files.
        assertArrayEquals(group.contents.get(0), read(fs, group.files.get(0), LENGTHS[0]));
      }
      return null;
    });
    cluster.fs.setPermission(group.files.get(2), new FsPermission((short) 0600));
    bob.doAs((PrivilegedExceptionAction<Void>) () -> {
      assertThrows(AccessControlException.class,
          () -> new PluginColumns(clientConf(), uri, bob).column(first, 0));
      try (FileSystem fs = FileSystem.newInstance(uri, clientConf())) {
        assertThrows(IOException.class, () -> read(fs, group.files.get(0), CELL));
      }
      return null;
    });
    // A superuser's thread may read a stream of that user.
    try (FileSystem fs = bob.doAs((PrivilegedExceptionAction<FileSystem>) () ->
        FileSystem.newInstance(uri, clientConf()))) {
      assertThrows(IOException.class, () -> read(fs, group.files.get(0), CELL));
    }
  }

  /** Without an answer of a plugin, reads go on as without CORE. */
  @Test
  void readsDoWithoutThePlugin() throws IOException {
    Group group = group("core-t3", "alone");
    lose(group.files.get(0), 1);
    Configuration own = clientConf();
    own.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:1");
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own)) {
      assertArrayEquals(group.contents.get(0), read(fs, group.files.get(0), LENGTHS[0]));
      assertEquals(0, counters(fs).columns());
    }
  }
}
