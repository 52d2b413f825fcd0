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
 * A reconstruction that the NameNode sent and stock scheduled. What it says does not change.
 *
 * <p>It counts against the DataNode's transfers in progress, by {@link #xmits}, until it is
 * settled: either stock runs it after all and does its own accounting, or its owner reports how
 * it ended. Exactly one of the two happens, once; a second attempt is an
 * {@link IllegalStateException}. Safe for use by several threads.
 */
@InterfaceAudience.Private
public interface StockTask {
  /** The block group: its id, generation stamp and length. A fresh copy each time. */
  ExtendedBlock blockGroup();

  /** The group's policy. */
  ErasureCodingPolicy policy();

  /** The nodes that have a live replica of each internal block, in the NameNode's order. */
  SortedMap<Integer, List<DatanodeInfo>> sources();

  /**
   * What stock would rebuild, by ascending index. The NameNode may name more nodes than there are
   * blocks to rebuild; those are not in the list.
   */
  List<RepairTarget> targets();

  /** What the task weighs among the DataNode's transfers in progress. */
  int xmits();

  /** Whether one of the two below has happened. */
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
   * Does the accounting that stock does at the end of a task.
   *
   * @throws IllegalStateException if the task is settled
   */
  void finishedByUs(TaskOutcome outcome);
}
