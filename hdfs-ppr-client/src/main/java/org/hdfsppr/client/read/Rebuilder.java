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
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.Share;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds ranges of a lost unit for one stream: by partial sums of the DataNodes that hold the
 * others, or by reading what it takes and decoding here. Thread-safe.
 */
@InterfaceAudience.Private
final class Rebuilder {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuilder.class);
  /** Ranges that were rebuilt, in whatever way. */
  private static final AtomicLong RANGES = new AtomicLong();
  /** A unit is slow if it takes so many times what all that are read with it are expected to. */
  private static final int PATIENCE = 3;
  /** So many nodes may fail in one read before it is done here: each costs a round trip. */
  private static final int TREES_MOST = 3;

  private final ReadContext context;
  private final UnitReader reader;
  private final ReadPlans plans;

  Rebuilder(ReadContext context, UnitReader reader, LinearCode code) {
    this.context = context;
    this.reader = reader;
    plans = new ReadPlans(context, code);
  }

  /** Which shape was chosen for a range that is decoded now, and when work on it began. */
  static final class Choice {
    private final Shape shape;
    private final long startNanos;

    private Choice(Shape shape, long startNanos) {
      this.shape = shape;
      this.startNanos = startNanos;
    }

    /** Whether it was a tree, which took too long. */
    boolean wasLate() {
      return !shape.isDecoding();
    }
  }

  /** Whether the range that comes now is one of those that are checked, see dfs.ppr.verify. */
  boolean isCheckDue() {
    int oneIn = context.settings().checkOneIn();
    return oneIn != 0 && RANGES.incrementAndGet() % oneIn == 0;
  }

  /** A plan, and the shape that was chosen for it; null if no other one was allowed. */
  private static final class Shaped {
    private final RepairPlan plan;
    private final Shape shape;

    Shaped(RepairPlan plan, Shape shape) {
      this.plan = plan;
      this.shape = shape;
    }
  }

  /**
   * Rebuilds by partial sums, into {@code found}, unless it is expected to take longer than to
   * decode here.
   *
   * @param checked whether it is held against a unit that is not needed for it, if there is one
   * @param found gets all runs that were rebuilt, which may be more than the range
   * @return empty if that was done; or else, if nothing was since decoding is expected to be
   *     faster, or because the tree was late, the shape whose time this range's will be
   * @throws IOException if it cannot be done that way
   */
  Optional<Choice> byTree(GroupView group, UnitRange range, boolean checked, Segments found,
      ReadAttempt attempt) throws IOException {
    Set<String> failed = new HashSet<>();
    GroupView current = group;
    IOException last = null;
    boolean refreshed = false;
    for (int tries = 0; tries < TREES_MOST; tries++) {
      attempt.checkWanted();
      long start = context.nanoClock().getAsLong();
      Shaped shaped = plan(current, range, failed, checked, attempt.others());
      if (shaped.shape != null && shaped.shape.isDecoding()) {
        LOG.debug("Degraded read of unit {} of {}: decoded here; {}", range, group.id(),
            context.costs());
        return Optional.of(new Choice(shaped.shape, start));
      }
      try {
        byTree(current, shaped, range, found, attempt);
        return Optional.empty();
      } catch (RepairException e) {
        if (attempt.isCancelled()) {
          throw e;
        }
        context.counters().treeFailed();
        LOG.debug("Degraded read of unit {} of {}: {}", range, group.id(), shaped.plan, e);
        if (e.failureCause() == FailureCause.VERIFICATION) {
          throw untrusted(group, range, e);
        }
        if (attempt.isLate()) {
          if (shaped.shape == null) {
            throw e;
          }
          // What it takes in the end is what the choice of a tree has cost.
          return Optional.of(new Choice(shaped.shape, start));
        }
        last = e;
        if (e.failureCause() == FailureCause.ACCESS_TOKEN && !refreshed) {
          refreshed = true;
          current = reader.refreshed(current);
          continue;
        }
        plans.note(current, e);
        if (!e.failureCause().excludesNode() || e.node().equals(ReadPlans.CLIENT)) {
          break;
        }
        failed.add(e.node().uuid());
      }
    }
    throw last;
  }

  private static UntrustedBytesException untrusted(GroupView group, UnitRange range,
      RepairException e) {
    return new UntrustedBytesException("Unit " + range.unit() + " of block group "
        + group.id() + " was rebuilt, and the units that are left contradict each other"
        + " although their checksums are right, so that one of them is wrong: compare the"
        + " file with a copy, or run " + Runbook.VERIFY_FILE + ". " + e.getMessage(), e);
  }

  private Shaped plan(GroupView group, UnitRange range, Set<String> failed, boolean checked,
      int others) throws NoPlanException {
    int checkOneIn = checked ? 1 : 0;
    int chainsMost = context.settings().chainsMost();
    if (chainsMost == 0) {
      return new Shaped(plans.ofServers(group, range, failed, context.settings().topology(),
          checkOneIn), null);
    }
    AtomicReference<Shape> chosen = new AtomicReference<>();
    RepairPlan plan = plans.ofServers(group, range, failed, new ChainsTopology(helpers -> {
      chosen.set(context.shapes().choose(helpers, plans.bytesOfWindows(group, range),
          plans.sliceBytes(range), chainsMost, others));
      return Math.max(1, chosen.get().chains());
    }), checkOneIn);
    return new Shaped(plan, chosen.get());
  }

  private void byTree(GroupView group, Shaped shaped, UnitRange range, Segments found,
      ReadAttempt attempt) throws IOException {
    RepairPlan plan = shaped.plan;
    SliceGeometry geometry = plan.geometry().covering(range.from(), range.to());
    PartialSumRequest request = plans.request(group, plan, plan.root(), geometry);
    long start = context.nanoClock().getAsLong();
    if (shaped.shape != null) {
      attempt.takesMore((shaped.shape.chains() - 1L) * range.length());
    }
    Runs runs = new Runs();
    Future<?> tooLate = null;
    try (LinkShares.Flow flow = context.shares().flow().open();
        RangeRead read = new RangeRead(plan, request, Collections.emptyList(),
            context.kernel(), context.buffers(), context.nanoClock())) {
      attempt.onCancel(read::abort);
      tooLate = context.later(() -> attempt.late(read::abort),
          context.patienceNanos(context.treeDelay(), range.length()));
      read.run(context.connector(), group.unitBytes(range.unit()), (offset, bytes) -> {
        flow.arrived(bytes.remaining());
        runs.put(offset, bytes);
      });
      reader.received(read.bytesReceived());
      context.counters().tree(read.bytesReceived());
      LOG.debug("Degraded read {} of unit {} of {} by {}: {}; {}", request.repairId(), range,
          group.id(), shaped.shape == null ? plan : shaped.shape, read.phases(), context.costs());
    } catch (IOException e) {
      if (attempt.isLate() && !attempt.isCancelled() && attempt.isAlone()
          && shaped.shape != null && plan.checkRows() == 0) {
        // Patience stays what good trees have taught: nobody knows which node was slow, and with
        // each tree that it is in, the wait for it would become longer.
        context.costs().lateTree(shaped.shape.hops(), shaped.shape.bytesInTurn(),
            context.nanoClock().getAsLong() - start);
      }
      throw e;
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
    }
    long nanos = context.nanoClock().getAsLong() - start;
    context.treeDelay().took(range.length(), nanos);
    if (shaped.shape != null && plan.checkRows() == 0
        && !context.trials().wasBusySince(start)) {
      // What is checked takes one node and one row more.
      if (attempt.isAlone()) {
        context.costs().tree(shaped.shape.hops(), shaped.shape.bytesInTurn(), nanos);
      }
      context.shapes().took(shaped.shape, nanos);
    }
    runs.addTo(found, group.id().blockId(range.unit()));
  }

  /**
   * Reads units from their DataNodes and decodes.
   *
   * @param underway units that are read for the same read, and need not be read twice
   * @param begun what is read for any unit of the same read that is decoded; gets what is begun now
   * @param chosen the shape that was chosen for it, if one was
   * @param checked as in {@link #byTree}
   * @param found gets all runs that were rebuilt, which may be more than the range
   * @throws IOException if too few units can be read
   */
  void byDecoding(GroupView group, UnitRange range, List<? extends Underway> underway,
      Fetches begun, Optional<Choice> chosen, boolean checked, Segments found,
      ReadAttempt attempt) throws IOException {
    Set<String> failed = new HashSet<>();
    // Another order of DataNodes than last time.
    ReadPlans.nextOrder();
    Set<String> late = new HashSet<>();
    Segments read = new Segments(Long.MAX_VALUE);
    GroupView current = group;
    boolean refreshed = false;
    IOException last = null;
    long bytes = 0;
    long announced = range.length();
    long start = context.nanoClock().getAsLong();
    while (true) {
      attempt.checkWanted();
      RepairPlan plan;
      SliceGeometry geometry;
      List<Share> shares = new ArrayList<>();
      List<Fetch> fetches = new ArrayList<>();
      List<Runnable> reads = new ArrayList<>();
      try {
        // One unit after the other, so that the next one has its parities from the same DataNodes.
        synchronized (begun) {
          plan = decodingPlan(current, range, underway, begun, failed, late, checked ? 1 : 0);
          plan.root().forEach(node -> shares.addAll(node.shares()));
          geometry = plan.geometry().covering(range.from(), range.to());
          for (Share share : shares) {
            for (UnitRange part : wanted(share, geometry, range)) {
              if (!read.has(group.id().blockId(part.unit()), part.from(), part.to())) {
                Fetch fetch = begun.find(current, part, underway);
                if (fetch == null) {
                  fetch = fetch(current, part, attempt, reads);
                  begun.add(fetch);
                  bytes += part.length();
                }
                fetches.add(fetch);
              }
            }
          }
        }
      } catch (NoPlanException e) {
        IOException none = new IOException("Unit " + range + " of block group " + group.id()
            + " is lost, and too few others can be read: " + e.getMessage(), e);
        if (last != null) {
          none.addSuppressed(last);
        }
        throw none;
      }
      reads.forEach(context::execute);
      attempt.takesMore(Math.max(0, bytes - announced));
      announced = Math.max(announced, bytes);
      IOException failure = await(current, fetches, begun, read, failed, late, attempt);
      if (failure == null) {
        try {
          decode(current, plan, shares, geometry, range, read, found);
        } catch (RepairException e) {
          throw e.failureCause() == FailureCause.VERIFICATION ? untrusted(group, range, e) : e;
        }
        // What it takes to plan and to compute counts: a tree's time, which this one is held
        // against, has it too.
        long now = context.nanoClock().getAsLong();
        if (attempt.isAlone() && last == null && !context.trials().wasBusySince(start)) {
          context.costs().read(bytes, now - start);
        }
        context.counters().decode();
        tellThatItIsRead(current, range);
        if (chosen.isPresent() && plan.checkRows() == 0) {
          // What is checked takes one unit more.
          decoded(current, range, chosen.get(), now);
        }
        return;
      }
      if (!refreshed && reader.isTokenExpired(failure)) {
        // Who refused an old token may accept a new one.
        refreshed = true;
        current = reader.refreshed(current);
        failed.clear();
      }
      if (last != null && last != failure) {
        failure.addSuppressed(last);
      }
      last = failure;
    }
  }

  /**
   * What a range took that was decoded counts, unless there was a trial beside it. Those that count
   * come between trials, so that decoding does not become unknown, however many trials there are.
   */
  private void decoded(GroupView group, UnitRange range, Choice chosen, long now) {
    if (context.trials().wasBusySince(chosen.startNanos)) {
      return;
    }
    long nanos = now - chosen.startNanos;
    context.shapes().took(chosen.shape, nanos);
    if (!chosen.wasLate()) {
      context.trials().decoded(group, range, chosen.shape, nanos, plans);
    }
  }

  /**
   * DataNodes cannot tell the reads of a client that decodes from any others, and would not know
   * that this group's repair has haste. So one of them is now and then asked for a sum as well, of
   * one slice and of its own unit only, in the background and where a thread is free.
   */
  private void tellThatItIsRead(GroupView group, UnitRange range) {
    if (context.isToldOf(group.id())) {
      return;
    }
    context.tryExecute(() -> {
      try {
        askForOneSlice(group, range);
        context.counters().toldDataNode();
      } catch (RepairException e) {
        LOG.debug("No DataNode is told that unit {} of {} is read", range, group.id(), e);
        plans.note(group, e);
      } catch (IOException e) {
        LOG.debug("No DataNode is told that unit {} of {} is read", range, group.id(), e);
      }
    });
  }

  private void askForOneSlice(GroupView group, UnitRange range) throws IOException {
    RepairPlan plan = plans.ofServers(group, range, Collections.emptySet(),
        context.settings().topology(), 0);
    PlanNode any = plan.root().children().get(0);
    PlanNode root = new PlanNode(ReadPlans.CLIENT, Collections.emptyList(),
        Collections.singletonList(
            new PlanNode(any.node(), any.shares(), Collections.emptyList())));
    SliceGeometry geometry = plan.geometry().covering(range.from(), range.from() + 1);
    try (RangeRead read = new RangeRead(plan, plans.request(group, plan, root, geometry),
        Collections.emptyList(), context.kernel(), context.buffers(), context.nanoClock())) {
      read.run(context.connector(), group.unitBytes(range.unit()), (offset, bytes) -> {
        // A part of a sum is of no use.
      });
    }
  }

  private RepairPlan decodingPlan(GroupView group, UnitRange range,
      List<? extends Underway> underway, Fetches begun, Set<String> failed, Set<String> late,
      int checkOneIn) throws NoPlanException {
    try {
      return decodingPlan(group, range, underway, begun, failed, late, checkOneIn, true);
    } catch (NoPlanException e) {
      // What was lost a moment ago may be back.
      return decodingPlan(group, range, underway, begun, failed, late, checkOneIn, false);
    }
  }

  private RepairPlan decodingPlan(GroupView group, UnitRange range,
      List<? extends Underway> underway, Fetches begun, Set<String> failed, Set<String> late,
      int checkOneIn, boolean cautious) throws NoPlanException {
    Set<Integer> free = begun.units(group, range);
    for (Underway other : underway) {
      if (other.unit() != range.unit() && other.covers(range)) {
        free.add(other.unit());
      }
    }
    // What is read anyway first, and who let others wait last.
    return plans.ofReaders(group, range, failed, Comparator.comparingInt((Holder holder) ->
        late.contains(holder.node().uuid()) ? 2 : free.contains(holder.unit()) ? 0 : 1),
        checkOneIn, cautious);
  }

  /** A part of a unit on its way. */
  private static final class Fetch {
    /** By whose locations and tokens it is read: new ones are a reason to read anew. */
    private final GroupView view;
    private final UnitRange part;
    private final Future<ByteBuffer> bytes;
    private final long offset;
    private final LinkShares.Flow flow;
    /** It took too long for somebody. */
    private volatile boolean isLate;

    /**
     * @param offset of the first of the bytes in the unit
     * @param flow what has come of them
     */
    Fetch(GroupView view, UnitRange part, Future<ByteBuffer> bytes, long offset,
        LinkShares.Flow flow) {
      this.view = view;
      this.part = part;
      this.bytes = bytes;
      this.offset = offset;
      this.flow = flow;
    }

    /** Where no thread was free for it, whoever wants it reads it; nothing if it has begun. */
    void run() {
      if (bytes instanceof FutureTask) {
        ((FutureTask<ByteBuffer>) bytes).run();
      }
    }
  }

  /**
   * What is read to decode units of one read, which may have the same sources; what was too late
   * for one may still come. Guarded by itself.
   */
  static final class Fetches {
    private final List<Fetch> begun = new ArrayList<>();

    /** Units of which something is read, and not late, at the places of a range. */
    private Set<Integer> units(GroupView view, UnitRange range) {
      return begun.stream().filter(fetch -> fetch.view == view && !fetch.isLate)
          .map(fetch -> fetch.part)
          .filter(part -> part.from() < range.to() && part.to() > range.from())
          .map(UnitRange::unit).collect(Collectors.toSet());
    }

    private Fetch find(GroupView view, UnitRange part, List<? extends Underway> underway) {
      for (Underway other : underway) {
        if (other.unit() == part.unit() && other.covers(part)) {
          return new Fetch(view, part, other.bytes(), other.from(), other.flow());
        }
      }
      for (Fetch before : begun) {
        if (before.view == view && before.part.covers(part)) {
          return before;
        }
      }
      return null;
    }

    private void add(Fetch fetch) {
      begun.add(fetch);
    }

    /** It has failed, and may not if it is read again. */
    private synchronized void remove(Fetch fetch) {
      begun.remove(fetch);
    }
  }

  /** @param reads gets what is to be run, which reads it */
  private Fetch fetch(GroupView group, UnitRange part, ReadAttempt attempt,
      List<Runnable> reads) {
    LinkShares.Flow flow = context.shares().flow();
    FutureTask<ByteBuffer> task = new FutureTask<>(() -> {
      try (LinkShares.Flow open = flow.open()) {
        ByteBuffer dst = ByteBuffer.allocate(part.length());
        reader.readUnit(group, part.unit(), part.from(), dst, attempt.reading(open));
        context.counters().unitBytes(part.length());
        dst.flip();
        return dst;
      }
    });
    reads.add(task);
    return new Fetch(group, part, task, part.from(), flow);
  }

  /**
   * Waits for what is on its way, and no longer than for a slow DataNode where there may be others.
   *
   * @return null if all came, else one of the failures
   */
  private IOException await(GroupView group, List<Fetch> fetches, Fetches begun, Segments read,
      Set<String> failed, Set<String> late, ReadAttempt attempt) throws IOException {
    IOException failure = null;
    long start = context.nanoClock().getAsLong();
    List<Watch> watches = fetches.stream()
        .map(fetch -> new Watch(context, fetch.part.length(), fetch.flow))
        .collect(Collectors.toList());
    // They share the client's link, where one of them alone would be faster.
    long together = (long) (PATIENCE
        * context.costs().nanos(fetches.stream().mapToLong(fetch -> fetch.part.length()).sum()));
    for (int i = 0; i < fetches.size(); i++) {
      Fetch fetch = fetches.get(i);
      Watch watch = watches.get(i);
      String uuid = group.holder(fetch.part.unit()).getDatanodeUuid();
      try {
        long patience = !context.delay().isOn() || late.contains(uuid)
            ? context.waitNanosMost()
            : Math.max(together, context.delay().nanos(fetch.part.length()));
        ByteBuffer bytes = await(fetch, watch, start, patience);
        read.add(group.id().blockId(fetch.part.unit()), fetch.offset, bytes.duplicate());
      } catch (TimeoutException e) {
        fetch.isLate = true;
        if (!late.add(uuid)) {
          failed.add(uuid);
        }
        if (watch.othersWereFaster()) {
          context.health().noteSlow(uuid);
        }
        if (failure == null) {
          failure = new IOException("DataNode " + uuid + " is slow", e);
        }
      } catch (IOException e) {
        if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
          throw e;
        }
        if (failure == null || !reader.isTokenExpired(failure)) {
          failure = e;
        }
        failed.add(uuid);
        begun.remove(fetch);
        if (!attempt.isCancelled() && !reader.isTokenExpired(e)) {
          context.health().noteFailed(uuid, group.id().blockId(fetch.part.unit()), e);
        }
      }
    }
    return failure;
  }

  /** @throws TimeoutException if its DataNode is slow, or nobody should wait so long */
  private ByteBuffer await(Fetch fetch, Watch watch, long start, long patience)
      throws IOException, TimeoutException {
    long deadline = start + patience;
    while (true) {
      try {
        return BoundedWait.get(fetch.bytes, deadline - context.nanoClock().getAsLong());
      } catch (TimeoutException e) {
        if (patience >= context.waitNanosMost() || watch.isOver()) {
          throw e;
        }
        if (!fetch.flow.isOpen()) {
          // It waits for a thread, or for a piece that is not read yet.
          fetch.run();
        } else if (watch.isSlow(false)) {
          throw e;
        }
        deadline = context.nanoClock().getAsLong() + patience;
      }
    }
  }

  /** The runs of a unit that its share wants, those that touch as one. */
  private static List<UnitRange> wanted(Share share, SliceGeometry geometry, UnitRange range) {
    List<long[]> runs = new ArrayList<>();
    for (int slice = geometry.firstSlice(); slice < geometry.slices(); slice++) {
      for (int run = 0; run < geometry.runs(slice); run++) {
        long from = geometry.offset(slice, run);
        long to = from + geometry.lengthWithin(slice, run, share.unitBytes());
        if (geometry.subChunks() == 1) {
          // Each byte is decoded on its own, so that no other ones are needed.
          from = Math.max(from, range.from());
          to = Math.min(to, range.to());
        }
        if (from < to && share.contributes(geometry.kind(slice), run)) {
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
          merged.add(new UnitRange(share.unit(), open[0], open[1]));
        }
        open = run;
      }
    }
    if (open != null) {
      merged.add(new UnitRange(share.unit(), open[0], open[1]));
    }
    return merged;
  }

  private void decode(GroupView group, RepairPlan plan, List<Share> shares,
      SliceGeometry geometry, UnitRange range, Segments read, Segments found)
      throws IOException {
    PlanNode root = new PlanNode(ReadPlans.CLIENT, shares, Collections.emptyList());
    List<UnitSource> sources = new ArrayList<>();
    for (Share share : shares) {
      UnitSource source = new ReadBytes(read, group.id().blockId(share.unit()),
          share.unitBytes(), wanted(share, geometry, range));
      sources.addAll(Collections.nCopies(share.subChunks(), source));
    }
    Runs runs = new Runs();
    try (RangeRead decoding = new RangeRead(plan, plans.request(group, plan, root, geometry),
        sources, context.kernel(), context.buffers(), context.nanoClock())) {
      decoding.run(context.connector(), group.unitBytes(range.unit()), runs);
    }
    long blockId = group.id().blockId(range.unit());
    if (geometry.subChunks() > 1) {
      runs.addTo(found, blockId);
      return;
    }
    Segments all = new Segments(Long.MAX_VALUE);
    runs.addTo(all, blockId);
    ByteBuffer wanted = ByteBuffer.allocate(range.length());
    if (!all.copy(blockId, range.from(), wanted)) {
      throw new IOException("Unit " + range + " was decoded, but not all of it");
    }
    found.add(blockId, range.from(), wanted.flip());
  }

  /** Bytes that have been read already, as the source of a sum. */
  private static final class ReadBytes implements UnitSource {
    private static final byte[] ZEROS = new byte[4096];

    private final Segments read;
    private final long blockId;
    private final long length;
    private final List<UnitRange> wanted;

    ReadBytes(Segments read, long blockId, long length, List<UnitRange> wanted) {
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
        if (part.from() <= offset && end <= part.to()) {
          copy(offset, dst);
          return;
        }
      }
      while (dst.hasRemaining()) {
        // What nobody asked for decodes to something that nobody looks at.
        dst.put(ZEROS, 0, Math.min(ZEROS.length, dst.remaining()));
      }
      for (UnitRange part : wanted) {
        long from = Math.max(offset, part.from());
        long to = Math.min(end, part.to());
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
      // Nothing was opened.
    }
  }

  /** Collects rebuilt bytes as the longest runs that they make. */
  private static final class Runs implements RangeRead.Sink {
    private final List<Run> runs = new ArrayList<>();

    /** One of them, growing. */
    private static final class Run {
      private final long offset;
      private ByteBuffer bytes;

      Run(long offset, int length) {
        this.offset = offset;
        this.bytes = ByteBuffer.allocate(length);
      }

      long end() {
        return offset + bytes.position();
      }

      void append(ByteBuffer more) {
        if (bytes.remaining() < more.remaining()) {
          ByteBuffer larger = ByteBuffer.allocate(
              Math.max(2 * bytes.capacity(), bytes.position() + more.remaining()));
          bytes.flip();
          larger.put(bytes);
          bytes = larger;
        }
        bytes.put(more);
      }
    }

    @Override
    public void put(long offset, ByteBuffer bytes) {
      for (Run run : runs) {
        if (run.end() == offset) {
          run.append(bytes);
          return;
        }
      }
      Run run = new Run(offset, bytes.remaining());
      run.append(bytes);
      runs.add(run);
    }

    void addTo(Segments found, long blockId) {
      for (Run run : runs) {
        ByteBuffer bytes = run.bytes;
        bytes.flip();
        found.add(blockId, run.offset, bytes);
      }
    }
  }
}
