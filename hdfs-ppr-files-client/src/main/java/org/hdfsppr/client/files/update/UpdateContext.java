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
package org.hdfsppr.client.files.update;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.stream.TransferConnector;

/**
 * What all readers and writers of updates share in one client: the proxy of the NameNode,
 * connections to DataNodes, and threads. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateContext implements Closeable {
  /**
   * How many threads each pool has at most. Each thread waits for the answer to one request, and a
   * block device has about 32 requests under way. Readers and writers have pools of their own, so
   * that neither delays the other.
   */
  private static final int THREADS_MOST = 32;
  private static final long IDLE_SECONDS = 10;
  private static final long STOP_SECONDS = 5;

  public final UpdateProtocol nameNode;
  final LeaderCalls calls;
  final LongSupplier nanoClock;
  private final LongSupplier random;
  private volatile boolean isClosed;
  /**
   * Gets updated bytes for readers. Its queue has at most one request for each unit of the groups
   * that are being read.
   */
  private final ThreadPoolExecutor readers;
  /**
   * Sends updates and syncs. Its queue is bounded, because the writers bound how many updates they
   * have under way.
   */
  private final ThreadPoolExecutor writers;
  /**
   * Runs parts of a write or a sync. It has no queue: if all threads are busy, it refuses the task,
   * and the caller runs it.
   */
  private final ThreadPoolExecutor helpers;

  /**
   * @param nameNode gives tickets
   * @param connector connects to DataNodes
   * @param nanoClock a monotonic clock, ns
   * @param random makes random numbers by which leaders recognize writers; no two writers of a file
   *     may have the same one, and other clients must not be able to guess it
   */
  public UpdateContext(UpdateProtocol nameNode, TransferConnector connector, LongSupplier nanoClock,
      LongSupplier random) {
    this.random = random;
    this.nameNode = nameNode;
    this.calls = new LeaderCalls(connector);
    this.nanoClock = nanoClock;
    this.readers = pool();
    this.writers = pool();
    this.helpers = new ThreadPoolExecutor(0, THREADS_MOST, IDLE_SECONDS, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
  }

  private static ThreadPoolExecutor pool() {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(THREADS_MOST, THREADS_MOST, IDLE_SECONDS,
        TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Returns an object that sends requests to the leaders of a file's units. */
  LeaderRetry retry(UpdateTickets tickets) {
    return retry(tickets, () -> false);
  }

  /**
   * Like {@link #retry(UpdateTickets)}, with one more condition that makes requests fail.
   *
   * @param isOver returns whether requests have to fail although the file system is open
   */
  LeaderRetry retry(UpdateTickets tickets, BooleanSupplier isOver) {
    return new LeaderRetry(tickets, nanoClock, () -> isClosed || isOver.getAsBoolean());
  }

  long newWriter() {
    return random.getAsLong();
  }

  ExecutorService readers() {
    return readers;
  }

  ExecutorService writers() {
    return writers;
  }

  /** Returns an executor that refuses a task if none of its threads is free. */
  Executor helpers() {
    return helpers;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Makes all requests fail. Updates that were not acknowledged may be in the logs or not. */
  @Override
  public void close() {
    isClosed = true;
    calls.close();
    List<Runnable> all = new ArrayList<>(readers.shutdownNow());
    all.addAll(writers.shutdownNow());
    helpers.shutdownNow();
    for (Runnable dropped : all) {
      if (dropped instanceof Future) {
        ((Future<?>) dropped).cancel(true);
      }
    }
    try {
      readers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      writers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      helpers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
