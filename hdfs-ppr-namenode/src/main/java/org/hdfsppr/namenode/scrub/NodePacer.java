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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Spares the DataNodes. A node takes part in one check at a time. After a check, a node takes part
 * in no other one until the configured rate would have moved the bytes of the check. Not
 * thread-safe.
 */
@InterfaceAudience.Private
final class NodePacer {
  private static final long MS_PER_SECOND = 1_000;

  private static final class Pace {
    private String check;
    private long freeAtMs;
  }

  private final long bytesPerSecond;
  /** Nodes that are at work or have to rest; there are no more of them than DataNodes. */
  private final Map<String, Pace> paces = new HashMap<>();

  /** @param bytesPerSecond how many bytes of units a node may read, bytes/s, at least 1 */
  NodePacer(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns whether a node may take part in a check now. */
  boolean isFree(String uuid, long nowMs) {
    Pace pace = paces.get(uuid);
    return pace == null || pace.check == null && nowMs >= pace.freeAtMs;
  }

  /** Returns how long a node takes for a unit at the least, ms. */
  long millis(long unitBytes) {
    return unitBytes / bytesPerSecond * MS_PER_SECOND
        + unitBytes % bytesPerSecond * MS_PER_SECOND / bytesPerSecond;
  }

  /**
   * Takes note that nodes take part in a check.
   *
   * @param uuids the nodes, all of them free
   * @param unitBytes length of the longest unit, bytes
   */
  void begin(String check, Collection<String> uuids, long unitBytes, long nowMs) {
    for (String uuid : uuids) {
      Pace pace = paces.computeIfAbsent(uuid, key -> new Pace());
      if (pace.check != null || nowMs < pace.freeAtMs) {
        throw new IllegalStateException("DataNode " + uuid + " is to take part in " + check
            + " although it is at work in " + pace.check + " or rests");
      }
      pace.check = check;
      pace.freeAtMs = nowMs + millis(unitBytes);
    }
  }

  /** Takes note that a check has ended. Its nodes may still have to rest. */
  void end(String check, Collection<String> uuids, long nowMs) {
    for (String uuid : uuids) {
      Pace pace = paces.get(uuid);
      if (pace != null && check.equals(pace.check)) {
        pace.check = null;
      }
    }
    paces.values().removeIf(pace -> pace.check == null && nowMs >= pace.freeAtMs);
  }

  /** Takes note that no check is under way any more. Nodes may still have to rest. */
  void endAll() {
    paces.values().forEach(pace -> pace.check = null);
  }
}
