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

/**
 * Measures how fast a client sends the bytes of a request, or takes replies. A client is slow only
 * while it owes bytes. The measurement begins again with each look that finds the client fast, so
 * that a client that stalls after fast hours is found as well. Thread-safe.
 */
final class ClientPace {
  /** For how long a client may be slow. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** A client with fewer bytes per second is slow. Storage networks have 100 times this rate. */
  static final long BYTES_PER_S = 1 << 20;

  private final LongSupplier nanoClock;
  private boolean isOwing;
  private long since;
  private long moved;

  ClientPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Says that the client owes bytes; the measurement begins unless it has begun before. */
  synchronized void begin() {
    if (!isOwing) {
      isOwing = true;
      restart();
    }
  }

  /** Says that the client owes no bytes any more. */
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

  /** Returns whether the client was slow for longer than {@link #PATIENCE_NANOS}. */
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
