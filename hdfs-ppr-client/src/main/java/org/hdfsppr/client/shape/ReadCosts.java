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
 * What a client has learnt about how long reads take. It knows a time for each read, a time for
 * each byte that the client's link carries, and a time for each node that a sum passes through (a
 * hop). The first two times are the start and the slope of a line that is fitted to the times of
 * recent reads; the weight of older reads decreases. This class has no clock. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadCosts {
  /**
   * The assumed times before any read was measured: a link of 1 Gbit/s, and a read and a hop within
   * one data centre.
   */
  private static final double BYTE_NANOS = 8;
  private static final double READ_NANOS = 500_000;
  private static final double HOP_NANOS = 1_000_000;

  /** The factor by which each read reduces the weight of the reads before. */
  private static final double KEEP = 0.98;
  /**
   * The weight with which each read also confirms the present line. Reads of a single size say
   * nothing about the slope of the line. Without this weight, many such reads would make the client
   * forget the slope.
   */
  private static final double BELIEF = 0.002;
  private static final double BELIEF_BYTES = 1 << 20;
  private static final double READ_NANOS_LEAST = 20_000;
  private static final double BYTE_NANOS_LEAST = 0.01;

  private static final double MS = 1e6;

  /**
   * The weight of a tree relative to a read. It is below 1, because the client can only guess which
   * part of a tree's time the bytes took.
   */
  private static final double TREE_SHARE = 0.3;
  private static final double HOP_NANOS_LEAST = 50_000;
  private static final double HOP_NANOS_MOST = 100_000_000;
  /**
   * A single read may be delayed for any reason, so its time counts as at most three times the
   * expected time.
   */
  private static final double SURPRISE_MOST = 3;

  /**
   * How many reads were recent: each read adds 1, and each later read or tree multiplies the sum by
   * {@link #KEEP}. The more recent reads there are, the less a tree counts.
   */
  private double reads;
  private double weight;
  private double sumBytes;
  private double sumNanos;
  private double sumBytesBytes;
  private double sumBytesNanos;
  private double readNanos = READ_NANOS;
  private double byteNanos = BYTE_NANOS;
  /** The time per hop of the last trees, nanoseconds. */
  private final LatestTimes hops = new LatestTimes();
  private double hopNanos = HOP_NANOS;

  /** Begins with times that are usual in one data centre. */
  public ReadCosts() {
    believe(1);
  }

  /**
   * Learns from bytes that the client read from DataNodes side by side.
   *
   * @param bytes how many bytes the client received in all
   * @param nanos how long the client took to receive the bytes, nanoseconds
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
   * Learns from a sum that came through a tree.
   *
   * @param hops how many nodes are on the tree's longest path
   * @param bytes as in {@link Shape#bytesInTurn}
   * @param nanos how long the client took to receive the bytes, nanoseconds
   */
  public synchronized void tree(int hops, double bytes, long nanos) {
    // A client that only reads through trees has to learn from trees how long a byte takes.
    // Otherwise a slow link would look like slow hops, and the client would choose a shape with
    // fewer hops and more bytes, which is even slower.
    double ofBytes = bytes * byteNanos / (hops * hopNanos + bytes * byteNanos);
    learn(bytes, readNanos + nanos * ofBytes, TREE_SHARE / (1 + reads));
    reads *= KEEP;
    hop((nanos - bytes * byteNanos) / hops);
  }

  /**
   * Learns from a tree that the client ended because the tree took too long. So only a lower bound
   * of the tree's time is known.
   *
   * @param hops how many nodes are on the tree's longest path
   * @param bytes as in {@link #tree}
   * @param nanos how long the tree had run when it was ended, nanoseconds
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

  /** @return the time that a read takes in addition to the time of its bytes, nanoseconds */
  public synchronized double readNanos() {
    return readNanos;
  }

  /** @return the time that each byte takes, nanoseconds */
  public synchronized double byteNanos() {
    return byteNanos;
  }

  /** @return the time that each node adds to a sum that passes through it, nanoseconds */
  public synchronized double hopNanos() {
    return hopNanos;
  }

  @Override
  public synchronized String toString() {
    return String.format(Locale.ROOT, "a read takes %.2f ms, a hop %.2f ms, 1 MiB %.2f ms more",
        readNanos / MS, hopNanos / MS, byteNanos * BELIEF_BYTES / MS);
  }
}
