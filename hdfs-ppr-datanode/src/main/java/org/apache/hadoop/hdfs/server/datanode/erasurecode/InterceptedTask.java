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
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.StockTask;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.loader.HadoopMembers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes one {@link StripedBlockReconstructor} that stock has not started.
 *
 * <p>Before {@code run()}, a reconstructor holds no resources that have to be freed: its
 * constructor makes only lists and arrays, and {@code run()} allocates the buffers, the sockets and
 * the decoder. A caller must not close the reader of a reconstructor that has not run, because that
 * throws a NullPointerException for a group shorter than a stripe.
 */
final class InterceptedTask implements StockTask {
  private static final Logger LOG = LoggerFactory.getLogger(InterceptedTask.class);

  private final DataNode dn;
  private final ThreadPoolExecutor stockPool;
  private final StripedBlockReconstructor stock;
  private final ErasureCodingPolicy policy;
  private final SortedMap<Integer, List<DatanodeInfo>> sources;
  private final List<RepairTarget> targets;
  private final int xmits;
  private final AtomicBoolean settled = new AtomicBoolean();
  /**
   * The future that the submitter of the task receives. Stock ignores the future today, but the
   * future must complete in case a submitter waits for it.
   */
  private final FutureTask<Void> end = new FutureTask<>(() -> null);

  /** @throws IllegalStateException if stock computed targets that this class does not expect */
  InterceptedTask(DataNode dn, ThreadPoolExecutor stockPool, WorkerMembers members,
      StripedBlockReconstructor stock) {
    this.dn = dn;
    this.stockPool = stockPool;
    this.stock = stock;
    this.policy = HadoopMembers.get(members.policy, stock, ErasureCodingPolicy.class);
    this.sources = sourcesOf(members, stock.getStripedReader());
    this.targets = targetsOf(members, stock, policy);
    // Stock adds the same number to the transfers in progress after it submits the task, and
    // subtracts it when the task ends.
    this.xmits = Math.max(
        (int) (stock.getXmits() * stock.getErasureCodingWorker().getXmitWeight()), 1);
  }

  private static SortedMap<Integer, List<DatanodeInfo>> sourcesOf(WorkerMembers members,
      StripedReader reader) {
    DatanodeInfo[] nodes = HadoopMembers.get(members.sources, reader, DatanodeInfo[].class);
    byte[] indices = HadoopMembers.get(members.liveIndices, reader, byte[].class);
    SortedMap<Integer, List<DatanodeInfo>> byIndex = new TreeMap<>();
    for (int i = 0; i < nodes.length; i++) {
      byIndex.computeIfAbsent((int) indices[i], index -> new ArrayList<>()).add(nodes[i]);
    }
    byIndex.replaceAll((index, list) -> Collections.unmodifiableList(list));
    return Collections.unmodifiableSortedMap(byIndex);
  }

  /**
   * Lists the targets. This method goes through the indices in the same order as StripedWriter. The
   * length of StripedWriter's array of indices does not say how many entries are in use, because
   * unused entries are 0, and 0 is also the index of a block.
   */
  private static List<RepairTarget> targetsOf(WorkerMembers members,
      StripedBlockReconstructor stock, ErasureCodingPolicy policy) {
    Object writer = HadoopMembers.get(members.writer, stock, Object.class);
    DatanodeInfo[] nodes = HadoopMembers.get(members.targets, writer, DatanodeInfo[].class);
    short[] indices = HadoopMembers.get(members.targetIndices, writer, short[].class);
    StorageType[] types =
        HadoopMembers.get(members.targetStorageTypes, writer, StorageType[].class);
    String[] ids = HadoopMembers.get(members.targetStorageIds, writer, String[].class);
    BitSet live = stock.getLiveBitSet();
    BitSet excluded = stock.getExcludeBitSet();
    int units = policy.getNumDataUnits() + policy.getNumParityUnits();
    List<RepairTarget> targets = new ArrayList<>();
    for (int index = 0; index < units && targets.size() < nodes.length; index++) {
      long length = stock.getBlockLen(index);
      if (length > 0 && !live.get(index) && !excluded.get(index)) {
        int i = targets.size();
        if (indices[i] != index) {
          throw new IllegalStateException("Stock rebuilds block " + indices[i]
              + " of " + stock.getBlockGroup() + " where " + index + " is expected");
        }
        targets.add(new RepairTarget(index, length, nodes[i], types[i], ids[i]));
      }
    }
    return Collections.unmodifiableList(targets);
  }

  @Override
  public ExtendedBlock blockGroup() {
    return new ExtendedBlock(stock.getBlockGroup());
  }

  @Override
  public ErasureCodingPolicy policy() {
    return policy;
  }

  @Override
  public SortedMap<Integer, List<DatanodeInfo>> sources() {
    return sources;
  }

  @Override
  public List<RepairTarget> targets() {
    return targets;
  }

  @Override
  public int xmits() {
    return xmits;
  }

  @Override
  public boolean isSettled() {
    return settled.get();
  }

  /**
   * Marks the task as settled because the handler did not take it.
   *
   * @return false if the task is settled already
   */
  boolean leaveToStock() {
    return settled.compareAndSet(false, true);
  }

  Future<?> end() {
    return end;
  }

  @Override
  public boolean runStock() {
    settle();
    try {
      stockPool.submit(stock);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.warn("The DataNode is stopping; reconstruction of {} is given up",
          stock.getBlockGroup());
      account(TaskOutcome.failed(0, 0, 0));
      return false;
    } finally {
      end.run();
    }
  }

  @Override
  public void finishedByUs(TaskOutcome outcome) {
    settle();
    account(outcome);
    end.run();
  }

  private void settle() {
    if (!settled.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "The reconstruction of " + stock.getBlockGroup() + " is settled already");
    }
  }

  /** Repeats what StripedBlockReconstructor.run() does at its end. */
  private void account(TaskOutcome outcome) {
    dn.decrementXmitsInProgress(xmits);
    outcome.count(dn.getMetrics());
  }

  @Override
  public String toString() {
    return "reconstruction of " + stock.getBlockGroup() + " with " + policy.getName()
        + ", live " + sources.keySet() + ", targets " + targets;
  }
}
