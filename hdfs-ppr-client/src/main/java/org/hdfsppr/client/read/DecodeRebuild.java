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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.shape.Shape;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Rebuilds ranges of a lost unit for one stream by reading other units from their DataNodes and
 * decoding them in the client. Thread-safe.
 */
@InterfaceAudience.Private
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
   * @param checked as in {@link TreeRebuild#rebuild}
   * @param found receives all runs that were rebuilt, which may be more than the range
   * @throws IOException if too few units can be read
   */
  void rebuild(OpenRead open, UnitRange range, boolean checked, Segments found,
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
    private final LeftOut nodes = new LeftOut();
    /** The bytes of other units that have arrived. */
    private final Segments read = new Segments(Long.MAX_VALUE);
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

    void run(Segments found) throws IOException {
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
     * Makes a plan, and finds or makes a fetch for each run that the plan needs.
     *
     * @param fetches receives the fetches whose bytes have not arrived yet
     * @param reads receives the new fetches, which the caller has to run
     */
    private DecodePlan begin(List<UnitFetch> fetches, List<Runnable> reads) throws IOException {
      // The ranges of one read are planned one after the other, so that the plan of the next range
      // can use the parities that this range fetches.
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
      for (Underway other : open.underway) {
        if (other.unit() != range.unit && other.covers(range)) {
          free.add(other.unit());
        }
      }
      // The plan prefers units that the read fetches anyway. Nodes that were late come last in its
      // order.
      return plans.ofReaders(group, range, nodes.failed, Comparator.comparingInt(
          (Holder holder) -> nodes.isLate(holder.node.uuid) ? 2
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

    private void decode(DecodePlan plan, Segments found) throws IOException {
      try {
        plan.decode(context, plans, group, read, found);
      } catch (RepairException e) {
        throw e.failureCause == FailureCause.VERIFICATION
            ? UntrustedBytesException.contradiction(group.id(), range, e) : e;
      }
      if (attempt.teaches() && last == null) {
        // This time includes planning and computing, as the time of a tree does.
        long nanos = context.nanoClock.getAsLong() - startNanos;
        context.costs.read(bytes, nanos);
        context.shapes.took(
            Shape.decoding(plan.helpers(), plans.bytesOfWindows(group, range)), nanos);
      }
      context.counters.decode();
      notice.decoded(group, range);
    }
  }
}
