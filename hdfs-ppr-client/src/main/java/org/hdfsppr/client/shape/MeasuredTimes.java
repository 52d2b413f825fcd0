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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LatestTimes;

/**
 * Keeps how long ranges took, separately for each shape and length. {@link ReadCosts} says how long
 * a shape should take by three times. The sums of these times are often wrong for short ranges:
 * links have queues that take a short range at once, slices overlap, and threads wait for each
 * other. So the measured times of the same shape and length count, and the expected time only
 * stands in for a shape that was hardly measured. This class has no clock. Not thread-safe.
 */
@InterfaceAudience.Private
final class MeasuredTimes {
  /**
   * The greatest number of lengths that are kept, each with all shapes. If there are more, the
   * length that was used the longest time ago is forgotten.
   */
  static final int LENGTHS_MOST = 64;
  /** The median of this many latest times counts. So one delayed range does not change it. */
  private static final int LATEST = 5;
  /** With fewer measured times than this, the expected time counts as one more measured time. */
  private static final int KNOWN = 3;
  /**
   * The expected times of all shapes of a length are at most this many times wrong, in one
   * direction.
   */
  private static final double WRONG_MOST = 16;
  /**
   * A shape's times are forgotten after this many ranges of the same length in other shapes. Then
   * the expected time counts again. The DataNodes may have become faster since the times were
   * measured: a DataNode that has just started takes several times as long. If a shape is not the
   * best one after its times were forgotten, its next times are kept twice as long.
   */
  private static final int KEPT_FOR_LEAST = 32;
  private static final int KEPT_FOR_MOST = 512;
  /** Two lengths are in different classes if they differ by more than about a fifth. */
  private static final double CLASSES_PER_OCTAVE = 4;
  private static final float LOAD_FACTOR = 0.75f;

  /** The latest times of one shape. */
  private static final class OfShape {
    private LatestTimes times = new LatestTimes(LATEST);
    /** The number of the range that was measured last. */
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
    final Tries tries = new Tries();

    private OfLength(int helpers) {
      shapes = new OfShape[Shape.chainsMost(helpers) + 1];
      Arrays.setAll(shapes, chains -> new OfShape());
    }

    private OfShape of(Shape shape) {
      return shapes[shape.chains];
    }

    /**
     * Says how long shapes probably take.
     *
     * @param options the shapes that are possible
     * @param costs the expected times
     * @return the times, nanoseconds, in the order of the shapes
     */
    double[] nanos(List<Shape> options, ReadCosts costs) {
      double[] nanos = options.stream().mapToDouble(shape -> shape.nanos(costs)).toArray();
      // If measured shapes took longer or shorter than expected, the others probably do so, too.
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

    /** Forgets times that are old. A caller does this once for each range, before it chooses. */
    void forgetOld() {
      for (OfShape shape : shapes) {
        shape.forgetIfOld(tries.ranges());
      }
    }

    /**
     * Counts a range.
     *
     * @param bestShape the shape that probably takes the shortest time
     * @param bestNanos that time
     */
    void begin(Shape bestShape, double bestNanos) {
      if (isKnown(bestShape)) {
        of(bestShape).keptFor = KEPT_FOR_LEAST;
      }
      tries.count(bestNanos);
    }

    /** Returns whether enough latest times of a shape are known that they alone count. */
    boolean isKnown(Shape shape) {
      return of(shape).isKnown();
    }

    /** Returns whether the latest times of any shape are known. */
    boolean isKnown() {
      return Arrays.stream(shapes).anyMatch(OfShape::isKnown);
    }

    /** Forgets the times of a shape, so that those of the tries that begin count alone. */
    void forget(Shape shape) {
      of(shape).forget();
    }

    /** Returns the number of the range that was last rebuilt in this shape; 0 if none was. */
    long lastRange(Shape shape) {
      return of(shape).lastRange;
    }

    /** Returns whether any time of a shape is remembered. */
    boolean hasTimes(Shape shape) {
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

  /** Returns the times of ranges of about the same length, from as many helpers. */
  OfLength ofLength(Shape shape) {
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
  void took(Shape shape, double nanosTaken) {
    OfLength times = ofLength(shape);
    times.of(shape).took(Math.max(1, nanosTaken), times.tries.ranges());
  }
}
