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
package org.hdfsppr.client.verify;

import java.io.IOException;
import java.util.List;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;

/** Reads the units of a group, as sums and one by one. Thread-safe. */
interface Readings {
  /**
   * Has DataNodes add up the sums of a plan.
   *
   * @return the slices whose sums are not zero
   * @throws org.hdfsppr.wire.RepairException naming the node and the cause of a failure
   * @throws IOException if the reading fails otherwise
   */
  WrongSlices sums(LocatedUnits group, ZeroSumPlan plan) throws IOException;

  /**
   * Reads slices of each unit by itself, and adds them up in the client.
   *
   * @param live holders of the units to read
   * @param slices numbers of the slices
   * @throws org.hdfsppr.plan.NoPlanException if a unit cannot be read
   * @throws org.hdfsppr.wire.RepairException naming the node and the cause of a failure
   * @throws IOException if the reading fails otherwise
   */
  WrongUnitEvidence oneByOne(LocatedUnits group, ZeroSumPlanner planner, List<UnitHolder> live,
      List<Integer> slices) throws IOException;
}
