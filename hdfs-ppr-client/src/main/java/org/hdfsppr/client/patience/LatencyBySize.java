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
package org.hdfsppr.client.patience;

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps the 95th and 75th percentiles and the median of the times of the latest reads, separately
 * for six classes of read sizes. Not thread-safe.
 */
@InterfaceAudience.Private
final class LatencyBySize {
  /** How many reads of each class are remembered. */
  private static final int SAMPLES = 128;
  /**
   * The least number of reads from which a 95th percentile is computed. Among fewer reads, each
   * single read is more than 5 percent of all.
   */
  private static final int SAMPLES_LEAST = 20;
  /**
   * The number of classes. Five classes contain reads of up to 16 KiB, 64 KiB, 256 KiB, 1 MiB and 4
   * MiB. The last class contains all larger reads.
   */
  private static final int CLASSES = 6;
  private static final int SMALLEST_BITS = 14;

  private final Window[] windows = new Window[CLASSES];

  LatencyBySize() {
    Arrays.setAll(windows, i -> new Window());
  }

  /** The latest reads of one class of sizes. */
  private static final class Window {
    private final LatestTimes latest = new LatestTimes(SAMPLES);
    private long added;
    private long p95;
    private long p75;
    private long median;

    void add(long sample) {
      latest.add(sample);
      added++;
      if (added <= SAMPLES_LEAST || added % 8 == 0) {
        double[] sorted = latest.sorted();
        p95 = (long) sorted[Math.min(sorted.length - 1, sorted.length * 95 / 100)];
        p75 = (long) sorted[sorted.length * 75 / 100];
        median = (long) sorted[sorted.length / 2];
      }
    }
  }

  private Window window(long bytes) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, bytes - 1));
    return windows[Math.max(0, Math.min(CLASSES - 1, (bits - SMALLEST_BITS + 1) / 2))];
  }

  /** Learns that a read of {@code bytes} bytes took {@code nanos} nanoseconds. */
  void took(long bytes, long nanos) {
    window(bytes).add(nanos);
  }

  /** Whether enough reads of about this size have ended to know their usual times. */
  boolean isLearnt(long bytes) {
    return window(bytes).added >= SAMPLES_LEAST;
  }

  /** The time within which nearly all reads of this size end, nanoseconds. */
  long usualNanosMost(long bytes) {
    return window(bytes).p95;
  }

  /** The time within which three quarters of the reads of this size end, nanoseconds. */
  long mostNanos(long bytes) {
    return window(bytes).p75;
  }

  /** The median time of reads of this size, nanoseconds. */
  long usualNanos(long bytes) {
    return window(bytes).median;
  }
}
