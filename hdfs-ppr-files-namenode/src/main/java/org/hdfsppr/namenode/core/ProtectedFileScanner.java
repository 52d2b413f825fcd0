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
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.hdfsppr.core.formation.NewGroup;
import org.hdfsppr.core.formation.ProtectedFiles;
import org.hdfsppr.core.formation.UngroupedReason;
import org.hdfsppr.operate.CoreDirectory;

/**
 * Walks through the files of protected directories again and again, some pages in each step, and
 * plans groups of the files that are in none. Used by one thread.
 */
final class ProtectedFileScanner {
  /** How many pages of listings one step reads. A page has up to 1,000 entries. */
  private static final int PAGES_PER_STEP = 4;
  /**
   * When a group is dissolved, the next walk through its directory comes sooner, but not before
   * this many times the duration of the last walk. Otherwise the NameNode would list a large tree
   * without a pause if files in it come and go all the time.
   */
  private static final int REST_FACTOR = 9;

  /** The present walk through a directory, and the results of the last one. */
  private static final class Walk {
    private long dueMs;
    private DirectoryTour tour;
    private Map<String, Long> counting = new TreeMap<>();
    private Map<String, Long> waiting = Map.of();
    private long walkedMs = CoreDirectory.NEVER;
    private long beganMs;
    private long restMs;
    /**
     * Until this time, ms since 1970 (UTC), the directory is not walked, because a user submits
     * groups of it.
     */
    private long postponedMs;
    /**
     * Whether a group was dissolved since the present walk began, so that the next walk should come
     * sooner.
     */
    private boolean isWantedAgain;
  }

  private final CoreFolder folder;
  private final FilePlanner planner;
  private final CoreGroupRegistry shelf;
  final Forming forming;
  private final long intervalMs;
  private final Map<Long, Walk> walks = new HashMap<>();
  private int turn;

  /** @param intervalMs the time between two walks of a directory, ms */
  ProtectedFileScanner(CoreFolder folder, FilePlanner planner, CoreGroupRegistry shelf,
      Forming forming,
      long intervalMs) {
    this.folder = folder;
    this.planner = planner;
    this.shelf = shelf;
    this.forming = forming;
    this.intervalMs = intervalMs;
  }

  /** Makes the next walk through a directory begin at once. A walk that has begun starts again. */
  void hurry(long directory) {
    Walk walk = walks.computeIfAbsent(directory, none -> new Walk());
    walk.dueMs = 0;
    walk.postponedMs = 0;
    walk.tour = null;
  }

  /**
   * Makes the next walk through a directory come sooner, because a group of its files was
   * dissolved. A walk that has begun goes on: if it started again each time, it might never come to
   * the last files.
   */
  void soon(long directory) {
    Walk walk = walks.computeIfAbsent(directory, none -> new Walk());
    walk.isWantedAgain = true;
    if (walk.tour == null && walk.walkedMs != CoreDirectory.NEVER) {
      walk.dueMs = Math.min(walk.dueMs, walk.walkedMs + walk.restMs);
    }
  }

  /**
   * Postpones the walks through a directory by one interval, because a user submits groups of it.
   */
  void postpone(long directory, long nowMs) {
    walks.computeIfAbsent(directory, none -> new Walk()).postponedMs = nowMs + intervalMs;
  }

  void forget(long directory) {
    walks.remove(directory);
  }

  void clear() {
    walks.clear();
  }

  /**
   * Goes on with the walk through one of the directories that are due; they take turns.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   * @return whether a directory was due, so that the next step should come soon
   * @throws IOException if the NameNode does not answer; the next step tries it again
   */
  boolean step(Protections protections, long nowMs) throws IOException {
    Collection<ProtectedDirectory> directories = protections.directories();
    walks.keySet().removeIf(directory -> !protections.has(directory));
    List<ProtectedDirectory> due = new ArrayList<>();
    for (ProtectedDirectory directory : directories) {
      Walk walk = walks.computeIfAbsent(directory.inodeId, none -> new Walk());
      // Only if the queue has enough room: a walk that found more groups than that would have to
      // look at their files again.
      boolean hasRoom = forming.room() > Forming.QUEUE_MAX / 2
          && !forming.isResting(directory.inodeId, nowMs);
      // If the clock was set back, this must not stop the walks.
      boolean isPostponed = nowMs < walk.postponedMs && walk.postponedMs - nowMs <= intervalMs;
      boolean isEager = walk.waiting.containsKey(FilePlanner.word(UngroupedReason.NEXT_PLAN));
      if (hasRoom && !isPostponed && (walk.tour != null || isEager || nowMs >= walk.dueMs
          || walk.dueMs - nowMs > intervalMs)) {
        due.add(directory);
      }
    }
    if (due.isEmpty()) {
      return false;
    }
    turn = (turn + 1) % due.size();
    ProtectedDirectory directory = due.get(turn);
    walk(directory, walks.get(directory.inodeId), protections, nowMs);
    return true;
  }

  private void walk(ProtectedDirectory directory, Walk walk, Protections protections,
      long nowMs) throws IOException {
    if (walk.tour == null) {
      walk.counting = new TreeMap<>();
      walk.beganMs = nowMs;
      walk.isWantedAgain = false;
      walk.tour = new DirectoryTour(folder, directory.inodeId, directory.recursive,
          protections::hasTree);
    }
    for (int pages = 0; pages < PAGES_PER_STEP && !walk.tour.isAtEnd(); pages++) {
      Optional<DirectoryTour.Part> part = walk.tour.next();
      // A directory below that is protected without its subdirectories has its own walk, which
      // plans its files.
      if (part.isPresent() && (part.get().directoryId == directory.inodeId
          || !protections.has(part.get().directoryId))) {
        plan(directory, walk, part.get(), nowMs);
      }
    }
    if (walk.tour.isAtEnd()) {
      walk.tour = null;
      walk.waiting = walk.counting;
      walk.walkedMs = nowMs;
      walk.restMs = Math.min(intervalMs, REST_FACTOR * Math.max(0, nowMs - walk.beganMs));
      walk.dueMs = nowMs + (walk.isWantedAgain ? walk.restMs : intervalMs);
    }
  }

  private void plan(ProtectedDirectory directory, Walk walk, DirectoryTour.Part part, long nowMs)
      throws IOException {
    List<CoreFolder.Entry> free = new ArrayList<>();
    for (CoreFolder.Entry file : part.files) {
      if (!shelf.hasFile(file.inodeId) && !forming.hasFile(file.inodeId)) {
        free.add(file);
      }
    }
    FilePlanner.Plan plan = planner.plan(directory, part.directoryId, free,
        file -> forming.rests(file, nowMs), Math.max(1, forming.room()), nowMs);
    plan.waiting.forEach((reason, files) -> walk.counting.merge(reason, files, Long::sum));
    for (NewGroup group : plan.groups) {
      if (forming.room() > 0) {
        forming.add(directory, group, FormingQueue.OWN);
      } else {
        walk.counting.merge(FilePlanner.word(UngroupedReason.NEXT_PLAN),
            (long) group.files.size(), Long::sum);
      }
    }
  }

  /**
   * By reason, returns how many files of a directory were in no group at the end of its last walk.
   */
  Map<String, Long> waiting(long directory) {
    Walk walk = walks.get(directory);
    return walk == null ? Map.of() : walk.waiting;
  }

  /** Returns when the last walk of a directory ended, ms since 1970 (UTC). */
  long walkedMs(long directory) {
    Walk walk = walks.get(directory);
    return walk == null ? CoreDirectory.NEVER : walk.walkedMs;
  }

  /**
   * Lists a directory and those below it, page by page. It returns the files of each directory
   * together or, if they are very many, in several parts. It uses inode ids, so that a rename
   * during the tour does not lead it to another directory. Not thread-safe.
   */
  static final class DirectoryTour {
    /**
     * How many files a part has before it is returned; one more page may be in it. Planning takes
     * some 300 bytes for each file.
     */
    static final int FILES_MAX = 20_000;

    /** Files of one directory, which are planned together. Immutable. */
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
    /**
     * The inode ids of the directories that are still to be listed; the present one comes first.
     */
    private final Deque<Long> directories = new ArrayDeque<>();
    private List<CoreFolder.Entry> files = new ArrayList<>();
    private String after = "";

    /**
     * @param inodeId inode id of the directory
     * @param recursive whether to list the directories below it, too
     * @param isOthers returns, for the inode id of a directory below it, whether that directory is
     *     left out, because it has a tour of its own
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
     * @return the files of a directory, if this was its last page or if {@link #FILES_MAX} files
     *     have been listed; otherwise empty
     * @throws IOException if the NameNode does not list the directory now; the next call tries it
     *     again
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
}
