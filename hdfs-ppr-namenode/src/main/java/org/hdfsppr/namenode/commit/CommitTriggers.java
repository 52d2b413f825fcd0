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

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.WaitingUpdates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when files are committed without a call: when updates have changed many stripes, when they
 * have many bytes, when they are old, or when a log is full. It looks at the files whose tickets
 * clients have got lately. Thread-safe; one thread takes the steps.
 */
@InterfaceAudience.Private
final class CommitTriggers {
  private static final Logger LOG = LoggerFactory.getLogger(CommitTriggers.class);
  /** The most files that are looked at; the one that was asked for the longest ago is forgotten. */
  private static final int FILES_MAX = 4_096;
  /** How many times as long as a look at a file took, the file rests. */
  private static final long RESTS = 20;
  /** How often a file without updates is looked at before it is forgotten. */
  private static final int EMPTY_LOOKS_MAX = 3;

  /** Looks at logs, and commits. */
  interface Door {
    WaitingUpdates pending(String path) throws IOException;

    void commit(String path, UUID file) throws IOException;
  }

  /** What is known of a file. Guarded by the triggers. */
  private static final class Watched {
    private final UUID file;
    private final String path;
    private long dueMs;
    /** Since when there have been updates; negative if there were none. */
    private long sinceMs = -1;
    private int emptyLooks;
    private boolean isWanted;

    Watched(UUID file, String path, long dueMs) {
      this.file = file;
      this.path = path;
      this.dueMs = dueMs;
    }
  }

  private final CommitSettings settings;
  private final Door door;
  private final LongSupplier clockMs;
  /** In the order of the last tickets. Guarded by this. */
  private final Map<UUID, Watched> files = new LinkedHashMap<UUID, Watched>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Watched> eldest) {
      return size() > FILES_MAX;
    }
  };

  CommitTriggers(CommitSettings settings, Door door, LongSupplier clockMs) {
    this.settings = settings;
    this.door = door;
    this.clockMs = clockMs;
  }

  /** Takes note that a client has got tickets of a file. */
  synchronized void seen(String path, UUID file) {
    Watched known = files.get(file);
    if (known == null || !known.path.equals(path)) {
      files.put(file, new Watched(file, path, clockMs.getAsLong() + settings.lookMs()));
    } else {
      known.emptyLooks = 0;
    }
  }

  /** Lets all files with updates be committed soon, because a log is full. */
  synchronized void full() {
    for (Watched watched : files.values()) {
      watched.isWanted = true;
      watched.dueMs = Math.min(watched.dueMs, clockMs.getAsLong());
    }
  }

  /** Looks at the files that are due. */
  void step() {
    for (Watched watched : due()) {
      long beginMs = clockMs.getAsLong();
      try {
        WaitingUpdates pending = door.pending(watched.path);
        String why = why(watched, pending, beginMs);
        if (why != null) {
          LOG.info("{} is committed: {}", watched.path, why);
          door.commit(watched.path, watched.file);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("The logs of {} cannot be looked at now", watched.path, e);
        note(watched, false);
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
    watched.dueMs = now + Math.max(settings.lookMs(), RESTS * (now - beginMs));
    if (watched.emptyLooks >= EMPTY_LOOKS_MAX) {
      files.remove(watched.file, watched);
    }
  }

  private synchronized void note(Watched watched, boolean hasUpdates) {
    watched.emptyLooks = hasUpdates ? 0 : watched.emptyLooks + 1;
    if (!hasUpdates) {
      watched.sinceMs = -1;
    }
  }

  /** Returns why a file is committed now; null if it is not. */
  private synchronized String why(Watched watched, WaitingUpdates pending, long nowMs) {
    boolean wasWanted = watched.isWanted;
    watched.isWanted = false;
    note(watched, pending.updates() > 0);
    if (pending.updates() == 0) {
      return null;
    }
    if (watched.sinceMs < 0) {
      watched.sinceMs = nowMs;
    }
    if (wasWanted) {
      return "a log is full";
    }
    if (settings.stripes() > 0 && pending.stripes() >= settings.stripes()) {
      return pending.stripes() + " stripes have updates";
    }
    if (settings.bytes() > 0 && pending.loggedBytes() >= settings.bytes()) {
      return "its logs have " + pending.loggedBytes() + " bytes";
    }
    if (settings.ageMs() > 0 && nowMs - watched.sinceMs >= settings.ageMs()) {
      watched.sinceMs = nowMs;
      return "its updates are older than " + settings.ageMs() + " ms";
    }
    return null;
  }
}
