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
 * The result of the second reading of some slices, which shows which unit may be wrong. The reader
 * has read each unit on its own and has done all arithmetic itself, so that no wrong arithmetic of
 * another node can mislead it. Used by one thread.
 */
@InterfaceAudience.Private
public final class WrongUnitEvidence {
  /**
   * For how many wrong positions, at most, the units are found that explain the wrong bytes. A unit
   * that is wrong throughout has many more wrong positions. Each slice gets an equal part of this
   * number.
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
   * @param units number of all units of the code
   * @param slices number of slices that are read, at least 1
   */
  public WrongUnitEvidence(int units, int slices) {
    this.units = units;
    this.positionsOfSlice = Math.max(1, POSITIONS_MOST / slices);
    this.leftInSlice = positionsOfSlice;
    this.suspects = (1 << units) - 1;
  }

  /** Begins another slice, to which the next positions belong. */
  void beginSlice() {
    leftInSlice = positionsOfSlice;
  }

  /**
   * Adds a position at which the units contradict each other.
   *
   * @param sums the relations that the bytes of the units have to satisfy
   * @param syndrome the values of all relations at this position, not all of them zero
   * @param unitsThere bit mask of the units that were read and have bytes at this position
   * @param offset offset of the position in the units, bytes; with sub-chunks, its offset in the
   *     first sub-chunk
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

  /** @return whether {@link #suspects} takes every wrong position of the slices into account */
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
   * @return indices of the units of which each alone explains all wrong positions that were
   *     examined, ascending; empty if more than one unit is wrong
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
