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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the destination's part in one attempt at a repair. It connects the tree, receives the sums
 * slice by slice, checks them, and writes the units. It commits the units only if every slice has
 * arrived and every check has held. Used by one thread; another thread may call {@link #cancel}.
 */
@InterfaceAudience.Private
public final class DestinationSession implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DestinationSession.class);

  /** Opens the sinks that store rebuilt units. */
  public interface Sinks {
    /**
     * Opens the sink of one unit.
     *
     * @param target the block and its node
     * @param checksum how the replica is to be checksummed
     * @return a sink that has taken no data yet
     * @throws IOException if the unit cannot be written to the target; no file is left behind
     */
    UnitSink open(PlanTarget target, DataChecksum checksum) throws IOException;

    /**
     * Waits as long as the operator's limit for reconstruction writes demands.
     *
     * @param bytes bytes that are about to be written
     */
    void throttleWrite(long bytes);
  }

  private final RepairPlan plan;
  private final PartialSumRequest request;
  private final HelperHost host;
  private final Sinks sinks;
  private final RegionKernel kernel;
  private final BufferSource buffers;
  private final LongSupplier nanoClock;
  /** The times that this node has spent in each step; any thread may read them */
  public final NodeStats stats = new NodeStats();
  private final ChildLinks children;
  private final OpenUnits units;
  private final List<Output> outputs = new ArrayList<>();
  private final SliceThrottle pace;
  private int slicesVerified;
  private long bytesWritten;
  private long connectNanos;
  private long transferNanos;
  private long commitNanos;
  private long sinkNanos;

  /**
   * @param plan the plan of the repair
   * @param request the same plan as a request with block tokens; its subtree is the plan's root
   * @param host the DataNode that is the plan's root, on which this session runs
   * @param sinks opens a sink for each rebuilt unit
   * @param kernel does the arithmetic in GF(256)
   * @param buffers lends the memory for the rebuild
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public DestinationSession(RepairPlan plan, PartialSumRequest request, HelperHost host,
      Sinks sinks,
      RegionKernel kernel, BufferSource buffers, LongSupplier nanoClock) {
    this.plan = plan;
    this.request = request;
    this.host = host;
    this.sinks = sinks;
    this.kernel = kernel;
    this.buffers = buffers;
    this.nanoClock = nanoClock;
    this.children = new ChildLinks(bytes -> host.received(bytes, request.isPaced()));
    this.units = new OpenUnits(host, stats, nanoClock);
    this.pace = new SliceThrottle(request, nanoClock);
  }

  /**
   * A unit that the plan rebuilds, with its sink. The sink is null if the unit cannot be written.
   */
  private static final class Output {
    private final PlanTarget target;
    private final long unitBytes;
    /** Collects a cell before it is written; null if the code has no sub-chunks. */
    private final CellBuffer cell;
    /**
     * Index of the target in the plan. The rows of a slice belong to the targets in the same order.
     */
    private final int place;
    private UnitSink sink;
    private IOException failure;
    private boolean committed;

    Output(PlanTarget target, CellBuffer cell, int place) {
      this.place = place;
      this.target = target;
      this.unitBytes = target.block.length;
      this.cell = cell;
    }
  }

  /**
   * Rebuilds the plan's units. If one of several targets fails, the rebuild still writes the units
   * of the other targets, as stock does. See {@link #committed} and {@link #writeFailure}.
   *
   * @param connector opens the connections to children
   * @param slow the limits below which the rebuild gives up because of a slow link
   * @throws RepairException naming the node and the cause of the failure; only the units that
   *     {@link #committed} lists were committed
   */
  public void run(TransferConnector connector, SlowLimit slow) throws RepairException {
    int[] pieces = pieces();
    BufferSource.Lease lease = buffers.lease(pieces);
    if (lease == null) {
      String never = buffers.refusal(pieces);
      // If the repair can never fit, the message says which setting the operator has to raise.
      throw new RepairException(FailureCause.OVERLOADED, host.self(), never != null
          ? "the repair does not fit into this node's memory: " + never + "; raise "
          + PprKeys.DATANODE_BUFFER_BYTES_KEY : "no buffers are free for a repair", null);
    }
    try (BufferSource.Lease memory = lease) {
      long start = nanoClock.getAsLong();
      ProgressBoard board = new ProgressBoard(nanoClock);
      units.open(request);
      children.open(request, connector, board);
      openSinks(memory);
      long connected = nanoClock.getAsLong();
      connectNanos = connected - start;
      PartialSum sum = new PartialSum(request, units.sources, children.readers, kernel,
          memory, stats, nanoClock);
      SlowLinkDetector detector = new SlowLinkDetector(plan.root, slow.memory, board, stats,
          slow.windowMs, slow.percent, connected);
      RateMemory.Transfer counted = slow.memory.begin();
      try {
        transfer(sum, detector);
        children.receiveEnds();
      } finally {
        counted.close();
      }
      long transferred = nanoClock.getAsLong();
      transferNanos = transferred - connected;
      if (!request.isPaced()) {
        // A repair with a rate limit does not count, because its rate shows the limit and not how
        // fast the links are.
        slow.memory.saw(plan.geometry.streamBytes() * plan.targets.size(), transferNanos);
      }
      commit();
      commitNanos = nanoClock.getAsLong() - transferred;
    } catch (RepairException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new RepairException(FailureCause.INTERNAL, host.self(), e.toString(), e);
    }
  }

  /**
   * Returns the lengths of the buffers in bytes: first one cell for each unit to rebuild, if the
   * code has sub-chunks, then the buffers of the sums.
   */
  private int[] pieces() {
    int[] sums = PartialSum.pieces(request, kernel);
    int cells = plan.geometry.subChunks() == 1 ? 0 : plan.targets.size();
    int[] pieces = new int[cells + sums.length];
    Arrays.fill(pieces, 0, cells, plan.geometry.cellBytes());
    System.arraycopy(sums, 0, pieces, cells, sums.length);
    return pieces;
  }

  private void openSinks(BufferSource.Lease memory) throws RepairException {
    DataChecksum checksum = checksum();
    for (int i = 0; i < plan.targets.size(); i++) {
      Output output = new Output(plan.targets.get(i), plan.geometry.subChunks() == 1 ? null
          : new CellBuffer(plan.geometry, memory.carve(plan.geometry.cellBytes())), i);
      outputs.add(output);
      try {
        output.sink = sinks.open(output.target, checksum);
      } catch (IOException e) {
        drop(output, e);
      }
    }
    checkAnyLeft();
  }

  private DataChecksum checksum() throws RepairException {
    DataChecksum fromChildren = children.checksum();
    boolean useful =
        fromChildren != null && fromChildren.getChecksumType() != DataChecksum.Type.NULL;
    DataChecksum checksum = useful || units.checksum() == null ? fromChildren : units.checksum();
    if (checksum == null) {
      throw new RepairException(FailureCause.INTERNAL, host.self(),
          "the plan has no helper at all: " + plan, null);
    }
    return checksum;
  }

  private void transfer(PartialSum sum, SlowLinkDetector detector) throws IOException {
    Optional<SliceVerifier> verifier = plan.check().map(relation ->
        new SliceVerifier(relation.weights(), kernel, plan.geometry.sliceBytes()));
    Optional<SliceVerifier> tailVerifier = plan.check()
        .filter(relation -> plan.geometry.hasTail())
        .map(relation -> new SliceVerifier(relation.tailWeights(), kernel,
            plan.geometry.sliceBytes()));
    YieldToRepairs repairs = new YieldToRepairs(request, host, nanoClock);
    int slices = plan.geometry.slices();
    for (int slice = 0; slice < slices; slice++) {
      pace.await(slice);
      stats.addThrottle(repairs.await());
      SliceBuffer rows = sum.sum(slice);
      if (rows == null) {
        throw new RepairException(FailureCause.INTERNAL, host.self(),
            "no node contributes to slice " + slice + " of " + plan, null);
      }
      if (plan.geometry.checked(slice)) {
        long checkStart = nanoClock.getAsLong();
        Optional<SliceVerifier> judge =
            plan.geometry.kind(slice).tail ? tailVerifier : verifier;
        boolean holds = judge.isPresent() && judge.get().holds(rows);
        stats.addMultiply(nanoClock.getAsLong() - checkStart);
        if (!holds) {
          throw new RepairException(FailureCause.VERIFICATION, host.self(), "slice " + slice
              + " does not satisfy the check relation; suspects are all nodes of " + plan, null);
        }
        slicesVerified++;
      }
      long start = nanoClock.getAsLong();
      write(slice, rows);
      long end = nanoClock.getAsLong();
      sinkNanos += end - start;
      stats.sliceDone();
      if (slice < slices - 1) {
        // After the last slice, all bytes have arrived. It no longer matters how slow a link was.
        detector.received((long) rows.length() * plan.lostRows(), end);
      }
    }
  }

  private void write(int slice, SliceBuffer rows) throws RepairException {
    for (int i = 0; i < outputs.size(); i++) {
      Output output = outputs.get(i);
      if (output.sink == null) {
        continue;
      }
      if (output.cell == null) {
        write(output, rows.row(output.place),
            plan.geometry.lengthWithin(slice, output.unitBytes));
      } else {
        output.cell.put(slice, rows, output.place);
        if (plan.geometry.endsCell(slice)) {
          long left = output.unitBytes - plan.geometry.cellStart(slice);
          ByteBuffer cell = output.cell.take();
          write(output, cell, (int) Math.max(0, Math.min(cell.remaining(), left)));
        }
      }
    }
  }

  private void write(Output output, ByteBuffer data, int length) throws RepairException {
    if (length == 0) {
      return;
    }
    sinks.throttleWrite(length);
    data.limit(data.position() + length);
    try {
      output.sink.write(data);
      bytesWritten += length;
    } catch (IOException e) {
      drop(output, e);
      checkAnyLeft();
    }
  }

  /**
   * Commits all units. The caller calls this method when all slices have arrived and every check
   * has held.
   */
  private void commit() throws RepairException {
    for (Output output : outputs) {
      if (output.sink == null) {
        continue;
      }
      try {
        output.sink.commit();
        output.committed = true;
      } catch (IOException e) {
        drop(output, e);
      } catch (RuntimeException e) {
        // The failure of one unit does not affect the other units.
        drop(output, new IOException(e.toString(), e));
      }
    }
    checkAnyLeft();
  }

  private void drop(Output output, IOException e) {
    output.failure = e;
    LOG.warn("Repair {} of {}: unit {} cannot be written to {}", request.repairId,
        plan.group, output.target.unit, output.target.node, e);
    closeSink(output);
  }

  private void checkAnyLeft() throws RepairException {
    for (Output output : outputs) {
      if (output.sink != null) {
        return;
      }
    }
    Output first = outputs.get(0);
    throw new RepairException(FailureCause.WRITE, first.target.node,
        "no rebuilt unit could be written: " + first.failure, first.failure);
  }

  private void closeSink(Output output) {
    if (output.sink == null) {
      return;
    }
    UnitSink sink = output.sink;
    output.sink = null;
    try {
      sink.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Repair {} of {}: what was written of unit {} could not be dropped",
          request.repairId, plan.group, output.target.unit, e);
    }
  }

  /** Aborts the connections, so that {@link #run} fails soon. May be called from any thread. */
  public void cancel() {
    children.abort();
  }

  /**
   * Does the same as {@link #cancel}, and also makes {@link #run} fail soon if the root reads all
   * units itself, so that there is no connection to abort. The failure may then name this node,
   * although another node is the cause. May be called from any thread.
   */
  public void giveUp() {
    pace.end();
    children.abort();
  }

  /**
   * Closes connections, units and sinks. A sink that was not committed drops its bytes. A second
   * call does nothing.
   */
  @Override
  public void close() {
    children.close();
    units.close();
    outputs.forEach(this::closeSink);
  }

  /** @return indices in the codeword of the rebuilt units whose replicas are finalised */
  public List<Integer> committed() {
    List<Integer> committed = new ArrayList<>();
    for (Output output : outputs) {
      if (output.committed) {
        committed.add(output.target.unit);
      }
    }
    return committed;
  }

  /**
   * @param index index of a target of the plan
   * @return why the target's unit could not be stored, or why it is not known whether the unit is
   *     stored; null if nothing failed
   */
  public IOException writeFailure(int index) {
    return index < outputs.size() ? outputs.get(index).failure : null;
  }

  /** @return percentage of slices written, 0 to 100; any thread may call this method */
  public int donePercent() {
    return (int) (100L * stats.slicesDone() / Math.max(1, plan.geometry.slices()));
  }

  /** @return number of slices that were checked and satisfied the plan's check relation */
  public int slicesVerified() {
    return slicesVerified;
  }

  /** @return bytes written to sinks, committed or not */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** @return bytes that the root's children sent */
  public long bytesReceived() {
    return children.bytesReceived();
  }

  /** @return bytes that the root's children in other racks sent */
  public long bytesAcrossRacks() {
    return children.bytesReceivedAcrossRacks(plan.root.node.rack);
  }

  /** @return bytes that this node read from its own disks */
  public long diskBytes() {
    return units.localBytes();
  }

  /** @return bytes that this node read from other nodes by stock reads */
  public long stockBytes() {
    return units.remoteBytes();
  }

  /**
   * @return milliseconds from the beginning of {@link #run} until all children and sinks were ready
   */
  public long connectMs() {
    return TimeUnit.NANOSECONDS.toMillis(connectNanos);
  }

  /**
   * @return milliseconds from the time when all children and sinks were ready until the last slice
   *     was written
   */
  public long transferMs() {
    return TimeUnit.NANOSECONDS.toMillis(transferNanos);
  }

  /** @return milliseconds for the commit of all units */
  public long commitMs() {
    return TimeUnit.NANOSECONDS.toMillis(commitNanos);
  }

  /** @return nanoseconds of the transfer that this node spent writing to the sinks */
  public long sinkNanos() {
    return sinkNanos;
  }

  /**
   * Collects one cell of a unit of a code with sub-chunks. Such a code divides a cell into parts,
   * one for each sub-chunk, and each slice brings a piece of every part. A replica, however, is
   * written from its beginning to its end. The buffer therefore holds the pieces until the cell is
   * complete. Used by one thread.
   */
  static final class CellBuffer {
    private final SliceGeometry geometry;
    private final ByteBuffer memory;
    private int filled;

    /**
     * @param memory memory for a cell; the caller gives it back after the last use of this object
     */
    CellBuffer(SliceGeometry geometry, ByteBuffer memory) {
      this.geometry = geometry;
      this.memory = memory;
    }

    /**
     * Copies the rows of a lost unit from a slice to their places in the cell. {@code unit} is the
     * index of the unit among the lost units, from 0.
     */
    void put(int slice, SliceBuffer rows, int unit) {
      int runs = geometry.runs(slice);
      for (int run = 0; run < runs; run++) {
        ByteBuffer row = rows.row(unit * runs + run);
        int offset = (int) (geometry.offset(slice, run) - geometry.cellStart(slice));
        memory.clear().position(offset);
        filled += row.remaining();
        memory.put(row);
      }
    }

    /**
     * Returns the cell. The caller calls this method after it has put all slices of the cell. The
     * bytes stay valid until the caller puts the next slice.
     */
    ByteBuffer take() {
      memory.clear().limit(filled);
      filled = 0;
      return memory;
    }
  }
}
