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
package org.hdfsppr.client.read;

import org.hdfsppr.client.patience.LinkShares;

/**
 * Distinguishes a slow DataNode from a slow link. A caller waits for {@link #patienceNanos}, and
 * then asks this class whether to wait again. Used by one thread at a time.
 */
final class SlowReadDetector {
  /**
   * If this class could not compare the bytes of a DataNode with those of others, the DataNode
   * counts as slow after this many times {@link #patienceNanos}.
   */
  private static final int WAITS_MOST = 3;
  /**
   * A node is slow if it sends less than one byte while the other nodes send this many on average:
   * with 8, less than an eighth. If no other node sends, this class decides by the time of the read
   * alone.
   */
  private static final int BEHIND = 8;
  /**
   * The size of a few packets of a DataNode. Differences below this size say nothing about speed.
   */
  private static final int SLACK_BYTES = 32 << 10;

  private final ReadContext context;
  private final long bytes;
  private final LinkShares.Flow flow;
  private final long startNanos;
  private final long endedBefore;
  private long ownBefore;
  private double othersBefore;
  /**
   * The last time, by the client's clock, at which {@link #isSlow} has compared the node's bytes
   * with those of the other nodes and did not find the node slow.
   */
  private long levelNanos;

  /**
   * @param bytes how many bytes the caller waits for, from now on
   * @param flow counts the bytes that come; null if the caller waits for no bytes
   */
  SlowReadDetector(ReadContext context, long bytes, LinkShares.Flow flow) {
    this.context = context;
    this.bytes = bytes;
    this.flow = flow;
    startNanos = context.nanoClock.getAsLong();
    levelNanos = startNanos;
    endedBefore = context.delay.ended();
    look();
  }

  private void look() {
    if (flow != null) {
      ownBefore = flow.own();
      othersBefore = flow.others();
    }
  }

  /** How long the caller has waited so far, nanoseconds. */
  long waitedNanos() {
    return context.nanoClock.getAsLong() - startNanos;
  }

  /** Whether the longest allowed wait is over, even if bytes still come. */
  boolean isOver() {
    return waitedNanos() > context.waitNanosMost;
  }

  /** How long the caller should wait before it calls {@link #isSlow}, nanoseconds. */
  long patienceNanos() {
    return context.delay.nanos(bytes);
  }

  /** Whether other reads of units have ended since this wait began. */
  boolean othersWereFaster() {
    return context.delay.ended() > endedBefore;
  }

  /**
   * Whether the DataNode is slow, rather than the client's link. This method compares the bytes
   * from this DataNode with the bytes from the others, both since the last such comparison.
   *
   * @param evenIfAll whether the DataNode counts as slow even if the other DataNodes have not sent
   *     anything, either
   */
  boolean isSlow(boolean evenIfAll) {
    if (flow == null || isOver()) {
      return true;
    }
    long own = flow.own() - ownBefore;
    double others = flow.others() - othersBefore;
    boolean isLearnt = context.delay.isLearnt(bytes);
    boolean isLong = isLearnt && waitedNanos() > context.delay.slowNanos(bytes);
    if (isBehind(own, others, isLong)) {
      return true;
    }
    if (own > 0 && others > 0) {
      look();
      levelNanos = context.nanoClock.getAsLong();
      return false;
    }
    boolean isLate =
        context.nanoClock.getAsLong() - levelNanos >= WAITS_MOST * patienceNanos();
    if (others > 0) {
      // There are too few bytes to compare, so the next call counts these bytes as well.
      return isLate;
    }
    look();
    if (own > 0) {
      return isLearnt ? isLong : isLate;
    }
    return evenIfAll || othersWereFaster() || isLearnt || isLate;
  }

  private boolean isBehind(long own, double others, boolean isLong) {
    if (own == 0 && others >= Math.min(bytes, BEHIND * SLACK_BYTES)) {
      // On average, the other flows have received as many bytes as this read wants, or at least
      // enough bytes to compare.
      return true;
    }
    return BEHIND * (double) (own + SLACK_BYTES) < others || isLong && 2 * own < others;
  }
}
