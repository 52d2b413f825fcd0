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
package org.hdfsppr.namenode.core;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.ReasonCounts;

/** Makes the status of a {@link CoreGroupManager}. Used by its thread. */
final class CoreStatusMaker {
  /** The reason shown to users if the configuration allows no groups to be formed. */
  static final String OFF = "dfs.namenode.ppr.core.concurrent is 0";

  private final CoreDoors doors;
  private final CoreSettings settings;
  private final ProtectedDirectories directories;
  private final CoreGroupRegistry shelf;
  private final ProtectedFileScanner walks;
  private final Dissolver dissolver;
  private final UnusedGroups unused;

  CoreStatusMaker(CoreSettings settings, CoreDoors doors, ProtectedDirectories directories,
      CoreGroupRegistry shelf, ProtectedFileScanner walks, Dissolver dissolver,
      UnusedGroups unused) {
    this.settings = settings;
    this.doors = doors;
    this.directories = directories;
    this.shelf = shelf;
    this.walks = walks;
    this.dissolver = dissolver;
    this.unused = unused;
  }

  /**
   * Returns the status. Its cost depends on how many directories are protected, and not on how many
   * groups there are.
   */
  CoreStatus now() {
    List<CoreDirectory> all = new ArrayList<>();
    directories.all().forEach(one -> all.add(of(one)));
    return new CoreStatus(why(), all, walks.forming.formed(), dissolver.counts,
        walks.forming.failed())
        .withUnused(unused.named(), unused.size()).withKept(dissolver.kept());
  }

  /** Returns why no groups are formed now; empty if groups are formed. */
  private String why() {
    if (settings.concurrent == 0) {
      return OFF;
    }
    if (doors.namespace.isInSafeMode()) {
      return "the NameNode is in safe mode";
    }
    return doors.engine.isActive() ? doors.engine.status().waits
        : doors.gate.whyNoJobs().orElse("versions of files are not made here yet");
  }

  /** Returns the status of a protected directory. */
  CoreDirectory of(ProtectedDirectory directory) {
    long id = directory.inodeId;
    return CoreDirectory.of(directory.path, directory.files, directory.recursive).with(status -> {
      shelf.numbers(id).forEach((number, value) -> status.setField(number.field, value));
      status.setUser(directory.user)
          .addAllWaiting(ReasonCounts.toProtos(walks.waiting(id)))
          .setFailure(directory.isReadable() ? walks.forming.failure(id) : directory.trouble)
          .setWalkedMs(walks.walkedMs(id))
          .setForming(walks.forming.running(id))
          .setQueued(walks.forming.queued(id));
    });
  }
}
