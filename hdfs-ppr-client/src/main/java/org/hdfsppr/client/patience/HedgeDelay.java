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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says how long a reader waits for a DataNode before it begins a hedge, which gets the same bytes
 * in another way. This class learns the time from recent reads of about the same size. It also
 * limits how many reads hedges may make. Thread-safe.
 */
@InterfaceAudience.Private
public final class HedgeDelay {
  /**
   * A read counts as slow if it takes longer than three times the time within which nearly all
   * reads of its size end.
   */
  private static final int FACTOR = 3;
  /**
   * A read of a node also counts as slow if it takes longer than this many times the median, and
   * longer than three times the 75th percentile. In a small cluster, a node that is always slow
   * serves more than 5 percent of all reads. So the time within which nearly all reads end is this
   * node's own time, and by this time alone the node would never be slow.
   */
  private static final int MEDIANS_MOST = 16;
  private static final int HUNDRED = 100;

  private final long minNanos;
  /** The longest delay, nanoseconds */
  public final long maxNanos;
  private final int percent;
  private final boolean ofNodes;
  private final LatencyBySize latencies = new LatencyBySize();
  private long ended;
  /**
   * When a hedge last began although the budget was used up, by the client's clock; empty if none
   * has.
   */
  private OptionalLong lastUnpaidNanos = OptionalLong.empty();
  private final int savedMost;
  /**
   * How many reads hedges may make now, in hundredths of a read. It is below 0 after a hedge that
   * made more reads than were allowed; then further reads have to end first.
   */
  private int saved;

  /**
   * @param minMs the shortest delay, milliseconds; 0: the client begins no hedges
   * @param maxMs the longest delay, milliseconds; this is also the delay for reads of a size while
   *     too few reads of that size have ended
   * @param percent how many reads hedges may make per hundred other reads
   * @param savedReadsMost how many reads hedges may make before anything was read. Each read that
   *     ends lets them make a fraction of a read more, and at most this many reads are saved up
   */
  public HedgeDelay(int minMs, int maxMs, int percent, int savedReadsMost) {
    this(minMs, maxMs, percent, savedReadsMost, true);
  }

  /**
   * Like {@link #HedgeDelay(int, int, int, int)}, but for other operations than reads, too.
   *
   * @param ofNodes whether each operation is a read of a single DataNode, which may be slow
   */
  HedgeDelay(int minMs, int maxMs, int percent, int savedReadsMost, boolean ofNodes) {
    this.ofNodes = ofNodes;
    this.minNanos = TimeUnit.MILLISECONDS.toNanos(minMs);
    this.maxNanos = TimeUnit.MILLISECONDS.toNanos(maxMs);
    this.percent = percent;
    savedMost = savedReadsMost * HUNDRED;
    saved = savedMost;
  }

  /** @return whether the client begins hedges at all */
  public boolean isOn() {
    return minNanos > 0;
  }

  /**
   * @param bytes how many bytes
   * @return true if enough reads of about this size have ended, so that a read's time alone shows
   *     whether the read is slow
   */
  public synchronized boolean isLearnt(long bytes) {
    return latencies.isLearnt(bytes);
  }

  /**
   * Counts the reads that have ended. A caller compares two counts. If the count has grown while a
   * read was under way, other reads have ended before that read.
   *
   * @return how many reads have ended so far
   */
  public synchronized long ended() {
    return ended;
  }

  /**
   * Learns from a read that has ended.
   *
   * @param bytes how many bytes
   * @param nanos how long the read took, nanoseconds
   */
  public synchronized void took(long bytes, long nanos) {
    ended++;
    latencies.took(bytes, nanos);
    saved = Math.min(savedMost, saved + percent);
  }

  /**
   * @param bytes how many bytes
   * @return how long to wait for a read of this size before a hedge begins, nanoseconds
   */
  public synchronized long nanos(long bytes) {
    if (!latencies.isLearnt(bytes)) {
      return maxNanos;
    }
    long usual = FACTOR * latencies.usualNanosMost(bytes);
    if (ofNodes) {
      usual = Math.min(usual, Math.max(MEDIANS_MOST * latencies.usualNanos(bytes),
          FACTOR * latencies.mostNanos(bytes)));
    }
    return Math.max(minNanos, Math.min(maxNanos, usual));
  }

  /**
   * @param bytes how many bytes
   * @return the time after which a read counts as slow although its bytes keep coming, nanoseconds.
   *     It is at least three times the median for this size, because a read that is only somewhat
   *     slower than the median may have a slow link instead of a slow DataNode
   */
  public synchronized long slowNanos(long bytes) {
    return Math.max(nanos(bytes), FACTOR * latencies.usualNanos(bytes));
  }

  /**
   * @param bytes how many bytes were read
   * @param nanos how long the read took, nanoseconds
   * @return whether the read has ended before a hedge for it could begin; always true if the client
   *     begins no hedges
   */
  public boolean isInTime(long bytes, long nanos) {
    return !isOn() || nanos <= nanos(bytes);
  }

  /**
   * Counts a hedge by what it costs. A rebuild of one unit reads k others. If a rebuild counted as
   * one read, hedges for a tenth of all reads would double the load of a busy cluster whose code
   * has ten data units, so that still more reads would be slow. A hedge may begin as soon as the
   * budget has one read. If the hedge makes more reads, the budget falls below zero, and no hedge
   * begins until enough other reads have ended. If a hedge of many reads had to wait until the
   * budget covers them all, hedges of one read each would use up the budget before.
   *
   * @param reads how many reads the hedge makes
   * @return true if the hedge may begin now; this method has then already counted its reads
   */
  public synchronized boolean mayHedge(int reads) {
    if (!isOn() || saved < HUNDRED) {
      return false;
    }
    saved -= reads * HUNDRED;
    return true;
  }

  /**
   * Asks for a hedge that is counted by what it costs, as {@link #mayHedge} does. If the budget is
   * used up, one hedge may nevertheless begin in each period as long as the longest delay.
   * Otherwise all readers could wait for a node that hangs: none of their reads would end and add
   * to the budget, and the client would not find out that the node is slow.
   *
   * @param isOfSlowNode whether the client knows that the DataNode is slow. The client sends no new
   *     reads to such a node, so this hedge needs no budget
   * @param reads how many reads the hedge makes
   * @param waitedNanos how long the reader has waited, nanoseconds
   * @param nowNanos the client's clock, nanoseconds
   * @return the permit; empty if the hedge may not begin now
   */
  public synchronized Optional<HedgePermit> permit(boolean isOfSlowNode, int reads,
      long waitedNanos, long nowNanos) {
    if (isOfSlowNode) {
      return Optional.of(new HedgePermit(() -> { }));
    }
    if (mayHedge(reads)) {
      return Optional.of(new HedgePermit(() -> didNotHedge(reads)));
    }
    if (!isOn() || percent == 0 || waitedNanos < maxNanos || lastUnpaidNanos.isPresent()
        && nowNanos - lastUnpaidNanos.getAsLong() < maxNanos) {
      return Optional.empty();
    }
    OptionalLong before = lastUnpaidNanos;
    OptionalLong own = OptionalLong.of(nowNanos);
    lastUnpaidNanos = own;
    return Optional.of(new HedgePermit(() -> didNotHedgeUnpaid(own, before)));
  }

  private synchronized void didNotHedgeUnpaid(OptionalLong own, OptionalLong before) {
    if (lastUnpaidNanos.equals(own)) {
      lastUnpaidNanos = before;
    }
  }

  /**
   * Gives back what {@link #mayHedge} has counted, because the hedge has not begun.
   *
   * @param reads as in the call of {@link #mayHedge}
   */
  public synchronized void didNotHedge(int reads) {
    saved = Math.min(savedMost, saved + reads * HUNDRED);
  }

  /**
   * Keeps the 95th and 75th percentiles and the median of the times of the latest reads, separately
   * for six classes of read sizes. Not thread-safe.
   */
  static final class LatencyBySize {
    /** How many reads of each class are remembered. */
    private static final int SAMPLES = 128;
    /**
     * The least number of reads from which a 95th percentile is computed. Among fewer reads, each
     * single read is more than 5 percent of all.
     */
    private static final int SAMPLES_LEAST = 20;
    /**
     * The number of classes. Five classes contain reads of up to 16 KiB, 64 KiB, 256 KiB, 1 MiB and
     * 4 MiB. The last class contains all larger reads.
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
}
