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
package org.hdfsppr.namenode.commit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.hdfsppr.operate.WaitingUpdates;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when files are committed without a call: when updates have changed many stripes, when
 * they have many bytes, when they are old, or when a log is full. It looks at the files whose
 * tickets clients have got lately. Thread-safe; one thread takes the steps.
 */
final class CommitTriggers {
  private static final Logger LOG = LoggerFactory.getLogger(CommitTriggers.class);
  /**
   * The most files that the class looks at. Beyond that, it forgets the file for which clients have
   * not asked for the longest time.
   */
  private static final int FILES_MAX = 4_096;
  /** After a look, a file rests for this many times the duration of the look. */
  private static final long RESTS = 20;
  /** How often a file without updates is looked at before it is forgotten. */
  private static final int EMPTY_LOOKS_MAX = 3;
  /** How often a look may fail in a row before the file is forgotten until its next ticket. */
  private static final int FAILED_LOOKS_MAX = 1_000;
  /**
   * After a full log has begun commits of all files, a further one begins none for this time, ms. A
   * writer waits longer than that.
   */
  private static final long FULL_REST_MS = 30_000;
  /** The longest pause after commits that have published nothing, ms. */
  private static final long PAUSE_MS_MAX = 600_000;

  /** Looks at logs, commits, and trims. */
  interface Door {
    WaitingUpdates pending(String path) throws IOException;

    void commit(String path, UUID file) throws IOException;

    /** Trims the logs soon; does not block. */
    void trim(String path, UUID file);
  }

  /** What is known of a file. Guarded by the triggers. */
  private static final class Watched {
    private final UUID file;
    private final String path;
    private long dueMs;
    /** Since when looks have found updates, monotonic ms; negative if the last one found none. */
    private long sinceMs = -1;
    private int emptyLooks;
    private int failedLooks;
    private boolean isWanted;
    /** The last commit that the file's version had when this class last began a commit. */
    private long committed = -1;
    /** The pause after that commit if it publishes nothing, ms, and until when it lasts. */
    private long pauseMs;
    private long pausedToMs;

    Watched(UUID file, String path, long dueMs) {
      this.file = file;
      this.path = path;
      this.dueMs = dueMs;
    }
  }

  private final CommitSettings settings;
  private final Door door;
  private final LongSupplier clockMs;
  /** The watched files; the one whose last ticket is the oldest comes first. Guarded by this. */
  private final Map<UUID, Watched> files = new LinkedHashMap<UUID, Watched>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Watched> eldest) {
      return size() > FILES_MAX;
    }
  };

  /** The first file that the next pass over the records has to take; null to take all. */
  private String resume;
  /** The file that the present pass over the records has named last. */
  private String recorded;
  /** How many passes over the records have begun. */
  private int passes;
  private int resumePass;
  private boolean wasFull;
  private long fullMs;

  CommitTriggers(CommitSettings settings, Door door, LongSupplier clockMs) {
    this.settings = settings;
    this.door = door;
    this.clockMs = clockMs;
  }

  /** Takes note that a client has got tickets of a file. */
  synchronized void seen(String path, UUID file) {
    Watched known = files.get(file);
    if (known == null || !known.path.equals(path)) {
      files.put(file, new Watched(file, path, clockMs.getAsLong() + settings.lookMs));
    } else {
      known.emptyLooks = 0;
    }
  }

  /**
   * Takes note of a file that may have updates, because the namespace has terms of it. Passes over
   * these records come again and again, in the order of the UUIDs as texts. One look shows whether
   * the file has updates. If there are too many files, the next pass takes the others.
   */
  synchronized void recorded(String path, UUID file) {
    String name = file.toString();
    passes += recorded != null && name.compareTo(recorded) <= 0 ? 1 : 0;
    recorded = name;
    if (resume != null && passes - resumePass > 1) {
      // The files that the next pass was to take are gone.
      resume = null;
    }
    if (files.containsKey(file) || resume != null && name.compareTo(resume) < 0) {
      return;
    }
    if (files.size() >= FILES_MAX) {
      resumePass = resume == null ? passes : resumePass;
      resume = resume == null ? name : resume;
      return;
    }
    resume = null;
    Watched watched = new Watched(file, path, clockMs.getAsLong() + settings.lookMs);
    watched.emptyLooks = EMPTY_LOOKS_MAX - 1;
    files.put(file, watched);
  }

  /** Has all files with updates committed soon, because a log is full. */
  synchronized void full() {
    long now = clockMs.getAsLong();
    if (wasFull && now - fullMs < FULL_REST_MS) {
      // Any writer may report a full log, at any rate.
      return;
    }
    wasFull = true;
    fullMs = now;
    for (Watched watched : files.values()) {
      watched.isWanted = true;
      watched.dueMs = Math.min(watched.dueMs, clockMs.getAsLong());
    }
  }

  /**
   * Looks at the files that are due.
   *
   * @param isStopped ends this before the next file, because the look at one may take a minute
   */
  void step(BooleanSupplier isStopped) {
    for (Watched watched : due()) {
      if (isStopped.getAsBoolean()) {
        return;
      }
      long beginMs = clockMs.getAsLong();
      try {
        WaitingUpdates pending = door.pending(watched.path);
        if (pending.trimmed < pending.committed) {
          // Clients may never ask for this file again, and its updates take room that other files
          // need.
          door.trim(watched.path, watched.file);
        }
        String why = why(watched, pending, beginMs);
        if (why != null) {
          LOG.info("{} is committed: {}", PeerText.oneLine(watched.path), why);
          door.commit(watched.path, watched.file);
          begun(watched, pending, beginMs);
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} is gone, or has another name", PeerText.oneLine(watched.path),
            PeerText.oneLine(e));
        note(watched, false);
      } catch (IOException | RuntimeException e) {
        // The file may have updates all the same: DataNodes are silent, or too many commits wait.
        LOG.debug("{} cannot be looked at or committed now", PeerText.oneLine(watched.path),
            PeerText.oneLine(e));
        failed(watched);
      }
      rest(watched, beginMs);
    }
  }

  private synchronized List<Watched> due() {
    long now = clockMs.getAsLong();
    List<Watched> due = new ArrayList<>();
    for (Watched watched : files.values()) {
      if (now >= watched.dueMs) {
        due.add(watched);
      }
    }
    return due;
  }

  private synchronized void rest(Watched watched, long beginMs) {
    long now = clockMs.getAsLong();
    watched.dueMs = now + Math.max(settings.lookMs, RESTS * (now - beginMs));
    if (watched.emptyLooks >= EMPTY_LOOKS_MAX || watched.failedLooks >= FAILED_LOOKS_MAX) {
      files.remove(watched.file, watched);
    }
  }

  private synchronized void note(Watched watched, boolean hasUpdates) {
    watched.failedLooks = 0;
    watched.emptyLooks = hasUpdates ? 0 : watched.emptyLooks + 1;
    if (!hasUpdates) {
      watched.sinceMs = -1;
      watched.isWanted = false;
    }
  }

  private synchronized void failed(Watched watched) {
    watched.failedLooks++;
  }

  /**
   * Takes note that a commit was begun. If it fails, the next one begins after a pause, which
   * doubles each time: a commit gives all units other terms, for which writers wait.
   */
  private synchronized void begun(Watched watched, WaitingUpdates pending, long nowMs) {
    watched.isWanted = false;
    watched.sinceMs = nowMs;
    watched.pauseMs = watched.committed == pending.committed
        ? Math.min(PAUSE_MS_MAX, 2 * watched.pauseMs) : settings.lookMs;
    watched.committed = pending.committed;
    watched.pausedToMs = nowMs + watched.pauseMs;
  }

  /** Returns why a file is committed now; null if it is not. */
  private synchronized String why(Watched watched, WaitingUpdates pending, long nowMs) {
    if (pending.updates == 0 && pending.silentUnits > 0) {
      watched.failedLooks++;
      return null;
    }
    note(watched, pending.updates > 0);
    if (pending.updates == 0) {
      return null;
    }
    if (watched.sinceMs < 0) {
      watched.sinceMs = nowMs;
    }
    if (pending.committed == watched.committed && nowMs < watched.pausedToMs) {
      return null;
    }
    if (watched.isWanted) {
      return "a log is full";
    }
    if (settings.stripes > 0 && pending.stripes >= settings.stripes) {
      return pending.stripes + " stripes have updates";
    }
    if (settings.bytes > 0 && pending.loggedBytes >= settings.bytes) {
      return "its logs have " + pending.loggedBytes + " bytes";
    }
    if (settings.ageMs > 0 && nowMs - watched.sinceMs >= settings.ageMs) {
      return "its updates are older than " + settings.ageMs + " ms";
    }
    return null;
  }
}
