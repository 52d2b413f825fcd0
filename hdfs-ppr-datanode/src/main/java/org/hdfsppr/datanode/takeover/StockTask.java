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
package org.hdfsppr.datanode.takeover;

import java.util.List;
import java.util.SortedMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A reconstruction task that the NameNode sent and stock scheduled. Its description does not
 * change.
 *
 * <p>Until the task is settled, it counts as {@link #xmits} of the DataNode's transfers in
 * progress. The owner of the task settles it. Either the owner hands the task to stock, which does
 * its own accounting, or the owner reports how the task ended. An owner settles a task exactly
 * once; a second attempt throws an {@link IllegalStateException}. Thread-safe.
 */
@InterfaceAudience.Private
public interface StockTask {
  /** @return the block group: id, generation stamp and length in bytes; a fresh copy each time */
  ExtendedBlock blockGroup();

  /** @return the erasure coding policy of the group */
  ErasureCodingPolicy policy();

  /** @return the nodes that hold a live replica of each internal block, in the NameNode's order */
  SortedMap<Integer, List<DatanodeInfo>> sources();

  /**
   * Lists what stock would rebuild. The NameNode may name more nodes than there are blocks to
   * rebuild; the list leaves the surplus nodes out.
   *
   * @return the targets by ascending index
   */
  List<RepairTarget> targets();

  /** @return the weight of the task among the DataNode's transfers in progress */
  int xmits();

  /** @return whether {@link #runStock} or {@link #finishedByUs} has settled the task */
  boolean isSettled();

  /**
   * Hands the untouched task to stock's own pool.
   *
   * @return false if that pool takes no more work because the DataNode is stopping; the task is
   *     then settled as failed
   * @throws IllegalStateException if the task is settled
   */
  boolean runStock();

  /**
   * Settles the task and does the accounting that stock does at the end of a task.
   *
   * @param outcome whether the repair succeeded, and how many bytes it moved
   * @throws IllegalStateException if the task is settled
   */
  void finishedByUs(TaskOutcome outcome);
}
