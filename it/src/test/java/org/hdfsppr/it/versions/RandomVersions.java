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
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;

/**
 * Converts random files, one after the other, and does random harm at a random moment of each
 * conversion. Never makes a loss of data unavoidable: at most one DataNode is down at a time.
 */
final class RandomVersions {
  private static final int FILES = 6;
  private static final long BYTES_MAX = 40L << 20;

  /** A file that has grown beyond this length is deleted, and another one is written. */
  private static final long BYTES_TOO_MANY = 100L << 20;
  private static final Path FOLDER = new Path("/random");
  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);

  /** At these moments the NameNode holds its write lock, and no user can change anything. */
  private static final Set<VersionPoint> LOCKED =
      EnumSet.range(VersionPoint.PUBLISH_RECORDED, VersionPoint.PUBLISH_MOVED);

  /** The harms. Those that concern the extension most are chosen more often. */
  private enum Harm {
    NONE(2), KILL_NAMENODE(5), KILL_DATANODE(3), CHANGE(6), DELETE(1);

    private final int weight;

    Harm(int weight) {
      this.weight = weight;
    }
  }

  private final VersionsCluster cluster;
  private final Random random;
  private final List<VersionFile> files = new ArrayList<>();
  private int written;
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

  private VersionFile write() throws IOException, InterruptedException, TimeoutException {
    Path path = new Path(FOLDER, "d" + written++ + "/f");
    // A third of the files have one short stripe.
    long bytes = 1 + (long) (random.nextDouble() * (random.nextInt(3) == 0 ? 1 << 20 : BYTES_MAX));
    return VersionFile.write(cluster, path, VersionFile.CODES.get(random.nextInt(
        VersionFile.CODES.size())), bytes, random.nextLong());
  }

  /** Converts one file, does one harm, and describes both. */
  String step() throws IOException, InterruptedException, TimeoutException {
    int chosen = random.nextInt(files.size());
    VersionFile file = files.get(chosen);
    String policy = file.policy(cluster.client());
    List<EcCode> others = VersionFile.CODES.stream()
        .filter(code -> !code.policy().equals(policy)).collect(Collectors.toList());
    EcCode to = others.get(random.nextInt(others.size()));
    VersionPoint point = VersionPoint.values()[random.nextInt(VersionPoint.values().length)];
    Harm harm = someHarm(point);
    long seed = random.nextLong();
    String what = file + " from " + policy + " to " + to + ", " + harm + " at " + point;
    cluster.stops().request(point);
    FileChange change = null;
    try (PprCommand command = ConvertCall.start(cluster, to, file.path())) {
      Await.until(() -> "a stop, or the end of the command: " + what, STOP_LIMIT, POLL,
          () -> cluster.stops().isStopped() || command.hasEnded());
      if (harm == Harm.CHANGE) {
        change = FileChange.values()[random.nextInt(FileChange.values().length)];
        file = change.on(cluster.client(), file, seed);
      } else {
        doHarm(harm, file);
      }
      cluster.stops().clear();
      command.await(ConvertCall.LIMIT);
    }
    files.set(chosen, file);
    if (change == FileChange.SNAPSHOT) {
      cluster.client().deleteSnapshot(file.path().getParent(), "s");
      cluster.client().disallowSnapshot(file.path().getParent());
    }
    String result = check(chosen, harm);
    cluster.heal();
    return what + (change == null ? "" : " (" + change + ")") + ": " + result;
  }

  private Harm someHarm(VersionPoint point) {
    List<Harm> choices = new ArrayList<>();
    for (Harm harm : Harm.values()) {
      if (!LOCKED.contains(point) || harm != Harm.CHANGE && harm != Harm.DELETE) {
        for (int i = 0; i < harm.weight; i++) {
          choices.add(harm);
        }
      }
    }
    return choices.get(random.nextInt(choices.size()));
  }

  private void doHarm(Harm harm, VersionFile file)
      throws IOException, InterruptedException, TimeoutException {
    if (harm == Harm.KILL_NAMENODE) {
      cluster.killActiveNameNode();
    } else if (harm == Harm.KILL_DATANODE) {
      List<Integer> up = cluster.nodesUp();
      cluster.processes().kill(up.get(random.nextInt(up.size())));
    } else if (harm == Harm.DELETE) {
      assertTrue(cluster.client().delete(file.path(), false), () -> file + " is deleted");
    }
  }

  /** Reads the file, while a DataNode may be down, and replaces it if it is too long or gone. */
  private String check(int chosen, Harm harm)
      throws IOException, InterruptedException, TimeoutException {
    VersionFile file = files.get(chosen);
    if (harm == Harm.DELETE) {
      assertFalse(cluster.client().exists(file.path()), () -> file + " stays deleted");
      files.set(chosen, write());
      return "deleted";
    }
    assertTrue(file.content().isIn(cluster.client(), file.path()), () -> "content of " + file);
    String policy = file.policy(cluster.client());
    converted++;
    if (file.content().bytes() > BYTES_TOO_MANY) {
      cluster.client().delete(file.path(), false);
      files.set(chosen, write());
    }
    return "has " + policy;
  }

  /** Checks all files and the whole cluster. */
  void checkAll() throws IOException, InterruptedException, TimeoutException {
    cluster.heal();
    new NothingLeft(cluster).await(FOLDER);
    for (VersionFile file : files) {
      file.check(cluster);
    }
  }

  /** Converts all files without harm, which must succeed after any harm. */
  void convertAll() throws IOException, InterruptedException, TimeoutException {
    for (EcCode code : VersionFile.CODES) {
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
    return converted + " versions of files with harm, " + written + " files written";
  }
}
