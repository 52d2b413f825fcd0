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
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.patience.ExpiringSet;
import org.hdfsppr.client.patience.HedgeDelay;
import org.hdfsppr.client.patience.LinkLoad;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.patience.NodeHealth;
import org.hdfsppr.client.patience.Patience;
import org.hdfsppr.client.shape.ReadCosts;
import org.hdfsppr.client.shape.ShapeRule;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.KeptConnections;

/**
 * The state that all streams of one client share: threads, memory for sums, and what the client has
 * learnt about DataNodes. Streams own no threads and no sockets, so a stream that is never closed
 * leaks nothing. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadContext implements Closeable {
  /**
   * For how long a client does not repeat to DataNodes that it reads a group. DataNodes report this
   * to NameNodes at the same interval.
   */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(60);
  /**
   * The most groups for which a client remembers that it has notified a DataNode. A client that
   * reads more groups notifies DataNodes more often.
   */
  private static final int TOLD_MOST = 10_000;
  /**
   * The longest wait for a run, if nothing else bounds the wait. 8 MiB in this time are 14 KB/s. If
   * a node is slower than that, the client had better ask again.
   */
  private static final long WAIT_NANOS_MOST = TimeUnit.MINUTES.toNanos(10);

  private final ReadSettings settings;
  private final KeptConnections connector;
  private final LongSupplier nanoClock;
  private final long waitNanosMost;
  private final NodeHealth health;
  private final ExpiringSet<GroupId> told;
  private final BufferPool buffers;
  private final RegionKernel kernel;
  private final ReadThreads threads;
  private final ReadCounters counters = new ReadCounters();
  private final ReadCosts costs = new ReadCosts();
  private final LinkLoad load = new LinkLoad();
  private final LinkShares shares = new LinkShares();
  private final ReadTactics tactics;

  /**
   * Makes the state of a client that has read nothing yet.
   *
   * @param conf of the client
   * @param settings the client's settings for degraded reads
   * @param connector makes connections to DataNodes
   * @param nanoClock of the client
   */
  public ReadContext(Configuration conf, ReadSettings settings, Connector connector,
      LongSupplier nanoClock) {
    this(conf, settings, connector, nanoClock, WAIT_NANOS_MOST);
  }

  /**
   * As the other constructor, but with the longest time, in nanoseconds, that a reader waits for a
   * run.
   */
  ReadContext(Configuration conf, ReadSettings settings, Connector connector,
      LongSupplier nanoClock, long waitNanosMost) {
    this.waitNanosMost = waitNanosMost;
    this.settings = settings;
    this.nanoClock = nanoClock;
    health = new NodeHealth(nanoClock);
    told = new ExpiringSet<>(TOLD_MOST, TELL_NANOS, nanoClock);
    buffers = new BufferPool(settings.bufferBytes());
    kernel = Kernels.select(settings.kernel());
    threads = new ReadThreads(settings.threads());
    tactics = ReadTactics.of(conf, settings, costs, load, nanoClock, threads::tryExecute,
        counters);
    this.connector = new KeptConnections(connector, threads.timer(), nanoClock);
  }

  /** @return the settings for degraded reads */
  public ReadSettings settings() {
    return settings;
  }

  /** @return makes connections to DataNodes, and keeps unused connections for a while */
  public KeptConnections connector() {
    return connector;
  }

  LongSupplier nanoClock() {
    return nanoClock;
  }

  /** @return what the client has found out about DataNodes */
  public NodeHealth health() {
    return health;
  }

  /**
   * Returns whether a DataNode was notified in the last minute that this client reads the group. If
   * not, the group counts as notified from now on, and the caller has to notify a DataNode.
   */
  boolean isToldOf(GroupId group) {
    return !told.addIfAbsent(group);
  }

  /** The delays before hedges, learnt from reads of units. */
  HedgeDelay delay() {
    return tactics.delay();
  }

  /** The time that trees of partial sums may take, learnt from trees. */
  HedgeDelay treeDelay() {
    return tactics.treeDelay();
  }

  /** The longest time that a reader waits for a run, nanoseconds. */
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

  /** Decides how long to wait for bytes before they are fetched in another way. */
  Patience patience() {
    return tactics.patience();
  }

  /** Decides in which shape a range of a lost unit is rebuilt. */
  ShapeRule shapes() {
    return tactics.shapes();
  }

  BufferPool buffers() {
    return buffers;
  }

  RegionKernel kernel() {
    return kernel;
  }

  /** As {@link ReadThreads#tryExecute}. */
  boolean tryExecute(Runnable work) {
    return threads.tryExecute(work);
  }

  /** The number of threads that are running work. */
  int busyThreads() {
    return threads.busy();
  }

  /** As {@link ReadThreads#execute}. */
  void execute(Runnable work) {
    threads.execute(work);
  }

  /** As {@link ReadThreads#later}. */
  Future<?> later(Runnable work, long nanos) {
    return threads.later(work, nanos);
  }

  /** @return counts how reads were served */
  public ReadCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    connector.close();
    threads.close();
  }
}
