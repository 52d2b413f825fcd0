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

/**
 * Slots with one key each, and a tournament tree that finds the slot with the least key:
 *
 * <pre>
 *   winner   [1]                      position p plays [2p] against [2p + 1]
 *          [2] [3]
 *        [4..] [..7]                  leaves: the slots
 * </pre>
 *
 * <p>Changing a key costs log2 of the number of slots. Finding the least acceptable slot costs the
 * same for each unacceptable slot that comes before it. Slots with equal keys are ordered by a hash
 * of their numbers, so that slots with adjacent numbers, whose nodes often share a rack, are not
 * ranked next to each other.
 */
final class LoadTree {
  /** The key of a slot that {@link #find} must never return. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private static final int NO_SLOT = -1;

  private int leaves = 1;
  private double[] keys = {NEVER};
  private int[] winners = {NO_SLOT, 0};
  private int size;

  /** Adds a slot and returns its number, the next one from 0. */
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

  /**
   * Mixes the bits of a slot's number as the finalizer of MurmurHash3 does, which is a permutation
   * of the ints.
   */
  static int mix(int slot) {
    int h = slot + 1;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }

  double key(int slot) {
    return keys[slot];
  }

  /** Returns the least key of all slots. */
  double least() {
    return keys[winners[1]];
  }

  /** Returns the slot with the least key among the slots that {@code accepted} accepts, or -1. */
  int find(IntPredicate accepted) {
    return find(1, NO_SLOT, accepted);
  }

  /**
   * {@return the best accepted slot among {@code best} and those in the subtree at {@code
   * position}} Calls {@code accepted} only for slots that are better than the best one found so
   * far.
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
