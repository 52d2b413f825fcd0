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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Runs the reader's part in a degraded read. The reader is the root of the plan's tree. It receives
 * the sums of the wanted slices of one lost unit, and checks the slices that carry a check row. It
 * writes nothing. One thread uses and closes this object. Another thread may call {@link #abort}.
 */
@InterfaceAudience.Private
public final class RangeRead implements Closeable {
  /** Takes the rebuilt bytes, in the order in which they arrive. */
  public interface Sink {
    /**
     * @param offset offset of the first byte in the lost unit, bytes
     * @param bytes the bytes, from position to limit; valid during the call
     */
    void put(long offset, ByteBuffer bytes);
  }

  private final RepairPlan plan;
  private final PartialSumRequest request;
  private final RegionKernel kernel;
  private final SumRead sums;

  /**
   * @param plan plan for one lost unit
   * @param request the plan's request, with tokens and the wanted slices
   * @param sources open units: one for each sub-chunk of each source of the plan's root, in that
   *     order; the caller still has to close them
   * @param kernel does the arithmetic in GF(256)
   * @param buffers lends the memory for the read
   * @param nanoClock a monotonic clock, nanoseconds
   * @throws IllegalArgumentException if the plan has several targets
   */
  public RangeRead(RepairPlan plan, PartialSumRequest request, List<UnitSource> sources,
      RegionKernel kernel, BufferPool buffers, LongSupplier nanoClock) {
    if (plan.targets.size() != 1) {
      throw new IllegalArgumentException("A read rebuilds one unit, not " + plan.targets);
    }
    this.plan = plan;
    this.request = request;
    this.kernel = kernel;
    this.sums = new SumRead(request, sources, kernel, buffers, nanoClock);
  }

  /**
   * Reads all wanted slices. The sink must not use its bytes before this method has returned
   * normally.
   *
   * @param connector opens the connections to the root's children
   * @param unitBytes length of the lost unit, bytes
   * @param sink takes the rebuilt bytes
   * @throws RepairException naming the node and the cause of the failure
   * @throws IOException if a source of the root failed
   */
  public void run(TransferConnector connector, long unitBytes, Sink sink) throws IOException {
    sums.run(connector, (slice, rows) -> take(slice, rows, unitBytes, sink));
  }

  private void take(int slice, SliceBuffer rows, long unitBytes, Sink sink)
      throws RepairException {
    if (rows == null) {
      throw new RepairException(FailureCause.INTERNAL, plan.root.node,
          "no node contributes to slice " + slice + " of " + plan, null);
    }
    check(slice, rows);
    SliceGeometry geometry = request.geometry;
    for (int run = 0; run < geometry.runs(slice); run++) {
      int length = geometry.lengthWithin(slice, run, unitBytes);
      if (length > 0) {
        ByteBuffer row = rows.row(run);
        row.limit(row.position() + length);
        sink.put(geometry.offset(slice, run), row);
      }
    }
  }

  private void check(int slice, SliceBuffer rows) throws RepairException {
    SliceGeometry geometry = request.geometry;
    if (!geometry.checked(slice)) {
      return;
    }
    boolean holds = plan.check().isPresent() && new SliceVerifier(
        geometry.kind(slice).tail ? plan.check().get().tailWeights()
            : plan.check().get().weights(), kernel, geometry.sliceBytes()).holds(rows);
    if (!holds) {
      throw new RepairException(FailureCause.VERIFICATION, plan.root.node, "slice " + slice
          + " does not satisfy the check relation; suspects are all nodes of " + plan, null);
    }
  }

  /** @return the times at which the steps of the read ended */
  public Phases phases() {
    return sums.phases;
  }

  /** @return nanoseconds that the reader spent multiplying and adding, without its checks */
  public long multiplyNanos() {
    return sums.multiplyNanos();
  }

  /** @return bytes that the root's children sent */
  public long bytesReceived() {
    return sums.bytesReceived();
  }

  /** Aborts the connections, so that {@link #run} fails soon. May be called from any thread. */
  public void abort() {
    sums.abort();
  }

  /** Closes the connections to the children. A second call does nothing. */
  @Override
  public void close() {
    sums.close();
  }
}
