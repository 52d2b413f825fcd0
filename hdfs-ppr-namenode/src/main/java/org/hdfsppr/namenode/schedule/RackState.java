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
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;

/**
 * The state of one rack in a {@link Fleet}: the load of its links to other racks, and its nodes,
 * ranked as destinations.
 */
final class RackState {
  final int index;
  final LoadTree destinations = new LoadTree();
  private final long[] pending = new long[LinkOrDisk.KINDS];
  final double secondsPerByte;
  private int[] nodes = new int[4];
  private int present;

  /**
   * @param crossRackBytesPerS rate at which the rack can send to other racks, and at which it can
   *     receive from them, bytes/s
   */
  RackState(int index, double crossRackBytesPerS) {
    this.index = index;
    this.secondsPerByte =
        crossRackBytesPerS == NodeCapacity.UNLIMITED ? 0 : 1 / crossRackBytesPerS;
  }

  /**
   * Adds a slot for a node and returns its number. The node keeps the slot even after it has left.
   */
  int addSlot(int node) {
    int slot = destinations.add();
    if (slot == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * slot);
    }
    nodes[slot] = node;
    return slot;
  }

  int node(int slot) {
    return nodes[slot];
  }

  void addPending(Kind kind, long bytes) {
    pending[kind.ordinal()] += bytes;
  }

  long pending(Kind kind) {
    return pending[kind.ordinal()];
  }

  void addPresent(int change) {
    present += change;
  }

  int present() {
    return present;
  }
}
