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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;


/** A lost unit, and the nodes that hold the other units of its group. */
final class LostUnit {
  final double bytes;
  /** The bytes that the cheapest recipe reads, divided by {@link #bytes}. */
  final double unitsRead;
  /** The live nodes that hold another unit of the group. */
  final List<Integer> holders;
  /**
   * The sets of holders that can rebuild the unit; empty if any {@link #unitsRead} of the holders
   * can.
   */
  final List<List<Integer>> helperSets;

  /**
   * Creates a lost unit of a code with which any {@code unitsRead} holders can rebuild the unit.
   */
  LostUnit(long bytes, double unitsRead, List<Integer> holders) {
    this(bytes, unitsRead, holders, Collections.emptyList());
  }

  /**
   * @param bytes the size of the unit, C in the formulas of {@link LowerBound}
   * @param unitsRead the bytes that the cheapest recipe reads, divided by {@code bytes}
   * @param holders the live nodes that hold another unit of the group, numbered from 1
   * @param helperSets the sets of holders that can rebuild the unit; empty if any {@code unitsRead}
   *     holders can
   */
  LostUnit(long bytes, double unitsRead, List<Integer> holders,
      List<List<Integer>> helperSets) {
    if (unitsRead > holders.size()) {
      throw new IllegalArgumentException(
          unitsRead + " units cannot be read from " + holders.size() + " nodes");
    }
    this.bytes = bytes;
    this.unitsRead = unitsRead;
    this.holders = Collections.unmodifiableList(new ArrayList<>(holders));
    this.helperSets = Collections.unmodifiableList(new ArrayList<>(helperSets));
  }
}
