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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Orders the units of a chain rack by rack, so that the chain enters each rack only once. The
 * destination's rack comes first, and the rack of the chain's last unit comes last.
 */
@InterfaceAudience.Private
final class ChainOrder {
  private ChainOrder() {
  }

  /**
   * @param used the units to be ordered; units of the same rack keep their order
   * @param end the used unit that comes last in the chain; its node receives nothing
   * @param destinationRack index of the destination's rack
   * @return the used units, {@code end} last
   */
  static int[] of(GroupView view, int[] used, int end, int destinationRack) {
    int[] order = new int[used.length];
    int size = 0;
    int endRack = rack(view, end);
    boolean[] placed = new boolean[used.length];
    if (endRack != destinationRack) {
      size = takeRack(view, used, end, destinationRack, placed, order, size);
    } else if (used.length > 1) {
      // The chain enters the rack of {@code end} only once: if this is also the destination's rack,
      // its other units come first.
      size = takeRack(view, used, end, endRack, placed, order, size);
    }
    for (int i = 0; i < used.length; i++) {
      if (!placed[i] && used[i] != end && rack(view, used[i]) != endRack) {
        size = takeRack(view, used, end, rack(view, used[i]), placed, order, size);
      }
    }
    size = takeRack(view, used, end, endRack, placed, order, size);
    order[size] = end;
    return order;
  }

  private static int takeRack(GroupView view, int[] used, int end, int rack, boolean[] placed,
      int[] order, int from) {
    int size = from;
    for (int i = 0; i < used.length; i++) {
      if (!placed[i] && used[i] != end && rack(view, used[i]) == rack) {
        placed[i] = true;
        order[size++] = used[i];
      }
    }
    return size;
  }

  static int rack(GroupView view, int unit) {
    return view.node(unit).rack().index;
  }
}
