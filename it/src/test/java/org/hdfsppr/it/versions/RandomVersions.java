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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;

/**
 * Converts random files, many at a time, and does random harm in the middle of each conversion.
 * Never makes a loss of data unavoidable: at most one DataNode is down at a time.
 */
final class RandomVersions {
  private static final int FILES = 48;

  /** The fewest and the most files of a conversion. Their versions are made at the same time. */
  private static final int FILES_AT_A_TIME_MAX = Integer.getInteger("versions.files", 20);
  private static final int FILES_AT_A_TIME_MIN = FILES_AT_A_TIME_MAX / 4;

  /** The most harms in the middle of a conversion, one after the other. */
  private static final int HARMS_MAX = 3;

  /** How many files are written at the same time. The writers wait for most of the time. */
  private static final int WRITERS = 6;

  /** The most files that users change at a time in the middle of a conversion. */
  private static final int CHANGES_MAX = 6;

  /** Such a file has three block groups. */
  private static final long BYTES_MAX = 30L << 20;

  /** A file that has grown beyond this length is deleted, and another one is written. */
  private static final long BYTES_TOO_MANY = 60L << 20;
  private static final Path FOLDER = new Path("/random");
  private static final Duration VERIFY_LIMIT = Duration.ofMinutes(5);

  /** A DataNode that restarts is down for as long at most. */
  private static final int DOWN_MS_MAX = 3_000;

  /** What users have done to the files of a conversion. */
  private static final class Changes {
    private final Set<Integer> files = new HashSet<>();
    private final Map<Integer, FileContent> snapshots = new TreeMap<>();
    private boolean areDeleted;
  }

  private final VersionsCluster cluster;
  private final Random random;
  /** The counts, which go on. */
  final VersionTally tally = new VersionTally();
  private final List<VersionFile> files = new ArrayList<>();
  private int written;

  RandomVersions(VersionsCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Writes the files. */
  void begin() throws IOException, InterruptedException, TimeoutException {
    cluster.client().mkdirs(FOLDER);
    cluster.client().setQuota(FOLDER, 10_000, 1L << 42);
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<VersionFile>> begun = new ArrayList<>();
      while (begun.size() < FILES) {
        begun.add(writers.submit(writing()));
      }
      for (Future<VersionFile> file : begun) {
        files.add(file.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("a file is not written", e);
    } finally {
      writers.shutdownNow();
    }
  }

  /** Chooses a file, and returns what writes it. */
  private Callable<VersionFile> writing() {
    Path path = new Path(FOLDER, "d" + written++ + "/f");
    // More than a third of the files have one short stripe.
    long bytes = 1 + (long) (random.nextDouble() * (random.nextInt(3) == 0 ? 1 << 20 : BYTES_MAX));
    EcCode code = VersionFile.CODES.get(random.nextInt(VersionFile.CODES.size()));
    long seed = random.nextLong();
    return () -> VersionFile.write(cluster, path, code, bytes, seed);
  }

  /** Converts some files, does some harm, and describes both, and the seconds of each part. */
  String step() throws IOException, InterruptedException, TimeoutException {
    EcCode to;
    List<Integer> chosen;
    do {
      to = VersionFile.CODES.get(random.nextInt(VersionFile.CODES.size()));
      chosen = someFiles(to);
    } while (chosen.isEmpty());
    HarmMoment moment = HarmMoment.choose(cluster, random, chosen.size());
    boolean mustSucceed = cluster.nodesUp().size() == VersionsCluster.NODES;
    StringBuilder what = new StringBuilder();
    for (int number : chosen) {
      what.append(files.get(number)).append(" from ")
          .append(files.get(number).policy(cluster.client())).append(", ");
    }
    what.append("to ").append(to).append(mustSucceed ? "" : ", a DataNode is down");
    StepTimes times = new StepTimes();
    Changes changes = new Changes();
    moment.request();
    Path[] paths =
        chosen.stream().map(number -> files.get(number).path).toArray(Path[]::new);
    try (PprCommand command = ConvertCall.start(cluster, to, paths)) {
      int harms = 1 + random.nextInt(HARMS_MAX);
      for (int i = 0; i < harms && !changes.areDeleted && (i == 0 || !command.hasEnded()); i++) {
        if (i > 0) {
          moment = HarmMoment.choose(cluster, random, chosen.size());
          moment.request();
        }
        VersionHarm harm = VersionHarm.choose(random, moment.point);
        what.append("; ").append(harm).append(" at ").append(moment);
        boolean isReached = moment.await(command, what.toString());
        times.end("moment");
        what.append(isReached ? ", reached" : "").append(command.hasEnded() ? ", ended" : "");
        tally.addHarm(isReached);
        what.append(doHarm(harm, chosen, changes));
        cluster.stops.clear();
        times.end("harm");
        mustSucceed &= harm.isNoExcuse();
      }
      int exit = command.await(ConvertCall.LIMIT);
      times.end("end");
      if (mustSucceed) {
        assertEquals(0, exit, () -> what + ": " + command.text());
      }
    }
    tally.addStep();
    String ends = check(chosen, to, changes, mustSucceed);
    times.end("check");
    return what + ": " + ends + "; " + times;
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
    return others.subList(0, Math.min(others.size(), FILES_AT_A_TIME_MIN
        + random.nextInt(FILES_AT_A_TIME_MAX - FILES_AT_A_TIME_MIN + 1)));
  }

  /** Does a harm, and describes what users have changed. */
  private String doHarm(VersionHarm harm, List<Integer> chosen, Changes changes)
      throws IOException, InterruptedException, TimeoutException {
    String what = harm.isChange() ? changeSome(chosen, changes) : "";
    if (harm.killsDataNode()) {
      killDataNode(harm == VersionHarm.RESTART_DATANODE);
    }
    for (int kill = 0; kill < harm.nameNodeKills(); kill++) {
      cluster.killActiveNameNode();
      tally.addNameNodeKill();
    }
    if (harm == VersionHarm.DELETE) {
      for (int number : chosen) {
        VersionFile file = files.get(number);
        assertTrue(cluster.client().delete(file.path, false), () -> file + " is deleted");
      }
      changes.areDeleted = true;
    }
    return what;
  }

  /** Changes some of the files, none of them twice, and describes the changes. */
  private String changeSome(List<Integer> chosen, Changes changes) throws IOException {
    StringBuilder what = new StringBuilder();
    int count = 0;
    for (int number : chosen) {
      boolean isWanted = count == 0 || count < CHANGES_MAX && random.nextBoolean();
      if (isWanted && changes.files.add(number)) {
        count++;
        tally.addChange();
        VersionFile file = files.get(number);
        FileChange change = FileChange.values()[random.nextInt(FileChange.values().length)];
        what.append(", ").append(file).append(' ').append(change);
        if (change == FileChange.SNAPSHOT) {
          changes.snapshots.put(number, file.content.copy());
        }
        files.set(number, change.on(cluster.client(), file, random.nextLong()));
      }
    }
    return what.toString();
  }

  private void killDataNode(boolean doesRestart)
      throws IOException, InterruptedException, TimeoutException {
    List<Integer> up = cluster.nodesUp();
    if (up.size() < VersionsCluster.NODES) {
      // The node that is down comes back instead, and perhaps has replicas too many. A NameNode
      // that is stopped under its write lock would not notice.
      cluster.stops.clear();
      cluster.heal();
      return;
    }
    int node = up.get(random.nextInt(up.size()));
    cluster.processes.kill(node);
    tally.addDataNodeKill();
    if (doesRestart) {
      cluster.stops.clear();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(DOWN_MS_MAX));
      cluster.processes.start(node);
    }
  }

  /** Reads the files, while a DataNode may be down, and replaces those too long or gone. */
  private String check(List<Integer> chosen, EcCode to, Changes changes, boolean mustSucceed)
      throws IOException, InterruptedException, TimeoutException {
    int[] ends = new int[VersionTally.End.values().length];
    for (int number : chosen) {
      VersionFile file = files.get(number);
      if (changes.snapshots.containsKey(number)) {
        checkSnapshot(file, changes.snapshots.get(number));
      }
      VersionTally.End end;
      if (changes.areDeleted) {
        assertFalse(cluster.client().exists(file.path), () -> file + " stays deleted");
        end = VersionTally.End.DELETED;
        replace(number);
      } else {
        if (!file.isReadWithLosses(cluster.client())) {
          cluster.heal();
          file.awaitWhole(cluster.processes, cluster.client());
        }
        assertTrue(file.content.isIn(cluster.client(), file.path), () -> "content of " + file);
        boolean isConverted = file.policy(cluster.client()).equals(to.policy());
        assertTrue(isConverted || !mustSucceed, () -> file + " is converted");
        end = isConverted ? VersionTally.End.PUBLISHED : VersionTally.End.AS_IT_WAS;
        if (file.content.bytes() > BYTES_TOO_MANY) {
          assertTrue(cluster.client().delete(file.path, false), () -> file + " is deleted");
          replace(number);
        }
      }
      tally.add(end);
      ends[end.ordinal()]++;
    }
    StringBuilder result = new StringBuilder();
    for (VersionTally.End end : VersionTally.End.values()) {
      result.append(' ').append(ends[end.ordinal()]).append(' ').append(end);
    }
    return result.toString().strip();
  }

  private void checkSnapshot(VersionFile file, FileContent content)
      throws IOException, InterruptedException, TimeoutException {
    Path folder = file.path.getParent();
    // The snapshot may have a code that stock clients do not decode.
    cluster.heal();
    assertTrue(content.isIn(cluster.client(), new Path(folder, ".snapshot/"
        + FileChange.SNAPSHOT_NAME + "/" + file.path.getName())),
        () -> "content of the snapshot of " + file);
    cluster.client().deleteSnapshot(folder, FileChange.SNAPSHOT_NAME);
    cluster.client().disallowSnapshot(folder);
  }

  private void replace(int number) throws IOException, InterruptedException, TimeoutException {
    // Hadoop's client needs long for a file whose writing begins at a dead node.
    cluster.heal();
    try {
      files.set(number, writing().call());
    } catch (IOException | InterruptedException | TimeoutException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("a file is not written", e);
    }
  }

  /** Checks all files and the whole cluster, and describes how long that took. */
  String checkAll() throws IOException, InterruptedException, TimeoutException {
    StepTimes times = new StepTimes();
    cluster.heal();
    times.end("heal");
    new NothingLeft(cluster).await(FOLDER);
    times.end("nothing left");
    PprCommand.run(cluster.processes, VERIFY_LIMIT,
        List.of("-verify", FOLDER.toUri().getPath()));
    times.end("verify");
    for (VersionFile file : files) {
      file.check(cluster);
    }
    times.end("files");
    tally.addCheck();
    return times.toString();
  }

  /** Converts all files without harm to two codes, which must succeed after any harm. */
  void convertAll() throws IOException, InterruptedException, TimeoutException {
    List<EcCode> codes = new ArrayList<>(VersionFile.CODES);
    Collections.shuffle(codes, random);
    for (EcCode code : codes.subList(0, 2)) {
      int others = 0;
      for (VersionFile file : files) {
        others += file.policy(cluster.client()).equals(code.policy()) ? 0 : 1;
      }
      ConvertCall.run(cluster, code, FOLDER);
      for (VersionFile file : files) {
        assertTrue(file.policy(cluster.client()).equals(code.policy()), () -> file + " has not "
            + code);
      }
      tally.addWithoutHarm(others);
      checkAll();
    }
  }

  /** Damages and then removes a parity, to show that these checks would notice both. */
  void assertHarmIsNoticed() throws IOException {
    VersionFile file = files.get(0);
    ErasureCodingPolicy policy = cluster.client().getErasureCodingPolicy(file.path);
    Unit parity = BlockGroup.of(cluster.processes, cluster.client(), file.path).get(0)
        .replicasOf(policy.getNumDataUnits()).get(0);
    UnitFiles replica = UnitFiles.of(cluster.processes, parity.node, parity.block);
    ParityOnDisk check = new ParityOnDisk(cluster.processes, cluster.client());
    assertEquals(List.of(), check.wrong(file.path));
    replica.flipBit(0);
    assertEquals(1, check.wrong(file.path).size(), "the check notices a spoilt parity");
    Files.delete(replica.data);
    assertFalse(new NothingLeft(cluster).left(FOLDER).isEmpty(),
        "the check notices a missing replica");
  }
}
