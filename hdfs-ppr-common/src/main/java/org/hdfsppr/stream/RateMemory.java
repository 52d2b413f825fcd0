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
package org.hdfsppr.stream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers the best rate of the repairs that this node has lately led or helped with, and counts
 * the repairs in which it takes part now. A {@link SlowLinkDetector} compares the rate of a repair
 * with the best rate divided by the number of these repairs. The remembered rate falls with each
 * successful repair. If a link becomes permanently slower, the detector therefore stops reporting
 * it after some repairs. Thread-safe.
 */
@InterfaceAudience.Private
public final class RateMemory {
  /** The fraction of the remembered rate that remains after each successful repair. */
  private static final double KEPT = 0.9;

  /**
   * The shortest duration in nanoseconds of a transfer that counts. A transfer that is both shorter
   * than this and smaller than {@link #LEAST_BYTES} does not count: its bytes fit into the buffers
   * on the way, so that its rate says little about the links.
   */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_BYTES = 16 << 20;

  private final AtomicInteger transfers = new AtomicInteger();
  private double bytesPerSecond;

  /** A repair in which this node takes part, from {@link #begin} until it is closed. */
  public interface Transfer extends AutoCloseable {
    /** Ends the transfer. The caller does this when the repair moves no more bytes. */
    @Override
    void close();
  }

  /**
   * Counts a repair of which this node begins to move bytes.
   *
   * @return the transfer, which the caller closes once, when the repair moves no more bytes
   */
  public Transfer begin() {
    transfers.incrementAndGet();
    return transfers::decrementAndGet;
  }

  /** @return the number of repairs in which this node takes part now */
  public int transfers() {
    return transfers.get();
  }

  /**
   * Remembers the rate of a repair, or of a part of a repair, if it is the best so far.
   *
   * @param bytes bytes of lost units that the repair rebuilt in this time
   * @param nanos duration, nanoseconds
   */
  public synchronized void saw(long bytes, long nanos) {
    if (nanos >= LEAST_NANOS || bytes >= LEAST_BYTES) {
      bytesPerSecond = Math.max(bytesPerSecond, bytes * 1e9 / Math.max(1, nanos));
    }
  }

  /** Lowers the remembered rate a little. A node calls this method when a repair has succeeded. */
  public synchronized void fade() {
    bytesPerSecond *= KEPT;
  }

  /** @return the remembered rate, bytes per second; 0 if no rate is known yet */
  public synchronized double best() {
    return bytesPerSecond;
  }
}
