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
package org.hdfsppr.namenode.schedule;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.schedule.Resource.Kind;

/**
 * Chooses the helpers of a chain by their loads, and which helper comes last in the chain. A helper
 * within the chain receives, sends and reads. The last helper receives nothing, so that a node with
 * a busy down-link is best placed there.
 */
@InterfaceAudience.Private
final class HelperChoice {
  private final GroupView view;
  private final int squarings;
  private final int[] order;
  private double best;
  private final double[] up = new double[LinearCode.MAX_UNITS];
  private final double[] down = new double[LinearCode.MAX_UNITS];
  private final double[] disk = new double[LinearCode.MAX_UNITS];
  private final double[] upMore = new double[LinearCode.MAX_UNITS];
  private final double[] downMore = new double[LinearCode.MAX_UNITS];
  private final double[] diskMore = new double[LinearCode.MAX_UNITS];
  private final double[] limit = new double[LinearCode.MAX_UNITS];
  private final double[] limitMore = new double[LinearCode.MAX_UNITS];
  private ReadSet reads;
  private int end = -1;

  /** @param squarings the exponent of the costs, see {@link Score} */
  HelperChoice(GroupView view, int squarings) {
    this.view = view;
    this.squarings = squarings;
    this.order = view.readable();
    long bytes = view.streamBytes() * Integer.bitCount(view.lost());
    for (int unit : order) {
      NodeState node = view.node(unit);
      up[unit] = node.linkSeconds(Kind.UP, 0);
      upMore[unit] = bytes * node.secondsPerByte(Kind.UP);
      down[unit] = node.linkSeconds(Kind.DOWN, 0);
      downMore[unit] = bytes * node.secondsPerByte(Kind.DOWN);
      disk[unit] = node.diskSeconds(0, 0);
      diskMore[unit] = view.streamBytes() * node.secondsPerByte(Kind.READ);
      limit[unit] = node.linkSeconds(Kind.READ_LIMIT, 0);
      limitMore[unit] = view.streamBytes() * node.secondsPerByte(Kind.READ_LIMIT);
    }
    UnitSort.ascending(order, this::through);
  }

  /** Returns the cost of using a unit's node within the chain. */
  private double through(int unit) {
    return atEnd(unit) + Score.rise(down[unit], downMore[unit], squarings)
        + (view.node(unit).ref().runsExtension() ? 0 : UnitSort.LAST);
  }

  private double atEnd(int unit) {
    return Score.rise(up[unit], upMore[unit], squarings)
        + Score.rise(disk[unit], diskMore[unit], squarings)
        + Score.rise(limit[unit], limitMore[unit], squarings);
  }

  /**
   * Chooses the helpers and the last one of them.
   *
   * @return false if the readable units do not suffice
   */
  boolean choose() {
    Optional<ReadSet> least = choose(order);
    if (!least.isPresent()) {
      return false;
    }
    // If only zeros are lost, the repair reads nothing, and the chain has no last helper.
    reads = least.get();
    best = Double.POSITIVE_INFINITY;
    considerAnyLast(least.get());
    // A recipe of the code reads less, but the nodes that it names may be the busiest ones. So the
    // choice without a recipe is considered, too. The costs here are those of whole units; recipes
    // that read parts of units are compared as trees.
    if (view.code().subChunks() == 1) {
      view.reads.decode(view.lost(), view.zeros(), order).ifPresent(this::considerAnyLast);
    }
    // A node that is too busy to receive may still be the best last helper, which only sends.
    int[] others = order.clone();
    for (int i = order.length - 1; i > 0 && end >= 0; i--) {
      int unit = order[i];
      if (least.get().has(unit) || !view.node(unit).ref().runsExtension()) {
        continue;
      }
      System.arraycopy(order, 0, others, 1, i);
      others[0] = unit;
      System.arraycopy(order, i + 1, others, i + 1, order.length - i - 1);
      Optional<ReadSet> other = choose(others);
      if (other.isPresent() && other.get().has(unit)) {
        consider(other.get(), unit);
      }
    }
    return true;
  }

  private Optional<ReadSet> choose(int[] preferred) {
    return view.reads.choose(view.lost(), view.zeros(), preferred, preferred.length);
  }

  private void considerAnyLast(ReadSet set) {
    for (int unit : order) {
      if (set.has(unit)) {
        consider(set, unit);
      }
    }
  }

  private void consider(ReadSet set, int last) {
    double cost = 0;
    for (int unit : order) {
      if (set.has(unit)) {
        cost += unit == last ? atEnd(unit) : through(unit);
      }
    }
    if (cost < best) {
      best = cost;
      reads = set;
      end = last;
    }
  }

  /**
   * Chooses the helpers that suffice without a recipe of the code, if their cost may be less than a
   * given one.
   *
   * @param than the cost of another plan
   * @return whether there are such helpers; {@link #reads} and {@link #end} are then theirs
   */
  boolean chooseDecoding(double than) {
    // Without a recipe, k units are read. The last one receives nothing.
    int least = view.code().dataUnits() - Integer.bitCount(view.zeros());
    double cost = 0;
    for (int i = 0; i < Math.min(least, order.length); i++) {
      cost += i == 0 ? atEnd(order[i]) : through(order[i]);
    }
    if (cost >= than) {
      return false;
    }
    Optional<ReadSet> decoding = view.reads.decode(view.lost(), view.zeros(), order);
    best = Double.POSITIVE_INFINITY;
    decoding.ifPresent(this::considerAnyLast);
    return decoding.isPresent();
  }

  ReadSet reads() {
    return reads;
  }

  /** Returns the last unit of the chain, or -1 if the repair reads nothing. */
  int end() {
    return end;
  }

  /** Returns a copy of all readable units, the unit on the least loaded node first. */
  int[] order() {
    return order.clone();
  }

  /** Returns the units of {@code order} that the repair reads for the result, in the same order. */
  static int[] used(ReadSet reads, int[] order) {
    int[] used = new int[order.length];
    int size = 0;
    for (int unit : order) {
      if (reads.has(unit)) {
        used[size++] = unit;
      }
    }
    return Arrays.copyOf(used, size);
  }
}
