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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.core.CoreFolder;
import org.hdfsppr.operate.CoreStatus;

/** What users ask of CORE on a cluster, and what CORE keeps in the namespace. */
final class CoreCalls {
  /** All that CORE keeps: parity files, and what is being made. */
  private static final Path KEPT = new Path(CoreFolder.ROOT);

  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  /** A directory in which a group could not be made rests for a minute. */
  static final Duration FORMED_LIMIT = Duration.ofMinutes(5);
  static final Duration POLL = Duration.ofMillis(500);

  private final VersionsCluster cluster;

  CoreCalls(VersionsCluster cluster) {
    this.cluster = cluster;
  }

  /** Protects the files of a directory. Their groups are formed in the background. */
  void protect(Path folder, int filesPerGroup) throws IOException, InterruptedException {
    run("-protect", folder.toUri().getPath(), "-t", "" + filesPerGroup);
  }

  void unprotect(Path folder) throws IOException, InterruptedException {
    run("-unprotect", folder.toUri().getPath());
  }

  /** Runs {@code hdfs ppr -core}, and fails if it does not end with 0. */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("-core"));
    all.addAll(List.of(arguments));
    return PprCommand.run(cluster.processes, COMMAND_LIMIT, all);
  }

  /** Asks the active NameNode what {@code hdfs ppr -core -status} asks. */
  CoreStatus status() throws IOException {
    return PluginCalls.of(cluster.processes.clientConf(), CoreCalls::pause, Time::monotonicNow)
        .call(plugin -> plugin.coreStatus(null));
  }

  private static boolean pause(long seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the files that CORE keeps. */
  List<Path> kept() throws IOException {
    List<Path> kept = new ArrayList<>();
    if (cluster.client().exists(KEPT)) {
      RemoteIterator<LocatedFileStatus> all = cluster.client().listFiles(KEPT, true);
      while (all.hasNext()) {
        kept.add(all.next().getPath());
      }
    }
    return kept;
  }

  /** Returns whether a file is a parity file, finished or not. */
  static boolean isParity(Path file) {
    return file.toUri().getPath().startsWith(CoreFolder.GROUPS + "/");
  }

  /** Returns whether all of some files are parity files of groups. */
  boolean areGroups(List<Path> kept) throws IOException {
    for (Path one : kept) {
      if (!isParity(one) || record(one).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the record of a file that CORE keeps; empty if it is unfinished, or gone. */
  Optional<byte[]> record(Path kept) throws IOException {
    try {
      return Optional.ofNullable(
          cluster.client().getXAttrs(kept).get("trusted." + CoreFolder.XATTR));
    } catch (FileNotFoundException e) {
      // Its group was dissolved a moment ago.
      return Optional.empty();
    }
  }

  /**
   * Waits until CORE keeps nothing but the parity files of {@code count} groups.
   *
   * @return the paths of the parity files
   */
  List<Path> awaitKept(int count) throws IOException, InterruptedException, TimeoutException {
    List<Path> kept = new ArrayList<>();
    Await.until(() -> "CORE keeps " + count + " parity files and nothing else: " + kept,
        FORMED_LIMIT, POLL, () -> {
          kept.clear();
          kept.addAll(kept());
          return kept.size() == count && areGroups(kept);
        });
    return kept;
  }
}
