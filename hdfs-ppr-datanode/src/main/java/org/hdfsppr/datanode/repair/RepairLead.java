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

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.datanode.metrics.FallbackReason;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.StockTask;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads the repairs whose destination this DataNode is: takes the tasks that stock schedules, one
 * at a time for each block group, and runs them on a bounded pool. What it does not take, stock
 * runs. Thread-safe.
 */
@InterfaceAudience.Private
final class RepairLead implements TaskHandler, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairLead.class);

  private final RepairContext context;
  private final ThreadPoolExecutor pool;
  private final Map<GroupId, RepairJob> jobs = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
  private final AtomicLong taken = new AtomicLong();
  private volatile boolean closed;

  RepairLead(RepairContext context) {
    this.context = context;
    int threads = context.settings().repairThreads();
    pool = new ThreadPoolExecutor(threads, threads, 60, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(context.settings().repairQueue()), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public boolean offer(StockTask task) {
    if (closed || !context.host().isKnown()) {
      return refuse(task, closed ? FallbackReason.STOPPING : FallbackReason.NOT_READY);
    }
    String uuid = context.datanode().getDatanodeUuid();
    if (task.targets().isEmpty() || !isTarget(task, uuid)) {
      // Stock writes to remote targets only; it knows what to do with this.
      return refuse(task, FallbackReason.OTHER);
    }
    RepairJob job = new RepairJob(context, task, uuid + "-" + taken.incrementAndGet(),
        timer);
    if (jobs.putIfAbsent(job.group(), job) != null) {
      // The NameNode sent it again before the first one was done: two would only race.
      LOG.info("A repair of {} is under way, a second task for it is dropped", job.group());
      task.finishedByUs(TaskOutcome.failed(0, 0, 0));
      return true;
    }
    try {
      pool.execute(() -> run(job));
      return true;
    } catch (RejectedExecutionException e) {
      jobs.remove(job.group(), job);
      return refuse(task, closed ? FallbackReason.STOPPING : FallbackReason.QUEUE_FULL);
    }
  }

  private static boolean isTarget(StockTask task, String uuid) {
    for (RepairTarget target : task.targets()) {
      if (target.node().getDatanodeUuid().equals(uuid)) {
        return true;
      }
    }
    return false;
  }

  private boolean refuse(StockTask task, FallbackReason reason) {
    context.metrics().fallback(reason);
    ExtendedBlock block = task.blockGroup();
    LOG.warn("The task for {} goes to the stock worker: {}", block, reason);
    return false;
  }

  private void run(RepairJob job) {
    Thread.currentThread().setName("ppr-repair of " + job.group());
    try {
      job.run();
    } finally {
      jobs.remove(job.group(), job);
      Thread.currentThread().setName("ppr-repair idle");
    }
  }

  /** Ends all repairs soon and starts no other; what waited is settled as failed. */
  @Override
  public void close() {
    closed = true;
    List<Runnable> waiting = pool.shutdownNow();
    List<RepairJob> all = new ArrayList<>(jobs.values());
    all.forEach(RepairJob::cancel);
    if (!waiting.isEmpty()) {
      LOG.info("{} repairs that waited are given up", waiting.size());
    }
  }

  /** Waits until the running repairs have ended, and settles what never ran. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    boolean ended = pool.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    timer.shutdownNow();
    for (RepairJob job : jobs.values()) {
      if (ended && !job.task().isSettled()) {
        job.task().finishedByUs(TaskOutcome.failed(0, 0, 0));
      }
    }
    return ended;
  }
}
