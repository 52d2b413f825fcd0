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
package org.hdfsppr.namenode.version;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps makings to rates: that of all together, that of each job, and that of each node. A making
 * may begin when these rates have had the time to move the bytes of the makings before it.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MovePacer {
  private static final long MS_PER_SECOND = 1_000;
  private static final String ALL = "all";

  private final long bytesPerSecond;
  private final long nodeBytesPerSecond;
  /** When each rate is free again, monotonic ms; free rates have no entry. */
  private final Map<String, Long> freeAtMs = new HashMap<>();

  /**
   * @param bytesPerSecond of all makings, bytes/s; 0 for no limit
   * @param nodeBytesPerSecond of each node, bytes/s, at least 1
   */
  MovePacer(long bytesPerSecond, long nodeBytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
  }

  /**
   * Decides whether a making may begin now, and books its bytes if so.
   *
   * @param job the job of which it is a part
   * @param jobRate the job's rate, bytes/s; 0 for no limit
   * @param movedBytes bytes that go from node to node
   * @param nodes the nodes that take part
   * @param unitBytes bytes that each of these nodes reads or writes
   * @return whether it may begin
   */
  synchronized boolean mayBegin(String job, long jobRate, long movedBytes,
      Collection<String> nodes, long unitBytes, long nowMs) {
    freeAtMs.values().removeIf(free -> free <= nowMs);
    String jobKey = "job " + job;
    if (freeAtMs.containsKey(ALL) || freeAtMs.containsKey(jobKey)
        || nodes.stream().anyMatch(node -> freeAtMs.containsKey("node " + node))) {
      return false;
    }
    book(ALL, movedBytes, bytesPerSecond, nowMs);
    book(jobKey, movedBytes, jobRate, nowMs);
    nodes.forEach(node -> book("node " + node, unitBytes, nodeBytesPerSecond, nowMs));
    return true;
  }

  private void book(String key, long bytes, long rate, long nowMs) {
    if (rate > 0) {
      freeAtMs.put(key, nowMs + bytes / rate * MS_PER_SECOND
          + bytes % rate * MS_PER_SECOND / rate);
    }
  }
}
