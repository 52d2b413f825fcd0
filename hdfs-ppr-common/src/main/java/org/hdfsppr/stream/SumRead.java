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
package org.hdfsppr.stream;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Runs the root's part in a tree whose root uses the sums and stores nothing; such a root is often
 * a client. The class receives the sums of the wanted slices, and passes each slice to a sink. One
 * thread uses and closes this object. Another thread may call {@link #abort}.
 */
@InterfaceAudience.Private
public final class SumRead implements Closeable {
  /** Takes the wanted slices, in ascending order. */
  public interface Sink {
    /**
     * @param slice number of the slice
     * @param rows the sums, valid during the call; null if no node of the tree contributes to
     *     slices of this kind
     * @throws IOException to end the read; {@link SumRead#run} throws the same exception
     */
    void take(int slice, SliceBuffer rows) throws IOException;
  }

  /**
   * The longest wait for memory, milliseconds. Other reads hold memory for a shorter time, because
   * their computations take milliseconds and their trees finish or fail within seconds.
   */
  private static final long LEASE_MS_MOST = 10_000;

  private final PartialSumRequest request;
  private final List<UnitSource> sources;
  private final RegionKernel kernel;
  private final BufferSource buffers;
  private final LongSupplier nanoClock;
  private final ChildLinks children = new ChildLinks();
  private final NodeStats stats = new NodeStats();
  /** The times at which the steps of the read ended */
  public final Phases phases;

  /**
   * @param request the request of the root, with tokens and the wanted slices
   * @param sources open units: one for each sub-chunk of each source of the root, in that order;
   *     the caller still has to close them
   * @param kernel does the arithmetic in GF(256)
   * @param buffers lends the memory for the read
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public SumRead(PartialSumRequest request, List<UnitSource> sources, RegionKernel kernel,
      BufferSource buffers, LongSupplier nanoClock) {
    this.request = request;
    this.sources = sources;
    this.kernel = kernel;
    this.buffers = buffers;
    this.nanoClock = nanoClock;
    this.phases = new Phases(nanoClock);
  }

  /**
   * Reads all wanted slices. The caller must not trust any slice before this method has returned
   * normally.
   *
   * @param connector opens the connections to the root's children
   * @param sink takes the sums
   * @throws RepairException naming the node and the cause of the failure
   * @throws IOException if a source of the root or the sink failed
   */
  public void run(TransferConnector connector, Sink sink) throws IOException {
    BufferSource.Lease lease = lease();
    if (lease == null) {
      throw new RepairException(FailureCause.OVERLOADED, request.subtree.node,
          "no buffers are free for a read of sums", null);
    }
    try (BufferSource.Lease memory = lease) {
      children.askAll(request, connector);
      phases.done("children asked");
      children.awaitReady(request, new ProgressBoard(nanoClock));
      phases.done("children ready");
      PartialSum sum = new PartialSum(request, sources, children.readers, kernel, memory,
          stats, nanoClock);
      SliceGeometry geometry = request.geometry;
      for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
        sink.take(slice, sum.sum(slice));
        if (slice == geometry.firstSlice) {
          phases.done("first slice");
        }
      }
      phases.done("last slice");
      children.receiveEnds();
      phases.done("end");
    }
  }

  /**
   * Takes memory. A read whose root has no children may wait for memory, because no other node
   * waits for the read. A read with children must not wait, because the nodes of its tree hold
   * their memory until the read is over.
   */
  private BufferSource.Lease lease() throws IOException {
    int[] pieces = PartialSum.pieces(request, kernel);
    if (!request.subtree.children.isEmpty()) {
      return buffers.lease(pieces);
    }
    try {
      return buffers.await(LEASE_MS_MOST, pieces);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The read was interrupted").initCause(e);
    }
  }

  /** @return nanoseconds that this root spent multiplying and adding */
  public long multiplyNanos() {
    return stats.multiplyNanos();
  }

  /** @return bytes that the root's children sent */
  public long bytesReceived() {
    return children.bytesReceived();
  }

  /** Aborts the connections, so that {@link #run} fails soon. May be called from any thread. */
  public void abort() {
    children.abort();
  }

  /** Closes the connections to the children. A second call does nothing. */
  @Override
  public void close() {
    children.close();
  }
}
