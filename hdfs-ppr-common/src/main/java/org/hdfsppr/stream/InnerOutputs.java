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
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.plan.InnerTarget;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.TargetOutcome;
import org.slf4j.LoggerFactory;

/**
 * Writes the unit of an {@link InnerTarget} at one helper. From each slice, the object removes the
 * rows of this unit, writes them to a temporary replica, and adds them to the check row. The helper
 * sends only the other rows to its parent. The helper calls {@link #commit}, which finalises the
 * replica, only after the root's order to finalise. If the helper is no inner target, every method
 * does nothing.
 *
 * <p>If the replica cannot be written, the object drops it, and the helper continues with the other
 * rows. The outcome reports the failure to the root. One thread uses and closes this object.
 */
@InterfaceAudience.Private
final class InnerOutputs implements Closeable {
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(InnerOutputs.class));

  private final HelperHost host;
  private final PartialSumRequest request;
  private final RegionKernel kernel;
  private final NodeStats stats;
  private final LongSupplier nanoClock;
  private final SliceGeometry geometry;
  /** Null if this helper is no inner target. */
  private final InnerTarget target;
  /**
   * Position of the target's unit among the lost units whose rows this node computes; -1 if this
   * helper is no inner target.
   */
  private final int place;
  private RegionOperator weigh;
  private RegionOperator weighTail;
  /** Puts the parts of a cell in order; null without sub-chunks. */
  private CellBuffer cell;
  private UnitSink sink;
  private String failure = "the replica was dropped";
  private boolean committed;
  private long bytesWritten;

  /**
   * @param host the machine of this node
   * @param request the request that this node serves
   * @param kernel multiplies and adds
   * @param stats counts how long the operator's limit for writes holds this node back
   * @param nanoClock a monotonic clock, nanoseconds
   */
  InnerOutputs(HelperHost host, PartialSumRequest request, RegionKernel kernel, NodeStats stats,
      LongSupplier nanoClock) {
    this.stats = stats;
    this.nanoClock = nanoClock;
    this.host = host;
    this.request = request;
    this.kernel = kernel;
    this.geometry = request.geometry();
    this.target = request.subtree().innerTarget().orElse(null);
    this.place = target == null ? -1
        : Arrays.binarySearch(request.lostUnits(), target.index());
  }

  /**
   * Returns the length in bytes of each buffer that a helper needs: those of {@link
   * PartialSum#pieces}, and then one cell if the helper is an inner target and the code has
   * sub-chunks.
   */
  static int[] pieces(PartialSumRequest request, RegionKernel kernel) {
    int[] sums = PartialSum.pieces(request, kernel);
    if (!request.subtree().innerTarget().isPresent() || request.geometry().subChunks() == 1) {
      return sums;
    }
    int[] pieces = Arrays.copyOf(sums, sums.length + 1);
    pieces[sums.length] = request.geometry().cellBytes();
    return pieces;
  }

  /**
   * Returns why the caller may not write the unit on this node; null if the caller may write it, or
   * if this node is no inner target.
   */
  String refusal() {
    return target == null ? null
        : host.targets().refusal(target.block(), request.grant(target));
  }

  /**
   * Opens the replica.
   *
   * @param checksum how the replica is to be checksummed
   * @param lease memory; the next piece to carve from it is the cell
   * @throws RepairException naming this node, if the replica cannot be opened
   */
  void open(DataChecksum checksum, BufferSource.Lease lease) throws RepairException {
    if (target == null) {
      return;
    }
    if (geometry.subChunks() > 1) {
      cell = new CellBuffer(geometry, lease.carve(geometry.cellBytes()));
    }
    weigh = operator(target.weights());
    weighTail = operator(target.tailWeights());
    try {
      sink = host.targets().open(target.block(), request.grant(target), checksum);
    } catch (IOException e) {
      RepairException explained = host.explainRead(host.self(), e);
      throw new RepairException(explained.failureCause(), host.self(), "unit " + target.unit()
          + " cannot be written here: " + explained.getMessage(), e);
    }
  }

  private RegionOperator operator(byte[] weights) {
    return weights.length == 0 ? null : kernel.prepare(GfMatrix.of(new byte[][] {weights}));
  }

  /**
   * Takes the rows of the inner target out of a slice.
   *
   * @param slice number of the slice
   * @param rows the slice with this node's sums, or null if the node has no sums of this slice
   * @return the rows to send, or null if there are none
   * @throws RepairException if there are no sums of this slice, so that the unit's rows are missing
   */
  SliceBuffer take(int slice, SliceBuffer rows) throws RepairException {
    if (target == null) {
      return rows;
    }
    if (rows == null) {
      throw new RepairException(FailureCause.INTERNAL, host.self(),
          "no node contributes to slice " + slice + " of unit " + target.unit(), null);
    }
    SliceKind kind = geometry.kind(slice);
    int runs = geometry.runs(slice);
    if (sink != null) {
      write(slice, rows);
    }
    if (kind.isChecked()) {
      ByteBuffer[] ended = new ByteBuffer[runs];
      for (int run = 0; run < runs; run++) {
        ended[run] = rows.row(place * runs + run);
      }
      (kind.isTail() ? weighTail : weigh).apply(ended,
          new ByteBuffer[] {rows.row(rows.rows() - 1)}, rows.length(), true);
    }
    rows.drop(place * runs, runs);
    return rows;
  }

  private void write(int slice, SliceBuffer rows) {
    long unitBytes = target.block().length();
    if (cell == null) {
      write(rows.row(place), geometry.lengthWithin(slice, unitBytes));
      return;
    }
    cell.put(slice, rows, place);
    if (geometry.endsCell(slice)) {
      ByteBuffer whole = cell.take();
      write(whole, (int) Math.max(0,
          Math.min(whole.remaining(), unitBytes - geometry.cellStart(slice))));
    }
  }

  private void write(ByteBuffer data, int length) {
    if (length == 0) {
      return;
    }
    long start = nanoClock.getAsLong();
    host.targets().throttleWrite(length);
    stats.addThrottle(nanoClock.getAsLong() - start);
    data.limit(data.position() + length);
    try {
      sink.write(data);
      bytesWritten += length;
    } catch (IOException e) {
      drop(e);
    }
  }

  /**
   * Finalises the replica. The caller has received the root's order to finalise, which says that
   * every check has held and that all rows have arrived complete.
   *
   * @return the outcome, which says that the unit is stored only if that is certain; empty if this
   *     helper is no inner target
   */
  Optional<TargetOutcome> commit() {
    if (target == null) {
      return Optional.empty();
    }
    if (sink != null) {
      try {
        sink.commit();
        committed = true;
      } catch (IOException | RuntimeException e) {
        drop(e);
      }
    }
    discard();
    return Optional.of(committed ? TargetOutcome.stored(target.unit())
        : TargetOutcome.notStored(target.unit(), failure));
  }

  private void drop(Exception e) {
    IOException cause = e instanceof IOException ? (IOException) e
        : new IOException(e.toString(), e);
    // The root reads this text, and must not learn paths of this host.
    failure = host.explainRead(host.self(), cause).getMessage();
    LOG.warn("drop", "Repair {} of {}: unit {} cannot be written here", request.repairId(),
        request.group(), target.unit(), e);
    discard();
  }

  /**
   * Returns the number of bytes that were written, whether the replica was finalised or dropped.
   */
  long bytesWritten() {
    return bytesWritten;
  }

  @Override
  public void close() {
    discard();
  }

  /**
   * Closes the replica. A replica that is not finalised is deleted. A second call does nothing.
   */
  void discard() {
    if (sink == null) {
      return;
    }
    UnitSink open = sink;
    sink = null;
    try {
      open.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("close", "Repair {} of {}: what was written of unit {} could not be dropped",
          request.repairId(), request.group(), target.unit(), e);
    }
  }
}
