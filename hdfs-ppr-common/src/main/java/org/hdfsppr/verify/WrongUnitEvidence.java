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
package org.hdfsppr.verify;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.ZeroSums;

/**
 * The result of a second reading of some slices. The reader has read each unit by itself and has
 * done all additions, so that no other node's arithmetic is involved. Used by one thread.
 */
@InterfaceAudience.Private
public final class WrongUnitEvidence {
  /**
   * The most positions whose syndromes are attributed to units. A unit that is wrong throughout has
   * many more. All slices have equal parts of this number.
   */
  static final int POSITIONS_MOST = 1 << 14;

  private final int units;
  private final int positionsOfSlice;
  private int leftInSlice;
  private boolean complete = true;
  private int suspects;
  private long wrongPositions;
  private long firstOffset = -1;

  /**
   * @param units all units of the code
   * @param slices how many slices are read, at least 1
   */
  public WrongUnitEvidence(int units, int slices) {
    this.units = units;
    this.positionsOfSlice = Math.max(1, POSITIONS_MOST / slices);
    this.leftInSlice = positionsOfSlice;
    this.suspects = (1 << units) - 1;
  }

  /** Notes that the next positions are those of another slice. */
  void beginSlice() {
    leftInSlice = positionsOfSlice;
  }

  /**
   * Notes a position at which the units contradict each other.
   *
   * @param sums the relations
   * @param syndrome the values of all relations, not all of them zero
   * @param unitsThere a bit for each unit that was read and has bytes at this position
   * @param offset of the position in the units, bytes; of a code with sub-chunks, that of its first
   *     sub-chunk
   */
  public void wrong(ZeroSums sums, byte[] syndrome, int unitsThere, long offset) {
    if (wrongPositions == 0) {
      firstOffset = offset;
    }
    wrongPositions++;
    if (leftInSlice == 0) {
      complete = false;
      return;
    }
    leftInSlice--;
    suspects &= unitsThere & sums.explainedBy(syndrome);
  }

  /** @return whether all units agreed in this reading */
  public boolean isClean() {
    return wrongPositions == 0;
  }

  /** @return whether every wrong position of the slices was attributed to units */
  public boolean isComplete() {
    return complete;
  }

  /** @return the number of positions at which the units contradicted each other */
  public long wrongPositions() {
    return wrongPositions;
  }

  /** @return the offset of the first wrong position, bytes; -1 if there is none */
  public long firstOffset() {
    return firstOffset;
  }

  /**
   * @return the units that explain every attributed position, each by itself, ascending; none if
   *     more than one unit is wrong
   */
  public List<Integer> suspects() {
    List<Integer> all = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      if ((suspects & 1 << unit) != 0) {
        all.add(unit);
      }
    }
    return all;
  }
}
