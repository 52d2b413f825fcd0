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
package org.hdfsppr.namenode.convert;

import java.util.concurrent.CompletableFuture;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionOutcome;

/** A file that the walk of a job has found, and what has become of it. Not thread-safe. */
final class FileWork {
  final int pathIndex;
  final String path;
  private long bytes;
  /** The outcome of the file's version, when it ends; null while no version is being made. */
  private CompletableFuture<VersionOutcome> version;
  /** Null until the file is done. */
  private FileResult result;

  FileWork(int pathIndex, String path) {
    this.pathIndex = pathIndex;
    this.path = path;
  }

  boolean isDone() {
    return result != null;
  }

  boolean isUnderWay() {
    return version != null;
  }

  FileResult result() {
    return result;
  }

  void done(FileResult end) {
    result = end;
    version = null;
  }

  void begun(long fileBytes, CompletableFuture<VersionOutcome> future) {
    bytes = fileBytes;
    version = future;
  }

  /**
   * If the version of the file has ended, takes its outcome.
   *
   * @return whether the file has to be tried again later, because the engine refused or stopped the
   *     version for a reason that passes
   */
  boolean look() {
    if (version != null && version.isDone()) {
      VersionOutcome outcome = version.handle((end, e) -> e == null ? end
          : VersionOutcome.notPublished(VersionEnd.FAILED, "the engine has failed: " + e,
              VersionBytes.NONE)).join();
      version = null;
      FileResults.of(path, bytes, outcome).ifPresent(this::done);
      return !isDone();
    }
    return false;
  }
}
