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
 * Measures how fast a client sends the data of a request, or takes replies. A client can be slow
 * only while the server waits for it to send or take bytes. Each time the client is found fast, the
 * measurement begins again, so that a client which stalls after hours of fast work is found as
 * well. Thread-safe.
 */
final class ClientPace {
  /** How long a client may be slow, ns. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  /**
   * A client that sends or takes fewer bytes per second is slow. Storage networks have 100 times
   * this rate.
   */
  static final long BYTES_PER_S = 1 << 20;

  private final LongSupplier nanoClock;
  private boolean isOwing;
  private long since;
  private long moved;

  ClientPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Takes note that the server now waits for the client to send or take bytes. The measurement
   * begins, unless it has begun before.
   */
  synchronized void begin() {
    if (!isOwing) {
      isOwing = true;
      restart();
    }
  }

  /** Takes note that the server does not wait for bytes of the client any more. */
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
