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
package org.hdfsppr.namenode.version;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Asks one DataNode for digests of blocks that it has. The blocks stay on the node, however this
 * order ends. A node that is busy or late is asked again. A node that is silent for a short time
 * keeps its order. A block gets no digest if the node cannot read it, does not send digests, is
 * silent for too long, or stays busy for too long.
 *
 * <p>An order waits here until {@link DigestSlots} has a place for it at the node. That takes hours
 * if thousands of groups ask, and the order goes on waiting as long as the node reads for any of
 * them. Used by one thread at a time.
 */
final class BlockDigests {
  /**
   * If the node is busy for this long, ms, its digests are given up, and the version is made anew.
   * The node is busy if it has sent no digest of anything for this time, or has had this order for
   * this time without a result. Repairs, a lack of memory or orders of other NameNodes can keep a
   * node that busy.
   *
   * <p>Giving up costs the whole version. The next try has nodes read all units instead, for which
   * this node may be as busy. So this time is longer than most repairs keep a node busy without a
   * gap. It is not longer still, because one such node holds up all files that have a unit there.
   * Each of these files has one of the places of the {@link VersionEngine}, which conversions and
   * CORE groups share.
   */
  static final long BUSY_MS_MAX = 7_200_000;
  /**
   * Like {@link #BUSY_MS_MAX}, but if the digests are not needed, ms: without them, the units of
   * the group are read and checked along a chain of nodes. This is as long as nodes may put off
   * such a check.
   */
  static final long UNNEEDED_MS_MAX = 600_000;
  /**
   * How long after the beginning of a file's making digests are still waited for, ms, even if the
   * node reads for other groups all the time. It is half of the time that a making may take. So
   * this try ends before {@link MakingGuard} ends the whole making, and there is time for the next
   * try, which reads the units instead. An order that begins late may wait for {@link
   * #UNNEEDED_MS_MAX} nevertheless.
   */
  static final long LINE_MS_MAX = MakingGuard.VERSION_MS_MAX / 2;
  /**
   * After this time without a heartbeat, the node's digests are given up, ms. A shorter silence may
   * be a restart of the node.
   */
  static final long SILENT_MS_MAX = 120_000;

  private final VersionContext context;
  private final EngineParts parts;
  private final String uuid;
  private final List<BlockRef> blocks;
  private final DigestOrders asking;
  private final DigestSlots.Place place;
  private final long busyMsMax;
  /** When the first {@link #advance} could ask for a place, monotonic ms. */
  private final long sinceMs;
  /** When the node got its present order, monotonic ms; only if there is an order. */
  private long askedMs;
  /**
   * For how long the node has had orders without sending a digest, and the pauses after these
   * orders, in all, ms.
   */
  private long refusedMs;
  private long dueMs;
  private long heardMs;
  /** Null while the node has no order. */
  private OrderBook.Order order;
  /** The blocks of the present order, as indices into {@link #blocks}. */
  private List<Integer> asked = List.of();
  /** The digests by the indices of their blocks in {@link #blocks}. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  private boolean isDone;

  /**
   * Prepares to ask for digests. The first call of {@link #advance} asks the node, or joins the
   * line of orders that wait for a place.
   *
   * @param blocks the blocks, not more than a command may name
   * @param busyMsMax how long to wait without getting a digest, ms, in addition to the time for
   *     which the node reads for the orders that it has accepted before this one
   */
  BlockDigests(VersionContext context, String uuid, List<BlockRef> blocks, DigestOrders asking,
      long busyMsMax, long nowMs) {
    this.context = context;
    this.parts = context.parts;
    this.uuid = uuid;
    this.blocks = blocks;
    this.asking = asking;
    this.sinceMs = nowMs;
    this.dueMs = nowMs;
    this.heardMs = nowMs;
    long bytes = DigestOrders.bytes(blocks);
    long readMs = asking.readMs(bytes, nodeRate());
    // A node that is not busy may still have accepted this many units before, of about the same
    // size.
    this.busyMsMax = busyMsMax + DigestOrders.READ_UNTIL_THEN * readMs;
    this.place = parts.digestPlaces.of(uuid, context.jobId, context.news, readMs,
        asking.paidMs(bytes, nodeRate()));
  }

  private long nodeRate() {
    return parts.settings.nodeBytesPerSecond;
  }

  private void ask(long nowMs) {
    askedMs = nowMs;
    asked = IntStream.range(0, blocks.size()).filter(block -> !digests.containsKey(block)).boxed()
        .collect(Collectors.toList());
    LinkCommand command = asking.of(parts.newOrderId(), context.term,
        asked.stream().map(blocks::get).collect(Collectors.toList()), nodeRate(),
        Math.max(1, leftMs(nowMs)));
    order = context.order(command.id(), uuid, command.deadlineMs,
        () -> parts.door.link(uuid, command));
    order.send(nowMs);
  }

  /** Returns how much longer to wait for the digests, ms; 0 or less if they are to be given up. */
  private long leftMs(long nowMs) {
    long inLineMs = Math.max(LINE_MS_MAX - (nowMs - context.begunMs),
        UNNEEDED_MS_MAX - (nowMs - sinceMs));
    return Math.min(inLineMs, busyMsMax - Math.max(refusedMs, place.inVainMs(sinceMs, nowMs)));
  }

  /** Takes the node's result if there is one, or asks the node if it is time for that. */
  void advance(long nowMs) {
    if (isDone) {
      return;
    }
    if (order != null && order.result() != null) {
      take(order.result(), nowMs);
      return;
    }
    boolean isHeard = parts.door.canWork(uuid);
    heardMs = isHeard ? nowMs : heardMs;
    if (isHeard && sendsNone() || nowMs - heardMs >= SILENT_MS_MAX) {
      end();
    } else if (order == null) {
      if (leftMs(nowMs) <= 0) {
        end();
      } else if (nowMs - dueMs >= 0 && place.take()) {
        ask(nowMs);
      }
    } else if (order.isLate(nowMs)) {
      take(null, nowMs);
    } else {
      order.send(nowMs);
    }
  }

  /**
   * Returns whether a node that is in touch sends no digests. A node that has just become silent
   * also seems to send none, so that {@code canWork} is asked once more, after {@code
   * sendsDigests}.
   */
  private boolean sendsNone() {
    return !parts.door.sendsDigests(uuid) && parts.door.canWork(uuid);
  }

  /** @param result the result; null if none came in time */
  private void take(RepairResult result, long nowMs) {
    int before = digests.size();
    if (result != null && result.version != null) {
      result.version.digests.forEach((number, digest) -> {
        if (number >= 0 && number < asked.size()) {
          digests.put(asked.get(number), digest);
          place.read(nowMs);
        }
      });
    }
    if (digests.size() == before) {
      refusedMs += nowMs - askedMs + NodeLinks.REST_MS;
    }
    if (digests.size() < blocks.size() && isBusy(result) && leftMs(nowMs) > 0) {
      cancel();
      dueMs = nowMs + NodeLinks.REST_MS;
    } else {
      end();
    }
  }

  /**
   * Returns whether the node is to be asked again, because it had no time for some of the blocks.
   */
  private static boolean isBusy(RepairResult result) {
    return result == null || result.cause == FailureCause.OVERLOADED;
  }

  private void end() {
    cancel();
    isDone = true;
  }

  /** Returns whether no further digest can come. */
  boolean isDone() {
    return isDone;
  }

  /** Returns the digest of a block, by its index in the list of blocks; null if there is none. */
  Integer of(int block) {
    return digests.get(block);
  }

  /**
   * Cancels the order if it has not ended, and gives its place, or its position in the line, back.
   */
  void cancel() {
    if (order != null) {
      context.takeBack(order);
      order = null;
    }
    place.release();
  }
}
