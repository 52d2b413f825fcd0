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

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers files with which a group could not be made, so that they are not tried again at once.
 * Not thread-safe.
 */
@InterfaceAudience.Private
final class FileTries {
  /** The pause after the first failure, ms. It doubles with each further one. */
  static final long PAUSE_MS = 60_000;
  static final long PAUSE_MS_MAX = 3_600_000;
  /**
   * The most files in memory. Beyond them, the file whose last failure is the oldest is forgotten.
   */
  static final int FILES_MAX = 10_000;

  /** The failures of a file. */
  private static final class Failures {
    private int count;
    private long untilMs;
  }

  private final Map<Long, Failures> files = new LinkedHashMap<>();

  /** Notes that a group with a file could not be made. */
  void failed(long fileId, long nowMs) {
    Failures failures = files.remove(fileId);
    failures = failures == null ? new Failures() : failures;
    failures.count++;
    long pause = PAUSE_MS << Math.min(failures.count - 1, Long.numberOfTrailingZeros(64));
    failures.untilMs = nowMs + Math.min(PAUSE_MS_MAX, pause);
    files.put(fileId, failures);
    if (files.size() > FILES_MAX) {
      files.remove(files.keySet().iterator().next());
    }
  }

  void succeeded(long fileId) {
    files.remove(fileId);
  }

  /** Returns whether the pause after a file's last failure still lasts. */
  boolean rests(long fileId, long nowMs) {
    Failures failures = files.get(fileId);
    long leftMs = failures == null ? 0 : failures.untilMs - nowMs;
    // A clock that was set back must not lengthen the rest.
    return leftMs > 0 && leftMs <= PAUSE_MS_MAX;
  }

  void clear() {
    files.clear();
  }
}
