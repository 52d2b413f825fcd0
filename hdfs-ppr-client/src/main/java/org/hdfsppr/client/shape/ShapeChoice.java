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
 * Chooses the shape in which a range is rebuilt: the one whose latest ranges of about that size
 * took least. For shapes that were not tried, the expectation of {@link ReadCosts} counts, and at
 * the beginning there is nothing else. Expectations are not enough: they know one price of a byte
 * and one of a hop, but real links let short bursts pass at once, connections share links, and idle
 * nodes are slower. So the client tries shapes that may have become better. Where a tree is best,
 * other shapes take its place now and then. Where decoding is best, a single tree would run on cold
 * connections and processors, and only confirm that; so some trees run in a row behind the read,
 * see {@link ShapeTrials}, and then some reads in a row decide. Has no clock and no randomness.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class ShapeChoice {
  /** At most one range in eight of a size is for finding out. */
  static final int TRY_ONE_IN = 8;
  /** The time that trying may cost beyond the best shape's, of all time for ranges of a size. */
  static final double TRY_SHARE = 0.05;
  /** A shape that took more than twice what the best one takes is not tried again. */
  static final double TRY_FACTOR = 2;
  /** Ranges of a size after which what was measured is forgotten. */
  static final int FORGET_AFTER = 512;
  /**
   * Ranges that are decoded before the first trial, and before the next one once trees have been
   * the better choice for a while.
   */
  static final int TRIAL_FIRST = 4;
  /**
   * The most ranges between two trials: their number grows by half with each trial that finds
   * nothing new.
   */
  static final int TRIAL_MOST = 128;
  /** A trial finds something new if it takes less than this share of what the last trial took. */
  private static final double TRIAL_BETTER = 0.9;
  /**
   * The tree of a trial shares the link with reads: it may be the better choice if it took no more
   * than one and a half times what decoding does.
   */
  static final double MAYBE_FACTOR = 1.5;
  /** Ranges that are measured to decide between a tree and decoding: enough for a median. */
  static final int DECIDING = 3;
  /** Ranges that are spent on these: some fail, or are checked and cannot be compared. */
  private static final int DECIDING_TRIES = 8;
  /** Ranges in a row for which trees were the better choice, after which that is believed. */
  private static final int SURE_AFTER = 10;
  /** Beyond 15 other reads it makes no difference how many they are. */
  private static final int LOADS = 5;
  /** Kinds of ranges that are remembered; those not used for longest go first. */
  static final int SIZES_MOST = 64;

  private final ReadCosts costs;
  private final Map<Size, Times> sizes = new LinkedHashMap<>(16, 0.75f, true);

  /** @param costs what is expected of shapes that were not tried */
  ShapeChoice(ReadCosts costs) {
    this.costs = costs;
  }

  /** A kind of range: the times of ranges of one kind are compared. */
  private static final class Size {
    private final int helpers;
    /** Lengths from a power of two to the next one. */
    private final int bits;
    /** 0 for a read alone, then doubling. */
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

  /** The latest times of all shapes, by their number of chains. */
  private static final class Times {
    private final Measured[] shapes;
    private long ranges;
    /** What all ranges would have taken in the shape that was thought best, nanoseconds. */
    private double best;
    /** Time beyond that which was, or may have been, spent on trying, nanoseconds. */
    private double tried;
    private int trials;
    private int untilTrial = TRIAL_FIRST;
    private int trialGap = TRIAL_FIRST;
    /** Ranges for which a tree was the better choice, in a row. */
    private int trees;
    /** Which shape the next ranges decide about, by its chains, and how many. */
    private int deciding;
    private int decidingLeft;
    private int decidingTries;

    Times(int helpers) {
      shapes = new Measured[Shape.chainsMost(helpers) + 1];
      Arrays.setAll(shapes, i -> new Measured());
    }

    /** The shape that ranges decide about, or decoding if it is not allowed for this one. */
    Shape deciding(List<Shape> options) {
      return options.stream().filter(shape -> shape.chains() == deciding).findFirst()
          .orElse(options.get(options.size() - 1));
    }

    /** What a shape takes, measured or expected. */
    double nanos(Shape shape, ReadCosts costs) {
      return shapes[shape.chains()].median(shape.nanos(costs), ranges);
    }
  }

  /** The latest times of one shape. */
  private static final class Measured {
    private final LatestTimes times = new LatestTimes();
    private long lastRange;
    /** What the last trial found; 0 before there was one. */
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
   * The shape for a range; among equals the one with fewer bytes.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @param others what else is being read at the same time, for which times are apart
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
      // A client that has tried nothing for long must not try much at once.
      times.best /= 2;
      times.tried /= 2;
    }
    if (options.get(best).isDecoding()) {
      times.trees = 0;
      // Trees are tried behind the read first, and then some reads decide.
      if (times.decidingLeft == 0 || times.decidingTries == 0) {
        return options.get(best);
      }
      times.decidingTries--;
      return times.deciding(options);
    }
    times.decidingLeft = 0;
    // Ranges that are read side by side may all begin before any time is known.
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

  /** The most promising of the unknown shapes, or the one not tried for longest. */
  private int toTry(List<Shape> options, Times times, double[] nanos, int best) {
    int unknown = best;
    int longest = best;
    long longestLast = Long.MAX_VALUE;
    for (int i = 0; i < nanos.length; i++) {
      Measured shape = times.shapes[options.get(i).chains()];
      if (i == best || options.get(i).nanosOfBytes(costs) > nanos[best]) {
        // It cannot be better, even if hops take no time.
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
    // A shape that costs more than the budget has left waits, and no cheaper one goes before it.
    return times.tried + nanos[next] - nanos[best] <= TRY_SHARE * times.best ? next : best;
  }

  /** Learns what a range took in a shape; if a tree was late, with the decoding that followed. */
  synchronized void took(Shape shape, long nanos) {
    Times times = times(shape);
    times.shapes[shape.chains()].add(nanos, times.ranges);
    if (shape.chains() == times.deciding && times.decidingLeft > 0) {
      times.decidingLeft--;
    }
  }

  /** Whether something is to be tried behind a range that was decoded. */
  synchronized boolean isTrialDue(Shape decoded) {
    Times times = times(decoded);
    times.untilTrial = Math.max(0, times.untilTrial - 1);
    return times.untilTrial <= 0;
  }

  /**
   * What is to be tried: in turns the most promising tree and the one that was not tried for
   * longest.
   *
   * @param chainsMost how many chains are allowed, at least 1
   * @return empty if no tree can be better
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
   * What a tree took behind a range that was decoded.
   *
   * @param nanos median of the last trees in a row, or the time of a tree that was cut off
   */
  synchronized void tried(Shape decoded, Shape tree, double nanos) {
    Times times = times(decoded);
    Measured shape = times.shapes[tree.chains()];
    if (nanos < TRIAL_BETTER * shape.lastTrial) {
      // It may become better still: the nodes have only begun to get warm.
      times.trialGap = Math.max(TRIAL_FIRST, times.trialGap * 2 / 3);
      times.untilTrial = Math.min(times.untilTrial, times.trialGap);
    }
    shape.lastTrial = nanos;
    double decoding = times.nanos(decoded, costs);
    if (nanos < MAYBE_FACTOR * decoding && times.nanos(tree, costs) >= decoding) {
      // What it took before is not believed any more.
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
