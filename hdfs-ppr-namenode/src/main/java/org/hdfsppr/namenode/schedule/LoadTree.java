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
import java.util.function.IntPredicate;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Slots with a key each, and the least of them: a tournament tree.
 *
 * <pre>
 *   winner   [1]                      position p plays [2p] against [2p + 1]
 *          [2] [3]
 *        [4..] [..7]                  leaves: the slots
 * </pre>
 *
 * <p>A change of a key costs log2 of the number of slots, and so does the search for the least one
 * that is acceptable, times the unacceptable ones before it. A mixed number of the slot
 * orders equal keys, so that neighbours, which share racks, do not come one after the other.
 */
@InterfaceAudience.Private
final class LoadTree {
  /** Key of a slot that must not be found. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private static final int NO_SLOT = -1;

  private int leaves = 1;
  private double[] keys = {NEVER};
  private int[] winners = {NO_SLOT, 0};
  private int size;

  /** A new slot, with the next number. */
  int add() {
    if (size == leaves) {
      leaves *= 2;
      keys = Arrays.copyOf(keys, leaves);
      Arrays.fill(keys, size, leaves, NEVER);
      winners = new int[2 * leaves];
      for (int slot = 0; slot < leaves; slot++) {
        winners[leaves + slot] = slot;
      }
      for (int position = leaves - 1; position > 0; position--) {
        play(position);
      }
    }
    return size++;
  }

  void set(int slot, double key) {
    if (keys[slot] == key) {
      return;
    }
    keys[slot] = key;
    for (int position = (leaves + slot) / 2; position > 0; position /= 2) {
      play(position);
    }
  }

  private void play(int position) {
    int left = winners[2 * position];
    int right = winners[2 * position + 1];
    winners[position] = isBefore(right, left) ? right : left;
  }

  private boolean isBefore(int slot, int other) {
    return keys[slot] != keys[other] ? keys[slot] < keys[other] : mix(slot) < mix(other);
  }

  /** Finalizer of MurmurHash3: a permutation of the ints. */
  static int mix(int slot) {
    int h = slot + 1;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }

  double key(int slot) {
    return keys[slot];
  }

  /** The least key there is. */
  double least() {
    return keys[winners[1]];
  }

  /** The slot with the least key among those that are accepted, or -1. */
  int find(IntPredicate accepted) {
    return find(1, NO_SLOT, accepted);
  }

  /**
   * The better of {@code best} and the slots below {@code position}; asks only about better ones.
   */
  private int find(int position, int best, IntPredicate accepted) {
    int winner = winners[position];
    if (keys[winner] == NEVER || best != NO_SLOT && !isBefore(winner, best)) {
      return best;
    }
    if (position >= leaves) {
      return accepted.test(winner) ? winner : best;
    }
    int first = winners[2 * position] == winner ? 2 * position : 2 * position + 1;
    return find(first ^ 1, find(first, best, accepted), accepted);
  }
}
