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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses the shape in which a range is rebuilt: the shape that took least time for the latest
 * ranges of about the same size. For shapes that were not tried, the choice takes the time that
 * {@link ReadCosts} expects. Expectations alone are not enough, because they know one price of a
 * byte and one of a hop. Real links let short bursts pass at once, connections share links, and
 * idle nodes are slower. So the client also tries shapes that may have become better. Where a tree
 * is best, other shapes take its place now and then. Where decoding is best, a single tree would be
 * slow, because its connections and processors are cold. So a trial runs several trees in a row
 * behind a read that was decoded (see {@link ShapeTrials}). If these trees are fast enough, the
 * next few reads use the tree and decide. This class has no clock and no randomness. Thread-safe.
 */
@InterfaceAudience.Private
final class ShapeChoice {
  /**
   * At most one range in eight of a size is rebuilt in another shape than the best one, to try that
   * shape.
   */
  static final int TRY_ONE_IN = 8;
  /**
   * The additional time that trying other shapes may cost, as a share of the time that all ranges
   * of a size would take in the best shape.
   */
  static final double TRY_SHARE = 0.05;
  /** A shape that took more than twice what the best one takes is not tried again. */
  static final double TRY_FACTOR = 2;
  /**
   * The times of a shape are forgotten when the shape was not used for this many ranges of a size.
   */
  static final int FORGET_AFTER = 512;
  /**
   * How many ranges are decoded before the first trial. The gap between trials also returns to this
   * number once trees have been the better choice for {@link #SURE_AFTER} ranges.
   */
  static final int TRIAL_FIRST = 4;
  /**
   * The most ranges between two trials. The gap grows by half with each trial that finds nothing
   * new.
   */
  static final int TRIAL_MOST = 128;
  /**
   * A trial finds something new if its trees take less than this share of the time of the last
   * trial with the same shape.
   */
  private static final double TRIAL_BETTER = 0.9;
  /**
   * The tree of a trial shares the link with reads, which makes the tree slower. So the tree may be
   * the better choice if it took less than one and a half times the time of decoding.
   */
  static final double MAYBE_FACTOR = 1.5;
  /**
   * How many ranges are measured to decide between a tree and decoding, which is enough for a
   * median.
   */
  static final int DECIDING = 3;
  /**
   * How many ranges may be spent to measure {@link #DECIDING} ranges. Some ranges fail, and some
   * are checked, so their times cannot be compared.
   */
  private static final int DECIDING_TRIES = 8;
  /**
   * After this many ranges in a row for which a tree was the better choice, the client is sure that
   * trees are better.
   */
  private static final int SURE_AFTER = 10;
  /**
   * The highest class of load. Reads with 16 or more other reads beside them are in the same class.
   */
  private static final int LOADS = 5;
  /**
   * The most kinds of ranges that are remembered. The kind that was not used for longest is
   * forgotten first.
   */
  static final int SIZES_MOST = 64;

  private final ReadCosts costs;
  private final Map<Size, Times> sizes = new LinkedHashMap<>(16, 0.75f, true);

  /** @param costs the expected times of shapes that were not tried */
  ShapeChoice(ReadCosts costs) {
    this.costs = costs;
  }

  /** A kind of range. Only the times of ranges of the same kind are compared. */
  private static final class Size {
    private final int helpers;
    /** The class of the range's length: from one power of two to the next. */
    private final int bits;
    /**
     * The class of the load: 0 if the client reads nothing else, then one class for each doubling
     * of the number of other reads.
     */
    private final int load;

    Size(Shape shape) {
      helpers = shape.helpers();
      load = Math.min(LOADS, Integer.SIZE - Integer.numberOfLeadingZeros(shape.others()));
      bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, shape.rangeBytes() - 1));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Size && ((Size) o).helpers == helpers && ((Size) o).bits == bits
          && ((Size) o).load == load;
    }

    @Override
    public int hashCode() {
      return Objects.hash(helpers, bits, load);
    }
  }

  /**
   * What is known about one kind of range: the latest times of each shape, and the state of trials.
   */
  private static final class Times {
    private final Measured[] shapes;
    private long ranges;
    /**
     * The time that all ranges would have taken in the shape that was expected to be best,
     * nanoseconds.
     */
    private double best;
    /**
     * The expected time that trying other shapes has cost in addition to {@link #best},
     * nanoseconds.
     */
    private double tried;
    private int trials;
    private int untilTrial = TRIAL_FIRST;
    private int trialGap = TRIAL_FIRST;
    /** How many ranges in a row had a tree as the better choice. */
    private int trees;
    /**
     * The number of chains of the tree that is compared with decoding by the next {@code
     * decidingLeft} ranges.
     */
    private int deciding;
    private int decidingLeft;
    private int decidingTries;

    Times(int helpers) {
      shapes = new Measured[Shape.chainsMost(helpers) + 1];
      Arrays.setAll(shapes, i -> new Measured());
    }

    /**
     * Returns the tree that is being compared with decoding, or decoding if {@code options} lacks
     * that tree.
     */
    Shape deciding(List<Shape> options) {
      return options.stream().filter(shape -> shape.chains() == deciding).findFirst()
          .orElse(options.get(options.size() - 1));
    }

    /** The time that a shape takes, measured or expected, nanoseconds. */
    double nanos(Shape shape, ReadCosts costs) {
      return shapes[shape.chains()].median(shape.nanos(costs), ranges);
    }
  }

  /** The latest times of one shape. */
  private static final class Measured {
    private final LatestTimes times = new LatestTimes();
    private long lastRange;
    /** The time that the last trial measured, nanoseconds; 0 before the first trial. */
    private double lastTrial;
    private long lastTrialRange;

    void add(double nanos, long range) {
      times.add(nanos);
      lastRange = range;
    }

    boolean isKnown() {
      return times.isKnown();
    }

    double median(double expected, long range) {
      if (range - lastRange > FORGET_AFTER) {
        times.forget();
      }
      return times.isKnown() ? times.median() : times.median(expected);
    }
  }

  private Times times(Shape shape) {
    Times times = sizes.computeIfAbsent(new Size(shape), size -> new Times(shape.helpers()));
    if (sizes.size() > SIZES_MOST) {
      sizes.remove(sizes.keySet().iterator().next());
    }
    return times;
  }

  /**
   * Chooses the shape for a range. Among shapes that take equally long, the shape with fewer bytes
   * is chosen.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @param others how many other units and reads the client reads at the same time; times under
   *     different load are not compared
   */
  synchronized Shape choose(int helpers, long rangeBytes, int sliceBytes, int chainsMost,
      int others) {
    List<Shape> options = Shape.all(helpers, rangeBytes, sliceBytes, chainsMost, others);
    Times times = times(options.get(0));
    times.ranges++;
    double[] nanos = new double[options.size()];
    int best = 0;
    for (int i = 0; i < nanos.length; i++) {
      Shape option = options.get(i);
      nanos[i] = times.nanos(option, costs);
      best = nanos[i] < nanos[best] ? i : best;
    }
    if (times.ranges % FORGET_AFTER == 0) {
      // Halving lets old ranges count less. Otherwise a client that has tried nothing for long
      // could try much at once.
      times.best /= 2;
      times.tried /= 2;
    }
    if (options.get(best).isDecoding()) {
      times.trees = 0;
      // A tree is first tried behind reads. Only then some reads use the tree, and their times
      // decide.
      if (times.decidingLeft == 0 || times.decidingTries == 0) {
        return options.get(best);
      }
      times.decidingTries--;
      return times.deciding(options);
    }
    times.decidingLeft = 0;
    // Ranges that are read side by side may all begin before any time is known, so a range counts
    // only once the time of the tree is known.
    times.trees += times.shapes[options.get(best).chains()].isKnown() ? 1 : 0;
    if (times.trees >= SURE_AFTER) {
      times.trialGap = TRIAL_FIRST;
      times.untilTrial = TRIAL_FIRST;
    }
    times.best += nanos[best];
    int chosen = times.ranges % TRY_ONE_IN == 0 ? toTry(options, times, nanos, best) : best;
    times.tried += nanos[chosen] - nanos[best];
    return options.get(chosen);
  }

  /**
   * Returns the index of the shape to try: of the shapes without known times the one with the least
   * expected time; if all times are known, the shape that was not tried for longest. Returns {@code
   * best} if no other shape is worth a try.
   */
  private int toTry(List<Shape> options, Times times, double[] nanos, int best) {
    int unknown = best;
    int longest = best;
    long longestLast = Long.MAX_VALUE;
    for (int i = 0; i < nanos.length; i++) {
      Measured shape = times.shapes[options.get(i).chains()];
      if (i == best || options.get(i).nanosOfBytes(costs) > nanos[best]) {
        // This shape is the best already, or could not be better even if hops took no time.
        continue;
      }
      if (!shape.isKnown() && (unknown == best || nanos[i] < nanos[unknown])) {
        unknown = i;
      }
      if (shape.isKnown() && nanos[i] <= TRY_FACTOR * nanos[best]
          && shape.lastRange < longestLast) {
        longest = i;
        longestLast = shape.lastRange;
      }
    }
    int next = unknown != best ? unknown : longest;
    // If the budget does not suffice for this shape, nothing is tried now. A cheaper shape must not
    // overtake, or this shape would never be tried.
    return times.tried + nanos[next] - nanos[best] <= TRY_SHARE * times.best ? next : best;
  }

  /**
   * Learns how long a range took in a shape. If a tree was late, {@code nanos} includes the
   * decoding that followed.
   */
  synchronized void took(Shape shape, long nanos) {
    Times times = times(shape);
    times.shapes[shape.chains()].add(nanos, times.ranges);
    if (shape.chains() == times.deciding && times.decidingLeft > 0) {
      times.decidingLeft--;
    }
  }

  /** Counts a range that was decoded, and returns whether a trial is to run behind that range. */
  synchronized boolean isTrialDue(Shape decoded) {
    Times times = times(decoded);
    times.untilTrial = Math.max(0, times.untilTrial - 1);
    return times.untilTrial <= 0;
  }

  /**
   * Chooses the tree for the next trial: alternately the tree with the least expected time, and the
   * tree that was not tried for longest.
   *
   * @param chainsMost how many chains are allowed, at least 1
   * @return the tree; empty if no tree can be faster than decoding
   */
  synchronized Optional<Shape> nextTrial(Shape decoded, int chainsMost) {
    Times times = times(decoded);
    double decoding = times.nanos(decoded, costs);
    Comparator<Shape> order = times.trials % 2 == 0
        ? Comparator.comparingDouble(tree -> times.nanos(tree, costs))
        : Comparator.comparingLong(tree -> times.shapes[tree.chains()].lastTrialRange);
    times.trials++;
    times.untilTrial = times.trialGap;
    times.trialGap = Math.min(TRIAL_MOST, times.trialGap + times.trialGap / 2);
    Optional<Shape> next = decoded.trees(chainsMost).stream()
        .filter(tree -> tree.nanosOfBytes(costs) < decoding).min(order);
    next.ifPresent(tree -> times.shapes[tree.chains()].lastTrialRange = times.ranges);
    return next;
  }

  /**
   * Learns from a trial of a tree behind a range that was decoded.
   *
   * @param nanos the median time of the last trees of the trial, nanoseconds; a tree that was cut
   *     off counts with its time until then
   */
  synchronized void tried(Shape decoded, Shape tree, double nanos) {
    Times times = times(decoded);
    Measured shape = times.shapes[tree.chains()];
    if (nanos < TRIAL_BETTER * shape.lastTrial) {
      // The tree may become faster still, because connections and compiled code are not warm yet.
      // So the next trial comes sooner.
      times.trialGap = Math.max(TRIAL_FIRST, times.trialGap * 2 / 3);
      times.untilTrial = Math.min(times.untilTrial, times.trialGap);
    }
    shape.lastTrial = nanos;
    double decoding = times.nanos(decoded, costs);
    if (nanos < MAYBE_FACTOR * decoding && times.nanos(tree, costs) >= decoding) {
      // The older times of the tree contradict the trial, so they are dropped and measured anew.
      shape.times.forget();
      times.deciding = tree.chains();
      times.decidingLeft = DECIDING;
      times.decidingTries = DECIDING_TRIES;
    }
  }

  /** How many kinds of ranges are remembered. */
  synchronized int sizes() {
    return sizes.size();
  }
}
