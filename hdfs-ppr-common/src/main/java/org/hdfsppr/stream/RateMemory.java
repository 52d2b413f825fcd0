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
 * The best rate of the repairs that this node has led or helped with lately: what a slow one is
 * compared with.
 * Fades, so that a cluster whose links got slower for good is not called slow for ever.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class RateMemory {
  /** Share of the memory that stays with each repair that ends. */
  private static final double KEPT = 0.9;

  /**
   * What is over sooner and with fewer bytes says more of the buffers on the way than of the links.
   */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_BYTES = 16 << 20;

  private double bytesPerSecond;

  /**
   * Takes note of how a repair, or a part of it, has run.
   *
   * @param bytes of the lost units
   * @param nanos that they took
   */
  public synchronized void saw(long bytes, long nanos) {
    if (nanos >= LEAST_NANOS || bytes >= LEAST_BYTES) {
      bytesPerSecond = Math.max(bytesPerSecond, bytes * 1e9 / Math.max(1, nanos));
    }
  }

  /** Lets the memory fade a little; to be called when a repair has ended well. */
  public synchronized void fade() {
    bytesPerSecond *= KEPT;
  }

  /** Bytes per second, 0 if nothing is known yet. */
  public synchronized double best() {
    return bytesPerSecond;
  }
}
