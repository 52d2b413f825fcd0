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
package org.hdfsppr.it.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;

/**
 * Files of one block group each, which are written and deleted while the cluster has faults, and
 * the checks of all files whose writing was confirmed.
 */
final class FilesUnderFaults {
  static final int DATA_UNITS = 3;
  static final int PARITY_UNITS = 2;
  static final String POLICY = "RS-3-2-1024k";

  private static final int CELL_BYTES = 1024 * 1024;
  private static final long BLOCK_BYTES = 4L * CELL_BYTES;
  private static final Path FOLDER = new Path("/faults");
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(500);

  /** A file whose writing was confirmed. */
  private static final class Written {
    private final long bytes;
    private final UnitOracle oracle;
    private final List<Unit> units;

    Written(long bytes, UnitOracle oracle, List<Unit> units) {
      this.bytes = bytes;
      this.oracle = oracle;
      this.units = units;
    }
  }

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final Random random;
  private final Map<Path, Written> files = new LinkedHashMap<>();

  /** Files that may or may not exist, because the write or the delete ended with an error. */
  private final Set<Path> unconfirmed = new TreeSet<>();
  private int written;

  FilesUnderFaults(HdfsProcessCluster cluster, DistributedFileSystem client, Random random)
      throws IOException {
    this.cluster = cluster;
    this.client = client;
    this.random = random;
    client.enableErasureCodingPolicy(POLICY);
    client.mkdirs(FOLDER);
    client.setErasureCodingPolicy(FOLDER, POLICY);
  }

  int count() {
    return files.size();
  }

  /** Writes one more file, and describes the result in words. */
  String write() throws IOException {
    Path file = new Path(FOLDER, "f" + written++);
    long seed = random.nextLong();
    // Half of the files fill their group. The others end at a random position in it.
    long full = BLOCK_BYTES * DATA_UNITS;
    long bytes = random.nextBoolean() ? full : 1 + (long) (random.nextDouble() * (full - 1));
    unconfirmed.add(file);
    try {
      TestFile.write(client, file, BLOCK_BYTES, bytes, seed);
      BlockGroup group = BlockGroup.of(cluster, client, file).get(0);
      files.put(file, new Written(bytes, UnitOracle.of(DATA_UNITS, PARITY_UNITS, bytes, seed),
          group.units));
      unconfirmed.remove(file);
      return file + ", " + bytes + " bytes";
    } catch (IOException e) {
      // A client gets an error and no promise about this file, so the test makes no demand on it.
      return file + " failed: " + e;
    }
  }

  /** Deletes a file, and describes the result in words. */
  String delete() {
    List<Path> all = new ArrayList<>(files.keySet());
    Path file = all.get(random.nextInt(all.size()));
    files.remove(file);
    try {
      return file + ": " + client.delete(file, true);
    } catch (IOException e) {
      unconfirmed.add(file);
      return file + " failed: " + e;
    }
  }

  /**
   * Returns whether every group would keep at least one unit more than it needs on disks if a node
   * lost all its units. The extra unit is needed, because one of two replicas of a unit may be
   * about to be deleted.
   */
  boolean survivesWithout(int node) throws IOException {
    DiskTruth truth = DiskTruth.of(cluster);
    for (Written file : files.values()) {
      int left = emptyUnits(file);
      for (long[] block : blocks(file)) {
        if (truth.holders(block[0], block[1]).stream().anyMatch(holder -> holder != node)) {
          left++;
        }
      }
      if (left < DATA_UNITS + 1) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many units of a short file have no bytes, and can therefore not be lost. */
  private static int emptyUnits(Written file) {
    int empty = 0;
    for (int unit = 0; unit < DATA_UNITS + PARITY_UNITS; unit++) {
      if (unitBytes(file, unit) == 0) {
        empty++;
      }
    }
    return empty;
  }

  private static long unitBytes(Written file, int unit) {
    return StripedBlockUtil.getInternalBlockLength(file.bytes, CELL_BYTES, DATA_UNITS, unit);
  }

  /** Returns the id and the generation stamp of each internal block that has bytes. */
  private static List<long[]> blocks(Written file) {
    Unit any = file.units.get(0);
    long group = any.block.getBlockId() - any.index;
    List<long[]> blocks = new ArrayList<>();
    for (int unit = 0; unit < DATA_UNITS + PARITY_UNITS; unit++) {
      if (unitBytes(file, unit) > 0) {
        blocks.add(new long[] {group + unit, any.block.getGenerationStamp()});
      }
    }
    return blocks;
  }

  /** Deletes the files whose writing was not confirmed. */
  void deleteUnconfirmed() throws IOException {
    for (Path file : unconfirmed) {
      client.delete(file, true);
    }
    unconfirmed.clear();
  }

  /** Waits until no repair is due and the active NameNode knows every unit. */
  void awaitWhole() throws IOException, InterruptedException, TimeoutException {
    List<String> missing = new ArrayList<>();
    Await.until(() -> "full redundancy: " + missing, WHOLE_LIMIT, POLL, () -> {
      missing.clear();
      try {
        if (!cluster.state().redundancy().isSettled()) {
          missing.add(cluster.state().redundancy().toString());
        }
        for (Map.Entry<Path, Written> file : files.entrySet()) {
          long there = BlockGroup.of(cluster, client, file.getKey()).get(0).distinctUnits();
          if (there != blocks(file.getValue()).size()) {
            missing.add(file.getKey() + " has " + there + " units");
          }
        }
      } catch (IOException e) {
        missing.add("unknown, " + e);
      }
      return missing.isEmpty();
    });
  }

  /**
   * Waits until fsck finds nothing lost, and lists exactly the internal blocks that are on the
   * disks. The wait is needed, because deletions are ordered and carried out later.
   */
  void awaitTruthfulFsck() throws IOException, InterruptedException, TimeoutException {
    String[] found = {""};
    Await.until(() -> "fsck agrees with the disks: " + found[0], WHOLE_LIMIT, POLL, () -> {
      found[0] = fsckAgainstTruth();
      return found[0].isEmpty();
    });
  }

  /** Describes how fsck's list differs from the disks; empty if it does not. */
  private String fsckAgainstTruth() throws IOException {
    Fsck fsck = Fsck.of(cluster.clientConf());
    Set<String> listed = fsck.internalBlocks();
    Set<String> there = DiskTruth.of(cluster).internalBlocks();
    Set<String> onlyListed = new TreeSet<>(listed);
    onlyListed.removeAll(there);
    Set<String> onlyThere = new TreeSet<>(there);
    onlyThere.removeAll(listed);
    return fsck.isWhole() && onlyListed.isEmpty() && onlyThere.isEmpty() ? ""
        : fsck + "; listed, not on disk: " + onlyListed + "; on disk, not listed: " + onlyThere;
  }

  /** Damages and then removes a replica, to show that these checks would notice both. */
  void assertHarmIsNoticed() throws IOException {
    Map.Entry<Path, Written> file = files.entrySet().iterator().next();
    Unit unit = BlockGroup.of(cluster, client, file.getKey()).get(0).units.get(0);
    UnitFiles replica = UnitFiles.of(cluster, unit.node, unit.block);
    replica.flipBit(0);
    assertFalse(wrongReplicasNow(file.getKey(), file.getValue()).isEmpty(),
        "the check notices a spoilt replica");
    Files.delete(replica.data);
    assertFalse(fsckAgainstTruth().isEmpty(), "the check notices a missing replica");
  }

  /**
   * Lists the replicas on any disk, and the files as a client reads them, that have wrong bytes.
   */
  List<String> wrongBytes() throws IOException, InterruptedException, TimeoutException {
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<Path, Written> file : files.entrySet()) {
      wrong.addAll(wrongReplicas(file.getKey(), file.getValue()));
      try {
        if (!sha256(client.open(file.getKey())).equals(file.getValue().oracle.fileDigest)) {
          wrong.add(file.getKey() + " as read");
        }
      } catch (IOException e) {
        wrong.add(file.getKey() + " cannot be read: " + e);
      }
    }
    return wrong;
  }

  /** An excess replica of a node that came back may be deleted during the comparison. */
  private List<String> wrongReplicas(Path file, Written is)
      throws IOException, InterruptedException, TimeoutException {
    List<String> wrong = new ArrayList<>();
    String[] gone = {""};
    Await.until(() -> "the NameNode knowing of no replica that is not there: " + gone[0],
        WHOLE_LIMIT, POLL, () -> {
          try {
            wrong.clear();
            wrong.addAll(wrongReplicasNow(file, is));
            return true;
          } catch (NoSuchFileException e) {
            gone[0] = e.getMessage();
            return false;
          }
        });
    return wrong;
  }

  private List<String> wrongReplicasNow(Path file, Written is) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Unit unit : BlockGroup.of(cluster, client, file).get(0).units) {
      UnitFiles replica = UnitFiles.of(cluster, unit.node, unit.block);
      String right = is.oracle.digest(unit.index);
      if (!sha256(Files.newInputStream(replica.data)).equals(right)) {
        wrong.add(file + " " + unit);
      }
    }
    return wrong;
  }

  private static String sha256(InputStream content) throws IOException {
    MessageDigest digest = UnitOracle.sha256();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = content) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return StringUtils.byteToHexString(digest.digest());
  }

  @Override
  public String toString() {
    return files.keySet().stream().map(Path::getName).collect(Collectors.joining(" "));
  }
}
