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
package org.hdfsppr.client.read;

import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.KeptConnections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all streams of one client share: threads, memory for sums, and what has been learnt about
 * DataNodes. Streams own no threads and no sockets of their own, so that one that is forgotten
 * leaves nothing behind. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadContext implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadContext.class);
  /** An answer may have to queue behind all that is wanted, and twice that is slow. */
  private static final int LINK_PATIENCE = 2;
  /** An idle thread ends after that. */
  private static final long IDLE_SECONDS = 10;
  /** As often as DataNodes tell a NameNode of a group that is read on and on. */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** Groups that a client reads in that time; of more it tells more often. */
  private static final int TOLD_MOST = 10_000;
  /**
   * No read of a run waits longer, whatever else has no bound: 8 MiB in that time is 14 KB/s, and
   * who is slower than that is better asked again.
   */
  private static final long WAIT_NANOS_MOST = TimeUnit.MINUTES.toNanos(10);

  private final Configuration conf;
  private final ReadSettings settings;
  private final KeptConnections connector;
  private final LongSupplier nanoClock;
  private final long waitNanosMost;
  private final NodeHealth health;
  private final ExpiringSet<GroupId> told;
  private final HedgeDelay delay;
  private final HedgeDelay treeDelay;
  private final BufferPool buffers;
  private final RegionKernel kernel;
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer;
  private final AtomicBoolean saidNoThread = new AtomicBoolean();
  private final ReadCounters counters = new ReadCounters();
  private final ReadCosts costs = new ReadCosts();
  private final ShapeChoice shapes = new ShapeChoice(costs);
  private final ShapeTrials trials = new ShapeTrials(this);
  private final LinkLoad load = new LinkLoad();
  private final LinkShares shares = new LinkShares();

  public ReadContext(Configuration conf, ReadSettings settings, Connector connector,
      LongSupplier nanoClock) {
    this(conf, settings, connector, nanoClock, WAIT_NANOS_MOST);
  }

  /** With another {@link #waitNanosMost}. */
  ReadContext(Configuration conf, ReadSettings settings, Connector connector,
      LongSupplier nanoClock, long waitNanosMost) {
    this.waitNanosMost = waitNanosMost;
    this.conf = conf;
    this.settings = settings;
    this.nanoClock = nanoClock;
    health = new NodeHealth(nanoClock);
    told = new ExpiringSet<>(TOLD_MOST, TELL_NANOS, nanoClock);
    delay = new HedgeDelay(settings.hedgeMinMs(), settings.hedgeMaxMs(), settings.hedgePercent());
    // A tree that is slow costs a second read as well, but there is always one to be had.
    treeDelay = new HedgeDelay(Math.max(1, settings.hedgeMinMs()),
        Math.max(settings.hedgeMaxMs(), settings.stallTimeoutMs()), 100);
    buffers = new BufferPool(settings.bufferBytes());
    kernel = Kernels.select(settings.kernel());
    threads = new ThreadPoolExecutor(0, settings.threads(), IDLE_SECONDS, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
    timer = new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    this.connector = new KeptConnections(connector, timer, nanoClock);
  }

  Configuration conf() {
    return conf;
  }

  public ReadSettings settings() {
    return settings;
  }

  public KeptConnections connector() {
    return connector;
  }

  LongSupplier nanoClock() {
    return nanoClock;
  }

  public NodeHealth health() {
    return health;
  }

  /** Whether DataNodes have lately been told that a group is read; if not, they are to be now. */
  boolean isToldOf(GroupId group) {
    return !told.addIfAbsent(group);
  }

  /** For reads of units. */
  HedgeDelay delay() {
    return delay;
  }

  /** For trees of partial sums. */
  HedgeDelay treeDelay() {
    return treeDelay;
  }

  /** How long a reader waits for a run, whatever happens, nanoseconds. */
  long waitNanosMost() {
    return waitNanosMost;
  }

  ReadCosts costs() {
    return costs;
  }

  LinkLoad load() {
    return load;
  }

  LinkShares shares() {
    return shares;
  }

  /**
   * How long to wait for {@code bytes} before they are fetched in another way, nanoseconds: what
   * {@code delay} has learnt, and longer if that has to queue behind what else is read.
   */
  long patienceNanos(HedgeDelay delay, long bytes) {
    double all = LINK_PATIENCE * costs.byteNanos() * load.bytes();
    // DataNodes send more to stateful readers than these have asked for.
    long among = Math.max(delay.nanos(bytes), delay.nanos(load.longest()));
    return Math.max(among, (long) Math.min(delay.maxNanos(), all));
  }

  ShapeChoice shapes() {
    return shapes;
  }

  ShapeTrials trials() {
    return trials;
  }

  BufferPool buffers() {
    return buffers;
  }

  RegionKernel kernel() {
    return kernel;
  }

  /** Runs something in another thread, if one is free. */
  boolean tryExecute(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    } catch (OutOfMemoryError e) {
      // No thread could be made; whoever needs one goes on without.
      if (saidNoThread.compareAndSet(false, true)) {
        LOG.warn("No thread could be made for degraded reads, which go on without (said once)", e);
      }
      return false;
    }
  }

  /** Threads at work. */
  int busyThreads() {
    return threads.getActiveCount();
  }

  /** Runs something in another thread, or in this one if none is free: nobody waits for threads. */
  void execute(Runnable work) {
    if (!tryExecute(work)) {
      work.run();
    }
  }

  /**
   * Runs something short after some time; never once the client is closed, when reads that are
   * still under way come to their end without it.
   */
  Future<?> later(Runnable work, long nanos) {
    try {
      return timer.schedule(work, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(null);
    }
  }

  public ReadCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    connector.close();
    threads.shutdownNow();
    timer.shutdownNow();
  }
}
