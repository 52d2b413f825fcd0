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
 * Estimates how long a client's reads take, and learns from their measured times. It keeps three
 * times: {@code read} for each read, {@code byte} for each byte that the client's link carries, and
 * {@code hop} for each node that a sum passes through. A read of b bytes is expected to take {@code
 * read + b * byte}, and a tree of h hops {@code h * hop + b * byte}.
 *
 * <p>A measured time is the sum of several of these times. If it differs from the expected sum, a
 * Kalman filter on the logarithms of the three times distributes the difference among them. A time
 * gets more of the difference if it is a large part of the sum, or if it is hardly known. The
 * filter also knows which times it has only seen together. For example, trees of one shape alone do
 * not show whether hops or bytes are slow, so the client stays unsure of both. This class has no
 * clock. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadCosts {
  private static final int READ = 0;
  private static final int BYTE = 1;
  private static final int HOP = 2;
  private static final int TIMES = 3;
  /**
   * The times that the client assumes before it has measured any read, nanoseconds. They fit a read
   * and a hop within one data centre, and a link of 200 Mbit/s. If the client's link is faster than
   * that, the client begins with chains, which cost some hops too many. If the link is slower, the
   * client begins by decoding, which moves k times the bytes over this slow link.
   */
  private static final double[] ASSUMED = {500_000, 40, 1_000_000};
  /** How unsure the assumed times are, as standard deviations of their logarithms. */
  private static final double[] UNSURE = {1, 1, 0.5};
  /**
   * The shortest times that a client believes, nanoseconds. The time for a byte is that of a link
   * of 160 Gbit/s.
   */
  private static final double[] LEAST = {20_000, 0.05, 50_000};
  /** The greatest standard deviation of the logarithm of a time. */
  private static final double UNSURE_MOST = 2;
  /**
   * How much the logarithm of a time may change between two measurements that mainly consist of
   * this time, as a standard deviation.
   */
  private static final double DRIFT = 0.2;
  /** How much the logarithms of measured times scatter, as a standard deviation. */
  private static final double SCATTER = 0.25;
  private static final double MS = 1e6;
  private static final int MIB = 1 << 20;

  private final double[] nanos = ASSUMED.clone();
  /** The covariances of the logarithms of the three times; symmetric. */
  private final double[][] unsure = new double[TIMES][TIMES];

  /** Begins with the assumed times. */
  public ReadCosts() {
    for (int i = 0; i < TIMES; i++) {
      unsure[i][i] = square(UNSURE[i]);
    }
  }

  /**
   * Learns from a read in which the client received bytes from several DataNodes at the same time.
   *
   * @param bytes how many bytes the client received in all
   * @param nanosTaken how long the client took to receive the bytes, nanoseconds
   */
  public synchronized void read(long bytes, long nanosTaken) {
    learn(new double[] {1, bytes, 0}, nanosTaken);
  }

  /**
   * Learns from a sum that came through a tree.
   *
   * @param hops how many nodes are on the tree's longest path
   * @param bytes as in {@link RebuildShape#bytesInTurn}
   * @param nanosTaken how long the client took to receive the bytes, nanoseconds
   */
  public synchronized void tree(int hops, double bytes, long nanosTaken) {
    learn(new double[] {0, bytes, hops}, nanosTaken);
  }

  /**
   * Learns from a tree that the client stopped because the tree took too long. The time until then
   * is only a lower bound of the tree's time.
   *
   * @param hops how many nodes are on the tree's longest path
   * @param bytes as in {@link #tree}
   * @param nanosTaken how long the tree had run when the client stopped it, nanoseconds
   */
  public synchronized void lateTree(int hops, double bytes, long nanosTaken) {
    double[] counts = {0, bytes, hops};
    if (nanosTaken > expected(counts)) {
      learn(counts, nanosTaken);
    }
  }

  /** @param counts how many reads, bytes and hops the measured time consists of */
  private void learn(double[] counts, double measured) {
    double expected = expected(counts);
    double[] shares = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      shares[i] = counts[i] * nanos[i] / expected;
      unsure[i][i] =
          Math.min(square(UNSURE_MOST), unsure[i][i] + square(DRIFT) * shares[i]);
    }
    double[] gain = new double[TIMES];
    double variance = square(SCATTER);
    for (int i = 0; i < TIMES; i++) {
      for (int j = 0; j < TIMES; j++) {
        gain[i] += unsure[i][j] * shares[j];
      }
      variance += shares[i] * gain[i];
    }
    // A single read may be delayed for any reason, so one difference from the expected time counts
    // as at most one standard deviation. The client learns a larger change from several reads.
    double most = Math.sqrt(variance);
    double surprise =
        Math.max(-most, Math.min(most, Math.log(Math.max(1, measured) / expected)));
    for (int i = 0; i < TIMES; i++) {
      nanos[i] = Math.max(LEAST[i], nanos[i] * Math.exp(gain[i] / variance * surprise));
      for (int j = 0; j < TIMES; j++) {
        unsure[i][j] -= gain[i] * gain[j] / variance;
      }
    }
  }

  private double expected(double[] counts) {
    return counts[READ] * nanos[READ] + counts[BYTE] * nanos[BYTE] + counts[HOP] * nanos[HOP];
  }

  private static double square(double value) {
    return value * value;
  }

  /**
   * @param bytes how many bytes
   * @return how long the client is expected to take to read this many bytes from several DataNodes
   *     at the same time, nanoseconds
   */
  public synchronized double nanos(long bytes) {
    return nanos[READ] + bytes * nanos[BYTE];
  }

  /** @return the time that a read takes in addition to the time of its bytes, nanoseconds */
  public synchronized double readNanos() {
    return nanos[READ];
  }

  /** @return the time that each byte takes, nanoseconds */
  public synchronized double byteNanos() {
    return nanos[BYTE];
  }

  /**
   * @return the shortest time that each byte may take, as far as the client is sure of it,
   *     nanoseconds: one standard deviation less than {@link #byteNanos}
   */
  synchronized double byteNanosAtLeast() {
    return nanos[BYTE] * Math.exp(-Math.sqrt(unsure[BYTE][BYTE]));
  }

  /** @return the time that each node adds to a sum that passes through it, nanoseconds */
  public synchronized double hopNanos() {
    return nanos[HOP];
  }

  @Override
  public synchronized String toString() {
    return String.format(Locale.ROOT, "a read takes %.2f ms, a hop %.2f ms, 1 MiB %.2f ms more",
        nanos[READ] / MS, nanos[HOP] / MS, nanos[BYTE] * MIB / MS);
  }
}
