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
package org.hdfsppr.client.shape;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a client has learnt about how long it takes to get bytes: a time for each read, a time for
 * each byte that its link has to carry, and a time for each node that a sum passes through. The
 * first two are a line through the times of recent reads, in which old reads fade. Has no clock.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadCosts {
  /** Before anything is known: 1 Gbit/s, and what a read and a hop take in one data centre. */
  private static final double BYTE_NANOS = 8;
  private static final double READ_NANOS = 500_000;
  private static final double HOP_NANOS = 1_000_000;

  /** What is left of a read's weight after the next read. */
  private static final double KEEP = 0.98;
  /**
   * The weight by which each read confirms the present line. Reads of a single size say nothing
   * about its slope, and must not make the client forget it.
   */
  private static final double BELIEF = 0.002;
  private static final double BELIEF_BYTES = 1 << 20;
  private static final double READ_NANOS_LEAST = 20_000;
  private static final double BYTE_NANOS_LEAST = 0.01;

  private static final double MS = 1e6;

  /** A tree says less about bytes than a read: which part of its time they took is a guess. */
  private static final double TREE_SHARE = 0.3;
  private static final double HOP_NANOS_LEAST = 50_000;
  private static final double HOP_NANOS_MOST = 100_000_000;
  /** Anything may delay a single read, so that it counts three times the expected at most. */
  private static final double SURPRISE_MOST = 3;

  /** Recent reads, which fade; they say more about bytes than trees do. */
  private double reads;
  private double weight;
  private double sumBytes;
  private double sumNanos;
  private double sumBytesBytes;
  private double sumBytesNanos;
  private double readNanos = READ_NANOS;
  private double byteNanos = BYTE_NANOS;
  /** Hops of the last trees. */
  private final LatestTimes hops = new LatestTimes();
  private double hopNanos = HOP_NANOS;

  /** Expects what is usual in one data centre. */
  public ReadCosts() {
    believe(1);
  }

  /**
   * Some bytes came from DataNodes that were read side by side.
   *
   * @param bytes all that came
   * @param nanos how long that took, nanoseconds
   */
  public synchronized void read(long bytes, long nanos) {
    learn(bytes, nanos, 1);
    reads = KEEP * reads + 1;
  }

  private void learn(double bytes, double nanos, double share) {
    double most = SURPRISE_MOST * (readNanos + bytes * byteNanos);
    double keep = Math.pow(KEEP, share);
    weight *= keep;
    sumBytes *= keep;
    sumNanos *= keep;
    sumBytesBytes *= keep;
    sumBytesNanos *= keep;
    believe(BELIEF * share);
    add(bytes, Math.min(most, Math.max(0, nanos)), share);
    double spread = weight * sumBytesBytes - sumBytes * sumBytes;
    double slope = (weight * sumBytesNanos - sumBytes * sumNanos) / spread;
    double start = (sumNanos - slope * sumBytes) / weight;
    if (!(slope > BYTE_NANOS_LEAST)) {
      byteNanos = BYTE_NANOS_LEAST;
      readNanos = Math.max(READ_NANOS_LEAST, (sumNanos - byteNanos * sumBytes) / weight);
    } else if (!(start > READ_NANOS_LEAST)) {
      readNanos = READ_NANOS_LEAST;
      byteNanos = Math.max(BYTE_NANOS_LEAST, (sumNanos - readNanos * weight) / sumBytes);
    } else {
      byteNanos = slope;
      readNanos = start;
    }
  }

  private void believe(double share) {
    add(0, readNanos, share);
    add(BELIEF_BYTES, readNanos + BELIEF_BYTES * byteNanos, share);
  }

  private void add(double bytes, double nanos, double share) {
    weight += share;
    sumBytes += share * bytes;
    sumNanos += share * nanos;
    sumBytesBytes += share * bytes * bytes;
    sumBytesNanos += share * bytes * nanos;
  }

  /**
   * A sum came through a tree.
   *
   * @param hops nodes of its longest path
   * @param bytes that came one after the other until the client had all, see {@link Shape}
   * @param nanos how long that took, nanoseconds
   */
  public synchronized void tree(int hops, double bytes, long nanos) {
    // A client that only reads through trees has to learn from them what a byte takes. Otherwise a
    // slow link would look like slow hops, and a shape with fewer hops and more bytes like the
    // remedy.
    double ofBytes = bytes * byteNanos / (hops * hopNanos + bytes * byteNanos);
    learn(bytes, readNanos + nanos * ofBytes, TREE_SHARE / (1 + reads));
    reads *= KEEP;
    hop((nanos - bytes * byteNanos) / hops);
  }

  /**
   * A tree was ended because it took too long. Only a lower bound of its time is known.
   *
   * @param hops nodes of its longest path
   * @param bytes as in {@link #tree}
   * @param nanos until it was ended
   */
  public synchronized void lateTree(int hops, double bytes, long nanos) {
    hop(Math.max(hopNanos, (nanos - bytes * byteNanos) / hops));
  }

  private void hop(double nanos) {
    hops.add(Math.max(HOP_NANOS_LEAST, Math.min(HOP_NANOS_MOST, nanos)));
    hopNanos = hops.median(HOP_NANOS);
  }

  /**
   * @param bytes how many bytes
   * @return the time to read bytes of several DataNodes side by side, nanoseconds
   */
  public synchronized double nanos(long bytes) {
    return readNanos + bytes * byteNanos;
  }

  /** @return what a read takes besides its bytes, nanoseconds */
  public synchronized double readNanos() {
    return readNanos;
  }

  /** @return what each byte takes, nanoseconds */
  public synchronized double byteNanos() {
    return byteNanos;
  }

  /** @return what each node takes that a sum passes through, nanoseconds */
  public synchronized double hopNanos() {
    return hopNanos;
  }

  @Override
  public synchronized String toString() {
    return String.format(Locale.ROOT, "a read takes %.2f ms, a hop %.2f ms, 1 MiB %.2f ms more",
        readNanos / MS, hopNanos / MS, byteNanos * BELIEF_BYTES / MS);
  }
}
