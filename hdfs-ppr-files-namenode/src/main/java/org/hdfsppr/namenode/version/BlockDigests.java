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
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Asks one DataNode for digests of blocks that it has. The blocks stay, whatever becomes of the
 * order: a node that is busy or late is asked again, a node that is silent for a while keeps the
 * order, and only a node that cannot read a block has no digest of it. An order waits here until
 * the node has a place for it, for hours if thousands of groups ask; it waits as long as the node
 * reads for any of them. Used by one thread.
 */
final class BlockDigests {
  /**
   * After this time in vain, digests are given up and the version is made anew, ms: the node has
   * sent no digest of anything for so long, or has had this order for so long without a result.
   * Repairs, a lack of memory or orders of other NameNodes keep a node that busy. To give up costs
   * the whole version, and the next try has nodes read all units, for which this node may be as
   * busy; so this is longer than repairs mostly leave no gap. It is not longer, because one such
   * node holds up all files with a unit there. Each of them has one of the engine's places, which
   * jobs and CORE groups share.
   */
  static final long BUSY_MS_MAX = 7_200_000;
  /**
   * The same bound if only a check along a chain follows, ms: as long as nodes may put off that
   * check.
   */
  static final long UNNEEDED_MS_MAX = 600_000;
  /**
   * The longest time from the begin of a file's making in which digests are waited for, ms, even if
   * the node reads for others all the time. It is half of the time that a making may take, so that
   * this try ends before its {@link MakingGuard} ends it for good, and the next try may read. An
   * order that begins late stands in line for {@link #UNNEEDED_MS_MAX} all the same.
   */
  static final long LINE_MS_MAX = MakingGuard.VERSION_MS_MAX / 2;
  /** For how long a node may be silent, ms: it may be starting again. */
  static final long SILENT_MS_MAX = 120_000;

  private final VersionContext context;
  private final EngineParts parts;
  private final String uuid;
  private final List<BlockRef> blocks;
  private final DigestOrders asking;
  private final DigestSlots.Place place;
  private final long busyMsMax;
  /** When the order first stood in line, monotonic ms. */
  private final long sinceMs;
  /** When the node was asked last, monotonic ms; only if there is an order. */
  private long askedMs;
  /**
   * The time for which the node had orders without sending a digest, with the rests after them, ms.
   */
  private long refusedMs;
  private long dueMs;
  private long heardMs;
  /** Null while the node is not asked. */
  private OrderTracker.Order order;
  /** The blocks of the present order, as indices into {@link #blocks}. */
  private List<Integer> asked = List.of();
  /** The digests by the indices of their blocks in {@link #blocks}. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  private boolean isDone;

  /**
   * Prepares to ask for digests. The first {@link #advance} asks, or stands in line.
   *
   * @param blocks the blocks, not more than a command may name
   * @param busyMsMax how long to wait in vain, ms, in addition to the time in which the node reads
   *     what it has accepted before
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
    // Even a node that is not busy may have accepted as many units before, of about the same size.
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
    LinkCommand command = asking.of(parts.desk.newId(), context.term,
        asked.stream().map(blocks::get).collect(Collectors.toList()), nodeRate(),
        Math.max(1, leftMs(nowMs)));
    order = context.order(command.id(), uuid, command.deadlineMs,
        () -> parts.door.link(uuid, command));
    order.send(nowMs);
  }

  /** Returns how much longer to wait for the digests, ms; not positive to give them up. */
  private long leftMs(long nowMs) {
    long inLineMs = Math.max(LINE_MS_MAX - (nowMs - context.begunMs),
        UNNEEDED_MS_MAX - (nowMs - sinceMs));
    return Math.min(inLineMs, busyMsMax - Math.max(refusedMs, place.inVainMs(sinceMs, nowMs)));
  }

  /** Takes the result, or asks again. */
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
   * Returns whether a node that answers sends no digests. It asks again whether the node answers:
   * one that has just become silent seems to send none, too.
   */
  private boolean sendsNone() {
    return !parts.door.sendsDigests(uuid) && parts.door.canWork(uuid);
  }

  /** @param result the result; null if the order is late */
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

  /** Returns whether the node has had no time for some of the blocks. */
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

  /** Returns the digest of a block, by its place in the list; null if there is none. */
  Integer of(int block) {
    return digests.get(block);
  }

  /** Cancels the order if it has not ended, and gives back the place, or the turn in the line. */
  void cancel() {
    if (order != null) {
      context.takeBack(order);
      order = null;
    }
    place.release();
  }
}
