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
package org.hdfsppr.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Reads the units of one block group, for a check, through the transfer servers of their DataNodes:
 * first as sums that have to be zero, and after a wrong sum unit by unit. Used by one thread.
 */
@InterfaceAudience.Private
public final class GroupReadings {
  /** The objects that the readings of all groups share. Immutable; the parts are thread-safe. */
  public static final class Parts {
    private final TransferConnector connector;
    private final RegionKernel kernel;
    private final BufferSource sums;
    private final BufferSource units;
    private final int stallTimeoutMs;
    private final LongSupplier nanoClock;

    /**
     * @param connector opens connections to DataNodes
     * @param kernel does the arithmetic in GF(256)
     * @param sums lends memory for sums
     * @param units lends memory for one slice of all units, which is read only after a wrong sum
     * @param stallTimeoutMs milliseconds without a byte after which a DataNode counts as dead
     * @param nanoClock a monotonic clock, nanoseconds
     */
    public Parts(TransferConnector connector, RegionKernel kernel, BufferSource sums,
        BufferSource units,
        int stallTimeoutMs, LongSupplier nanoClock) {
      this.connector = connector;
      this.kernel = kernel;
      this.sums = sums;
      this.units = units;
      this.stallTimeoutMs = stallTimeoutMs;
      this.nanoClock = nanoClock;
    }
  }

  private final Parts parts;
  private final String name;
  private final BlockLayout layout;
  private final UnitTokens tokens;
  private final ReadWatch watch;
  private final long bytesPerSecond;

  /**
   * @param parts connections, arithmetic and memory
   * @param name the name of the check in the logs of all nodes
   * @param layout the units of the group
   * @param tokens tokens for the units
   * @param watch is called during the reads, and may slow them down or end them
   * @param bytesPerSecond the most bytes of a unit that each node reads in a second; {@link
   *     PartialSumRequest#UNLIMITED} for no limit
   */
  public GroupReadings(Parts parts, String name, BlockLayout layout, UnitTokens tokens,
      ReadWatch watch, long bytesPerSecond) {
    this.parts = parts;
    this.name = name;
    this.layout = layout;
    this.tokens = tokens;
    this.watch = watch;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Has DataNodes compute the sums of a plan, and finds the slices in which they are not zero.
   *
   * @param plan the plan, of this group
   * @return the slices whose sums are not zero
   * @throws RepairException naming the node and the cause of a failure
   * @throws IOException if the reading fails otherwise
   */
  public WrongSlices sums(ZeroSumPlan plan) throws IOException {
    WrongSlices wrong = new WrongSlices();
    ByteBuffer zeros = ByteBuffer.allocate(plan.rows * plan.geometry.sliceBytes());
    wrong.received(read(plan, plan.geometry, (slice, rows) -> {
      // A tail has no rows if the bytes of the readable units in it satisfy no relation.
      if (rows != null) {
        ByteBuffer all = rows.allRows();
        zeros.limit(all.remaining());
        if (all.mismatch(zeros) >= 0) {
          wrong.add(slice);
        }
      }
    }));
    return wrong;
  }

  /**
   * Reads the sums of the geometry's slices into the sink. Returns the number of bytes that
   * arrived.
   */
  private long read(ZeroSumPlan plan, SliceGeometry geometry, SumRead.Sink sink)
      throws IOException {
    Map<BlockRef, Token<BlockTokenIdentifier>> all = new HashMap<>();
    List<RepairSource> sources = new ArrayList<>();
    plan.root.forEach(node -> sources.addAll(node.sources));
    for (RepairSource source : sources) {
      all.put(source.block, tokens.of(source));
    }
    // The request is not marked as one for a reader. A check of whole units reads from the disk,
    // and keeps to the operator's limit for repairs, as a repair does.
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of(name, plan.rows, 0,
        parts.stallTimeoutMs), layout.id(), geometry, plan.root, all);
    if (bytesPerSecond != PartialSumRequest.UNLIMITED) {
      request = request.withRate(bytesPerSecond);
    }
    try (SumRead read = new SumRead(request, Collections.emptyList(), parts.kernel, parts.sums,
        parts.nanoClock)) {
      watch.begin(read);
      try {
        read.run(parts.connector, (slice, rows) -> {
          sink.take(slice, rows);
          watch.took((long) geometry.length(slice) * geometry.runs(slice));
        });
      } finally {
        watch.end();
      }
      return read.bytesReceived();
    }
  }

  /**
   * Reads some slices of each unit on its own, and computes the sums on this node.
   *
   * @param planner the planner of this group
   * @param live holders of the units to read
   * @param slices numbers of the slices
   * @return evidence about which unit is wrong
   * @throws org.hdfsppr.plan.NoPlanException if a unit cannot be read
   * @throws RepairException naming the node and the cause of a failure
   * @throws IOException if the reading fails otherwise
   */
  public WrongUnitEvidence oneByOne(ZeroSumPlanner planner, List<UnitHolder> live,
      List<Integer> slices)
      throws IOException {
    WrongUnitEvidence evidence = new WrongUnitEvidence(units(), slices.size());
    Set<Integer> read = new TreeSet<>();
    live.forEach(holder -> read.add(holder.unit));
    for (int slice : slices) {
      SliceGeometry geometry = planner.geometry().withSlices(slice, slice + 1);
      ZeroSums sums = planner.relations(read, geometry.kind(slice).tail);
      int[] pieces = new int[units() * geometry.runs(slice) + sums.relations().rows()];
      Arrays.fill(pieces, geometry.length(slice));
      try (BufferSource.Lease memory = parts.units.lease(pieces)) {
        if (memory == null) {
          throw new RepairException(FailureCause.OVERLOADED, planner.reader,
              "no buffers are free to read units one by one", null);
        }
        UnitBytes bytes = new UnitBytes(geometry, slice, memory);
        for (UnitHolder holder : live) {
          read(planner.unit(holder, live), geometry,
              (number, rows) -> bytes.put(holder.unit, rows));
        }
        evidence.beginSlice();
        bytes.addTo(evidence, sums, memory);
      }
    }
    return evidence;
  }

  private int units() {
    return layout.dataUnits() + layout.parityUnits();
  }

  /** The bytes of all units in one slice. */
  private final class UnitBytes {
    private final SliceGeometry geometry;
    private final int slice;
    private final int runs;
    private final ByteBuffer[] inputs;
    private int read;

    UnitBytes(SliceGeometry geometry, int slice, BufferSource.Lease memory) {
      this.geometry = geometry;
      this.slice = slice;
      this.runs = geometry.runs(slice);
      inputs = new ByteBuffer[units() * runs];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = memory.carve(geometry.length(slice));
        // Units that are not read stay zeros, like units without bytes. The relations do not
        // contain them.
        while (inputs[i].hasRemaining()) {
          inputs[i].put((byte) 0);
        }
        inputs[i].clear();
      }
    }

    void put(int unit, SliceBuffer rows) {
      for (int run = 0; run < runs; run++) {
        inputs[unit * runs + run].put(rows.row(run)).flip();
      }
      read |= 1 << unit;
    }

    void addTo(WrongUnitEvidence evidence, ZeroSums sums, BufferSource.Lease memory) {
      int length = geometry.length(slice);
      ByteBuffer[] syndromes = new ByteBuffer[sums.relations().rows()];
      for (int row = 0; row < syndromes.length; row++) {
        syndromes[row] = memory.carve(length);
      }
      if (syndromes.length == 0) {
        return;
      }
      parts.kernel.prepare(sums.relations()).apply(inputs, syndromes, length, false);
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

    /**
     * Returns a bit mask of the units that were read and that have a byte at this position of at
     * least one run.
     */
    private int unitsAt(int x) {
      int units = 0;
      for (int unit = 0; unit < units(); unit++) {
        for (int run = 0; run < runs; run++) {
          if ((read & 1 << unit) != 0
              && geometry.lengthWithin(slice, run, layout.length(unit)) > x) {
            units |= 1 << unit;
          }
        }
      }
      return units;
    }
  }

  /** Supplies the block tokens with which nodes read the units of a group. */
  @FunctionalInterface
  public interface UnitTokens {
    /**
     * @param source a source of a plan
     * @return a READ token for its block
     * @throws IOException if there is no token
     */
    Token<BlockTokenIdentifier> of(RepairSource source) throws IOException;
  }
}
