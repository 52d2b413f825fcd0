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
package org.hdfsppr.client.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.SliceBuffer;

/** Reads groups through the repair servers of their DataNodes. Thread-safe. */
@InterfaceAudience.Private
final class TreeReadings implements Readings {
  private static final AtomicLong SERIAL = new AtomicLong();

  private final Connector connector;
  private final RegionKernel kernel;
  private final BufferPool buffers;
  private final int stallTimeoutMs;
  private final LongSupplier nanoClock;

  /**
   * @param connector opens connections to DataNodes
   * @param kernel multiplies and adds
   * @param buffers memory for sums
   * @param stallTimeoutMs time without a byte after which a DataNode counts as dead
   * @param nanoClock a monotonic clock, nanoseconds
   */
  TreeReadings(Connector connector, RegionKernel kernel, BufferPool buffers, int stallTimeoutMs,
      LongSupplier nanoClock) {
    this.connector = connector;
    this.kernel = kernel;
    this.buffers = buffers;
    this.stallTimeoutMs = stallTimeoutMs;
    this.nanoClock = nanoClock;
  }

  @Override
  public WrongSlices sums(LocatedGroup group, ZeroSumPlan plan) throws IOException {
    WrongSlices wrong = new WrongSlices();
    ByteBuffer zeros = ByteBuffer.allocate(plan.rows() * plan.geometry().sliceBytes());
    read(group, plan, plan.geometry(), wrong, (slice, rows) -> {
      // Tails have no rows if the units that can be read satisfy no relation there.
      if (rows != null) {
        ByteBuffer all = rows.allRows();
        zeros.limit(all.remaining());
        if (all.mismatch(zeros) >= 0) {
          wrong.add(slice);
        }
      }
    });
    return wrong;
  }

  private void read(LocatedGroup group, ZeroSumPlan plan, SliceGeometry geometry,
      WrongSlices count, SumRead.Sink sink) throws IOException {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root().forEach(node -> node.sources().forEach(source ->
        tokens.put(source.block(), group.unit(source.unit()).getBlockToken())));
    // Like a repair, and unlike a reader, a check of whole units reads from the disk, and keeps to
    // the operator's limit for repairs.
    PartialSumRequest request = new PartialSumRequest("verify-" + SERIAL.incrementAndGet(),
        group.id(), geometry, plan.rows(), 0, stallTimeoutMs, plan.root(), tokens);
    try (SumRead read = new SumRead(request, Collections.emptyList(), kernel, buffers,
        nanoClock)) {
      read.run(connector, sink);
      count.received(read.bytesReceived());
    }
  }

  @Override
  public Evidence oneByOne(LocatedGroup group, ZeroSumPlanner planner, List<Holder> live,
      List<Integer> slices) throws IOException {
    Evidence evidence = new Evidence(group.units(), slices.size());
    for (int slice : slices) {
      SliceGeometry geometry = planner.geometry().withSlices(slice, slice + 1);
      UnitBytes bytes = new UnitBytes(group, geometry, slice);
      for (Holder holder : live) {
        read(group, planner.unit(holder, live), geometry, new WrongSlices(),
            (number, rows) -> bytes.put(holder.unit(), rows));
      }
      Set<Integer> read = new TreeSet<>();
      live.forEach(holder -> read.add(holder.unit()));
      evidence.beginSlice();
      bytes.addTo(evidence, planner.relations(read, geometry.kind(slice).isTail()));
    }
    return evidence;
  }

  /** The bytes of all units in one slice. */
  private final class UnitBytes {
    private final LocatedGroup group;
    private final SliceGeometry geometry;
    private final int slice;
    private final int runs;
    private final ByteBuffer[] inputs;
    private int read;

    UnitBytes(LocatedGroup group, SliceGeometry geometry, int slice) {
      this.group = group;
      this.geometry = geometry;
      this.slice = slice;
      this.runs = geometry.runs(slice);
      inputs = new ByteBuffer[group.units() * runs];
      for (int i = 0; i < inputs.length; i++) {
        // Units that are not read stay zeros, which is what units without bytes are.
        inputs[i] = ByteBuffer.allocateDirect(geometry.length(slice));
      }
    }

    void put(int unit, SliceBuffer rows) {
      for (int run = 0; run < runs; run++) {
        inputs[unit * runs + run].put(rows.row(run)).flip();
      }
      read |= 1 << unit;
    }

    void addTo(Evidence evidence, ZeroSums sums) {
      int length = geometry.length(slice);
      ByteBuffer[] syndromes = new ByteBuffer[sums.relations().rows()];
      for (int row = 0; row < syndromes.length; row++) {
        syndromes[row] = ByteBuffer.allocateDirect(length);
      }
      if (syndromes.length == 0) {
        return;
      }
      kernel.prepare(sums.relations()).apply(inputs, syndromes, length, false);
      byte[] syndrome = new byte[syndromes.length];
      for (int x = 0; x < length; x++) {
        int any = 0;
        for (int row = 0; row < syndrome.length; row++) {
          syndrome[row] = syndromes[row].get(x);
          any |= syndrome[row];
        }
        if (any != 0) {
          evidence.wrong(sums, syndrome, unitsAt(x), geometry.offset(slice) + x);
        }
      }
    }

    /** Returns a bit for each unit that was read and has a byte at this position of any run. */
    private int unitsAt(int x) {
      int units = 0;
      for (int unit = 0; unit < group.units(); unit++) {
        for (int run = 0; run < runs; run++) {
          if ((read & 1 << unit) != 0
              && geometry.lengthWithin(slice, run, group.unitBytes(unit)) > x) {
            units |= 1 << unit;
          }
        }
      }
      return units;
    }
  }
}
