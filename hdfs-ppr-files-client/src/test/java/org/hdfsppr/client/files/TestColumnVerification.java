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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.ColumnAccess;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.client.files.square.ColumnFinding;
import org.hdfsppr.client.files.square.ColumnVerification;
import org.hdfsppr.client.files.square.SquareFinding;
import org.hdfsppr.client.files.square.SquareTally;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.AuditedCalls;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.column.ColumnRpcHandler;
import org.hdfsppr.namenode.files.FilesProtocols;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks columns: three files and a fourth one with their XOR, as a CORE group has them, and a book
 * that says so.
 */
class TestColumnVerification {
  private static final long SEED = 20_261_125;
  private static final int CELL = 16 << 10;
  private static final int CELLS_OF_UNIT = 4;
  private static final int K = 6;
  private static final int M = 3;
  private static final int NODES = 12;
  private static final int T = 3;
  /** The first file has three block groups, the second two, and the third a part of one. */
  private static final int[] LENGTHS = {54 * CELL + 777, 31 * CELL, 2 * CELL + 5};
  /** The third block group has 6 cells and 777 bytes, so that each unit has bytes. */
  private static final int SQUARES = 3;
  private static final int COLUMNS = SQUARES * (K + M);

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;
  private static RepairManagerServer server;
  private static ColumnRpcHandler desk;

  private final List<Path> files = new ArrayList<>();
  private final Map<Long, CoreRows> book = new HashMap<>();
  private final List<SquareFinding> findings = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    conf = RepairCluster.configuration(directory);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    AuditedCalls.start(conf);
    cluster = RepairCluster.start(conf, NODES);
    Configuration own = new Configuration(conf);
    own.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    conf.set("fs.defaultFS", cluster.fs.getUri().toString());
    desk = new ColumnRpcHandler(4);
    server = RepairManagerServer.start(own, null, (uuid, address) -> true, (caller, request) -> {
      throw new IOException("no heartbeats here");
    }, List.of(FilesProtocols.columns(desk)));
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + server.address().getPort());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    cluster.close();
  }

  @BeforeEach
  void forget() {
    AuditedCalls.clear();
  }

  /** Writes a group, and opens the desk with it; the parity is the XOR of the files and of bits. */
  private void group(String name, int bits) throws IOException {
    String policy = cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL)})[0].getPolicy().getName();
    Path parent = cluster.directory("/" + name, policy);
    byte[] xor = new byte[LENGTHS[0]];
    for (int i = 0; i < T; i++) {
      byte[] content = new byte[LENGTHS[i]];
      new Random(SEED + i).nextBytes(content);
      for (int j = 0; j < content.length; j++) {
        xor[j] ^= content[j];
      }
      write(new Path(parent, "f" + i), content);
    }
    xor[0] ^= (byte) bits;
    write(new Path(parent, "parity"), xor);
    for (int index = 0; index < SQUARES; index++) {
      List<CoreRows.Row> rows = new ArrayList<>();
      for (Path file : files) {
        List<LocatedStripedBlock> blocks = cluster.groups(file);
        rows.add(index < blocks.size() ? new CoreRows.Row(new GroupId(
            blocks.get(index).getBlock().getBlockPoolId(), blocks.get(index).getBlock()
            .getBlockId(), blocks.get(index).getBlock().getGenerationStamp()),
            blocks.get(index).getBlockSize(), false) : null);
      }
      put(new CoreRows(17, index, new GroupPolicy("rs", K, M, CELL), rows));
    }
    CoreGroupLookup known = blockGroup -> Optional.ofNullable(book.get(blockGroup));
    desk.open(known, new ColumnAccess(cluster.mini().getNamesystem()),
        (rows, lost, unit) -> true, () -> { });
  }

  private void put(CoreRows rows) {
    rows.rows.stream().filter(row -> row != null)
        .forEach(row -> book.put(row.id.groupId, rows));
  }

  private void write(Path path, byte[] content) throws IOException {
    try (OutputStream out = cluster.fs.create(path, true, 4096, (short) 1,
        CELLS_OF_UNIT * CELL)) {
      out.write(content);
    }
    cluster.awaitUnits(path, Math.min(K, (content.length - 1) / CELL + 1) + M);
    files.add(path);
  }

  private LocatedStripedBlock blocks(int file, int index) throws IOException {
    return cluster.groups(files.get(file)).get(index);
  }

  private SquareTally check(Path... paths) throws IOException {
    findings.clear();
    problems.clear();
    try (VerifySession session = VerifySession.open(conf, paths[0])) {
      return ColumnVerification.check(session, List.of(paths), 2, findings::add, problems::add);
    }
  }

  private Path parent() {
    return files.get(0).getParent();
  }

  private ColumnFinding column(int index, int unit) {
    SquareFinding square = findings.stream().filter(one -> one.index == index).findFirst()
        .orElseThrow();
    return square.columns.stream().filter(one -> one.unit == unit).findFirst().orElseThrow();
  }

  /** Asserts that one column contradicts itself and all others add up to zero. */
  private ColumnFinding onlyContradiction(int index, int unit) throws IOException {
    SquareTally tally = check(parent());
    assertEquals(1, tally.columns(Verdict.CONTRADICTION), findings::toString);
    assertEquals(COLUMNS - 1, tally.columns(Verdict.AGREES));
    assertFalse(tally.isFine());
    ColumnFinding found = column(index, unit);
    assertEquals(Verdict.CONTRADICTION, found.verdict, found.text);
    return found;
  }

  @Test
  void eachColumnIsCheckedOnce() throws IOException {
    group("right", 0);
    cluster.write(new Path(parent(), "other"), 3 * CELL, CELLS_OF_UNIT * CELL, SEED);
    SquareTally tally = check(parent());
    assertTrue(tally.isFine(), findings::toString);
    assertEquals(SQUARES, findings.size());
    assertEquals(COLUMNS, tally.columns(Verdict.AGREES));
    assertEquals(COLUMNS, tally.columns());
    assertEquals(1, tally.groupsInNone());
    assertEquals(List.of(), problems);
    // Each link carries one block: less than a fourth of all blocks comes to the client.
    assertTrue(tally.unitBytes() > 0);
    assertTrue(tally.clientBytes() < tally.unitBytes(), tally.clientBytes() + " bytes");
    // One line for each square, with all members and without the parity file.
    List<String> audited = AuditedCalls.lines();
    assertEquals(SQUARES, audited.size(), audited::toString);
    assertTrue(audited.get(0).startsWith("true "), audited::toString);
    assertTrue(audited.get(0).endsWith(" pprColumn " + files.subList(0, T).stream()
        .map(file -> file.toUri().getPath()).collect(Collectors.toList())), audited::toString);
    // The shortest file has one block group, and is enough to find all columns there.
    tally = check(files.get(2));
    assertEquals(K + M, tally.columns(Verdict.AGREES));
  }

  @Test
  void theOwnParityOfAFileSaysThatItIsWrong() throws IOException {
    group("wrong", 0);
    cluster.spoil(blocks(1, 1), 2, 40, true);
    ColumnFinding found = onlyContradiction(1, 2);
    assertEquals(Optional.of(files.get(1).toUri().getPath()), found.wrongFile());
    assertEquals(2, found.wrongPlace().orElseThrow().unit);
    assertEquals("blk_" + (blocks(1, 1).getBlock().getBlockId() + 2),
        found.wrongPlace().orElseThrow().block);
    assertTrue(found.next.startsWith("Take unit 2"), found.next);
  }

  @Test
  void aParityUnitOfTheParityFileCanBeWrong() throws IOException {
    group("parity", 0);
    cluster.spoil(blocks(T, 0), K, 7, true);
    ColumnFinding found = onlyContradiction(0, K);
    assertEquals(Optional.of(files.get(T).toUri().getPath()), found.wrongFile());
    assertTrue(found.text.contains("that of the parity file is wrong"), found.text);
  }

  /** The first byte is in unit 0 and in all parity units. */
  @Test
  void aParityFileOfOtherBytesContradictsFilesThatAgreeWithThemselves() throws IOException {
    group("other", 1);
    SquareTally tally = check(parent());
    assertEquals(1 + M, tally.columns(Verdict.CONTRADICTION), findings::toString);
    ColumnFinding found = column(0, 0);
    assertEquals(Optional.empty(), found.wrongFile());
    assertTrue(found.text.contains("cannot be said which one is wrong"), found.text);
    assertTrue(found.next.contains("-setfattr -x trusted.hdfs-ppr.core-group "
        + files.get(T).toUri().getPath()),
        found.next);
  }

  @Test
  void severalWrongFilesAreNamed() throws IOException {
    group("several", 0);
    cluster.spoil(blocks(0, 0), 1, 40, true);
    cluster.spoil(blocks(1, 0), 1, 50, true);
    ColumnFinding found = onlyContradiction(0, 1);
    assertEquals(Optional.empty(), found.wrongFile());
    assertTrue(found.text.contains("the own parities of " + files.get(0).toUri().getPath() + ", "
        + files.get(1).toUri().getPath() + " contradict them, too"), found.text);
  }

  /** The files' own parities show that a unit of one is wrong, but not in the column's place. */
  @Test
  void aFileThatIsWrongElsewhereIsNotAccused() throws IOException {
    group("elsewhere", 1);
    cluster.spoil(blocks(1, 0), 3, 40, true);
    SquareTally tally = check(parent());
    assertEquals(1 + M + 1, tally.columns(Verdict.CONTRADICTION), findings::toString);
    assertEquals(Optional.of(files.get(1).toUri().getPath()), column(0, 3).wrongFile());
    ColumnFinding found = column(0, 0);
    assertEquals(Optional.empty(), found.wrongFile());
    assertTrue(found.text.contains("the own parities of " + files.get(1).toUri().getPath()
        + " could not show"), found.text);
  }

  /** Two wrong units of a file contradict its parity, which does not show which ones they are. */
  @Test
  void aFileWithTwoWrongUnitsIsNamedWithoutThem() throws IOException {
    group("two", 0);
    cluster.spoil(blocks(1, 0), 1, 40, true);
    cluster.spoil(blocks(1, 0), 2, 40, true);
    SquareTally tally = check(parent());
    assertEquals(2, tally.columns(Verdict.CONTRADICTION), findings::toString);
    for (int unit = 1; unit <= 2; unit++) {
      ColumnFinding found = column(0, unit);
      assertEquals(Optional.of(files.get(1).toUri().getPath()), found.wrongFile(), found.text);
      assertEquals(Optional.empty(), found.wrongPlace());
      assertTrue(found.text.contains("which does not show the unit"), found.text);
    }
  }

  /** Between two readings of a column, the book has got another group, or other rows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatBelongsToAnotherGroupMeanwhileIsNotAccused(boolean areRowsOthers) throws IOException {
    group("anew" + areRowsOthers, 1);
    Map<Long, Integer> asked = new ConcurrentHashMap<>();
    CoreGroupLookup changing = blockGroup -> Optional.ofNullable(book.get(blockGroup)).map(rows -> {
      if (asked.merge(blockGroup, 1, Integer::sum) == 1) {
        return rows;
      }
      List<CoreRows.Row> others = new ArrayList<>(rows.rows);
      if (areRowsOthers) {
        Collections.swap(others, 0, T);
      }
      return new CoreRows(rows.coreGroup + (areRowsOthers ? 0 : 1), rows.index,
          rows.policy, others);
    });
    desk.open(changing, new ColumnAccess(cluster.mini().getNamesystem()),
        (rows, lost, unit) -> true, () -> { });
    SquareTally tally = check(files.get(0));
    assertEquals(0, tally.columns(Verdict.CONTRADICTION), findings::toString);
    assertEquals(1 + M, tally.columns(Verdict.GONE), findings::toString);
    assertEquals(COLUMNS - 1 - M, tally.columns(Verdict.AGREES));
  }

  @Test
  void aColumnWithALostBlockIsNotChecked() throws IOException {
    group("lost", 0);
    LocatedStripedBlock group = blocks(1, 0);
    int unit = unitAlone(1);
    RepairCluster.drop(cluster.datanode(RepairCluster.holders(group).get(unit)),
        RepairCluster.internalBlock(group, unit));
    SquareTally tally = check(parent());
    assertEquals(COLUMNS - 1, tally.columns(Verdict.AGREES), findings::toString);
    ColumnFinding found = column(0, unit);
    assertFalse(found.verdict.fine, found.text);
    assertTrue(found.text.contains(files.get(1).toUri().getPath() + " cannot be read"),
        found.text);
    assertFalse(tally.isFine());
  }

  /**
   * Returns a unit of a file whose DataNode has no other block of the column. If a DataNode cannot
   * read one of its blocks, the check takes its other block of the column for unreadable as well.
   */
  private int unitAlone(int file) throws IOException {
    for (int unit = 0; unit < K + M; unit++) {
      DatanodeInfo holder = RepairCluster.holders(blocks(file, 0)).get(unit);
      int blocks = 0;
      for (int row = 0; row <= T; row++) {
        blocks += holder.equals(RepairCluster.holders(blocks(row, 0)).get(unit)) ? 1 : 0;
      }
      if (blocks == 1) {
        return unit;
      }
    }
    throw new AssertionError("each column has two blocks on a DataNode");
  }

  /** With the other files, a caller could compute the bytes that the changed one had. */
  @Test
  void aGroupOfWhichAFileHasChangedIsNotShown() throws IOException {
    group("changed", 0);
    assertTrue(cluster.fs.delete(files.get(2), false));
    SquareTally tally = check(files.get(0), files.get(1));
    assertTrue(tally.isFine());
    assertEquals(2, tally.changedGroups());
    assertEquals((SQUARES - 1) * (K + M), tally.columns(Verdict.AGREES), findings::toString);
    assertEquals(SQUARES - 1, AuditedCalls.lines().size(), AuditedCalls.lines()::toString);
  }

  @Test
  void callersNeedTheRightToReadAllFiles() throws Exception {
    group("rights", 0);
    cluster.fs.setPermission(files.get(T), new FsPermission((short) 0));
    cluster.fs.setPermission(files.get(2), new FsPermission((short) 0600));
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
    SquareTally denied = bob.doAs((PrivilegedExceptionAction<SquareTally>) () ->
        check(files.get(0)));
    assertFalse(denied.isFine());
    // The third file has no block group beside the second and the third of the others.
    assertEquals((SQUARES - 1) * (K + M), denied.columns(), findings::toString);
    assertEquals(1, denied.problems());
    assertTrue(problems.get(0).contains("may not be read"), problems::toString);
    List<String> audited = AuditedCalls.lines();
    assertEquals(1, audited.stream().filter(line -> line.startsWith("false bob pprColumn ["))
        .count(), audited::toString);
    cluster.fs.setPermission(files.get(2), new FsPermission((short) 0644));
    SquareTally allowed = bob.doAs((PrivilegedExceptionAction<SquareTally>) () ->
        check(files.get(0)));
    assertTrue(allowed.isFine());
    assertEquals(COLUMNS, allowed.columns(Verdict.AGREES));
  }

  @Test
  void theCommandSaysWhatIsWrong() throws IOException {
    group("said", 0);
    StringWriter out = new StringWriter();
    assertEquals(0, tool(out, "-core", "-check", parent().toUri().getPath()), out::toString);
    assertTrue(out.toString().contains(COLUMNS + " columns: " + COLUMNS + " add up to zero, 0 do"
        + " not"), out::toString);
    cluster.spoil(blocks(0, 0), 3, 9, true);
    out = new StringWriter();
    assertEquals(1, tool(out, "-core", "-check", files.get(1).toUri().getPath()), out::toString);
    assertTrue(out.toString().contains("CORE group 17, block group 0, unit 3: CONTRADICTION"),
        out::toString);
    out = new StringWriter();
    assertEquals(1, tool(out, "-core", "-check", parent().toUri().getPath(), "-json"),
        out::toString);
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertEquals(2, lines.size(), out::toString);
    JsonNode finding = new ObjectMapper().readTree(lines.get(0));
    assertEquals(files.get(0).toUri().getPath(), finding.get("wrong_file").asText());
    assertEquals(3, finding.get("unit").asInt());
    assertEquals(T + 1, finding.get("files").size());
    JsonNode summary = new ObjectMapper().readTree(lines.get(1));
    assertEquals(COLUMNS - 1, summary.get("agrees").asInt());
    assertFalse(summary.get("fine").asBoolean());
    assertEquals(1, tool(new StringWriter(), "-core", "-check", "/nothing"));
  }

  private static int tool(StringWriter out, String... args) {
    return PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(out), args);
  }
}
