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

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.formation.ProtectedFiles;

/**
 * Lists a directory and those below it, page by page, and returns the files of each directory
 * together. It knows directories by their inode ids, so that a rename in the meantime leads to no
 * other directory. A directory with very many files comes in several parts. Not thread-safe.
 */
@InterfaceAudience.Private
final class DirectoryTour {
  /** The most files of a part. A plan takes some 300 bytes for each of them. */
  static final int FILES_MAX = 20_000;

  /** Some files of a directory. Immutable. */
  static final class Part {
    final long directoryId;
    final List<CoreFolder.Entry> files;

    private Part(long directoryId, List<CoreFolder.Entry> files) {
      this.directoryId = directoryId;
      this.files = Collections.unmodifiableList(files);
    }
  }

  private final CoreFolder folder;
  private final boolean recursive;
  private final LongPredicate isOthers;
  /** The directories that are still to come, by their inodes; the next one first. */
  private final Deque<Long> directories = new ArrayDeque<>();
  private List<CoreFolder.Entry> files = new ArrayList<>();
  private String after = "";

  /**
   * @param inodeId inode id of the directory
   * @param recursive whether to go through the directories below it, too
   * @param isOthers says of a directory below it whether it has a tour of its own, and is left out
   */
  DirectoryTour(CoreFolder folder, long inodeId, boolean recursive, LongPredicate isOthers) {
    this.folder = folder;
    this.recursive = recursive;
    this.isOthers = isOthers;
    directories.push(inodeId);
  }

  boolean isAtEnd() {
    return directories.isEmpty();
  }

  /**
   * Lists one page.
   *
   * @return the files of a directory, if the page was its last one or {@link #FILES_MAX} files have
   *     come together; otherwise empty
   * @throws IOException if the NameNode does not list it now; the next call tries it again
   */
  Optional<Part> next() throws IOException {
    long directory = directories.peek();
    CoreFolder.Page page = folder.list(directory, after).orElse(null);
    boolean hasMore = page != null && page.hasMore && !page.last.equals(after);
    if (page != null) {
      after = page.last;
    }
    List<Long> below = new ArrayList<>();
    for (CoreFolder.Entry entry : page == null ? List.<CoreFolder.Entry>of() : page.entries) {
      if (!entry.directory) {
        files.add(entry);
      } else if (recursive && !ProtectedFiles.isSkipped(entry.name)
          && !isOthers.test(entry.inodeId)) {
        below.add(entry.inodeId);
      }
    }
    if (hasMore) {
      directories.addAll(below);
      return files.size() < FILES_MAX ? Optional.empty() : Optional.of(part(directory));
    }
    directories.pop();
    directories.addAll(below);
    after = "";
    return Optional.of(part(directory));
  }

  private Part part(long directory) {
    Part part = new Part(directory, files);
    files = new ArrayList<>();
    return part;
  }
}
