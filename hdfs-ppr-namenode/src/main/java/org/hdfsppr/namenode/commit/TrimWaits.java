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

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.version.Durability;

/**
 * Knows for how long logs must not drop updates of a file, because a power cut might lose the
 * version that has them. Thread-safe.
 */
@InterfaceAudience.Private
final class TrimWaits {
  /** How soon a trim comes back to a file of which a version may just be published, ms. */
  private static final long PUBLISHING_MS = 15_000;

  private final LongSupplier clockMs;
  /** By file, the end of its wait, monotonic ms. Adding an entry removes those that are over. */
  private final Map<UUID, Long> untilMs = new HashMap<>();

  /** The files that are about to get a new version. */
  private final Set<UUID> publishing = new HashSet<>();

  /** @param clockMs the time, monotonic, ms */
  TrimWaits(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Takes note of a version that may be published from now on, until {@link #published}. */
  synchronized void publishing(UUID file) {
    publishing.add(file);
  }

  /**
   * Takes note that a version is published, or that it will not be published.
   *
   * @param durableInMs for how long a power cut might lose it, ms
   */
  synchronized void published(UUID file, long durableInMs) {
    publishing.remove(file);
    waitFor(file, durableInMs);
  }

  /**
   * Takes note of a file with updates that an earlier commit has put into a version, and that logs
   * still have. If another NameNode has published that version, this one does not know how durable
   * it is; it is durable for certain when this NameNode has been active for as long as that may
   * take.
   *
   * @param termMs for how long this NameNode has been active, ms
   */
  void untrimmed(UUID file, long termMs) {
    waitFor(file, Durability.UNSAID_MS - termMs);
  }

  private synchronized void waitFor(UUID file, long ms) {
    long now = clockMs.getAsLong();
    untilMs.values().removeIf(until -> until <= now);
    if (ms > 0) {
      untilMs.merge(file, now + ms, Math::max);
    }
  }

  /** Returns for how long no log may drop updates of a file, ms. */
  synchronized long leftMs(UUID file) {
    if (publishing.contains(file)) {
      return PUBLISHING_MS;
    }
    Long until = untilMs.get(file);
    return until == null ? 0 : Math.max(0, until - clockMs.getAsLong());
  }
}
