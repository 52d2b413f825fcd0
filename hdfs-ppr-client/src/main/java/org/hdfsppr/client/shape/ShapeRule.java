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

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LatestTimes;

/**
 * Chooses the shape in which a range is rebuilt. Usually this is the shape with the shortest time,
 * as far as {@link MeasuredTimes} has measured it and {@link ReadCosts} expects it. Now and then
 * this class tries another shape, because expected times may be wrong, and because links and nodes
 * change. This class has no clock and no randomness. Thread-safe.
 */
@InterfaceAudience.Private
public final class ShapeRule {
  /** A shape is tried only if it probably takes at most this many times as long as the best. */
  static final double TRY_FACTOR = 2;

  /**
   * A shape that moves fewer bytes counts as better if it takes at most this many times as long as
   * the best shape. It leaves more of the client's link to other reads. It may also become faster
   * the longer it is used, because most of its time passes in the helpers, and these become faster
   * with use. In a measurement, one chain of ten helpers took 6.2 ms for each of a few ranges in a
   * row, and 4.2 ms for each of 300. Two chains took 5.8 ms, because the link needed this time for
   * their bytes.
   */
  static final double FEWER_BYTES_FACTOR = 1.15;

  private final ReadCosts costs;
  private final MeasuredTimes measured = new MeasuredTimes();

  /** @param costs the expected times of reads, bytes and hops */
  public ShapeRule(ReadCosts costs) {
    this.costs = costs;
  }

  /**
   * Chooses the shape for a range. If several shapes probably take nearly equally long, this method
   * chooses the shape with the fewest chains, and decoding last.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @return decoding, or a number of chains
   */
  public synchronized RebuildShape choose(int helpers, long rangeBytes, int chainsMost) {
    List<RebuildShape> options = RebuildShape.all(helpers, rangeBytes, chainsMost);
    MeasuredTimes.OfLength times = measured.ofLength(options.get(0));
    times.forgetOld();
    double[] nanos = times.nanos(options, costs);
    int best = 0;
    for (int i = 1; i < nanos.length; i++) {
      best = nanos[i] < nanos[best] ? i : best;
    }
    best = fewerBytes(options, nanos, best, times);
    times.begin(options.get(best), nanos[best]);
    Optional<RebuildShape> tried = times.tries.next(options);
    if (tried.isPresent()) {
      return tried.get();
    }
    if (times.isKnown() && !times.isKnown(options.get(best))) {
      // The shape is expected to be the best, but was not measured often enough to know this. One
      // range alone would not show it, so a row of ranges is rebuilt in this shape.
      times.tries.begin(options.get(best));
      return times.tries.next(options).orElseThrow();
    }
    int other = times.tries.isDue() ? toTry(options, nanos, best, times) : -1;
    if (other < 0 || !times.tries.begin(options.get(best), options.get(other),
        Math.max(0, nanos[other] - nanos[best]))) {
      return options.get(best);
    }
    times.forget(options.get(other));
    return times.tries.next(options).orElseThrow();
  }

  /** Returns the index of the shape with the fewest bytes among those that are nearly the best. */
  private static int fewerBytes(List<RebuildShape> options, double[] nanos, int best,
      MeasuredTimes.OfLength times) {
    for (int i = 0; i < best; i++) {
      // The options are in the order of their bytes.
      if (times.isKnown(options.get(i)) && nanos[i] <= FEWER_BYTES_FACTOR * nanos[best]) {
        return i;
      }
    }
    return best;
  }

  /**
   * Returns the index of the shape to try, or -1 if no shape may be tried. This method skips shapes
   * that are probably much slower than the best one, and shapes for whose bytes alone the link
   * needs longer than the best shape takes. Of the others, it returns the one that was measured the
   * longest time ago, and of several such shapes, the one that is probably fastest.
   */
  private int toTry(List<RebuildShape> options, double[] nanos, int best,
      MeasuredTimes.OfLength times) {
    int next = -1;
    for (int i = 0; i < nanos.length; i++) {
      if (i == best || nanos[i] > TRY_FACTOR * nanos[best]
          || options.get(i).nanosAtLeast(costs) > nanos[best]) {
        continue;
      }
      int longer = next < 0 ? -1 : Long.compare(times.lastRange(options.get(i)),
          times.lastRange(options.get(next)));
      if (longer < 0 || longer == 0 && nanos[i] < nanos[next]) {
        next = i;
      }
    }
    return next;
  }

  /**
   * Learns from a range that was rebuilt.
   *
   * @param shape the shape in which the range was rebuilt
   * @param nanosTaken how long that took, nanoseconds
   */
  public synchronized void took(RebuildShape shape, long nanosTaken) {
    measured.took(shape, nanosTaken);
  }

  /**
   * Learns from a tree that the client stopped because the tree took too long. The time until then
   * is only a lower bound of the tree's time.
   *
   * @param shape the shape of the tree
   * @param nanosTaken how long the tree had run when the client stopped it, nanoseconds
   */
  public synchronized void tookAtLeast(RebuildShape shape, long nanosTaken) {
    double[] nanos = measured.ofLength(shape).nanos(Collections.singletonList(shape), costs);
    if (nanosTaken > nanos[0]) {
      measured.took(shape, nanosTaken);
    }
  }

  @Override
  public String toString() {
    return costs.toString();
  }

  /**
   * Keeps how long ranges took, separately for each shape and length. {@link ReadCosts} computes
   * how long a shape should take from the times of a read, a byte and a hop. This result is often
   * wrong for short ranges: links have queues that take a short range at once, slices overlap, and
   * threads wait for each other. So the measured times of the same shape and length count, and the
   * computed time only stands in for a shape that was hardly measured. This class has no clock. Not
   * thread-safe.
   */
  static final class MeasuredTimes {
    /**
     * For how many lengths of ranges times are kept at most, each with all shapes. If there are
     * more, the length that was used the longest time ago is forgotten.
     */
    static final int LENGTHS_MOST = 64;
    /**
     * The time of a shape is the median of this many latest times, so that one delayed range does
     * not change it.
     */
    private static final int LATEST = 5;
    /** With fewer measured times than this, the expected time counts as one more measured time. */
    private static final int KNOWN = 3;
    /**
     * If measured times differ from the expected ones, the expected times of all shapes of this
     * length are multiplied or divided by the same factor. This is the largest such factor.
     */
    private static final double WRONG_MOST = 16;
    /**
     * A shape's times are forgotten after this many ranges of the same length in other shapes. Then
     * the expected time counts again. The DataNodes may have become faster since the times were
     * measured: a DataNode that has just started takes several times as long. After its times were
     * forgotten, a shape's next times are kept twice as long, up to {@link #KEPT_FOR_MOST}, unless
     * the shape becomes the best one.
     */
    private static final int KEPT_FOR_LEAST = 32;
    private static final int KEPT_FOR_MOST = 512;
    /**
     * For each doubling of the length there are this many classes of lengths. Two lengths in the
     * same class differ by at most about a fifth.
     */
    private static final double CLASSES_PER_OCTAVE = 4;
    private static final float LOAD_FACTOR = 0.75f;

    /** The latest times of one shape. */
    private static final class OfShape {
      private LatestTimes times = new LatestTimes(LATEST);
      /**
       * How many ranges of this length had been counted when this shape was last measured, or its
       * times were forgotten.
       */
      private long lastRange;
      private int keptFor = KEPT_FOR_LEAST;

      void took(double nanosTaken, long range) {
        times.add(nanosTaken);
        lastRange = range;
      }

      boolean isKnown() {
        return times.size() >= KNOWN;
      }

      void forgetIfOld(long range) {
        if (times.size() > 0 && range - lastRange > keptFor) {
          forget();
          lastRange = range;
          keptFor = Math.min(KEPT_FOR_MOST, 2 * keptFor);
        }
      }

      void forget() {
        times = new LatestTimes(LATEST);
      }
    }

    /** The times of all shapes in which ranges of about the same length may be rebuilt. */
    static final class OfLength {
      private final OfShape[] shapes;
      /** When other shapes than the best one are tried for ranges of this length. */
      final ShapeTrials tries = new ShapeTrials();

      private OfLength(int helpers) {
        shapes = new OfShape[RebuildShape.chainsMost(helpers) + 1];
        Arrays.setAll(shapes, chains -> new OfShape());
      }

      private OfShape of(RebuildShape shape) {
        return shapes[shape.chains];
      }

      /**
       * Says how long shapes probably take.
       *
       * @param options the shapes that are possible
       * @param costs the expected times
       * @return the times, nanoseconds, in the order of the shapes
       */
      double[] nanos(List<RebuildShape> options, ReadCosts costs) {
        double[] nanos = options.stream().mapToDouble(shape -> shape.nanos(costs)).toArray();
        // If measured shapes took longer or shorter than expected, the others probably do so, too.
        // So the mean factor corrects all expected times.
        double wrong = 0;
        int known = 0;
        double[][] sorted = new double[nanos.length][];
        for (int i = 0; i < nanos.length; i++) {
          sorted[i] = of(options.get(i)).times.sorted();
          if (sorted[i].length > 0) {
            wrong += Math.log(middle(sorted[i]) / nanos[i]);
            known++;
          }
        }
        double factor = known == 0 ? 1
            : Math.max(1 / WRONG_MOST, Math.min(WRONG_MOST, Math.exp(wrong / known)));
        for (int i = 0; i < nanos.length; i++) {
          nanos[i] = probable(sorted[i], factor * nanos[i]);
        }
        return nanos;
      }

      private static double probable(double[] sorted, double expected) {
        if (sorted.length >= KNOWN) {
          return middle(sorted);
        }
        double[] all = Arrays.copyOf(sorted, sorted.length + 1);
        all[sorted.length] = expected;
        Arrays.sort(all);
        return middle(all);
      }

      /** Returns the median; of an even number of times, the mean of the two in the middle. */
      private static double middle(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
      }

      /**
       * Forgets times that are old. The caller does this once for each range, before it chooses a
       * shape.
       */
      void forgetOld() {
        for (OfShape shape : shapes) {
          shape.forgetIfOld(tries.ranges());
        }
      }

      /**
       * Counts a range that is to be rebuilt.
       *
       * @param bestShape the shape that probably takes the shortest time
       * @param bestNanos how long the range probably takes in this shape, nanoseconds
       */
      void begin(RebuildShape bestShape, double bestNanos) {
        if (isKnown(bestShape)) {
          of(bestShape).keptFor = KEPT_FOR_LEAST;
        }
        tries.count(bestNanos);
      }

      /**
       * Returns whether a shape was measured often enough that the expected time does not count.
       */
      boolean isKnown(RebuildShape shape) {
        return of(shape).isKnown();
      }

      /**
       * Returns whether any shape was measured often enough that the expected time does not count.
       */
      boolean isKnown() {
        return Arrays.stream(shapes).anyMatch(OfShape::isKnown);
      }

      /**
       * Forgets the times of a shape before it is tried, so that only the times of these tries
       * count.
       */
      void forget(RebuildShape shape) {
        of(shape).forget();
      }

      /**
       * Returns how many ranges had been counted when this shape was last measured, or its times
       * were forgotten; 0 if neither has happened.
       */
      long lastRange(RebuildShape shape) {
        return of(shape).lastRange;
      }

      /** Returns whether any time of a shape is remembered. */
      boolean hasTimes(RebuildShape shape) {
        return of(shape).times.size() > 0;
      }
    }

    private final Map<String, OfLength> all = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, OfLength> eldest) {
        return size() > LENGTHS_MOST;
      }
    };

    /**
     * Returns the times of ranges of about the same length that are rebuilt from the same number of
     * helpers.
     */
    OfLength ofLength(RebuildShape shape) {
      long lengthClass = Math.round(
          CLASSES_PER_OCTAVE * Math.log(Math.max(1, shape.rangeBytes)) / Math.log(2));
      return all.computeIfAbsent(shape.helpers + " " + lengthClass,
          absent -> new OfLength(shape.helpers));
    }

    /**
     * Keeps a measured time.
     *
     * @param shape how the range was rebuilt
     * @param nanosTaken how long that took, nanoseconds
     */
    void took(RebuildShape shape, double nanosTaken) {
      OfLength times = ofLength(shape);
      times.of(shape).took(Math.max(1, nanosTaken), times.tries.ranges());
    }
  }

  /**
   * Decides when ranges of a length are rebuilt in another shape than the best one, to measure that
   * shape, and limits how much time this takes. This class has no clock. Not thread-safe.
   */
  static final class ShapeTrials {
    /**
     * A shape is tried with this many ranges in a row. The first of them may be slow, because the
     * connections of the shape were idle and TCP begins slowly again. Or they may be fast, because
     * queues in the network take a few ranges at once.
     */
    static final int IN_A_ROW = 5;
    /**
     * After tries of a shape have begun, at least this many ranges of the length follow before
     * other tries begin.
     */
    static final int AFTER_LEAST = 32;
    /**
     * If the best shape has not changed since the last tries, the number of ranges until the next
     * tries doubles, up to this number.
     */
    static final int AFTER_MOST = 512;
    /** By which fraction tries may lengthen the total time of all ranges of a length at most. */
    static final double SHARE = 0.04;

    /** How many ranges there were, and how long they would have taken in the best shape. */
    private long ranges;
    private double best;
    /** The additional time that tries were expected to take. */
    private double tried;
    /** The number of chains of the shape that is being tried, and how many more ranges try it. */
    private int trying;
    private int left;
    /** How many ranges had been counted when the last tries began. */
    private long last;
    /** How many ranges after the beginning of the last tries the next tries may begin. */
    private int after = AFTER_LEAST;
    /**
     * The number of chains of the shape that was best before the last tries; -1 if there were no
     * tries.
     */
    private int bestBefore = -1;

    /**
     * Counts a range.
     *
     * @param bestNanos how long the range probably takes in the best shape, nanoseconds
     */
    void count(double bestNanos) {
      ranges++;
      best += bestNanos;
    }

    /** Returns the number of ranges that were counted. */
    long ranges() {
      return ranges;
    }

    /** Returns whether enough ranges have passed since the last tries, so that others may begin. */
    boolean isDue() {
      return ranges - last >= after;
    }

    /**
     * Begins tries of a shape, unless tries would then take more than {@link #SHARE} of the time of
     * all ranges of this length.
     *
     * @param bestShape the shape that probably takes the shortest time
     * @param shape the shape to try
     * @param moreNanos how much longer a range probably takes in the tried shape, nanoseconds
     * @return whether the tries begin
     */
    boolean begin(RebuildShape bestShape, RebuildShape shape, double moreNanos) {
      if (tried + IN_A_ROW * moreNanos > SHARE * best) {
        return false;
      }
      tried += IN_A_ROW * moreNanos;
      begin(shape);
      // If the last tries have led to another best shape, the next tries come soon. Only now it is
      // clear whether they have, because a tried shape may be fast in a few ranges by chance.
      after = bestShape.chains != bestBefore ? AFTER_LEAST : Math.min(AFTER_MOST, 2 * after);
      bestBefore = bestShape.chains;
      last = ranges;
      return true;
    }

    /**
     * Begins tries of a shape that is expected to be the best, so that tries cost no additional
     * time.
     */
    void begin(RebuildShape shape) {
      trying = shape.chains;
      left = IN_A_ROW;
    }

    /** Returns the shape to try with the next range; empty if no shape is being tried. */
    Optional<RebuildShape> next(List<RebuildShape> options) {
      if (left == 0) {
        return Optional.empty();
      }
      left--;
      return options.stream().filter(shape -> shape.chains == trying).findFirst();
    }
  }
}
