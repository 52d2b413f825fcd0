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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;

/** What must hold of the files of a random run of CORE, at any time and when all is quiet. */
final class CoreChecks {
  /** The nodes' disks, also of those that are down. */
  static final List<Integer> ALL_NODES =
      IntStream.rangeClosed(1, VersionsCluster.NODES).boxed().collect(Collectors.toList());
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration READ_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(300);

  private final VersionsCluster cluster;
  private final CoreCalls core;
  private final CoreFiles files;
  private final ReplicaOracle replicas = new ReplicaOracle();
  /** The squares all of whose columns were seen to be zero. Replicas do not change after that. */
  private final Set<String> zeros = new HashSet<>();
  private int reads;

  CoreChecks(VersionsCluster cluster, CoreCalls core, CoreFiles files) {
    this.cluster = cluster;
    this.core = core;
    this.files = files;
  }

  DiskLook look() throws IOException {
    return DiskLook.of(cluster, files.paths());
  }

  /** Checks what must hold at any time, and reads some files by the project's client. */
  void now(Collection<VersionFile> some)
      throws IOException, InterruptedException, TimeoutException {
    disks();
    try (DistributedFileSystem reader = reader()) {
      for (VersionFile file : some) {
        read(reader, file.path, file.content);
      }
    }
  }

  /** Checks the bytes of all replicas, and the sums of all columns of which no row is stale. */
  DiskLook disks() throws IOException {
    DiskLook look = look();
    replicas.check(look);
    for (DiskSquare square : look.squares()) {
      if (!square.isStale() && !zeros.contains(square.name())) {
        assertEquals(List.of(), square.wrongColumns(ALL_NODES), () -> "columns of " + square
            + " that are not zero");
        if (square.matrix(ALL_NODES, Map.of()).failures() == 0) {
          zeros.add(square.name());
        }
      }
    }
    return look;
  }

  /** Makes a client of the project's, which reads by rows and columns. */
  private DistributedFileSystem reader() throws IOException {
    Configuration conf = ReadClient.AUTO.applyTo(cluster.processes.clientConf());
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /** Reads a file, which must succeed as long as rows and columns have its bytes. */
  private void read(DistributedFileSystem reader, Path path, FileContent content)
      throws IOException, InterruptedException, TimeoutException {
    String[] failure = {""};
    Await.until(() -> path + " is read: " + failure[0], READ_LIMIT, POLL, () -> {
      try {
        assertTrue(content.isIn(reader, path), () -> "content of " + path);
        return true;
      } catch (IOException e) {
        failure[0] = e.toString();
        return !look().isReadable(path, cluster.nodesUp());
      }
    });
    reads++;
  }

  /** Waits until no unit is lost. All nodes must be up. */
  void awaitWhole() throws IOException, InterruptedException, TimeoutException {
    String[] missing = {""};
    Await.until(() -> "all units are rebuilt: " + missing[0], LIMIT, POLL, () -> {
      missing[0] = look().missing(ALL_NODES);
      return missing[0].isEmpty();
    });
  }

  /** Returns whether all groups are formed, and changed, that have to be. */
  boolean isSettled(Set<Path> wanted) throws IOException {
    return isSettled(core.status(), wanted) && look().outdated(wanted).isEmpty();
  }

  private boolean isSettled(CoreStatus now, Set<Path> wanted) {
    Set<Path> there = new HashSet<>();
    boolean isDone = now.why.isEmpty();
    for (CoreDirectory one : now.directories) {
      there.add(new Path(one.path));
      isDone &= one.walkedMs > files.changedMs();
    }
    return isDone && there.equals(wanted) && now.sum(Number.FORMING) == 0
        && now.sum(Number.QUEUED) == 0 && now.sum(Number.STALE) == 0;
  }

  /**
   * Waits until all is repaired and formed, and checks everything. No node may be down.
   *
   * @param wanted the directories that are protected
   */
  CoreStatus settled(Set<Path> wanted)
      throws IOException, InterruptedException, TimeoutException {
    try (DistributedFileSystem reader = reader()) {
      for (Map.Entry<Path, FileContent> file : files.snapshots().entrySet()) {
        read(reader, file.getKey(), file.getValue());
      }
    }
    // Fsck does not list what only snapshots have.
    files.dropSnapshots();
    awaitWhole();
    // Files that had lost units are looked at once more.
    files.changed();
    CoreStatus[] now = {null};
    Await.until(() -> "groups are formed: " + describe(now[0]), LIMIT, CoreCalls.POLL, () -> {
      now[0] = core.status();
      return isSettled(now[0], wanted) && look().outdated(wanted).isEmpty();
    });
    awaitWhole();
    List<Path> parities = new ArrayList<>();
    Await.until(() -> "CORE keeps parity files only, and their groups count: " + parities, LIMIT,
        CoreCalls.POLL, () -> {
          parities.clear();
          parities.addAll(core.kept());
          return core.areGroups(parities)
              && parities.size() == core.status().sum(Number.GROUPS);
        });
    new NothingLeft(cluster).await(CoreFiles.FOLDER);
    ParityOnDisk parityOnDisk = new ParityOnDisk(cluster.processes, cluster.client());
    for (Path parity : parities) {
      assertEquals(List.of(), parityOnDisk.wrong(parity));
    }
    now(files.all());
    for (VersionFile file : files.all()) {
      // A stock client reads it.
      file.check(cluster);
    }
    // Files that were tried before may form a group meanwhile.
    Await.until(() -> "the status has the members that are recorded: " + describe(now[0]), LIMIT,
        CoreCalls.POLL, () -> {
          Set<Long> members = new TreeSet<>();
          DiskLook look = disks();
          for (DiskSquare square : look.squares()) {
            assertFalse(square.isStale(), () -> square + " has a stale row");
            square.membership().files.forEach(row -> members.add(row.fileId));
          }
          now[0] = core.status();
          return members.size() == now[0].sum(Number.MEMBERS) && look.squares().stream()
              .allMatch(square -> zeros.contains(square.name()));
        });
    assertEquals(0, unrecoverable(), "groups that the status gives up");
    return now[0];
  }

  static String describe(CoreStatus now) {
    StringBuilder text = new StringBuilder();
    if (now != null) {
      text.append(now.why).append(now.dissolved);
      for (CoreDirectory one : now.directories) {
        text.append("; ").append(one.path).append(one.waiting).append(one.failure);
        for (Number number : Number.values()) {
          text.append(' ').append(number).append(' ').append(one.get(number));
        }
      }
    }
    return text.toString();
  }

  /** Returns how many block groups {@code hdfs ppr -status} counts as lost. */
  private int unrecoverable() throws IOException, InterruptedException {
    JsonNode status = new ObjectMapper().readTree(
        PprCommand.run(cluster.processes, READ_LIMIT, List.of("-status", "-json")));
    return status.required("unrecoverable").asInt();
  }

  /**
   * Waits until operators see that block groups are lost, and nothing else is; or that none is.
   *
   * @param groups how many block groups are lost
   */
  void awaitReported(int groups) throws IOException, InterruptedException, TimeoutException {
    String[] seen = {""};
    Await.until(() -> "status and fsck report " + groups + " lost groups: " + seen[0], LIMIT,
        CoreCalls.POLL, () -> {
          int unrecoverable = unrecoverable();
          Fsck fsck = Fsck.of(cluster.processes.clientConf());
          seen[0] = unrecoverable + ", " + fsck;
          return unrecoverable == groups && fsck.isHealthy() == (groups == 0);
        });
  }

  /** Checks that neither client makes up bytes that are lost. */
  void isRefused(VersionFile file) throws IOException {
    try (DistributedFileSystem reader = reader()) {
      assertThrows(IOException.class, () -> file.content.isIn(reader, file.path));
    }
    assertThrows(IOException.class, () -> file.content.isIn(cluster.client(), file.path));
  }

  @Override
  public String toString() {
    return replicas.replicas() + " replicas compared, " + zeros.size()
        + " squares seen to be zero, " + reads + " reads of files";
  }
}
