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
import org.hdfsppr.datanode.replica.ReplicaSync;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * The work that a job carries out, ordered by stock or a manager. The order also takes the job's
 * ending: the job settles it by exactly one of {@link #rebuilt}, {@link #failed} and {@link
 * #giveUp}.
 */
@InterfaceAudience.Private
public interface RepairOrder {
  GroupId group();

  /** Returns the bytes of file data in the group. */
  long groupBytes();

  ErasureCodingPolicy policy();

  /**
   * Returns the blocks that the policy's code relates, with their lengths; by default, the internal
   * blocks of the group.
   */
  default BlockLayout layout() {
    return new StripedLayout(group(), groupBytes(), policy().getNumDataUnits(),
        policy().getNumParityUnits(), policy().getCellSize());
  }

  /**
   * Returns the nodes that hold units, in the order that stock or the manager gave. Each node has
   * its repair port, as far as this DataNode knows the port.
   */
  List<UnitHolder> live();

  /** Returns the units to rebuild, and where to store them; this node stores one of them. */
  List<RepairTarget> targets();

  /** Returns the name of the tree's shape. */
  String topology();

  /**
   * Returns the options for the planner.
   *
   * @param checkOneIn the repair checks one out of this many slices; 0: it checks none
   * @param seed decides which slices are checked
   */
  PlanOptions options(int checkOneIn, long seed);

  /**
   * Returns whether the manager that gave the order knows that units of the group contradict each
   * other. The job then checks every slice from the first attempt on, and rebuilds nothing that it
   * cannot check. Stock's NameNode knows of no contradictions, so the default is false.
   */
  default boolean isDoubted() {
    return false;
  }

  /**
   * Returns whether the group has no spare unit, so that the repair does not give way to busy
   * users. By default, this is so if no more units than k are live.
   */
  default boolean isUrgent() {
    return live().stream().map(holder -> holder.unit).distinct().count()
        <= policy().getNumDataUnits();
  }

  /**
   * Returns the most bytes of a unit that any node reads in a second; {@link
   * PartialSumRequest#UNLIMITED} for no limit, which is the default.
   */
  default long bytesPerSecond() {
    return PartialSumRequest.UNLIMITED;
  }

  /**
   * Returns whether the order repairs lost units of a group. If not, it makes blocks of a new
   * version. Their code may be unknown to Hadoop, and the job does not count as a repair. The
   * default is true.
   */
  default boolean isRepair() {
    return true;
  }

  /**
   * Returns an object that forces the names of new replicas on this DataNode to the disk before
   * they are reported. The job then also asks the other targets to force theirs. Returns null if
   * the settings of the DataNodes alone decide, which is the default.
   */
  default ReplicaSync sync() {
    return null;
  }

  /** Returns the name under which metrics count the order; by default, the policy's codec. */
  default String label() {
    return policy().getCodecName();
  }

  /**
   * Returns whether Hadoop has to know the policy's codec on this node. By default, it has to if
   * {@link #isRepair} returns true.
   */
  default boolean isOfHadoopsCodec() {
    return isRepair();
  }

  /**
   * Returns whether the job looks for the wrong unit if units contradict each other, and repairs
   * without it. Otherwise the job fails at once. The default is true.
   */
  default boolean seeksWrongUnit() {
    return true;
  }

  /** Takes note of bytes that this node has received for the job. By default does nothing. */
  default void received(long bytes) {
  }

  /** Returns whether the stock worker runs the task if the job gives the task up. */
  boolean hasStockWorker();

  /**
   * Settles the order of a job that has rebuilt units. The ending names the units that are on their
   * targets.
   */
  void rebuilt(JobEnding ending);

  /**
   * Settles the order of a job that has rebuilt nothing. The stock worker or a manager may try
   * next.
   */
  void giveUp(JobEnding ending);

  /** Settles the order of a job that has rebuilt nothing. The stock worker must not try either. */
  void failed(JobEnding ending);

  /** Returns whether {@link #rebuilt}, {@link #giveUp} or {@link #failed} has settled the order. */
  boolean isSettled();

  /**
   * @return whether the manager itself checks the result by equations that the order does not name.
   *     The job then accepts a plan without a spare helper, which cannot check its result
   */
  default boolean isCheckedByManager() {
    return false;
  }
}
