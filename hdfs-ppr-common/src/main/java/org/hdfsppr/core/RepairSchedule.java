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
package org.hdfsppr.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The repairs that a strategy has chosen for a matrix, as steps in an order. A step that reads a
 * block which an earlier step rebuilds has to wait for that step. All other steps can run at the
 * same time. Immutable.
 */
@InterfaceAudience.Private
public final class RepairSchedule {
  /** The steps; a step reads only blocks that exist or that steps before it rebuild */
  public final List<RepairStep> steps;
  /** The group after all steps; the blocks that are still lost cannot be repaired */
  public final FailureMatrix unrepaired;

  RepairSchedule(List<RepairStep> steps, FailureMatrix unrepaired) {
    this.steps = Collections.unmodifiableList(steps);
    this.unrepaired = unrepaired;
  }

  /** @return whether the steps rebuild all lost blocks */
  public boolean isComplete() {
    return unrepaired.failures() == 0;
  }

  /**
   * @return the number of blocks that all steps read; a block counts once for each step that reads
   *     it
   */
  public int cost() {
    int cost = 0;
    for (RepairStep step : steps) {
      cost += step.cost();
    }
    return cost;
  }

  /**
   * @return the number of steps in the longest chain in which each step waits for the one before; 0
   *     if there is no step
   */
  public int depth() {
    int[] depths = new int[steps.size()];
    int most = 0;
    for (int i = 0; i < depths.length; i++) {
      for (int before : steps.get(i).after) {
        depths[i] = Math.max(depths[i], depths[before]);
      }
      depths[i]++;
      most = Math.max(most, depths[i]);
    }
    return most;
  }

  /**
   * Returns the steps that may begin.
   *
   * @param begun indices of the steps that have begun, including those that have ended
   * @param ended indices of the steps that have succeeded
   * @return indices of the steps that have not begun and that wait for no other step, ascending
   */
  public List<Integer> ready(BitSet begun, BitSet ended) {
    List<Integer> ready = new ArrayList<>();
    for (int i = begun.nextClearBit(0); i < steps.size(); i = begun.nextClearBit(i + 1)) {
      if (steps.get(i).after.stream().allMatch(ended::get)) {
        ready.add(i);
      }
    }
    return ready;
  }

  @Override
  public String toString() {
    return cost() + " blocks to read, " + steps;
  }
}
