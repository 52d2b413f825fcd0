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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The best rate of the repairs that this node has lately led or helped with. A slow repair is
 * measured against it. The memory fades, so that links that have become slower for good are not
 * called slow for ever. Thread-safe.
 */
@InterfaceAudience.Private
public final class RateMemory {
  /** The part of the rate that remains after each repair. */
  private static final double KEPT = 0.9;

  /** Shorter and smaller transfers measure the buffers on the way rather than the links. */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_BYTES = 16 << 20;

  private double bytesPerSecond;

  /**
   * Takes the rate of a repair, or of a part of it.
   *
   * @param bytes bytes of the lost units
   * @param nanos duration, nanoseconds
   */
  public synchronized void saw(long bytes, long nanos) {
    if (nanos >= LEAST_NANOS || bytes >= LEAST_BYTES) {
      bytesPerSecond = Math.max(bytesPerSecond, bytes * 1e9 / Math.max(1, nanos));
    }
  }

  /** Lets the memory fade a little. A destination calls it when a repair has succeeded. */
  public synchronized void fade() {
    bytesPerSecond *= KEPT;
  }

  /** @return bytes per second, 0 if no rate is known yet */
  public synchronized double best() {
    return bytesPerSecond;
  }
}
