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
package org.hdfsppr.datanode.repair;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.StripedLayout;

/**
 * What a job is to do, and what learns how it ended. The job settles it by exactly one of {@link
 * #rebuilt}, {@link #failed} and {@link #giveUp}.
 */
@InterfaceAudience.Private
interface RepairOrder {
  GroupId group();

  /** Bytes of file data in the group. */
  long groupBytes();

  ErasureCodingPolicy policy();

  /** Which blocks the policy's code is of; the internal blocks of the group unless said else. */
  default BlockLayout layout() {
    return new StripedLayout(group(), groupBytes(), policy().getNumDataUnits(),
        policy().getNumParityUnits(), policy().getCellSize());
  }

  /** The nodes that hold units, in the orderer's order, with their ports as known by now. */
  List<Holder> live();

  /** What is to be rebuilt, one of it here. */
  List<RepairTarget> targets();

  /** Name of the shape of the tree. */
  String topology();

  /**
   * How to plan.
   *
   * @param checkOneIn check one slice in this many; 0: none
   * @param seed decides which slices are checked
   */
  PlanOptions options(int checkOneIn, long seed);

  /**
   * Whether the orderer knows that units of the group contradict each other: every slice is checked
   * from the first attempt on, and what cannot be checked is not rebuilt. Stock's NameNode knows
   * nothing of doubts.
   */
  default boolean isDoubted() {
    return false;
  }

  /** Whether the stock worker tries what is given up here. */
  boolean hasStockWorker();

  /** The units that the ending names are on their targets. */
  void rebuilt(JobEnding ending);

  /** Nothing is rebuilt here, and the stock worker or a manager may try. */
  void giveUp(JobEnding ending);

  /** Nothing is rebuilt here, and the stock worker must not try either. */
  void failed(JobEnding ending);

  /** Whether one of the three above has happened. */
  boolean isSettled();
}
