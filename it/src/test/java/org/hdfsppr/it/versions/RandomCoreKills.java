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
package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;

/**
 * Changes files of protected directories at random, loses units as long as rows and columns bring
 * them back, and kills NameNodes and DataNodes in the middle. What must hold is checked after each
 * step. At most one DataNode is down at a time, and only while each file's own code bears it.
 */
final class RandomCoreKills {
  /** What is done in a step, and how often in comparison. */
  private enum Step {
    CREATE(8), DELETE(3), THROW_AWAY(4), RESTORE(4), CHANGE(8), SNAPSHOT(3), PROTECTION(2),
    LOSE(8), LOSE_BESIDE_A_CHANGE(12), LOSE_BEYOND_ROWS(12), LOSE_FOR_GOOD(2), KILL_DATANODE(5),
    KILL_NAMENODE(2), KILL_FORMING(7), KILL_TAKING_OUT(7), SETTLE(4);

    private final int weight;

    Step(int weight) {
      this.weight = weight;
    }
  }

  /** The moments of a parity file that is made. */
  private static final List<VersionPoint> POINTS = List.of(VersionPoint.CREATED,
      VersionPoint.GROUP_ADDED, VersionPoint.MAKES_ORDERED, VersionPoint.MADE,
      VersionPoint.COMPLETED, VersionPoint.VERIFIED);
  private static final Duration MOMENT_LIMIT = Duration.ofMinutes(3);
  private static final Duration FORMING_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int POLLS_PER_LOOK = 40;
  /** The most units that are lost beyond rows in one step. */
  private static final int LOSSES_MAX = 9;
  /** How many files a check after a step reads, besides those that the step concerns. */
  private static final int READS = 3;

  private final VersionsCluster cluster;
  private final Random random;
  private final CoreCalls core;
  private final CoreFiles files;
  private final CoreChecks checks;
  private final Set<Path> isProtected = new LinkedHashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  RandomCoreKills(VersionsCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
    this.core = new CoreCalls(cluster);
    this.files = new CoreFiles(cluster, random);
    this.checks = new CoreChecks(cluster, core, files);
  }

  /** Writes files and has groups formed of them. */
  void begin() throws Exception {
    files.begin();
    for (Path folder : CoreFiles.folders()) {
      protect(folder);
    }
    settle();
    assertTrue(!checks.look().squares().isEmpty(), "groups are formed");
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** Takes a step and checks what must hold; returns what was done. */
  String step() throws Exception {
    int at = random.nextInt(Arrays.stream(Step.values()).mapToInt(step -> step.weight).sum());
    Step step = null;
    for (Step one : Step.values()) {
      if (step == null && (at -= one.weight) < 0) {
        step = one;
      }
    }
    count("" + step);
    StepTimes times = new StepTimes();
    String what = step + " " + take(step);
    times.end("step");
    List<VersionFile> some = new ArrayList<>(files.all());
    Collections.shuffle(some, random);
    checks.now(some.subList(0, Math.min(READS, some.size())));
    times.end("check");
    return what + "; " + times;
  }

  private String take(Step step) throws Exception {
    switch (step) {
      case CREATE:
        return files.create();
      case DELETE:
        return files.deleteSome();
      case THROW_AWAY:
        return files.throwSomeAway();
      case RESTORE:
        return files.restore();
      case CHANGE:
        return files.changeSome();
      case SNAPSHOT:
        return files.snapshot();
      case PROTECTION:
        return changeProtection();
      case LOSE:
        return lose();
      case LOSE_BESIDE_A_CHANGE:
        return loseBesideChange();
      case LOSE_BEYOND_ROWS:
        return loseBeyondRows();
      case LOSE_FOR_GOOD:
        return loseForGood();
      case KILL_DATANODE:
        return killSomeDataNode();
      case KILL_NAMENODE:
        return killNameNode();
      case KILL_FORMING:
        return killForming();
      case KILL_TAKING_OUT:
        return killTakingOut();
      default:
        return settle();
    }
  }

  private void protect(Path folder) throws IOException, InterruptedException {
    core.protect(folder, CoreFiles.FILES_PER_GROUP);
    isProtected.add(folder);
    files.changed();
  }

  private void unprotect(Path folder) throws IOException, InterruptedException {
    core.unprotect(folder);
    isProtected.remove(folder);
    files.changed();
  }

  /**
   * Returns the squares whose groups nothing dissolves, in random order. If there are none, files
   * are written first that form a group.
   */
  private List<DiskSquare> current() throws Exception {
    List<DiskSquare> current = checks.look().current(isProtected, random);
    if (current.isEmpty()) {
      Path folder = files.someFolder();
      if (!isProtected.contains(folder)) {
        protect(folder);
      }
      files.createGroup(folder);
      settle();
      // Files that a killed node kept from forming a group are tried again later.
      List<DiskSquare> formed = new ArrayList<>();
      CoreStatus[] now = {null};
      Await.until(() -> "a group is formed in " + folder + ": " + CoreChecks.describe(now[0]),
          FORMING_LIMIT, CoreCalls.POLL, () -> {
            now[0] = core.status();
            formed.addAll(checks.look().current(isProtected, random));
            return !formed.isEmpty();
          });
      return formed;
    }
    return current;
  }

  private String changeProtection() throws IOException, InterruptedException {
    Path folder = files.someFolder();
    if (!isProtected.contains(folder)) {
      protect(folder);
      return folder + " protected";
    }
    unprotect(folder);
    if (random.nextBoolean()) {
      protect(folder);
      return folder + " unprotected and protected again";
    }
    return folder + " unprotected";
  }

  /** Loses units of a block group, no more than its row brings back. */
  private String lose() throws Exception {
    List<DiskGroup> groups = new ArrayList<>(checks.look().groups());
    return groups.isEmpty() ? "-" : lose(pick(groups));
  }

  private String lose(DiskGroup group) throws Exception {
    List<Integer> nodes = cluster.nodesUp();
    int room = group.parityUnits() - Long.bitCount(group.lost(nodes));
    List<Integer> units = group.units();
    units.removeIf(unit -> (group.lost(nodes) & 1L << unit) != 0);
    Collections.shuffle(units, random);
    long lost = 0;
    for (int i = 0; i < units.size() && i < room && (i == 0 || random.nextBoolean()); i++) {
      lost |= 1L << units.get(i);
    }
    group.lose(lost);
    return group + " loses " + Long.toBinaryString(lost);
  }

  /**
   * Changes a file of a CORE group, and loses units of the group's other files at once. So the
   * columns that would bring them back have a row that is not what the parity file was made of.
   */
  private String loseBesideChange() throws Exception {
    // Writing needs all nodes.
    cluster.heal();
    DiskSquare square = current().get(0);
    List<DiskGroup> members = square.members();
    DiskGroup changed = pick(members);
    StringBuilder what =
        new StringBuilder(files.harm(files.at(changed.path))).append(" of ").append(square);
    for (DiskGroup other : members) {
      if (other != changed) {
        what.append(", ").append(lose(other));
      }
    }
    return what.toString();
  }

  /**
   * Loses units of a square's rows, more than one row bears, and as many as rows and columns bring
   * back together. A NameNode or DataNode dies in the middle of the repairs.
   */
  private String loseBeyondRows() throws Exception {
    cluster.heal();
    checks.awaitWhole();
    DiskSquare square = current().get(0);
    Map<Long, Long> lost = losses(square);
    FailureMatrix matrix = square.matrix(CoreChecks.ALL_NODES, lost);
    count("repairs of matrices");
    for (DiskGroup group : square.groups()) {
      group.lose(lost.getOrDefault(group.id(), 0L));
    }
    String what = square + "\n" + matrix + "\n";
    int harm = random.nextInt(4);
    if (harm > 0) {
      Set<Long> ids = new HashSet<>();
      square.groups().forEach(group -> group.units()
          .forEach(unit -> ids.add(group.id() + unit)));
      what += harm == 1 ? killNameNodeAt(ids::contains) : killWriterOrSource(ids::contains, square);
    }
    Set<VersionFile> members = new LinkedHashSet<>();
    square.members().forEach(group -> members.add(files.at(group.path)));
    checks.now(members);
    cluster.heal();
    checks.awaitWhole();
    return what;
  }

  /** Chooses lost units by block group. Most of them are of one row, which is beyond its code. */
  private Map<Long, Long> losses(DiskSquare square) {
    List<DiskGroup> groups = square.groups();
    DiskGroup worst = pick(groups);
    Map<Long, Long> lost = new HashMap<>();
    int most = worst.parityUnits() + 1 + random.nextInt(LOSSES_MAX - worst.parityUnits());
    boolean areOwnColumns = random.nextBoolean();
    for (int tries = 0; tries < 8 * LOSSES_MAX; tries++) {
      DiskGroup group = random.nextInt(4) > 0 ? worst : pick(groups);
      Map<Long, Long> more = new HashMap<>(lost);
      more.merge(group.id(), 1L << pick(group.units()), (some, one) -> some | one);
      FailureMatrix matrix = square.matrix(CoreChecks.ALL_NODES, more);
      int units = more.values().stream().mapToInt(Long::bitCount).sum();
      // A reader takes one step, along a row or a column; repairs take as many as it needs.
      boolean isWanted = !areOwnColumns
          || Long.bitCount(more.values().stream().reduce(0L, (a, b) -> a | b)) == units;
      if (matrix.failures() <= most && matrix.recoverable() && isWanted) {
        lost = more;
      }
    }
    return lost;
  }

  /**
   * Loses more than rows and columns can bring back. Operators must see it, and clients must not
   * get other bytes. The files are deleted then.
   */
  private String loseForGood() throws Exception {
    settle();
    for (DiskSquare square : current()) {
      List<DiskGroup> members = square.members();
      Collections.shuffle(members, random);
      if (members.size() > 1) {
        DiskGroup one = members.get(0);
        DiskGroup other = members.get(1);
        List<Integer> both = one.units();
        both.retainAll(other.units());
        if (both.size() > one.parityUnits()) {
          return loseForGood(square, one, other, both);
        }
      }
    }
    return "-";
  }

  private String loseForGood(DiskSquare square, DiskGroup one, DiskGroup other,
      List<Integer> columns) throws Exception {
    long lost = 0;
    // The first column is one of data, so that no file can be read without it.
    for (int i = 0; i <= one.parityUnits(); i++) {
      lost |= 1L << columns.get(i);
    }
    assertEquals(2 * Long.bitCount(lost), square.matrix(CoreChecks.ALL_NODES,
        Map.of(one.id(), lost, other.id(), lost)).remainder().failures(), "lost for good");
    List<VersionFile> gone = List.of(files.at(one.path), files.at(other.path));
    one.lose(lost);
    other.lose(lost);
    checks.awaitReported(gone.size());
    for (VersionFile file : gone) {
      checks.isRefused(file);
      files.delete(file);
    }
    checks.awaitReported(0);
    return one + " and " + other + " lose " + Long.toBinaryString(lost);
  }

  private String killNameNode() throws Exception {
    cluster.killActiveNameNode();
    files.changed();
    count("kills of NameNodes");
    return "a NameNode is killed";
  }

  private String killNameNodeAt(LongPredicate block) throws Exception {
    return (awaitWriting(block).isPresent() ? "while a unit is rebuilt " : "") + killNameNode();
  }

  /**
   * Waits until a node writes one of the given blocks, and kills that node, or a node that holds a
   * source of the block.
   */
  private String killWriterOrSource(LongPredicate block, DiskSquare square) throws Exception {
    Optional<Writing> writing = awaitWriting(block);
    if (writing.isEmpty()) {
      return "no unit is seen that is written";
    }
    List<Integer> sources = new ArrayList<>();
    for (DiskGroup group : square.groups()) {
      sources.addAll(group.holders(writing.get().unit(), cluster.nodesUp()));
    }
    boolean isSource = !sources.isEmpty() && random.nextBoolean();
    return (isSource ? "a source: " : "a writer: ")
        + killDataNode(isSource ? pick(sources) : writing.get().node);
  }

  /** Waits until a node writes a block that is meant, or nothing is lost or formed any more. */
  private Optional<Writing> awaitWriting(LongPredicate block) throws Exception {
    List<Writing> found = new ArrayList<>();
    int[] polls = {0};
    Await.until("a node writes a block, or all is done", MOMENT_LIMIT, POLL, () -> {
      Writing.find(cluster, block).ifPresent(found::add);
      // The other questions take long, and a block is written within a second.
      return !found.isEmpty() || ++polls[0] % POLLS_PER_LOOK == 0
          && checks.isSettled(isProtected)
          && checks.look().missing(CoreChecks.ALL_NODES).isEmpty();
    });
    count(found.isEmpty() ? "moments missed" : "moments at a block that is written");
    return found.stream().findFirst();
  }

  private String killSomeDataNode() throws Exception {
    return killDataNode(1 + random.nextInt(VersionsCluster.NODES));
  }

  /** Kills a node. It starts again at once if files need it, or by chance. */
  private String killDataNode(int node) throws Exception {
    cluster.stops.clear();
    if (cluster.nodesUp().size() < VersionsCluster.NODES) {
      // The node that is down comes back instead, and perhaps has replicas too many.
      cluster.heal();
      return "all DataNodes are up again";
    }
    cluster.processes.kill(node);
    count("kills of DataNodes");
    List<Integer> rest = cluster.nodesUp();
    boolean isNeeded =
        !checks.look().groups().stream().allMatch(group -> group.isWithinRow(rest));
    if (isNeeded || random.nextInt(3) > 0) {
      cluster.processes.start(node);
      count("restarts of DataNodes");
      return "dn" + node + " is killed and starts again";
    }
    return "dn" + node + " is killed";
  }

  private String killForming() throws Exception {
    Path folder = pick(new ArrayList<>(CoreFiles.folders()));
    if (!isProtected.contains(folder)) {
      protect(folder);
    }
    return killInTheMiddle(() -> files.createGroup(folder));
  }

  private String killTakingOut() throws Exception {
    cluster.heal();
    checks.awaitWhole();
    for (DiskSquare square : current()) {
      List<DiskGroup> members = square.members();
      if (square.membership().files.size() == CoreFiles.FILES_PER_GROUP) {
        // A group that loses its longest file is dissolved.
        members.sort((a, b) -> Long.compare(files.at(b.path).content.bytes(),
            files.at(a.path).content.bytes()));
        VersionFile file = files.at(members.get(members.size() - 1).path);
        return killInTheMiddle(() -> files.throwAway(file));
      }
    }
    return "-";
  }

  /** Something that has a parity file made. */
  private interface Cause {
    String begin() throws Exception;
  }

  /**
   * Has a parity file made, and kills the NameNode at a moment of it, or a DataNode that writes a
   * unit of it or another one.
   */
  private String killInTheMiddle(Cause cause) throws Exception {
    boolean killsNameNode = random.nextBoolean();
    VersionPoint point = pick(POINTS);
    try {
      if (killsNameNode) {
        cluster.stops.request(point);
      }
      String what = cause.begin() + ": ";
      if (!killsNameNode) {
        Optional<Writing> writing = awaitWriting(id -> true);
        return what + killDataNode(writing.map(found -> found.node)
            .filter(node -> random.nextInt(3) > 0)
            .orElse(1 + random.nextInt(VersionsCluster.NODES)));
      }
      Await.until("a stop at " + point + ", or all is done", MOMENT_LIMIT, CoreCalls.POLL, () ->
          cluster.stops.isStopped() || checks.isSettled(isProtected));
      boolean isStopped = cluster.stops.isStopped();
      count(isStopped ? "moments at a named point" : "moments missed");
      return what + (isStopped ? "at " + point + " " : "") + killNameNode();
    } finally {
      cluster.stops.clear();
    }
  }

  /** Waits until all is repaired and formed, and checks everything. */
  private String settle() throws Exception {
    cluster.heal();
    return checks.settled(isProtected).sum(Number.GROUPS) + " groups";
  }

  /** Damages a replica, to show that the checks would notice. */
  private void assertHarmIsNoticed() throws Exception {
    DiskSquare square = checks.look().squares().get(0);
    DiskGroup group = square.groups().get(0);
    int unit = group.units().get(0);
    int node = group.holders(unit, CoreChecks.ALL_NODES).get(0);
    for (List<Integer> wrong : List.of(List.of(unit), List.<Integer>of())) {
      // The second time, the bit is right again.
      group.replica(node, unit).flipBit(0);
      assertEquals(wrong, square.wrongColumns(CoreChecks.ALL_NODES));
    }
  }

  /** Checks all, ends the protection, deletes all files, and finds nothing that is left. */
  void end() throws Exception {
    for (Path folder : CoreFiles.folders()) {
      if (!isProtected.contains(folder)) {
        protect(folder);
      }
      files.createGroup(folder);
    }
    settle();
    assertHarmIsNoticed();
    core.run("-check");
    for (Path folder : new TreeSet<>(isProtected)) {
      unprotect(folder);
    }
    core.awaitKept(0);
    for (VersionFile file : new ArrayList<>(files.all())) {
      files.delete(file);
    }
    new NothingLeft(cluster).await(CoreFiles.FOLDER);
  }

  @Override
  public String toString() {
    return counts + "; " + checks;
  }
}
