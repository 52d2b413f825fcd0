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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.ClientLink;
import org.hdfsppr.client.patience.ExpiringSet;
import org.hdfsppr.client.patience.HedgeDelay;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.patience.NodeHealth;
import org.hdfsppr.client.patience.TreeLimits;
import org.hdfsppr.client.shape.ReadCosts;
import org.hdfsppr.client.shape.ShapeRule;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.TransferConnector;

/**
 * The state that all streams of one client share: threads, memory for partial sums, and what the
 * client has learnt about DataNodes. Streams own no threads and no sockets, so a stream that is
 * never closed leaks nothing. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadContext implements Closeable {
  /**
   * A client that has notified a DataNode of a read of a group does not repeat the notice for this
   * time. DataNodes report such reads to NameNodes at the same interval.
   */
  private static final long NOTIFY_NANOS = TimeUnit.SECONDS.toNanos(60);
  /**
   * For how many groups a client remembers at most that it has notified a DataNode. If a client
   * reads more groups, it forgets the oldest notices and repeats them sooner.
   */
  private static final int NOTIFIED_MOST = 10_000;
  /**
   * How many reads of units the budget for hedges saves up at most: ten hedges, each of which reads
   * ten units of a code with ten data units.
   */
  private static final int HEDGED_READS_SAVED_MOST = 100;
  /**
   * The longest time that a reader waits for a run of bytes, if no other limit is shorter. A node
   * that needs this time for 8 MiB, the longest run of a positional read, sends only 14 KB/s. So a
   * new attempt is better than a longer wait.
   */
  private static final long WAIT_NANOS_MOST = TimeUnit.MINUTES.toNanos(10);

  /** The settings for degraded reads */
  public final ReadSettings settings;
  /** Makes connections to DataNodes, and keeps unused connections for a while */
  public final KeptConnections connector;
  final LongSupplier nanoClock;
  /** The longest time that a reader waits for a run of bytes, nanoseconds. */
  final long waitNanosMost;
  /** What the client has found out about DataNodes */
  public final NodeHealth health;
  private final ExpiringSet<GroupId> notified;
  final BufferPool buffers;
  final RegionKernel kernel;
  private final ReadThreads threads;
  /** The counters that show how reads were served */
  public final ReadCounters counters;
  /**
   * The times that a read, a byte and a hop of a tree are expected to take, learnt from earlier
   * reads; {@link ClientLink} says from which reads.
   */
  final ReadCosts costs = new ReadCosts();
  /** Decides in which shape a range of a lost unit is rebuilt. */
  final ShapeRule shapes = new ShapeRule(costs);
  final ClientLink link = new ClientLink();
  final LinkShares shares = new LinkShares();
  /** The delays before hedges, learnt from reads of units. */
  final HedgeDelay delay;
  /** The time that trees of partial sums may take, learnt from earlier trees. */
  final TreeLimits treeLimits;
  /** The columns of CORE groups that this client knows. */
  final ColumnSource columns;

  /**
   * Makes the state of a client that has read nothing yet.
   *
   * @param settings the client's settings for degraded reads
   * @param connector makes connections to DataNodes
   * @param nanoClock the client's clock, nanoseconds
   */
  public ReadContext(ReadSettings settings, TransferConnector connector, LongSupplier nanoClock) {
    this(settings, connector, nanoClock, WAIT_NANOS_MOST);
  }

  /**
   * Like {@link #ReadContext(ReadSettings, TransferConnector, LongSupplier)}, but each count is
   * also added to counters of the process, and streams can read columns of CORE groups.
   *
   * @param settings the client's settings for degraded reads
   * @param connector makes connections to DataNodes
   * @param nanoClock the client's clock, nanoseconds
   * @param ofProcess counters of all clients of this process
   * @param columns knows the columns of CORE groups
   */
  public ReadContext(ReadSettings settings, TransferConnector connector, LongSupplier nanoClock,
      ReadCounters ofProcess, ColumnSource columns) {
    this(settings, connector, nanoClock, WAIT_NANOS_MOST, new ReadCounters(ofProcess), columns);
  }

  /**
   * Like {@link #ReadContext(ReadSettings, TransferConnector, LongSupplier)}, but also sets the
   * longest time that a reader waits for a run of bytes.
   *
   * @param waitNanosMost the longest time, nanoseconds
   */
  ReadContext(ReadSettings settings, TransferConnector connector, LongSupplier nanoClock,
      long waitNanosMost) {
    this(settings, connector, nanoClock, waitNanosMost, new ReadCounters(), ColumnSource.NONE);
  }

  private ReadContext(ReadSettings settings, TransferConnector connector, LongSupplier nanoClock,
      long waitNanosMost, ReadCounters counters, ColumnSource columns) {
    this.columns = columns;
    this.waitNanosMost = waitNanosMost;
    this.counters = counters;
    this.settings = settings;
    this.nanoClock = nanoClock;
    health = new NodeHealth(nanoClock);
    notified = new ExpiringSet<>(NOTIFIED_MOST, NOTIFY_NANOS, nanoClock);
    buffers = new BufferPool(settings.bufferBytes());
    kernel = Kernels.select(settings.kernel);
    threads = new ReadThreads(settings.threads);
    delay = new HedgeDelay(settings.hedgeMinMs, settings.hedgeMaxMs,
        settings.hedgePercent, HEDGED_READS_SAVED_MOST);
    // A client can always give up a tree and decode. So trees have a time limit even if the
    // settings allow no hedges.
    treeLimits = new TreeLimits(
        settings.hedgeMinMs == 0 ? PprKeys.CLIENT_HEDGE_MIN_MS_DEFAULT : settings.hedgeMinMs,
        Math.max(settings.hedgeMaxMs, settings.stallTimeoutMs), settings.hedgePercent);
    this.connector = new KeptConnections(connector, threads.timer(), nanoClock);
  }

  /**
   * Returns whether a DataNode was notified in the last minute that this client reads the group. If
   * not, the caller has to notify a DataNode now, and this method returns true for the next minute.
   */
  boolean isNotified(GroupId group) {
    return !notified.addIfAbsent(group);
  }

  /** Like {@link ReadThreads#tryExecute}. */
  boolean tryExecute(Runnable work) {
    return threads.tryExecute(work);
  }

  /** The number of threads that are running work. */
  int busyThreads() {
    return threads.busy();
  }

  /** Like {@link ReadThreads#execute}. */
  void execute(Runnable work) {
    threads.execute(work);
  }

  /** Like {@link ReadThreads#later}. */
  Future<?> later(Runnable work, long nanos) {
    return threads.later(work, nanos);
  }

  @Override
  public void close() {
    connector.close();
    threads.close();
  }
}
