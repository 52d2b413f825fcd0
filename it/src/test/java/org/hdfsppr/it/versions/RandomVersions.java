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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.convert.Leftovers;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;

/**
 * Converts random files, some at a time, and does random harm at a random moment of each
 * conversion. Never makes a loss of data unavoidable: at most one DataNode is down at a time.
 */
final class RandomVersions {
  private static final int FILES = 12;

  /** The most files of a conversion. Their versions are made at the same time. */
  private static final int FILES_AT_A_TIME = 6;
  private static final long BYTES_MAX = 40L << 20;

  /** A file that has grown beyond this length is deleted, and another one is written. */
  private static final long BYTES_TOO_MANY = 100L << 20;
  private static final Path FOLDER = new Path("/random");
  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
  private static final Duration VERIFY_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);

  /** A version of a file takes about as long. */
  private static final int RANDOM_MOMENT_MS_MAX = 3000;

  /** The share of conversions with harm at no named moment. */
  private static final double ANY_MOMENT_SHARE = 0.3;

  /** At these moments the NameNode holds its write lock, and no user can change anything. */
  private static final Set<VersionPoint> LOCKED =
      EnumSet.range(VersionPoint.PUBLISH_RECORDED, VersionPoint.PUBLISH_MOVED);

  /** The harms. Those that concern the extension most are chosen more often. */
  private enum Harm {
    NONE(2), KILL_NAMENODE(4), KILL_NAMENODE_TWICE(1), KILL_DATANODE(3), RESTART_DATANODE(2),
    CHANGE(5), CHANGE_AND_KILL_NAMENODE(3), DELETE(1);

    private final int weight;

    Harm(int weight) {
      this.weight = weight;
    }

    /** Returns whether users do something, which they cannot while the NameNode is locked. */
    boolean isOfUsers() {
      return this == CHANGE || this == CHANGE_AND_KILL_NAMENODE || this == DELETE;
    }

    /** Returns whether all files must be converted in spite of this harm. */
    boolean isNoExcuse() {
      return this == NONE || this == KILL_NAMENODE || this == KILL_NAMENODE_TWICE;
    }
  }

  private final VersionsCluster cluster;
  private final Random random;
  private final List<VersionFile> files = new ArrayList<>();
  private int written;
  private int versions;
  private int converted;

  RandomVersions(VersionsCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Writes the files. */
  void begin() throws IOException, InterruptedException, TimeoutException {
    cluster.client().mkdirs(FOLDER);
    cluster.client().setQuota(FOLDER, 10_000, 1L << 42);
    while (files.size() < FILES) {
      files.add(write());
    }
  }

  /** Returns how many versions of files were begun. */
  int versions() {
    return versions;
  }

  private VersionFile write() throws IOException, InterruptedException, TimeoutException {
    Path path = new Path(FOLDER, "d" + written++ + "/f");
    // A third of the files have one short stripe.
    long bytes = 1 + (long) (random.nextDouble() * (random.nextInt(3) == 0 ? 1 << 20 : BYTES_MAX));
    return VersionFile.write(cluster, path, VersionFile.CODES.get(random.nextInt(
        VersionFile.CODES.size())), bytes, random.nextLong());
  }

  /** Converts some files, does one harm, and describes both. */
  String step() throws IOException, InterruptedException, TimeoutException {
    EcCode to;
    List<Integer> chosen;
    do {
      to = VersionFile.CODES.get(random.nextInt(VersionFile.CODES.size()));
      chosen = someFiles(to);
    } while (chosen.isEmpty());
    VersionPoint point = random.nextDouble() < ANY_MOMENT_SHARE ? null
        : VersionPoint.values()[random.nextInt(VersionPoint.values().length)];
    Harm harm = someHarm(point);
    boolean areAllUp = cluster.nodesUp().size() == VersionsCluster.NODES;
    StringBuilder what = new StringBuilder();
    for (int number : chosen) {
      what.append(files.get(number)).append(" from ")
          .append(files.get(number).policy(cluster.client())).append(", ");
    }
    what.append("to ").append(to).append("; ").append(harm).append(" at ")
        .append(point == null ? "a random moment" : point)
        .append(areAllUp ? "" : ", a DataNode is down");
    Map<Integer, FileContent> snapshots = new TreeMap<>();
    if (point == null) {
      cluster.stops().clear();
    } else {
      cluster.stops().request(point);
    }
    Path[] paths =
        chosen.stream().map(number -> files.get(number).path()).toArray(Path[]::new);
    try (PprCommand command = ConvertCall.start(cluster, to, paths)) {
      awaitMoment(point, command, what.toString());
      if (harm == Harm.CHANGE || harm == Harm.CHANGE_AND_KILL_NAMENODE) {
        what.append(changeSome(chosen, snapshots));
      }
      doHarm(harm, chosen);
      cluster.stops().clear();
      int exit = command.await(ConvertCall.LIMIT);
      if (areAllUp && harm.isNoExcuse()) {
        assertEquals(0, exit, () -> what + ": " + command.text());
      }
    }
    return what + ": " + check(chosen, to, harm, snapshots);
  }

  /** Chooses files that have another code. */
  private List<Integer> someFiles(EcCode to) throws IOException {
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!files.get(i).policy(cluster.client()).equals(to.policy())) {
        others.add(i);
      }
    }
    Collections.shuffle(others, random);
    return others.subList(0, Math.min(others.size(), 1 + random.nextInt(FILES_AT_A_TIME)));
  }

  private Harm someHarm(VersionPoint point) {
    List<Harm> choices = new ArrayList<>();
    for (Harm harm : Harm.values()) {
      if (point == null || !LOCKED.contains(point) || !harm.isOfUsers()) {
        for (int i = 0; i < harm.weight; i++) {
          choices.add(harm);
        }
      }
    }
    return choices.get(random.nextInt(choices.size()));
  }

  /** Waits for a named moment, or for some time after the first version has begun. */
  private void awaitMoment(VersionPoint point, PprCommand command, String what)
      throws IOException, InterruptedException, TimeoutException {
    if (point == null) {
      Leftovers work = new Leftovers(cluster.processes(), cluster.client());
      Await.until(() -> "a version, or the end of the command: " + what, STOP_LIMIT, POLL,
          () -> !work.versions().isEmpty() || command.hasEnded());
      // This is no condition but the harm itself, which comes at any moment.
      TimeUnit.MILLISECONDS.sleep(random.nextInt(RANDOM_MOMENT_MS_MAX));
    } else {
      Await.until(() -> "a stop, or the end of the command: " + what, STOP_LIMIT, POLL,
          () -> cluster.stops().isStopped() || command.hasEnded());
    }
  }

  /** Changes at least one of the files, and describes the changes. */
  private String changeSome(List<Integer> chosen, Map<Integer, FileContent> snapshots)
      throws IOException {
    StringBuilder what = new StringBuilder();
    for (int number : chosen) {
      if (what.length() == 0 || random.nextBoolean()) {
        VersionFile file = files.get(number);
        FileChange change = FileChange.values()[random.nextInt(FileChange.values().length)];
        what.append(", ").append(file).append(' ').append(change);
        if (change == FileChange.SNAPSHOT) {
          snapshots.put(number, file.content().copy());
        }
        files.set(number, change.on(cluster.client(), file, random.nextLong()));
      }
    }
    return what.toString();
  }

  private void doHarm(Harm harm, List<Integer> chosen)
      throws IOException, InterruptedException, TimeoutException {
    if (harm == Harm.KILL_NAMENODE || harm == Harm.CHANGE_AND_KILL_NAMENODE) {
      cluster.killActiveNameNode();
    } else if (harm == Harm.KILL_NAMENODE_TWICE) {
      cluster.killActiveNameNode();
      cluster.killActiveNameNode();
    } else if (harm == Harm.KILL_DATANODE || harm == Harm.RESTART_DATANODE) {
      List<Integer> up = cluster.nodesUp();
      if (up.size() < VersionsCluster.NODES) {
        // The node that is down comes back instead, and perhaps has replicas too many. A NameNode
        // that is stopped under its write lock would not notice.
        cluster.stops().clear();
        cluster.heal();
        return;
      }
      int node = up.get(random.nextInt(up.size()));
      cluster.processes().kill(node);
      if (harm == Harm.RESTART_DATANODE) {
        cluster.stops().clear();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(RANDOM_MOMENT_MS_MAX));
        cluster.processes().start(node);
      }
    } else if (harm == Harm.DELETE) {
      for (int number : chosen) {
        VersionFile file = files.get(number);
        assertTrue(cluster.client().delete(file.path(), false), () -> file + " is deleted");
      }
    }
  }

  /** Reads the files, while a DataNode may be down, and replaces those too long or gone. */
  private String check(List<Integer> chosen, EcCode to, Harm harm,
      Map<Integer, FileContent> snapshots)
      throws IOException, InterruptedException, TimeoutException {
    StringBuilder result = new StringBuilder();
    for (int number : chosen) {
      VersionFile file = files.get(number);
      versions++;
      if (snapshots.containsKey(number)) {
        Path folder = file.path().getParent();
        // The snapshot may have a code that stock clients do not decode.
        cluster.heal();
        assertTrue(snapshots.get(number).isIn(cluster.client(), new Path(folder, ".snapshot/"
            + FileChange.SNAPSHOT_NAME + "/" + file.path().getName())),
            () -> "content of the snapshot of " + file);
        cluster.client().deleteSnapshot(folder, FileChange.SNAPSHOT_NAME);
        cluster.client().disallowSnapshot(folder);
      }
      if (harm == Harm.DELETE) {
        assertFalse(cluster.client().exists(file.path()), () -> file + " stays deleted");
        result.append("deleted ");
        replace(number);
        continue;
      }
      if (!file.isReadWithLosses(cluster.client())) {
        cluster.heal();
        file.awaitWhole(cluster.processes(), cluster.client());
      }
      assertTrue(file.content().isIn(cluster.client(), file.path()), () -> "content of " + file);
      boolean isConverted = file.policy(cluster.client()).equals(to.policy());
      converted += isConverted ? 1 : 0;
      result.append(isConverted ? "converted " : "as it was ");
      if (file.content().bytes() > BYTES_TOO_MANY) {
        assertTrue(cluster.client().delete(file.path(), false), () -> file + " is deleted");
        replace(number);
      }
    }
    return result.toString().strip();
  }

  private void replace(int number) throws IOException, InterruptedException, TimeoutException {
    // Hadoop's client needs long for a file whose writing begins at a dead node.
    cluster.heal();
    files.set(number, write());
  }

  /** Checks all files and the whole cluster. */
  void checkAll() throws IOException, InterruptedException, TimeoutException {
    cluster.heal();
    new NothingLeft(cluster).await(FOLDER);
    PprCommand.run(cluster.processes(), VERIFY_LIMIT,
        List.of("-verify", FOLDER.toUri().getPath()));
    for (VersionFile file : files) {
      file.check(cluster);
    }
  }

  /** Converts all files without harm, which must succeed after any harm. */
  void convertAll() throws IOException, InterruptedException, TimeoutException {
    for (EcCode code : VersionFile.CODES) {
      for (VersionFile file : files) {
        versions += file.policy(cluster.client()).equals(code.policy()) ? 0 : 1;
      }
      ConvertCall.run(cluster, code, FOLDER);
      for (VersionFile file : files) {
        assertTrue(file.policy(cluster.client()).equals(code.policy()), () -> file + " has not "
            + code);
      }
      checkAll();
    }
  }

  /** Damages and then removes a parity, to show that these checks would notice both. */
  void assertHarmIsNoticed() throws IOException {
    VersionFile file = files.get(0);
    ErasureCodingPolicy policy = cluster.client().getErasureCodingPolicy(file.path());
    Unit parity = BlockGroup.of(cluster.processes(), cluster.client(), file.path()).get(0)
        .replicasOf(policy.getNumDataUnits()).get(0);
    UnitFiles replica = UnitFiles.of(cluster.processes(), parity.node(), parity.block());
    ParityOnDisk check = new ParityOnDisk(cluster.processes(), cluster.client());
    assertEquals(List.of(), check.wrong(file.path()));
    replica.flipBit(0);
    assertEquals(1, check.wrong(file.path()).size(), "the check notices a spoilt parity");
    Files.delete(replica.data());
    assertFalse(new NothingLeft(cluster).left(FOLDER).isEmpty(),
        "the check notices a missing replica");
  }

  @Override
  public String toString() {
    return versions + " versions begun, " + converted + " of those with harm published, "
        + written + " files written";
  }
}
