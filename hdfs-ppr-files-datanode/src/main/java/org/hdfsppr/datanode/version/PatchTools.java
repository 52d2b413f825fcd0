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
package org.hdfsppr.datanode.version;

import java.io.Closeable;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.update.LogReader;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.TransferConnector;

/**
 * What all patches on a DataNode share: connections, memory, and access to update logs. All of it
 * is thread-safe.
 */
@InterfaceAudience.Private
public final class PatchTools implements Closeable {
  /**
   * How often a request for sums is tried at most while a node that should send them is overloaded.
   */
  static final int TRIES_MAX = 20;
  /** The pause between two tries, ms. All tries together last some seconds. */
  private static final long PAUSE_MS = 250;

  final LogReader logs;
  private final KeptConnections connector;
  final RegionKernel kernel;
  final BufferSource memory;
  final int stallTimeoutMs;
  final ForwardedChanges forwarded;
  final LongSupplier nanoClock;
  final OlderPeers olderPeers;

  /**
   * @param logs finds the updates of a unit that a commit puts into a version
   * @param connector connects to other DataNodes, and keeps connections for further requests,
   *     because connecting takes longer than reading the samples of a commit; {@link #close} closes
   *     it
   * @param kernel multiplies bytes by coefficients and adds them
   * @param memory gives memory for sums and digests
   * @param stallTimeoutMs how long a DataNode may send nothing before it counts as dead, ms
   * @param forwarded keeps changes of data units for other nodes
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public PatchTools(LogReader logs, KeptConnections connector, RegionKernel kernel,
      BufferSource memory, int stallTimeoutMs, ForwardedChanges forwarded,
      LongSupplier nanoClock) {
    this.forwarded = forwarded;
    this.logs = logs;
    this.connector = connector;
    this.kernel = kernel;
    this.memory = memory;
    this.stallTimeoutMs = stallTimeoutMs;
    this.nanoClock = nanoClock;
    this.olderPeers = new OlderPeers(nanoClock);
  }

  TransferConnector connector() {
    return connector;
  }

  /** Drops the changes that are kept for other nodes, and closes the kept connections. */
  @Override
  public void close() {
    connector.close();
    forwarded.close();
  }

  void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(JobPool.STOPS);
    }
  }

  /**
   * Remembers for some time that some DataNode has an older version of hdfs-ppr, which refuses
   * requests for slices that are not contiguous. Without this, each command during a rolling
   * upgrade would first send a request that is refused. Thread-safe.
   */
  static final class OlderPeers {
    /** How long a refusal is remembered, ns. After that, the DataNode may have been upgraded. */
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoClock;
    /** The time of the last refusal on {@link #nanoClock}; null if there was none. */
    private final AtomicReference<Long> refusedNanos = new AtomicReference<>();

    OlderPeers(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
    }

    void noteRefusal() {
      refusedNanos.set(nanoClock.getAsLong());
    }

    /** Returns whether any DataNode has refused such a request within the last minute. */
    boolean areThere() {
      Long refused = refusedNanos.get();
      return refused != null && nanoClock.getAsLong() - refused <= KEPT_NANOS;
    }
  }
}
