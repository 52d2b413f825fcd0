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

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether a home of versions has room for another directory. If conversions have no room,
 * commits may still have some. Thread-safe.
 */
final class VersionRoom {
  private static final Logger LOG = LoggerFactory.getLogger(VersionRoom.class);
  /**
   * With this many old versions in the flat home, no further conversion begins, so that commits
   * still have room there. HDFS lets a directory have 1,048,576 entries by default.
   */
  static final int FLAT_CONVERSIONS_MAX = 1_000_000;
  /** After a directory was found full, no version begins for this time, ms. */
  static final long FULL_MS = 10_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  private final IntSupplier keptFlat;
  /**
   * Until when the homes of commits count as full, monotonic ms; the next field is for conversions.
   */
  private final AtomicLong fullCommitsMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong fullConversionsMs = new AtomicLong(Long.MIN_VALUE);

  /** @param keptFlat returns how many old versions lie in {@link VersionHome#FLAT} */
  VersionRoom(EngineParts parts, IntSupplier keptFlat) {
    this.parts = parts;
    this.keptFlat = keptFlat;
  }

  /** Returns whether there is room for another version, so that one may begin. */
  boolean isThere(boolean isCommit) {
    if (parts.clockMs.getAsLong() < fullUntilMs(isCommit).get()) {
      return false;
    }
    if (!isCommit && parts.store.home(false) == VersionHome.FLAT
        && keptFlat.getAsInt() >= FLAT_CONVERSIONS_MAX) {
      found(new VersionRefusal(RefusalReason.FULL, VersionHome.FLAT.root + " has "
          + FLAT_CONVERSIONS_MAX + " old versions, and the rest of its entries is for commits"),
          false);
      return false;
    }
    return true;
  }

  private AtomicLong fullUntilMs(boolean isCommit) {
    return isCommit ? fullCommitsMs : fullConversionsMs;
  }

  /** Notes that a directory was found full. */
  void found(VersionRefusal refusal, boolean isCommit) {
    peerLog.warn("full " + isCommit, "{} wait for room: {}", isCommit ? "Commits" : "Conversions",
        refusal.sentence);
    fullUntilMs(isCommit).set(parts.clockMs.getAsLong() + FULL_MS);
  }
}
