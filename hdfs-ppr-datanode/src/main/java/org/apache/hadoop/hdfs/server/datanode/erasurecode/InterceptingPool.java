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

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the pool of the DataNode's erasure coding worker, and offers submitted reconstructions
 * to a {@link TaskHandler}. All other work goes to stock's pool, which is unchanged.
 *
 * <p>This pool has no threads and no queue of its own, so no task is lost or refused when the pools
 * are exchanged. A command thread may still use stock's pool after the exchange, or this pool after
 * stock's is back; in both cases the work reaches stock's pool. The DataNode's shutdown reaches
 * stock's pool through either pool, too.
 */
final class InterceptingPool extends ThreadPoolExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(InterceptingPool.class);

  private final DataNode dn;
  private final ThreadPoolExecutor stock;
  private final WorkerMembers members;
  private volatile TaskHandler handler;

  InterceptingPool(DataNode dn, ThreadPoolExecutor stock, WorkerMembers members,
      TaskHandler handler) {
    super(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1));
    this.dn = dn;
    this.stock = stock;
    this.members = members;
    this.handler = handler;
  }

  ThreadPoolExecutor stock() {
    return stock;
  }

  /** Sends all work to stock from now on. */
  void stopOffering() {
    handler = null;
  }

  @Override
  public Future<?> submit(Runnable work) {
    TaskHandler current = handler;
    if (current == null || !(work instanceof StripedBlockReconstructor) || stock.isShutdown()) {
      return stock.submit(work);
    }
    return offer(current, (StripedBlockReconstructor) work);
  }

  /**
   * Offers a task to the handler. No failure in this method may keep a block from being rebuilt: if
   * the handler does not take the task, for any reason, stock runs it. An error that leaves this
   * method would also end the thread that carries out the NameNode's commands.
   */
  private Future<?> offer(TaskHandler to, StripedBlockReconstructor work) {
    InterceptedTask task;
    try {
      task = new InterceptedTask(dn, stock, members, work);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.error("Cannot read the reconstruction of {}; stock runs it", work.getBlockGroup(), e);
      return stock.submit(work);
    }
    boolean taken = false;
    try {
      taken = to.offer(task);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.error("The handler failed on the {}; stock runs it unless it is settled", task, e);
    }
    if (!taken && task.leaveToStock()) {
      return stock.submit(work);
    }
    return task.end();
  }

  @Override
  public <T> Future<T> submit(Runnable work, T result) {
    return stock.submit(work, result);
  }

  @Override
  public <T> Future<T> submit(Callable<T> work) {
    return stock.submit(work);
  }

  @Override
  public void execute(Runnable work) {
    stock.execute(work);
  }

  @Override
  public void shutdown() {
    stopOffering();
    stock.shutdown();
    super.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    stopOffering();
    super.shutdownNow();
    return stock.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return stock.isShutdown();
  }

  @Override
  public boolean isTerminating() {
    return stock.isTerminating();
  }

  @Override
  public boolean isTerminated() {
    return stock.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return stock.awaitTermination(timeout, unit);
  }

  @Override
  public int getCorePoolSize() {
    return stock.getCorePoolSize();
  }

  @Override
  public int getMaximumPoolSize() {
    return stock.getMaximumPoolSize();
  }

  @Override
  public void setCorePoolSize(int size) {
    stock.setCorePoolSize(size);
  }

  @Override
  public void setMaximumPoolSize(int size) {
    stock.setMaximumPoolSize(size);
  }

  @Override
  public int getPoolSize() {
    return stock.getPoolSize();
  }

  @Override
  public int getActiveCount() {
    return stock.getActiveCount();
  }

  @Override
  public BlockingQueue<Runnable> getQueue() {
    return stock.getQueue();
  }

  @Override
  public long getTaskCount() {
    return stock.getTaskCount();
  }

  @Override
  public long getCompletedTaskCount() {
    return stock.getCompletedTaskCount();
  }

  @Override
  public String toString() {
    return "intercepting " + stock;
  }
}
