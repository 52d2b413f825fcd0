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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores how far the passes are, in extended attributes of their paths. After a restart of the
 * NameNode or a failover, a pass goes on from there. Not thread-safe.
 */
final class ScrubProgressStore {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubProgressStore.class);
  /**
   * The time between two notes at one path, ms. Each note is a transaction in the NameNode's edit
   * log.
   */
  static final long WRITE_EVERY_MS = 60_000;

  private static final class Kept {
    private byte[] text;
    private boolean failed;
    private long writtenMs = Long.MIN_VALUE / 2;
  }

  private final ScrubNamespace namespace;
  private final Map<String, Kept> kept = new HashMap<>();

  ScrubProgressStore(ScrubNamespace namespace) {
    this.namespace = namespace;
  }

  /**
   * Reads the note of a path.
   *
   * @return the note; {@link PassNote#NONE} if there is no note, or if the stored text cannot be
   *     read; empty if the NameNode does not answer now, so that the caller has to read the note
   *     later
   */
  Optional<PassNote> read(String path) {
    kept.remove(path);
    try {
      byte[] text = namespace.note(path).orElse(null);
      if (text == null) {
        return Optional.of(PassNote.NONE);
      }
      PassNote note = PassNote.parse(text);
      Kept last = new Kept();
      last.text = text;
      kept.put(path, last);
      LOG.info("Background checks of {} go on: {}", path, note);
      return Optional.of(note);
    } catch (FileNotFoundException e) {
      LOG.debug("{} does not exist, so that it has no note", path, e);
      return Optional.of(PassNote.NONE);
    } catch (StandbyException | RetriableException e) {
      LOG.debug("The note of {} cannot be read yet", path, e);
      return Optional.empty();
    } catch (IOException e) {
      // The warning below is enough. If notes cannot be written, either, keep() does not warn
      // again.
      kept.computeIfAbsent(path, key -> new Kept()).failed = true;
      LOG.warn("What background checks noted at {} cannot be read, so that they"
          + " begin anew: {}", path, e.toString());
      return Optional.of(PassNote.NONE);
    }
  }

  /**
   * Stores the note of a path, unless one was written shortly before or the note says nothing new.
   *
   * @param isUrgent whether to write the note even shortly after the last one
   */
  void keep(String path, PassNote note, boolean isUrgent, long nowMs) {
    Kept last = kept.computeIfAbsent(path, key -> new Kept());
    if (!isUrgent && nowMs - last.writtenMs < WRITE_EVERY_MS) {
      return;
    }
    byte[] text = note.toBytes();
    if (Arrays.equals(text, last.text)) {
      return;
    }
    // Set even if the note cannot be written, so that it is not tried again at once.
    last.writtenMs = nowMs;
    try {
      namespace.keepNote(path, text);
      last.text = text;
      last.failed = false;
    } catch (IOException e) {
      if (last.failed) {
        LOG.debug("There is still no note at {}", path, e);
        return;
      }
      last.failed = true;
      LOG.warn("Background checks cannot note at {} how far they are. They go on, and begin anew"
          + " after a restart or a failover: {}", path, e.toString());
    }
  }
}
