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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.walk.Directories;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.wire.PeerText;

/**
 * Walks over the files of a job, path after path, with the rights of its user. When it enters a
 * directory whose policy could be converted as that of a file, it sets the new policy there, so
 * that new files get it, too. Not thread-safe.
 */
@InterfaceAudience.Private
final class JobWalk implements Directories {
  private static final String FIRST = "";

  private final JobRecord job;
  private final ConvertNamespace namespace;
  private final VersionEngine engine;
  private final Consumer<FileResult> notes;
  private int index;
  private TreeWalk walk;

  /** @param notes takes what happens to directories */
  JobWalk(JobRecord job, ConvertNamespace namespace, VersionEngine engine,
      Consumer<FileResult> notes) {
    this.job = job;
    this.namespace = namespace;
    this.engine = engine;
    this.notes = notes;
    index = job.pathIndex;
    walk = new TreeWalk(this, path(), job.cursor);
  }

  private String path() {
    return job.request.paths.get(index);
  }

  /** Returns whether there is no further file. */
  boolean isAtEnd() {
    return walk.isAtEnd() && index == job.request.paths.size() - 1;
  }

  /**
   * Finds the next file.
   *
   * @return the file; empty if there is none, or if the search goes on with the next call
   * @throws IOException if the NameNode does not list a directory now; the next call tries it again
   */
  Optional<FileWork> next() throws IOException {
    while (true) {
      try {
        Optional<String> file = walk.next();
        if (file.isPresent()) {
          return file.map(path -> new FileWork(index, path));
        }
      } catch (FileNotFoundException e) {
        // The path itself is gone. An empty walk goes on with the next path.
        notes.accept(FileResults.directoryRefused(path(), "not_found", path()
            + " does not exist any more"));
        walk = new TreeWalk(this, path(), path());
      }
      if (!walk.isAtEnd() || isAtEnd()) {
        return Optional.empty();
      }
      index++;
      walk = new TreeWalk(this, path(), null);
    }
  }

  @Override
  public Listing list(String path, String after) throws IOException {
    Listing listing;
    try {
      listing = namespace.list(job.user, path, after);
    } catch (AccessControlException e) {
      notes.accept(FileResults.directoryRefused(path, "no_permission", "User " + job.user
          + " may not list " + path + "; ask its owner for READ and EXECUTE"));
      return new Listing(List.of(), false);
    }
    if (after.equals(FIRST)) {
      enter(path);
    }
    return listing;
  }

  private void enter(String path) throws IOException {
    if (job.request.options.filesOnly) {
      return;
    }
    PathStatus status = namespace.status(path).orElse(null);
    String target = job.request.options.policy;
    if (status == null || !status.directory || status.policy == null
        || status.policy.equals(target) || !isSameShape(status.policy, target)) {
      return;
    }
    if (job.request.options.dryRun) {
      // A directory with the policy of the path has it from there.
      if (path.equals(path()) || !status.policy.equals(policyOfPath())) {
        notes.accept(FileResults.directory());
      }
      return;
    }
    try {
      namespace.setPolicy(job.user, path, target);
      notes.accept(FileResults.directory());
    } catch (StandbyException | RetriableException | SafeModeException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      notes.accept(FileResults.directoryRefused(path, "directory_policy", "New files in " + path
          + " keep the policy " + status.policy + ": " + firstLine(e)));
    }
  }

  private String policyOfPath() throws IOException {
    return namespace.status(path()).map(status -> status.policy).orElse(null);
  }

  private boolean isSameShape(String from, String to) throws IOException {
    PolicyFacts a = engine.policy(from).orElse(null);
    PolicyFacts b = engine.policy(to).orElse(null);
    return a != null && b != null && a.code.dataUnits == b.code.dataUnits
        && a.code.cellBytes == b.code.cellBytes;
  }

  private static String firstLine(Exception e) {
    return PeerText.firstLine(e);
  }
}
