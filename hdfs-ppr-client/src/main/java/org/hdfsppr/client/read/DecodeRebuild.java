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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.shape.RebuildShape;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Rebuilds ranges of a lost unit for one stream by reading other units from their DataNodes and
 * decoding them in the client. Thread-safe.
 */
final class DecodeRebuild {
  private final ReadContext context;
  private final UnitReader units;
  private final ReadPlans plans;
  private final FetchWait wait;
  private final ReadNotice notice;

  /** @param units reads units for the stream */
  DecodeRebuild(ReadContext context, UnitReader units, ReadPlans plans) {
    this.context = context;
    this.units = units;
    this.plans = plans;
    this.wait = new FetchWait(context, units);
    this.notice = new ReadNotice(context, plans);
  }

  /**
   * Reads the bytes from which a range is decoded, and decodes the range.
   *
   * @param open the read that wants the range; units that this read gets anyway are not read twice
   * @param checked whether to check the range against one more unit than decoding needs
   * @param found receives all bytes that were rebuilt, which may be more than the range
   * @throws IOException if too few units can be read
   */
  void rebuild(OpenRead open, UnitRange range, boolean checked, UnitByteCache found,
      ReadAttempt attempt) throws IOException {
    // With a new serial number, this plan begins with other DataNodes than the last plan.
    ReadPlans.nextOrder();
    new Work(open, range, checked, attempt).run(found);
  }

  /** The work on one range, until the range is decoded. Used by one thread. */
  private final class Work {
    private final OpenRead open;
    private final SharedFetches begun;
    private final UnitRange range;
    private final boolean checked;
    private final ReadAttempt attempt;
    private final ExcludedDataNodes nodes = new ExcludedDataNodes();
    /** The bytes of other units that have arrived. */
    private final UnitByteCache read = new UnitByteCache(Long.MAX_VALUE);
    private final long startNanos = context.nanoClock.getAsLong();
    private LocatedGroup group;
    /** The total length of all fetches that this object has made, bytes. */
    private long bytes;
    private IOException last;

    Work(OpenRead open, UnitRange range, boolean checked, ReadAttempt attempt) {
      this.open = open;
      this.begun = open.sources;
      this.range = range;
      this.checked = checked;
      this.attempt = attempt;
      this.group = open.group;
    }

    void run(UnitByteCache found) throws IOException {
      boolean refreshed = false;
      while (true) {
        attempt.checkWanted();
        List<UnitFetch> fetches = new ArrayList<>();
        List<Runnable> reads = new ArrayList<>();
        DecodePlan plan = begin(fetches, reads);
        reads.forEach(context::execute);
        FetchOutcome outcome = wait.await(group, fetches, begun, read, nodes, attempt);
        if (outcome.isComplete()) {
          decode(plan, found);
          return;
        }
        IOException failure = outcome.failure;
        if (!refreshed && units.isTokenExpired(failure)) {
          refreshed = true;
          group = units.refreshed(group);
          nodes.forgiveFailed();
        }
        if (last != null && last != failure) {
          failure.addSuppressed(last);
        }
        last = failure;
      }
    }

    /**
     * Makes a plan, and finds or makes a fetch for each range of a unit that the plan needs.
     *
     * @param fetches receives the fetches whose bytes have not arrived yet
     * @param reads receives the new fetches, which the caller has to run
     */
    private DecodePlan begin(List<UnitFetch> fetches, List<Runnable> reads) throws IOException {
      // The lock makes threads plan the ranges of one read one after the other, so that the plan of
      // the next range can use the parity units that this range fetches.
      synchronized (begun) {
        DecodePlan plan = plan();
        for (UnitRange part : plan.wanted()) {
          if (!read.has(group.id().blockId(part.unit), part.from, part.to)) {
            Optional<UnitFetch> known = begun.find(group, part, open.underway);
            fetches.add(known.isPresent() ? known.get() : fetch(part, reads));
          }
        }
        return plan;
      }
    }

    private DecodePlan plan() throws IOException {
      try {
        return new DecodePlan(plan(true), range);
      } catch (NoPlanException cautious) {
        // Without the nodes that are believed to be lost there is no plan. These nodes may be back,
        // so a second plan includes them.
        try {
          return new DecodePlan(plan(false), range);
        } catch (NoPlanException e) {
          IOException none = new IOException("Unit " + range + " of block group " + group.id()
              + " is lost, and too few others can be read: " + e.getMessage(), e);
          if (last != null) {
            none.addSuppressed(last);
          }
          throw none;
        }
      }
    }

    private RepairPlan plan(boolean cautious) throws NoPlanException {
      Set<Integer> free = begun.units(group, range);
      for (PendingUnitRead other : open.underway) {
        if (other.unit() != range.unit && other.covers(range)) {
          free.add(other.unit());
        }
      }
      // The plan prefers units that the read fetches anyway. It takes nodes that were late only if
      // the other units do not suffice.
      return plans.ofReaders(group, range, nodes.failed, Comparator.comparingInt(
          (UnitHolder holder) -> nodes.isLate(holder.node.uuid) ? 2
              : free.contains(holder.unit) ? 0 : 1), checked ? 1 : 0, cautious);
    }

    private UnitFetch fetch(UnitRange part, List<Runnable> reads) {
      LocatedGroup view = group;
      String uuid = view.holder(part.unit).getDatanodeUuid();
      LinkShares.Flow flow = context.shares.flow();
      FutureTask<ByteBuffer> task = new FutureTask<>(() -> {
        try (LinkShares.Flow opened = flow.open()) {
          ByteBuffer dst = ByteBuffer.allocate(part.length());
          long begin = context.nanoClock.getAsLong();
          units.readUnit(view, part.unit, part.from, dst, attempt.reading(opened));
          context.counters.unitBytes(part.length());
          if (context.delay.isInTime(part.length(), context.nanoClock.getAsLong() - begin)) {
            context.health.noteInTime(uuid);
          }
          dst.flip();
          return dst;
        }
      });
      reads.add(task);
      bytes += part.length();
      UnitFetch fetch = new UnitFetch(view, part, task, part.from, flow);
      begun.add(fetch);
      return fetch;
    }

    private void decode(DecodePlan plan, UnitByteCache found) throws IOException {
      try {
        plan.decode(context, plans, group, read, found);
      } catch (RepairException e) {
        throw e.failureCause == FailureCause.VERIFICATION
            ? UntrustedBytesException.contradiction(group.id(), range, e) : e;
      }
      if (attempt.teaches() && last == null) {
        // This time includes planning and decoding, because the reader waits for both.
        long nanos = context.nanoClock.getAsLong() - startNanos;
        context.costs.read(bytes, nanos);
        context.shapes.took(
            RebuildShape.decoding(plan.helpers(), plans.bytesOfWindows(group, range)), nanos);
      }
      context.counters.decode();
      notice.decoded(group, range);
    }
  }

  /**
   * Waits for the bytes from which a range is decoded. It stops waiting for a slow DataNode,
   * because the range can also be decoded from other units. Thread-safe.
   */
  static final class FetchWait {
    /**
     * The client waits for each unit this many times as long as all units that it fetches together
     * are expected to take. It waits no longer than the longest delay before a hedge, and no
     * shorter than the delay before a hedge of this unit.
     */
    private static final int SOURCES_FACTOR = 3;

    private final ReadContext context;
    private final UnitReader units;

    FetchWait(ReadContext context, UnitReader units) {
      this.context = context;
      this.units = units;
    }

    /**
     * Waits for all fetches, and notes the DataNodes that have failed or were late.
     *
     * @param begun all fetches of the read; this method removes fetches that have failed
     * @param read receives all bytes that have arrived
     * @param nodes receives the DataNodes that have failed or were late
     * @throws IOException if the current thread is interrupted
     */
    FetchOutcome await(LocatedGroup group, List<UnitFetch> fetches, SharedFetches begun,
        UnitByteCache read, ExcludedDataNodes nodes, ReadAttempt attempt) throws IOException {
      IOException failure = null;
      long start = context.nanoClock.getAsLong();
      List<SlowReadDetector> watches = fetches.stream()
          .map(fetch -> new SlowReadDetector(context, fetch.part.length(), fetch.flow))
          .collect(Collectors.toList());
      // The units share the client's link, so each of them may take as long as all together.
      long together = fetches.stream().mapToLong(fetch -> fetch.part.length()).sum();
      long togetherNanos = (long) Math.min(context.delay.maxNanos,
          SOURCES_FACTOR * context.costs.nanos(together));
      for (int i = 0; i < fetches.size(); i++) {
        UnitFetch fetch = fetches.get(i);
        SlowReadDetector watch = watches.get(i);
        long blockId = group.id().blockId(fetch.part.unit);
        String uuid = group.holder(fetch.part.unit).getDatanodeUuid();
        try {
          long patience = !context.delay.isOn() || nodes.isLate(uuid) ? context.waitNanosMost
              : Math.max(context.delay.nanos(fetch.part.length()), togetherNanos);
          ByteBuffer bytes = await(fetch, watch, start, patience);
          read.add(blockId, fetch.offset, bytes.duplicate());
        } catch (TimeoutException e) {
          boolean isFirst = fetch.late();
          nodes.late(uuid);
          // If the late read belongs to another range or piece, that range or piece notes it. So
          // each late read is noted once.
          if (isFirst && !fetch.isOfAnotherPiece() && watch.othersWereFaster()) {
            context.health.noteSlow(uuid);
          }
          if (failure == null) {
            failure = new IOException("DataNode " + uuid + " is slow", e);
          }
        } catch (IOException e) {
          if (IoFailures.isOwnInterrupt(e)) {
            throw e;
          }
          if (failure == null || !units.isTokenExpired(failure)) {
            failure = e;
          }
          nodes.failed(uuid);
          begun.remove(fetch);
          if (!attempt.isCancelled() && !units.isTokenExpired(e)) {
            context.health.noteFailed(uuid, blockId, e);
          }
        }
      }
      return failure == null ? FetchOutcome.complete() : FetchOutcome.failed(failure);
    }

    /**
     * @throws TimeoutException if the DataNode is slow, or the caller has waited for the longest
     *     permitted time
     */
    private ByteBuffer await(UnitFetch fetch, SlowReadDetector watch, long start, long patience)
        throws IOException, TimeoutException {
      long deadline = start + patience;
      while (true) {
        try {
          return BoundedWait.get(fetch.bytes, deadline - context.nanoClock.getAsLong());
        } catch (TimeoutException e) {
          if (patience >= context.waitNanosMost || watch.isOver()) {
            throw e;
          }
          if (!fetch.flow.isOpen()) {
            // No thread has begun this fetch, so this thread runs it. If the fetch belongs to
            // another piece of the read, run() does nothing.
            fetch.run();
          } else if (watch.isSlow(false)) {
            throw e;
          }
          deadline = context.nanoClock.getAsLong() + patience;
        }
      }
    }
  }

  /**
   * Lists the bytes of each unit that the client needs to decode one range, and decodes the range
   * when these bytes have been read. Used by one thread.
   */
  static final class DecodePlan {
    private final RepairPlan plan;
    private final UnitRange range;
    private final SliceGeometry geometry;
    private final List<RepairSource> sources = new ArrayList<>();

    /** @param plan a plan in which the client itself reads all units */
    DecodePlan(RepairPlan plan, UnitRange range) {
      this.plan = plan;
      this.range = range;
      this.geometry = plan.geometry.covering(range.from, range.to);
      plan.root.forEach(node -> sources.addAll(node.sources));
    }

    /**
     * Returns how many units decoding needs, without the unit that only serves the check; at least
     * 1.
     */
    int helpers() {
      return Math.max(1, (int) sources.stream().filter(source -> source.contributes(false))
          .count());
    }

    /** Lists all bytes that decoding needs, as ranges of units. */
    List<UnitRange> wanted() {
      List<UnitRange> all = new ArrayList<>();
      sources.forEach(source -> all.addAll(wanted(source)));
      return all;
    }

    /** Lists the ranges of one unit that decoding needs. Adjacent ranges are merged. */
    private List<UnitRange> wanted(RepairSource source) {
      List<long[]> runs = new ArrayList<>();
      for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
        for (int run = 0; run < geometry.runs(slice); run++) {
          long from = geometry.offset(slice, run);
          long to = from + geometry.lengthWithin(slice, run, source.length());
          if (geometry.subChunks() == 1) {
            // Each byte is decoded independently, so the bytes around the range are not needed.
            from = Math.max(from, range.from);
            to = Math.min(to, range.to);
          }
          if (from < to && source.contributes(geometry.kind(slice), run)) {
            runs.add(new long[] {from, to});
          }
        }
      }
      runs.sort((a, b) -> Long.compare(a[0], b[0]));
      List<UnitRange> merged = new ArrayList<>();
      long[] open = null;
      for (long[] run : runs) {
        if (open != null && run[0] <= open[1]) {
          open[1] = Math.max(open[1], run[1]);
        } else {
          if (open != null) {
            merged.add(new UnitRange(source.unit, open[0], open[1]));
          }
          open = run;
        }
      }
      if (open != null) {
        merged.add(new UnitRange(source.unit, open[0], open[1]));
      }
      return merged;
    }

    /**
     * Decodes the range.
     *
     * @param read contains all bytes that are {@link #wanted}
     * @param found receives all bytes that were rebuilt, which may be more than the range
     * @throws IOException if the range cannot be decoded, or does not pass its check
     */
    void decode(ReadContext context, ReadPlans plans, LocatedGroup group, UnitByteCache read,
        UnitByteCache found) throws IOException {
      PlanNode root = new PlanNode(ReadPlans.CLIENT, sources, Collections.emptyList());
      List<UnitSource> columns = new ArrayList<>();
      for (RepairSource source : sources) {
        UnitSource bytes = new ReadUnitSource(read, group.id().blockId(source.unit),
            source.length(), wanted(source));
        columns.addAll(Collections.nCopies(source.subChunks, bytes));
      }
      RebuiltRuns runs = new RebuiltRuns();
      try (RangeRead decoding = new RangeRead(plan, plans.request(group, plan, root, geometry),
          columns, context.kernel, context.buffers, context.nanoClock)) {
        decoding.run(context.connector, group.unitBytes(range.unit), runs);
        context.counters.computed(decoding.multiplyNanos());
      }
      long blockId = group.id().blockId(range.unit);
      if (geometry.subChunks() > 1) {
        runs.addTo(found, blockId);
        return;
      }
      UnitByteCache all = new UnitByteCache(Long.MAX_VALUE);
      runs.addTo(all, blockId);
      ByteBuffer wanted = ByteBuffer.allocate(range.length());
      if (!all.copy(blockId, range.from, wanted)) {
        throw new IOException("Unit " + range + " was decoded, but not all of it");
      }
      found.add(blockId, range.from, wanted.flip());
    }
  }

  /**
   * Supplies a unit's bytes to the sum that decodes a range, from the bytes that the client has
   * read before. In place of bytes outside {@code wanted}, it supplies zeros. No caller uses the
   * bytes that are decoded from these zeros. Used by one thread.
   */
  static final class ReadUnitSource implements UnitSource {
    private static final byte[] ZEROS = new byte[4096];

    private final UnitByteCache read;
    private final long blockId;
    private final long length;
    private final List<UnitRange> wanted;

    /**
     * @param read the bytes that have been read, including all bytes of {@code wanted}
     * @param length the unit's length, bytes
     */
    ReadUnitSource(UnitByteCache read, long blockId, long length, List<UnitRange> wanted) {
      this.read = read;
      this.blockId = blockId;
      this.length = length;
      this.wanted = wanted;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      int start = dst.position();
      long end = offset + dst.remaining();
      for (UnitRange part : wanted) {
        if (part.from <= offset && end <= part.to) {
          copy(offset, dst);
          return;
        }
      }
      while (dst.hasRemaining()) {
        dst.put(ZEROS, 0, Math.min(ZEROS.length, dst.remaining()));
      }
      for (UnitRange part : wanted) {
        long from = Math.max(offset, part.from);
        long to = Math.min(end, part.to);
        if (from < to) {
          ByteBuffer target = dst.duplicate();
          target.limit(start + (int) (to - offset));
          target.position(start + (int) (from - offset));
          copy(from, target);
        }
      }
    }

    private void copy(long from, ByteBuffer target) throws IOException {
      if (!read.copy(blockId, from, target)) {
        throw new IOException("Bytes from " + from + " of block " + blockId
            + " were to be decoded with and have not been read");
      }
    }

    @Override
    public void close() {
      // There is nothing to close, because the bytes are in memory.
    }
  }
}
