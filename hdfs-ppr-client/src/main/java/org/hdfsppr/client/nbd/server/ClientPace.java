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
package org.hdfsppr.client.nbd.server;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How fast a client sends or takes what it owes. A client that owes nothing is not slow. What
 * counts is the time since the last look that has found it fast, so that a client that was fast for
 * hours is found when it stalls. Thread-safe.
 */
@InterfaceAudience.Private
final class ClientPace {
  /** How long a client may be slow. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** The bytes per second of a client that is not slow; networks of storage have 100 times that. */
  static final long BYTES_PER_S = 1 << 20;

  private final LongSupplier nanoClock;
  private boolean isOwing;
  private long since;
  private long moved;

  ClientPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** The client owes something from now on, or still does. */
  synchronized void begin() {
    if (!isOwing) {
      isOwing = true;
      restart();
    }
  }

  /** The client owes nothing more. */
  synchronized void end() {
    isOwing = false;
  }

  synchronized void moved(long bytes) {
    moved += bytes;
  }

  private void restart() {
    since = nanoClock.getAsLong();
    moved = 0;
  }

  /** Whether the client was slow for longer than it may be. */
  synchronized boolean isSlow() {
    long nanos = nanoClock.getAsLong() - since;
    if (!isOwing || nanos <= PATIENCE_NANOS) {
      return false;
    }
    if (moved >= BYTES_PER_S * TimeUnit.NANOSECONDS.toSeconds(nanos)) {
      restart();
      return false;
    }
    return true;
  }
}
