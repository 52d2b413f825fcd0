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
package org.hdfsppr.namenode.scrub;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.LoggerFactory;

/**
 * One pass over the files at or below a path. It keeps a window of the groups that are next, so
 * that checks of groups on other nodes need not wait for each other. The progress that is stored is
 * the last file that is done together with all files before it. Not thread-safe.
 */
final class ScrubPass {
  /** How many groups wait or are checked at most: enough to keep some thousand DataNodes busy. */
  static final int WINDOW_MAX = 512;
  /** How many files may be open at most: done or begun while an earlier file is not done. */
  static final int FILES_MAX = 1_024;
  /**
   * How many calls about files one step makes to the NameNode at most. Most take well under 1 ms.
   */
  private static final int CALLS_PER_STEP = 32;
  /**
   * After it has listed this many pages, a step looks for no further file. The search under way may
   * still list {@link TreeWalk#PAGES_PER_CALL} pages. A page has at most 1,000 entries
   * (dfs.ls.limit) and takes about 1 ms. So a step lists for about 0.1 s, in which the thread takes
   * no reports and cancels no checks.
   */
  static final int PAGES_PER_STEP = 64;

  private static final class FileWork {
    private final String path;
    /** Offset in the file of the last group that was put into the window. */
    private long fedTo = -1;
    private boolean fed;
    private int unsettled;
    private ScrubCounts counts = ScrubCounts.NONE;

    FileWork(String path) {
      this.path = path;
    }
  }

  /** A group in the window. */
  static final class Task {
    private final FileWork file;
    private ScrubTarget group;
    private long seenMs;
    private int tries;
    private long restsUntilMs = Long.MIN_VALUE;

    private Task(FileWork file, ScrubTarget group, long seenMs) {
      this.file = file;
      this.group = group;
      this.seenMs = seenMs;
    }

    ScrubTarget group() {
      return group;
    }

    /** Returns when the NameNode described the group, monotonic, ms. */
    long seenMs() {
      return seenMs;
    }

    /** Returns how many checks of the group have ended without a result. */
    int tries() {
      return tries;
    }

    /**
     * Returns whether the group may be checked now: its wait after {@link #giveBack(Task, long)} is
     * over.
     */
    boolean isRested(long nowMs) {
      return nowMs >= restsUntilMs;
    }

    /** Counts a check without a result, and returns how many there were. */
    int tried() {
      return ++tries;
    }
  }

  private static final PeerLog PEER_LOG = new PeerLog(LoggerFactory.getLogger(ScrubPass.class));

  private final ScrubNamespace namespace;
  private final TreeWalk walk;
  private final Deque<FileWork> files = new ArrayDeque<>();
  private final Set<Task> waiting = new LinkedHashSet<>();
  private int atWork;
  private ScrubCounts news = ScrubCounts.NONE;
  private PassNote note;

  /** @param note a pass that is under way; the walk begins behind its cursor */
  ScrubPass(ScrubNamespace namespace, String path, PassNote note) {
    this.namespace = namespace;
    this.note = note;
    this.walk = new TreeWalk(namespace, path, note.cursor);
  }

  /**
   * Puts further groups into the window if at least half of it is free.
   *
   * @throws java.io.FileNotFoundException if there is nothing at the path of the pass
   * @throws IOException if the NameNode does not answer now; the next call then goes on with the
   *     same file
   */
  void fill(long nowMs) throws IOException {
    if (waiting.size() + atWork > WINDOW_MAX / 2) {
      return;
    }
    long listedBefore = walk.pagesListed();
    for (int calls = 0; calls < CALLS_PER_STEP && waiting.size() + atWork < WINDOW_MAX; calls++) {
      FileWork last = files.peekLast();
      if (last != null && !last.fed) {
        feed(last, nowMs);
      } else if (walk.isAtEnd() || files.size() >= FILES_MAX
          || walk.pagesListed() - listedBefore >= PAGES_PER_STEP) {
        return;
      } else {
        Optional<String> next = walk.next();
        next.ifPresent(path -> files.add(new FileWork(path)));
        if (!next.isPresent()) {
          return;
        }
      }
    }
  }

  private void feed(FileWork file, long nowMs) throws IOException {
    List<ScrubTarget> groups = describe(file).orElse(null);
    if (groups == null) {
      count(file, ScrubCounts.skipped());
      file.fed = true;
      return;
    }
    for (ScrubTarget group : groups) {
      if (group.start <= file.fedTo) {
        continue;
      }
      if (waiting.size() + atWork >= WINDOW_MAX) {
        return;
      }
      file.fedTo = group.start;
      if (group.open) {
        count(file, ScrubCounts.skipped());
      } else {
        waiting.add(new Task(file, group, nowMs));
        file.unsettled++;
      }
    }
    file.fed = true;
  }

  /**
   * Returns the groups of a file; empty if the NameNode fails to describe them, which it would do
   * again.
   */
  private Optional<List<ScrubTarget>> describe(FileWork file) throws IOException {
    try {
      return Optional.of(namespace.groups(file.path));
    } catch (RuntimeException e) {
      // Another try would fail as well, and the pass would never end.
      PEER_LOG.warn("describe " + e.getClass().getName(), "Background checks leave out {}, which"
          + " the NameNode cannot describe", PeerText.oneLine(file.path), e);
      return Optional.empty();
    }
  }

  /** Returns the groups that wait for a check, in the order in which they should be checked. */
  List<Task> waiting() {
    return new ArrayList<>(waiting);
  }

  /** Returns whether a group waits: no check of it runs, and it has no result yet. */
  boolean isWaiting(Task task) {
    return waiting.contains(task);
  }

  /**
   * Describes a waiting group anew, and with it the other waiting groups of its file.
   *
   * @return whether the group is still there and is not being written
   * @throws IOException if the NameNode does not answer now
   */
  boolean refresh(Task task, long nowMs) throws IOException {
    Map<Long, ScrubTarget> there = new HashMap<>();
    Optional<List<ScrubTarget>> groups = describe(task.file);
    for (ScrubTarget group : groups.orElse(Collections.emptyList())) {
      there.put(group.id().groupId, group);
    }
    for (Task other : waiting()) {
      if (other.file == task.file) {
        ScrubTarget group = there.get(other.group.id().groupId);
        if (!groups.isPresent()) {
          settle(other, ScrubCounts.skipped());
        } else if (group == null) {
          // It was deleted, so that there is nothing to check and nothing to count.
          settle(other, ScrubCounts.NONE);
        } else if (group.open) {
          settle(other, ScrubCounts.skipped());
        } else {
          other.group = group;
          other.seenMs = nowMs;
        }
      }
    }
    return waiting.contains(task);
  }

  /**
   * Describes the group of a check anew.
   *
   * @return the group as it is now; empty if it is not there any more
   * @throws IOException if the NameNode does not answer now
   */
  Optional<ScrubTarget> lookAt(Task task) throws IOException {
    return describe(task.file).orElse(Collections.emptyList()).stream()
        .filter(group -> group.id().groupId == task.group.id().groupId).findFirst();
  }

  /** Takes a waiting group out of the window for its check. */
  void begin(Task task) {
    waiting.remove(task);
    atWork++;
  }

  /** Puts a group back whose check has ended without a result. It waits behind all others. */
  void giveBack(Task task) {
    atWork--;
    waiting.add(task);
  }

  /**
   * Puts a group back that must not be checked for a while.
   *
   * @param untilMs when it may be checked again, monotonic, ms
   */
  void giveBack(Task task, long untilMs) {
    task.restsUntilMs = untilMs;
    giveBack(task);
  }

  /** Counts the result of a group whose check has ended. */
  void end(Task task, ScrubCounts found) {
    atWork--;
    task.file.unsettled--;
    count(task.file, found);
  }

  /** Counts the result of a waiting group that is not checked, and removes the group. */
  void settle(Task task, ScrubCounts found) {
    waiting.remove(task);
    task.file.unsettled--;
    count(task.file, found);
  }

  private void count(FileWork file, ScrubCounts found) {
    file.counts = file.counts.plus(found);
    news = news.plus(found);
  }

  /** Returns what was found since the last call. */
  ScrubCounts takeNews() {
    ScrubCounts taken = news;
    news = ScrubCounts.NONE;
    return taken;
  }

  /** Moves the note behind the files that are done by now, and returns it. */
  PassNote advance() {
    for (FileWork first = files.peek(); first != null && first.fed && first.unsettled == 0;
        first = files.peek()) {
      note = note.advanced(first.path, first.counts);
      files.remove();
    }
    return note;
  }

  /** Returns whether all files are done. */
  boolean isDone() {
    return walk.isAtEnd() && files.isEmpty();
  }

  /** Returns the results of the pass so far, also those of files that are not done. */
  ScrubCounts counts() {
    ScrubCounts all = note.counts;
    for (FileWork file : files) {
      all = all.plus(file.counts);
    }
    return all;
  }
}
