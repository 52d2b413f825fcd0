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
 * What a {@link RepairJob} is to do, and who wants to know how it ended. It is settled by exactly
 * one of {@link #rebuilt}, {@link #failed} and {@link #giveUp}.
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

  /** Who holds what, in the orderer's order, and as far as is known by now at which ports. */
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

  /** Not by us, but somebody else may try. */
  void giveUp(JobEnding ending);

  /** Not by us, and nobody else should try it the same way. */
  void failed(JobEnding ending);

  /** Whether one of the three above has happened. */
  boolean isSettled();
}
