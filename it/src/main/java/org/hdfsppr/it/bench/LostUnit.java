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
package org.hdfsppr.it.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/** One lost unit, and where the other units of its group are. */
@InterfaceAudience.Private
final class LostUnit {
  private final double bytes;
  private final double unitsRead;
  private final List<Integer> holders;
  private final List<List<Integer>> helperSets;

  /** Makes a lost unit of a code for which any holders will do. */
  LostUnit(long bytes, double unitsRead, List<Integer> holders) {
    this(bytes, unitsRead, holders, Collections.emptyList());
  }

  /**
   * @param bytes C
   * @param unitsRead what the cheapest recipe reads, in units
   * @param holders the live nodes that hold another unit of the group, from 1
   * @param helperSets the sets of holders that can rebuild it; empty if any will do
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

  double bytes() {
    return bytes;
  }

  /** What the cheapest recipe reads, in units. */
  double unitsRead() {
    return unitsRead;
  }

  /** The live nodes that hold another unit of the group. */
  List<Integer> holders() {
    return holders;
  }

  /** The sets of holders that can rebuild it; empty if any holders will do. */
  List<List<Integer>> helperSets() {
    return helperSets;
  }
}
