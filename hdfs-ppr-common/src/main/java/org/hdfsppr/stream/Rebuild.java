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
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destination's part in one attempt at a repair: connect the tree, take its sums slice by
 * slice, check them, write the units, and commit them when every slice has come and every check has
 * held. If anything is in doubt nothing is committed. Used by one thread; {@link #cancel} may come
 * from another one.
 */
@InterfaceAudience.Private
public final class Rebuild implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

  /** Opens the places where rebuilt units go. */
  public interface Sinks {
    /**
     * @param target the block and its node
     * @param checksum how the replica is to be checksummed
     */
    UnitSink open(PlanTarget target, DataChecksum checksum) throws IOException;

    /** Waits as long as the operator's limit for reconstruction writes wants it. */
    void throttleWrite(long bytes);
  }

  /** When a repair counts as slow. */
  public static final class SlowLimit {
    private final RateMemory memory;
    private final int windowMs;
    private final int percent;

    /** As for {@link SlowLinkDetector}. */
    public SlowLimit(RateMemory memory, int windowMs, int percent) {
      this.memory = memory;
      this.windowMs = windowMs;
      this.percent = percent;
    }
  }

  private final RepairPlan plan;
  private final PartialSumRequest request;
  private final HelperHost host;
  private final Sinks sinks;
  private final RegionKernel kernel;
  private final BufferSource buffers;
  private final LongSupplier nanoClock;
  private final NodeStats stats = new NodeStats();
  private final ChildLinks children = new ChildLinks();
  private final OpenUnits units;
  private final List<Output> outputs = new ArrayList<>();
  private int slicesVerified;
  private long bytesWritten;
  private long connectNanos;
  private long transferNanos;
  private long commitNanos;
  private long sinkNanos;

  /**
   * @param plan what to do
   * @param request the same as it goes to the nodes, with tokens; its subtree is the plan's root
   */
  public Rebuild(RepairPlan plan, PartialSumRequest request, HelperHost host, Sinks sinks,
      RegionKernel kernel, BufferSource buffers, LongSupplier nanoClock) {
    this.plan = plan;
    this.request = request;
    this.host = host;
    this.sinks = sinks;
    this.kernel = kernel;
    this.buffers = buffers;
    this.nanoClock = nanoClock;
    this.units = new OpenUnits(host, stats, nanoClock);
  }

  /** One unit on its way to its sink. */
  private static final class Output {
    private final PlanTarget target;
    private final long unitBytes;
    /** Puts the parts of a cell in order; null without sub-chunks. */
    private final CellBuffer cell;
    private UnitSink sink;
    private IOException failure;
    private boolean committed;

    Output(PlanTarget target, CellBuffer cell) {
      this.target = target;
      this.unitBytes = target.block().length();
      this.cell = cell;
    }
  }

  /**
   * Rebuilds the plan's units. Should one of several targets fail, the others are still served, as
   * stock does; see {@link #committed} and {@link #writeFailure}.
   *
   * @param slow when to give up on a slow link
   * @throws RepairException naming the node and cause that ended it; nothing was committed, unless
   *     {@link #committed} says so
   */
  public void run(Connector connector, SlowLimit slow) throws RepairException {
    int[] pieces = pieces();
    BufferPool.Lease lease = buffers.lease(pieces);
    if (lease == null) {
      String never = buffers.refusal(pieces);
      // No waiting for other repairs helps against the former.
      throw new RepairException(FailureCause.OVERLOADED, host.self(), never != null
          ? "the repair does not fit into this node's memory: " + never + "; raise "
          + PprKeys.DATANODE_BUFFER_BYTES_KEY : "no buffers are free for a repair", null);
    }
    try (BufferPool.Lease memory = lease) {
      long start = nanoClock.getAsLong();
      ProgressBoard board = new ProgressBoard(nanoClock);
      units.open(request);
      children.open(request, connector, board);
      openSinks(memory);
      long connected = nanoClock.getAsLong();
      connectNanos = connected - start;
      PartialSum sum = new PartialSum(request, units.sources(), children.readers(), kernel,
          memory, stats, nanoClock);
      SlowLinkDetector detector = new SlowLinkDetector(plan.root(), slow.memory, board, stats,
          slow.windowMs, slow.percent, connected);
      transfer(sum, detector);
      children.receiveEnds();
      long transferred = nanoClock.getAsLong();
      transferNanos = transferred - connected;
      slow.memory.saw(plan.geometry().streamBytes() * plan.targets().size(), transferNanos);
      commit();
      commitNanos = nanoClock.getAsLong() - transferred;
    } catch (RepairException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new RepairException(FailureCause.INTERNAL, host.self(), e.toString(), e);
    }
  }

  /** A cell of each target where sub-chunks have to be put in order, then what sums need. */
  private int[] pieces() {
    int[] sums = PartialSum.pieces(request, kernel);
    int cells = plan.geometry().subChunks() == 1 ? 0 : plan.targets().size();
    int[] pieces = new int[cells + sums.length];
    Arrays.fill(pieces, 0, cells, plan.geometry().cellBytes());
    System.arraycopy(sums, 0, pieces, cells, sums.length);
    return pieces;
  }

  private void openSinks(BufferPool.Lease memory) throws RepairException {
    DataChecksum checksum = checksum();
    for (int i = 0; i < plan.targets().size(); i++) {
      Output output = new Output(plan.targets().get(i),
          plan.geometry().subChunks() == 1 ? null
              : new CellBuffer(plan.geometry(), memory.carve(plan.geometry().cellBytes())));
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
        new SliceVerifier(relation.weights(), kernel, plan.geometry().sliceBytes()));
    Optional<SliceVerifier> tailVerifier = plan.check()
        .filter(relation -> plan.geometry().hasTail())
        .map(relation -> new SliceVerifier(relation.tailWeights(), kernel,
            plan.geometry().sliceBytes()));
    int slices = plan.geometry().slices();
    for (int slice = 0; slice < slices; slice++) {
      SliceBuffer rows = sum.sum(slice);
      if (rows == null) {
        throw new RepairException(FailureCause.INTERNAL, host.self(),
            "nobody contributes to slice " + slice + " of " + plan, null);
      }
      if (plan.geometry().checked(slice)) {
        long checkStart = nanoClock.getAsLong();
        Optional<SliceVerifier> judge =
            plan.geometry().kind(slice).isTail() ? tailVerifier : verifier;
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
        // With the last one all has come, however long it took.
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
        write(output, rows.row(i), plan.geometry().lengthWithin(slice, output.unitBytes));
      } else {
        output.cell.put(slice, rows, i);
        if (plan.geometry().endsCell(slice)) {
          long left = output.unitBytes - plan.geometry().cellStart(slice);
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
        // The other units are none the worse for it.
        drop(output, new IOException(e.toString(), e));
      }
    }
    checkAnyLeft();
  }

  private void drop(Output output, IOException e) {
    output.failure = e;
    LOG.warn("Repair {} of {}: unit {} cannot be written to {}", request.repairId(),
        plan.group(), output.target.unit(), output.target.node(), e);
    closeSink(output);
  }

  private void checkAnyLeft() throws RepairException {
    for (Output output : outputs) {
      if (output.sink != null) {
        return;
      }
    }
    Output first = outputs.get(0);
    throw new RepairException(FailureCause.WRITE, first.target.node(),
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
          request.repairId(), plan.group(), output.target.unit(), e);
    }
  }

  /** Ends the connections, so that {@link #run} fails soon. May be called from any thread. */
  public void cancel() {
    children.abort();
  }

  /** Gives everything back; drops what was not committed. May be called twice. */
  @Override
  public void close() {
    children.close();
    units.close();
    outputs.forEach(this::closeSink);
  }

  /** The units that are finalised. */
  public List<Integer> committed() {
    List<Integer> committed = new ArrayList<>();
    for (Output output : outputs) {
      if (output.committed) {
        committed.add(output.target.unit());
      }
    }
    return committed;
  }

  /** Why the unit of target {@code index} could not be written, or null. */
  public IOException writeFailure(int index) {
    return index < outputs.size() ? outputs.get(index).failure : null;
  }

  /** How much has been written, 0 to 100. May be asked by any thread. */
  public int donePercent() {
    return (int) (100L * stats.slicesDone() / Math.max(1, plan.geometry().slices()));
  }

  public NodeStats stats() {
    return stats;
  }

  public int slicesVerified() {
    return slicesVerified;
  }

  /** Bytes written to sinks, committed or not. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** Bytes that came from children of the tree. */
  public long bytesReceived() {
    return children.bytesReceived();
  }

  /** Those of them that came from another rack. */
  public long bytesAcrossRacks() {
    return children.bytesReceivedAcrossRacks(plan.root().node().rack());
  }

  /** Bytes that this node read from its own disks. */
  public long diskBytes() {
    return units.localBytes();
  }

  /** Bytes that this node read from nodes without the extension. */
  public long stockBytes() {
    return units.remoteBytes();
  }

  public long connectMs() {
    return TimeUnit.NANOSECONDS.toMillis(connectNanos);
  }

  public long transferMs() {
    return TimeUnit.NANOSECONDS.toMillis(transferNanos);
  }

  public long commitMs() {
    return TimeUnit.NANOSECONDS.toMillis(commitNanos);
  }

  /** Time spent writing to the sinks, part of the transfer. */
  public long sinkNanos() {
    return sinkNanos;
  }
}
