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

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides when ranges of a length are rebuilt in another shape than the best one, to measure that
 * shape, and limits how much time this takes. This class has no clock. Not thread-safe.
 */
@InterfaceAudience.Private
final class Tries {
  /**
   * A shape is tried with this many ranges in a row. The first ones may be slow, because the
   * connections of the shape were idle and TCP begins slowly again, or fast, because the links have
   * queues that take them at once.
   */
  static final int IN_A_ROW = 5;
  /** Between tries there are at least this many ranges of the length, in the best shape. */
  static final int AFTER_LEAST = 32;
  /** After a try without success the number of ranges until the next try doubles, up to this. */
  static final int AFTER_MOST = 512;
  /** Tries lengthen the time of all ranges of a length by at most this part. */
  static final double SHARE = 0.04;

  /** How many ranges there were, and how long they would have taken in the best shape. */
  private long ranges;
  private double best;
  /** The additional time that tries were expected to take. */
  private double tried;
  /** The shape that is being tried, by its chains, and with how many more ranges. */
  private int trying;
  private int left;
  /** The number of the range at which the last tries began. */
  private long last;
  /** How many ranges later the next tries may begin. */
  private int after = AFTER_LEAST;
  /** The chains of the shape that was best before the last tries; -1 if there were none. */
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

  /** Says whether enough ranges have passed since the last tries. Then others may begin. */
  boolean isDue() {
    return ranges - last >= after;
  }

  /**
   * Begins tries of a shape, if ranges of this length can afford them.
   *
   * @param bestShape the shape that probably takes the shortest time
   * @param shape the shape to try
   * @param moreNanos how much longer a range probably takes in the tried shape, nanoseconds
   * @return whether the tries begin
   */
  boolean begin(Shape bestShape, Shape shape, double moreNanos) {
    if (tried + IN_A_ROW * moreNanos > SHARE * best) {
      return false;
    }
    tried += IN_A_ROW * moreNanos;
    begin(shape);
    // A tried shape was better only if it still is: a few ranges may be fast by chance.
    after = bestShape.chains != bestBefore ? AFTER_LEAST : Math.min(AFTER_MOST, 2 * after);
    bestBefore = bestShape.chains;
    last = ranges;
    return true;
  }

  /** Begins tries of a shape that probably takes no longer than the others. */
  void begin(Shape shape) {
    trying = shape.chains;
    left = IN_A_ROW;
  }

  /** Returns the shape that is being tried, for one range; empty if none is. */
  Optional<Shape> next(List<Shape> options) {
    if (left == 0) {
      return Optional.empty();
    }
    left--;
    return options.stream().filter(shape -> shape.chains == trying).findFirst();
  }
}
