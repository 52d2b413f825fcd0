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
package org.hdfsppr.namenode.model;

import org.apache.hadoop.classification.InterfaceAudience;

/** How much of each unit a repair reads where it does not check what it reads. Immutable. */
@InterfaceAudience.Private
public final class UnitReads {
  /** Nothing is known about the reads. */
  static final UnitReads UNKNOWN = new UnitReads(1, new int[0]);

  /** Number of sub-chunks into which the code divides a unit */
  public final int subChunks;
  private final int[] read;

  /**
   * @param subChunks sub-chunks of a unit, at least 1
   * @param read for each unit, by its index, how many of its sub-chunks the repair reads; 0 for
   *     units that are read only for the check; copied
   */
  public UnitReads(int subChunks, int[] read) {
    this.subChunks = subChunks;
    this.read = read.clone();
  }

  /**
   * @param unit index of a unit
   * @return how many of its sub-chunks the repair reads; 0 if that is not known
   */
  public int of(int unit) {
    return unit < read.length ? read[unit] : 0;
  }
}
