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
 * Decides when a file is committed although no user has called for it: when updates have changed
 * many stripes, when they have many bytes, when they are old, or when a log is full. It looks at
 * the files for which clients got tickets lately, and at files that have terms in the namespace.
 * Thread-safe; one thread takes the steps.
 */
final class CommitTriggers {
  private static final Logger LOG = LoggerFactory.getLogger(CommitTriggers.class);
  /**
   * How many files are watched at most. One more file replaces the one whose last ticket is the
   * oldest.
   */
  private static final int FILES_MAX = 4_096;
  /**
   * If a look at a file's logs took some time, the next look comes at the earliest after this many
   * times that time.
   */
  private static final long RESTS = 20;
  /** After this many looks in a row that found no updates, the file is not watched any more. */
  private static final int EMPTY_LOOKS_MAX = 3;
  /** After this many failed looks, the file is not watched any more until its next ticket. */
  private static final int FAILED_LOOKS_MAX = 1_000;
  /**
   * When a log is full, commits of all files begin. Reports of full logs within this time after
   * that begin no further ones, ms. A writer without room waits longer than that.
   */
  private static final long FULL_REST_MS = 30_000;
  /** The pause after a commit that published nothing doubles each time, up to this bound, ms. */
  private static final long PAUSE_MS_MAX = 600_000;

  /** What the triggers can do: look at the logs of a file, commit it, and trim its logs. */
  interface Door {
    WaitingUpdates pending(String path) throws IOException;

    void commit(String path, UUID file) throws IOException;

    /** Schedules a trim of the file's logs; does not wait for it. */
    void trim(String path, UUID file);
  }

  /** The state of a watched file. Guarded by the enclosing object. */
  private static final class Watched {
    private final UUID file;
    private final String path;
    private long dueMs;
    /**
     * When a look first found updates, or when the last commit began, monotonic ms; negative if the
     * last look found none.
     */
    private long sinceMs = -1;
    private int emptyLooks;
    private int failedLooks;
    private boolean isWanted;
    /**
     * The number of the last published commit of the file when this class last began a commit of
     * it.
     */
    private long committed = -1;
    /**
     * If the commit that was begun last publishes nothing, the next one begins after this pause,
     * ms. The pause ends at {@link #pausedToMs}.
     */
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
  /** The watched files, in the order of their last tickets. Guarded by this. */
  private final Map<UUID, Watched> files = new LinkedHashMap<UUID, Watched>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Watched> eldest) {
      return size() > FILES_MAX;
    }
  };

  /**
   * The UUID of the first recorded file for which there was no room. The next pass skips the files
   * before it; null to skip none.
   */
  private String resume;
  /** The UUID of the recorded file that {@link #recorded(String, UUID)} was last called with. */
  private String recorded;
  /** How many passes over the recorded files have begun after the first one. */
  private int passes;
  private int resumePass;
  private boolean wasFull;
  private long fullMs;

  CommitTriggers(CommitSettings settings, Door door, LongSupplier clockMs) {
    this.settings = settings;
    this.door = door;
    this.clockMs = clockMs;
  }

  /** Notes that a client has got tickets of a file, and watches the file. */
  synchronized void seen(String path, UUID file) {
    Watched known = files.get(file);
    if (known == null || !known.path.equals(path)) {
      files.put(file, new Watched(file, path, clockMs.getAsLong() + settings.lookMs));
    } else {
      known.emptyLooks = 0;
    }
  }

  /**
   * Watches a file that has terms in the namespace, so that it may have updates. The caller passes
   * over all such files again and again, in the order of the UUIDs as texts. One look without
   * updates is enough to stop watching the file. If there is no room for all files, the next pass
   * begins with the first one that had no room.
   */
  synchronized void recorded(String path, UUID file) {
    String name = file.toString();
    passes += recorded != null && name.compareTo(recorded) <= 0 ? 1 : 0;
    recorded = name;
    if (resume != null && passes - resumePass > 1) {
      // The next pass is over, and has found no file from {@code resume} on: these files are gone.
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

  /** Makes the next step commit all watched files that have updates, because a log is full. */
  synchronized void full() {
    long now = clockMs.getAsLong();
    if (wasFull && now - fullMs < FULL_REST_MS) {
      // Any writer may report a full log, as often as it likes.
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
   * Looks at the files whose next look is due, and begins commits.
   *
   * @param isStopped is asked before each file; if it is true, no further file is looked at. A look
   *     may take a minute
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
          // Without this, updates that are already in a version would take room in logs until a
          // client asks for this file again.
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
        // The file stays watched, because it may have updates: DataNodes may be silent, or too many
        // commits may wait.
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
   * Notes that a commit of a file was begun. If it publishes nothing, the next one begins after a
   * pause, which doubles each time. Each commit replaces the terms of all units, and writers wait
   * for the new ones.
   */
  private synchronized void begun(Watched watched, WaitingUpdates pending, long nowMs) {
    watched.isWanted = false;
    watched.sinceMs = nowMs;
    watched.pauseMs = watched.committed == pending.committed
        ? Math.min(PAUSE_MS_MAX, 2 * watched.pauseMs) : settings.lookMs;
    watched.committed = pending.committed;
    watched.pausedToMs = nowMs + watched.pauseMs;
  }

  /** Returns the reason for which a file has to be committed now; null if it need not be. */
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
