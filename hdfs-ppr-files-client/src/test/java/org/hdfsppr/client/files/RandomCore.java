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

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.namenode.files.FilesNameNodeParts;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;

/**
 * Changes files of protected directories at random, and loses units as long as rows and columns
 * bring them back. What must hold is checked after each step. Files of a CORE group that cannot do
 * without its columns are not changed until they are repaired: a change would dissolve the group.
 */
final class RandomCore {
  static final int K = 3;
  static final int UNITS = 5;
  private static final int CELL = ConvertCluster.CELL;
  private static final long BLOCK = 2L * CELL;
  /** Bytes of file data in a full block group. */
  private static final int GROUP = (int) BLOCK * K;
  private static final int FILES_MAX = 24;
  private static final int SNAPSHOTS_MAX = 3;
  /** Each of them may have snapshots. */
  private static final List<String> ROOTS = List.of("/p", "/q", "/out");
  /** The most units that are lost in one step. */
  private static final int LOSSES_MAX = 9;
  /** The count of rows that have lost more units than their own code rebuilds. */
  private static final String BEYOND = "rows beyond their code";

  /** What is done in a step, and how often in comparison. */
  private enum Step {
    CREATE(14), DELETE(5), RENAME(8), RENAME_OVER(2), RENAME_DIRECTORY(2), APPEND(6), OVERWRITE(6),
    TRUNCATE(1), CONCAT(4), SNAPSHOT(3), DROP_SNAPSHOT(3), PROTECT(4), UNPROTECT(1), LOSE(16),
    LOSE_BEYOND_ROWS(6), RESTART(1), SETTLE(4);

    private final int weight;

    Step(int weight) {
      this.weight = weight;
    }
  }

  private final ConvertCluster cluster;
  private final Supplier<ManagerService> service;
  private final Random random;
  private final FileOracle files = new FileOracle();
  private final CoreDisks disks;
  /** Paths of directories below the roots, which are renamed from one root to another. */
  private final List<String> moving = new ArrayList<>(List.of("/p/a", "/p/b"));
  private final Set<String> isProtected = new TreeSet<>();
  /** The CORE groups that need their columns, and their files. */
  private final Map<Long, Set<String>> frozen = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private PprFileSystem reader;
  private long changedMs;
  private int names;
  private long columnsRead;
  /** Repairs through columns that the NameNodes before the last restart have counted. */
  private long repairsByColumn;
  private final StocksGroups stocks = new StocksGroups();

  /** @param service returns what runs in the NameNode */
  RandomCore(ConvertCluster cluster, Supplier<ManagerService> service, Random random) {
    this.cluster = cluster;
    this.service = service;
    this.random = random;
    this.disks =
        new CoreDisks(cluster.hdfs(), K, UNITS, CELL, () -> service.get().parts.book());
  }

  /** Makes the directories, protects two of them, and writes some files. */
  void begin() throws Exception {
    String rs = cluster.enable(new ECSchema("rs", K, UNITS - K), CELL);
    String core = cluster.enable(new ECSchema("core-t3", K, UNITS - K), CELL);
    for (String root : ROOTS) {
      fs().mkdirs(new Path(root));
      fs().setErasureCodingPolicy(new Path(root), root.equals("/q") ? core : rs);
      fs().allowSnapshot(new Path(root));
    }
    for (String directory : moving) {
      fs().mkdirs(new Path(directory));
    }
    fs().setErasureCodingPolicy(new Path("/p/b"), core);
    reader = client();
    protect("/p");
    protect("/q");
    for (int i = 0; i < FILES_MAX / 2; i++) {
      String path = newName(directory());
      write(path, bytes(path));
    }
    settle();
    assertTrue(!disks.coreGroups().isEmpty(), "the files that are written first make groups");
  }

  private DistributedFileSystem fs() {
    return cluster.hdfs().fs;
  }

  private PprFileSystem client() throws IOException {
    Configuration conf = new Configuration(cluster.hdfs().mini().getConfiguration(0));
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    return (PprFileSystem) FileSystem.newInstance(cluster.hdfs().mini().getURI(), conf);
  }

  private <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private String directory() {
    List<String> all = new ArrayList<>(ROOTS);
    all.addAll(moving);
    // Most files are protected, and have others of their directory beside them.
    all.addAll(List.of("/p", "/p", "/p", "/q", "/q", "/q"));
    return pick(all);
  }

  private String newName(String directory) {
    return directory + "/f" + names++;
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  /** Returns a length: most files are alike, so that there are groups. */
  private int bytes(String path) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return 0;
    }
    if (kind == 1) {
      return 1 + random.nextInt(3 * CELL);
    }
    boolean isShort = kind < 4 || kind < 16 && !path.startsWith("/q");
    return (isShort ? GROUP : 2 * GROUP + CELL) - random.nextInt(kind % 2 == 0 ? 9 : 2 * CELL);
  }

  /** Returns a file that may be changed; null if there is none. */
  private String changeable() {
    List<String> some = files.paths();
    frozen.values().forEach(some::removeAll);
    return some.isEmpty() ? null : pick(some);
  }

  private void write(String path, int length) throws IOException {
    files.put(path, cluster.hdfs().write(new Path(path), length, BLOCK, random.nextLong()));
    changed();
  }

  private void changed() {
    changedMs = System.currentTimeMillis();
  }

  /** Takes a step and checks what must hold; returns what was done. */
  String step() throws Exception {
    thaw();
    int at = random.nextInt(Arrays.stream(Step.values()).mapToInt(s -> s.weight).sum());
    Step step = null;
    for (Step one : Step.values()) {
      if (step == null && (at -= one.weight) < 0) {
        step = one;
      }
    }
    String what = step + " " + take(step);
    counts.merge(step.toString(), 1, Integer::sum);
    check(step == Step.SETTLE);
    return what;
  }

  private String take(Step step) throws Exception {
    switch (step) {
      case CREATE:
        return files.paths().size() < FILES_MAX ? create() : delete();
      case DELETE:
        return delete();
      case RENAME:
        return rename();
      case RENAME_OVER:
        return renameOver();
      case RENAME_DIRECTORY:
        return renameDirectory();
      case APPEND:
        return append();
      case OVERWRITE:
        return overwrite();
      case TRUNCATE:
        return truncate();
      case CONCAT:
        return concat();
      case SNAPSHOT:
        return snapshot();
      case DROP_SNAPSHOT:
        return dropSnapshot();
      case PROTECT:
        return protectOne();
      case UNPROTECT:
        return isProtected.isEmpty() || !frozen.isEmpty() ? "-"
            : unprotect(pick(new ArrayList<>(isProtected)));
      case LOSE:
        return lose();
      case LOSE_BEYOND_ROWS:
        return loseBeyondRows();
      case RESTART:
        restart();
        return "";
      default:
        settle();
        return "";
    }
  }

  private String create() throws IOException {
    String path = newName(directory());
    int length = bytes(path);
    write(path, length);
    return path + " " + length;
  }

  private String delete() throws IOException {
    String path = changeable();
    if (path != null) {
      assertTrue(fs().delete(new Path(path), false));
      files.remove(path);
      changed();
    }
    return path;
  }

  private String overwrite() throws IOException {
    String path = changeable();
    if (path != null) {
      write(path, bytes(path));
    }
    return path;
  }

  /**
   * Renames a file if there is no snapshot. HDFS notes the blocks of a file that is renamed after a
   * snapshot, and then fails to delete it if it is striped. (Of a directory it notes none.)
   */
  private String rename() throws IOException {
    if (files.paths().isEmpty() || !files.snapshots().isEmpty()) {
      return "-";
    }
    String from = pick(files.paths());
    // A file that needs its columns stays in its directory, and so in its CORE group.
    boolean isFrozen = frozen.values().stream().anyMatch(some -> some.contains(from));
    String to = newName(isFrozen ? parent(from) : directory());
    assertTrue(fs().rename(new Path(from), new Path(to)));
    renamed(from, to);
    return from + " to " + to;
  }

  /** Renames a file as {@link #rename} does, to the name of another file. */
  private String renameOver() throws IOException {
    String from = changeable();
    String to = changeable();
    if (from == null || from.equals(to) || !files.snapshots().isEmpty()) {
      return "-";
    }
    fs().rename(new Path(from), new Path(to), Options.Rename.OVERWRITE);
    files.remove(to);
    renamed(from, to);
    return from + " to " + to;
  }

  private String renameDirectory() throws IOException {
    int which = random.nextInt(moving.size());
    String from = moving.get(which);
    if (isFrozen(from)) {
      return "-";
    }
    String to = pick(ROOTS) + "/d" + names++;
    assertTrue(fs().rename(new Path(from), new Path(to)));
    moving.set(which, to);
    if (isProtected.remove(from)) {
      isProtected.add(to);
    }
    renamed(from, to);
    return from + " to " + to;
  }

  private void renamed(String from, String to) {
    files.rename(from, to);
    for (Set<String> some : frozen.values()) {
      if (some.remove(from)) {
        some.add(to);
      }
    }
    changed();
  }

  private boolean isFrozen(String directory) {
    return frozen.values().stream()
        .anyMatch(some -> some.stream().anyMatch(path -> FileOracle.isIn(path, directory)));
  }

  private String append() throws IOException {
    String path = changeable();
    if (path == null || files.content(path).length > 4 * GROUP) {
      return "-";
    }
    byte[] more = new byte[1 + random.nextInt(GROUP)];
    random.nextBytes(more);
    try (FSDataOutputStream out = fs().append(new Path(path),
        EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(more);
    }
    files.append(path, more);
    changed();
    return path + " by " + more.length;
  }

  /** HDFS truncates no striped file, and leaves it as it was. */
  private String truncate() throws IOException {
    String path = changeable();
    if (path == null || files.content(path).length == 0) {
      return "-";
    }
    assertThrows(RemoteException.class,
        () -> fs().truncate(new Path(path), files.content(path).length / 2));
    return path;
  }

  /**
   * Concatenates two files of a directory; HDFS refuses it for files of other policies, and others.
   * It fails to delete a striped file to which another one was added since a snapshot.
   */
  private String concat() throws IOException {
    if (!files.snapshots().isEmpty()) {
      return "-";
    }
    String to = changeable();
    String from = null;
    for (String path : files.paths()) {
      if (to != null && !path.equals(to) && parent(path).equals(parent(to))
          && frozen.values().stream().noneMatch(some -> some.contains(path))) {
        from = path;
      }
    }
    if (from == null || files.content(to).length > 4 * GROUP) {
      return "-";
    }
    try {
      fs().concat(new Path(to), new Path[] {new Path(from)});
    } catch (RemoteException e) {
      return from + " to " + to + ": " + e.getMessage().split("\n")[0];
    }
    files.append(to, files.content(from));
    files.remove(from);
    changed();
    return from + " to " + to;
  }

  private String snapshot() throws IOException {
    if (files.snapshots().size() >= SNAPSHOTS_MAX) {
      return dropSnapshot();
    }
    String root = pick(ROOTS);
    String name = "s" + names++;
    fs().createSnapshot(new Path(root), name);
    files.snapshot(root, name);
    return root + " " + name;
  }

  private String dropSnapshot() throws IOException {
    if (files.snapshots().isEmpty()) {
      return "-";
    }
    String snapshot = pick(files.snapshots());
    int at = snapshot.indexOf("/.snapshot/");
    fs().deleteSnapshot(new Path(snapshot.substring(0, at)),
        snapshot.substring(at + "/.snapshot/".length()));
    files.dropSnapshot(snapshot);
    return snapshot;
  }

  private String protectOne() throws Exception {
    List<String> all = new ArrayList<>(List.of("/p", "/q"));
    all.add(pick(moving));
    all.removeAll(isProtected);
    // An inner directory's rules may be others, which dissolves groups.
    return all.isEmpty() || !frozen.isEmpty() ? "-" : protect(pick(all));
  }

  private String protect(String directory) throws Exception {
    boolean isInner = !ROOTS.contains(directory);
    run(isInner ? new String[] {"-core", "-protect", directory, "-t", "2"}
        : new String[] {"-core", "-protect", directory, "-recursive", "-t", "3"});
    isProtected.add(directory);
    changed();
    return directory;
  }

  private String unprotect(String directory) throws Exception {
    run("-core", "-unprotect", directory);
    isProtected.remove(directory);
    changed();
    return directory;
  }

  private void run(String... args) throws Exception {
    assertEquals(0, cluster.run(UserGroupInformation.getCurrentUser(), args),
        () -> cluster.out() + cluster.err());
  }

  private CoreStatus status() {
    return ((FilesNameNodeParts) service.get().parts).core();
  }

  /** Forgets groups whose rows are whole, or do without columns again. */
  private void thaw() throws IOException {
    if (!frozen.isEmpty()) {
      look();
      Map<Long, Map<Integer, CoreRows>> groups = disks.coreGroups();
      frozen.keySet().removeIf(group -> groups.getOrDefault(group, Map.of()).values().stream()
          .allMatch(rows -> disks.matrix(rows, Map.of()).failures() == 0));
    }
  }

  /** Loses units of a block group, no more than its row brings back. */
  private String lose() throws IOException {
    look();
    Set<Long> needed = new HashSet<>();
    disks.coreGroups().forEach((group, indices) -> indices.values().forEach(rows -> {
      if (frozen.containsKey(group)) {
        rows.rows.stream().filter(row -> row != null)
            .forEach(row -> needed.add(row.id.groupId));
      }
    }));
    List<Long> ids = new ArrayList<>(disks.groups());
    ids.removeAll(needed);
    if (ids.isEmpty()) {
      return "-";
    }
    ExtendedBlock group = disks.group(pick(ids));
    int room = UNITS - K - Long.bitCount(disks.lost(group));
    List<Integer> units = disks.single(group);
    Collections.shuffle(units, random);
    StringBuilder what =
        new StringBuilder(disks.path(group.getBlockId())).append(" ").append(group);
    for (int i = 0; i < units.size() && i < room && (i == 0 || random.nextBoolean()); i++) {
      disks.drop(group, units.get(i));
      what.append(" unit ").append(units.get(i));
    }
    return what.toString();
  }

  /** Returns whether no two masks of lost units have a unit in common. */
  private static boolean haveOwnColumns(Collection<Long> masks) {
    long seen = 0;
    for (long mask : masks) {
      if ((seen & mask) != 0) {
        return false;
      }
      seen |= mask;
    }
    return true;
  }

  /** Loses units of the rows of a CORE group, as many as rows and columns bring back together. */
  private String loseBeyondRows() throws Exception {
    settle();
    List<CoreRows> all = new ArrayList<>();
    disks.coreGroups().values().forEach(indices -> all.addAll(indices.values()));
    if (all.isEmpty()) {
      return "-";
    }
    CoreRows rows = pick(all);
    assertTrue(!CoreDisks.isStale(rows), "no row is stale when all is quiet");
    Map<Long, Long> lost = new HashMap<>();
    int most = 1 + random.nextInt(LOSSES_MAX);
    // Most losses are of one row, which is beyond its code then.
    CoreRows.Row worst = pick(rows.rows);
    for (int tries = 0; tries < 4 * LOSSES_MAX
        && disks.matrix(rows, lost).failures() < most; tries++) {
      CoreRows.Row row = random.nextInt(3) > 0 ? worst : pick(rows.rows);
      List<Integer> units = row == null ? List.of() : disks.single(disks.group(row.id.groupId));
      if (!units.isEmpty()) {
        Map<Long, Long> more = new HashMap<>(lost);
        more.merge(row.id.groupId, 1L << pick(units), (a, b) -> a | b);
        // A reader takes one step, along a row or a column. So no column loses two blocks here.
        if (disks.matrix(rows, more).recoverable() && haveOwnColumns(more.values())) {
          lost = more;
        }
      }
    }
    FailureMatrix matrix = disks.matrix(rows, lost);
    Set<String> members = new HashSet<>();
    disks.coreGroups().get(rows.coreGroup).values().forEach(index -> index.rows.stream()
        .filter(row -> row != null)
        .forEach(row -> members.add(disks.path(row.id.groupId))));
    frozen.put(rows.coreGroup, members);
    for (Map.Entry<Long, Long> entry : lost.entrySet()) {
      for (int unit = 0; unit < UNITS; unit++) {
        if ((entry.getValue() & 1L << unit) != 0) {
          disks.drop(disks.group(entry.getKey()), unit);
        }
      }
    }
    long beyond = lost.values().stream().filter(units -> Long.bitCount(units) > UNITS - K).count();
    counts.merge(BEYOND, (int) beyond, Integer::sum);
    try (PprFileSystem fresh = client()) {
      for (String path : files.paths()) {
        if (members.contains(path)) {
          read(fresh, path, files.content(path));
        }
      }
      columnsRead += ((PprDFSClient) fresh.getClient()).readContext().counters.columns();
    }
    return members + " index " + rows.index + "\n" + matrix;
  }

  private VersionEngine engine() {
    return ((FilesNameNodeParts) service.get().parts).engine();
  }

  private void restart() throws Exception {
    repairsByColumn += repairsByColumn();
    cluster.hdfs().mini().restartNameNode(0, true);
    await("clients reach the NameNode", () -> answers(fs()) && answers(reader));
    cluster.awaitInCharge();
    await("the engine is active", () -> service.get() != null
        && engine() != null && engine().isActive()
        && hasReadGroups());
    awaitKnown();
    changed();
  }

  /** Returns how many repairs through columns the NameNode has counted since its start. */
  private long repairsByColumn() {
    return service.get().metrics.counted(ManagerCounter.REPAIRS_BY_COLUMN);
  }

  private boolean hasReadGroups() {
    try {
      return cluster.run(UserGroupInformation.getCurrentUser(), "-core", "-status") == 0;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean answers(FileSystem fs) {
    try {
      return fs.exists(new Path("/"));
    } catch (IOException e) {
      // The connection is one from before the restart.
      return false;
    }
  }

  private void awaitKnown() {
    String[] unknown = new String[1];
    try {
      await("the NameNode knows all replicas", () -> {
        try {
          unknown[0] = disks.unknown(files.all().keySet());
          return unknown[0].isEmpty();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
    } catch (AssertionError e) {
      throw new AssertionError(unknown[0], e);
    }
  }

  private void look() throws IOException {
    disks.look(files.all().keySet());
  }

  /** Waits until all is repaired, and all groups are formed that can be; checks all. */
  void settle() throws Exception {
    awaitWhole();
    CoreStatus[] now = new CoreStatus[1];
    try {
      await("groups are formed", () -> {
        now[0] = status();
        return isSettled(now[0]);
      });
    } catch (AssertionError e) {
      throw new AssertionError(describe(now[0]), e);
    }
    awaitWhole();
    frozen.clear();
    check(true);
    assertEquals(0, service.get().status().get(StatusNumber.UNRECOVERABLE));
    for (Map.Entry<String, byte[]> file : files.all().entrySet()) {
      read(fs(), file.getKey(), file.getValue());
    }
    long together = disks.checkPlaces(stocks.all());
    await("the status counts the columns with two blocks on one node",
        () -> status().sum(Number.COLUMNS_TOGETHER) == together);
  }

  private boolean isSettled(CoreStatus now) {
    Set<String> names = new TreeSet<>();
    boolean isDone = now.why.isEmpty();
    for (CoreDirectory one : now.directories) {
      names.add(one.path);
      isDone &= one.walkedMs > changedMs;
    }
    return isDone && names.equals(isProtected) && now.sum(Number.FORMING) == 0
        && now.sum(Number.QUEUED) == 0 && now.sum(Number.STALE) == 0;
  }

  private static String describe(CoreStatus now) {
    StringBuilder text = new StringBuilder(now.why).append(now.dissolved);
    now.directories.forEach(one -> {
      text.append(one.path).append(one.waiting).append(one.failure).append(one.walkedMs);
      for (Number number : Number.values()) {
        text.append(' ').append(number).append(' ').append(one.get(number));
      }
    });
    return text.toString();
  }

  private void awaitWhole() {
    String[] missing = new String[1];
    try {
      await("all is repaired", () -> {
        try {
          look();
          missing[0] = disks.missing();
          return missing[0].isEmpty();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
    } catch (AssertionError e) {
      throw new AssertionError(missing[0] + "; "
          + service.get().status().get(StatusNumber.GROUPS_QUEUED)
          + " groups wait", e);
    }
    cluster.hdfs().awaitQuiet();
    awaitKnown();
  }

  /** Checks what must hold at any time; of the files, all or some are read. */
  private void check(boolean isAll) throws IOException {
    look();
    disks.checkBook(files.all().keySet());
    disks.checkReplicas();
    disks.checkColumns();
    for (Map.Entry<String, byte[]> file : files.all().entrySet()) {
      boolean isFrozen = frozen.values().stream().anyMatch(some -> some.contains(file.getKey()));
      if (isAll || isFrozen || random.nextInt(5) == 0) {
        read(reader, file.getKey(), file.getValue());
      }
    }
  }

  private static void read(FileSystem fs, String path, byte[] content) throws IOException {
    byte[] bytes = new byte[content.length];
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(0, bytes);
      assertArrayEquals(content, bytes, path);
      assertEquals(-1, in.read(content.length, new byte[1], 0, 1), path);
    } catch (IOException e) {
      throw new IOException("Cannot read " + path + " by " + fs.getClass().getSimpleName(), e);
    }
  }

  /**
   * Unprotects all directories, and finds nothing of CORE any more. A run in which no column was
   * needed has shown nothing.
   */
  void end() throws Exception {
    settle();
    assertTrue(disks.columns() > 0, "no column was compared");
    assertTrue(counts.getOrDefault(BEYOND, 0) > 0, "no row was beyond its code");
    assertTrue(columnsRead + ((PprDFSClient) reader.getClient()).readContext().counters
        .columns() > 0, "no range was read through a column");
    assertTrue(repairsByColumn + repairsByColumn() > 0, "no unit was rebuilt through a column");
    for (String directory : new ArrayList<>(isProtected)) {
      unprotect(directory);
    }
    await("no parity file is left", () -> {
      try {
        return !fs().listFiles(new Path("/.hdfs-ppr"), true).hasNext();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    assertEquals(0, fs().listStatus(new Path("/.hdfs-ppr/core/directories")).length);
    for (String directory : List.of("/p", "/q", moving.get(0), moving.get(1))) {
      assertTrue(fs().getXAttrs(new Path(directory)).keySet().stream()
          .noneMatch(name -> name.contains("ppr")), directory);
    }
    settle();
    assertEquals(Map.of(), disks.coreGroups());
  }

  void close() throws IOException {
    stocks.close();
    if (reader != null) {
      reader.close();
    }
  }

  String summary() {
    columnsRead += ((PprDFSClient) reader.getClient()).readContext().counters.columns();
    return new TreeMap<>(counts) + "; columns found to be zero: " + disks.columns()
        + "; ranges read by columns: " + columnsRead + "; repairs by columns: "
        + (repairsByColumn + repairsByColumn()) + "; groups left to stock: "
        + stocks.all().size() + "; " + describe(status());
  }
}
