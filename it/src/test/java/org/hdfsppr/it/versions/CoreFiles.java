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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.util.EcCode;

/** The files of a random run of CORE, with their right contents, and what users do to them. */
final class CoreFiles {
  static final int FILES_PER_GROUP = 3;
  /** All files lie below it, except those in the trash. */
  static final Path FOLDER = new Path("/core-kills");
  private static final EcCode RS = VersionFile.CODES.get(0);
  private static final EcCode CORE = core();
  private static final Path RS_FOLDER = new Path(FOLDER, "rs");
  private static final Path CORE_FOLDER = new Path(FOLDER, "core");
  /** Nothing in it is protected. */
  private static final Path OUTSIDE = new Path(FOLDER, "outside");
  private static final Path TRASH = new Path("/user/tests/.Trash/Current");

  private static final int FILES_MAX = 18;
  /** Such a file has one block group, and all of its units. */
  private static final long RS_BYTES = (11L << 20) / 2;
  /** Such a file has two block groups. */
  private static final long CORE_BYTES = VersionFile.BLOCK_BYTES * 6 + (1L << 20) + 17;
  private static final int SHORTER_MAX = 300_000;
  /** A file that would grow beyond it is deleted instead. */
  private static final long BYTES_TOO_MANY = 30L << 20;
  private static final List<FileChange> CHANGES = List.of(FileChange.APPEND, FileChange.REPLACE,
      FileChange.RENAME, FileChange.CONCAT, FileChange.SET_MODE, FileChange.SET_STORAGE_POLICY,
      FileChange.TRUNCATE);

  private final VersionsCluster cluster;
  private final Random random;
  private final List<VersionFile> files = new ArrayList<>();
  /** What files of snapshots contain, by their paths. */
  private final Map<Path, FileContent> snapshots = new HashMap<>();
  private int names;
  private long changedMs;

  CoreFiles(VersionsCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  private static EcCode core() {
    try {
      return EcCode.parse("core-t" + FILES_PER_GROUP + "-6-3");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the directories whose files are protected, at least at first. */
  static List<Path> folders() {
    return List.of(RS_FOLDER, CORE_FOLDER);
  }

  /** Makes the directories and some files. */
  void begin() throws IOException, InterruptedException, TimeoutException {
    RS.enable(client());
    CORE.enable(client());
    for (Path folder : List.of(RS_FOLDER, CORE_FOLDER, OUTSIDE, TRASH)) {
      client().mkdirs(folder);
    }
    client().setErasureCodingPolicy(RS_FOLDER, RS.policy());
    client().setErasureCodingPolicy(CORE_FOLDER, CORE.policy());
    // A file that replaces one there is striped as well.
    client().setErasureCodingPolicy(OUTSIDE, RS.policy());
    for (Path folder : folders()) {
      createGroup(folder);
      createGroup(folder);
    }
  }

  private DistributedFileSystem client() {
    return cluster.client();
  }

  private <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  List<VersionFile> all() {
    return Collections.unmodifiableList(files);
  }

  VersionFile at(Path path) {
    return files.stream().filter(file -> file.path.equals(path)).findFirst().orElseThrow();
  }

  /** Returns the paths of all files, also of those that only snapshots have. */
  List<Path> paths() {
    List<Path> paths = new ArrayList<>(snapshots.keySet());
    files.forEach(file -> paths.add(file.path));
    return paths;
  }

  Map<Path, FileContent> snapshots() {
    return Collections.unmodifiableMap(snapshots);
  }

  /** Returns when a file or a directory was last changed, ms since 1970 (UTC). */
  long changedMs() {
    return changedMs;
  }

  /** Remembers that something has changed. */
  void changed() {
    changedMs = System.currentTimeMillis();
  }

  private static boolean isInTrash(VersionFile file) {
    return file.path.toString().contains("/.Trash/");
  }

  /** Returns a file outside the trash; null if there is none. */
  private VersionFile some() {
    List<VersionFile> some = new ArrayList<>(files);
    some.removeIf(CoreFiles::isInTrash);
    return some.isEmpty() ? null : pick(some);
  }

  Path someFolder() {
    return pick(folders());
  }

  /** Writes a file, or deletes one if there are too many. */
  String create() throws IOException, InterruptedException, TimeoutException {
    return files.size() < FILES_MAX
        ? write(someFolder(), random.nextInt(4) == 0).toString() : delete(pick(files));
  }

  /** Writes as many files as form a group. */
  String createGroup(Path folder) throws IOException, InterruptedException, TimeoutException {
    while (files.size() > FILES_MAX) {
      delete(pick(files));
    }
    StringBuilder what = new StringBuilder();
    for (int i = 0; i < FILES_PER_GROUP; i++) {
      what.append(write(folder, false)).append(' ');
    }
    return what.toString().strip();
  }

  private VersionFile write(Path folder, boolean isShort)
      throws IOException, InterruptedException, TimeoutException {
    // Hadoop's client needs long for a file whose writing begins at a dead node.
    cluster.heal();
    boolean isCore = folder.equals(CORE_FOLDER);
    long bytes = isShort ? 1 + random.nextInt(1 << 20)
        : (isCore ? CORE_BYTES : RS_BYTES) - random.nextInt(SHORTER_MAX);
    VersionFile file = VersionFile.write(cluster, new Path(folder, "f" + names++),
        isCore ? CORE : RS, bytes, random.nextLong());
    files.add(file);
    changed();
    return file;
  }

  String delete(VersionFile file) throws IOException {
    if (!client().delete(file.path, false)) {
      throw new IOException(file + " is not deleted");
    }
    files.remove(file);
    changed();
    return file + " deleted";
  }

  String deleteSome() throws IOException {
    return files.isEmpty() ? "-" : delete(pick(files));
  }

  /** Moves a file to the trash. */
  String throwAway(VersionFile file) throws IOException {
    return move(file, new Path(TRASH, file.path.getName() + "-" + names++)) + " thrown away";
  }

  String throwSomeAway() throws IOException {
    VersionFile file = some();
    return file == null ? "-" : throwAway(file);
  }

  /** Takes a file out of the trash, or out of the directory that is not protected. */
  String restore() throws IOException {
    for (VersionFile file : files) {
      if (isInTrash(file) || file.path.getParent().equals(OUTSIDE)) {
        return move(file, new Path(someFolder(), "f" + names++)) + " restored";
      }
    }
    return "-";
  }

  String moveOut(VersionFile file) throws IOException {
    return move(file, new Path(OUTSIDE, "f" + names++)) + " moved out";
  }

  /**
   * Moves a file. HDFS notes the blocks of a file that is renamed after a snapshot, and then fails
   * to delete it if it is striped. So the snapshot of the file goes first.
   */
  private String move(VersionFile file, Path to) throws IOException {
    Path at = new Path(file.path.getParent(), ".snapshot/" + FileChange.SNAPSHOT_NAME);
    if (snapshots.containsKey(new Path(at, file.path.getName()))) {
      dropSnapshots();
    }
    if (!client().rename(file.path, to)) {
      throw new IOException(file + " is not renamed to " + to);
    }
    files.set(files.indexOf(file), file.at(to));
    changed();
    return file.toString();
  }

  String changeSome() throws IOException, InterruptedException, TimeoutException {
    VersionFile file = some();
    return file == null ? "-" : change(file);
  }

  /** Changes a file that is not in the trash at random. */
  String change(VersionFile file) throws IOException, InterruptedException, TimeoutException {
    if (file.content.bytes() > BYTES_TOO_MANY) {
      return delete(file);
    }
    cluster.heal();
    FileChange change;
    do {
      change = pick(CHANGES);
      // Hadoop fails to delete a striped file to which another one was added since a snapshot.
    } while (change == FileChange.CONCAT && !snapshots.isEmpty());
    files.set(files.indexOf(file), change.on(client(), file, random.nextLong()));
    changed();
    return file + " " + change;
  }

  /** Changes, moves or deletes a file at random. */
  String harm(VersionFile file) throws IOException, InterruptedException, TimeoutException {
    switch (random.nextInt(6)) {
      case 0:
        return delete(file);
      case 1:
        return throwAway(file);
      case 2:
        return moveOut(file);
      default:
        return change(file);
    }
  }

  /** Makes a snapshot of a directory that has none. */
  String snapshot() throws IOException {
    for (VersionFile file : files) {
      Path folder = file.path.getParent();
      Path at = new Path(folder, ".snapshot/" + FileChange.SNAPSHOT_NAME);
      if (folders().contains(folder)
          && snapshots.keySet().stream().noneMatch(path -> path.getParent().equals(at))) {
        FileChange.SNAPSHOT.on(client(), file, 0);
        for (VersionFile other : files) {
          if (other.path.getParent().equals(folder)) {
            snapshots.put(new Path(at, other.path.getName()), other.content.copy());
          }
        }
        return at.toString();
      }
    }
    return "-";
  }

  void dropSnapshots() throws IOException {
    for (Path folder : folders()) {
      if (snapshots.keySet().removeIf(path -> path.toString().startsWith(folder + "/"))) {
        client().deleteSnapshot(folder, FileChange.SNAPSHOT_NAME);
        client().disallowSnapshot(folder);
        changed();
      }
    }
  }
}
