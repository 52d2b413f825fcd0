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
import org.hdfsppr.datanode.update.LogReader;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.TransferConnector;

/** The parts that all patches on a DataNode share. All of them are thread-safe. */
@InterfaceAudience.Private
public final class PatchTools implements Closeable {
  /** How often a request for sums is tried while nodes are overloaded. */
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
   * @param logs finds updates
   * @param connector connects to other DataNodes, and is closed with this object; connections are
   *     kept, because the samples of a commit are shorter than what it takes to connect
   * @param kernel multiplies and adds
   * @param memory memory for sums
   * @param stallTimeoutMs time without a byte after which a DataNode counts as dead
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

  /** Drops changes that are kept for other nodes, and closes idle connections. */
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
      throw new InterruptedIOException(VersionJob.STOPS);
    }
  }

  /**
   * Remembers for some time that a DataNode has an older version, which refuses requests for slices
   * that are not contiguous. Otherwise, during a rolling upgrade, the first tree of each command
   * would be refused. Thread-safe.
   */
  static final class OlderPeers {
    /** How long a refusal counts, ns. After that the node may have a newer version. */
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoClock;
    /** The time of the last refusal; null if there was none. */
    private final AtomicReference<Long> refusedNanos = new AtomicReference<>();

    OlderPeers(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
    }

    void noteRefusal() {
      refusedNanos.set(nanoClock.getAsLong());
    }

    /** Returns whether a DataNode has refused within this time. */
    boolean areThere() {
      Long refused = refusedNanos.get();
      return refused != null && nanoClock.getAsLong() - refused <= KEPT_NANOS;
    }
  }
}
