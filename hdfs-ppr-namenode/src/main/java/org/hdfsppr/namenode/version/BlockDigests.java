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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Digests for which one DataNode is asked, of blocks that it has. The blocks are there, whatever
 * becomes of the order: a node that is busy or late is asked again, a node that is silent for a
 * while keeps the order, and only a node that cannot read a block has no digest of it. An order
 * waits here until the node has a place for it, which takes hours if thousands of groups ask. That
 * is worth while as long as the node reads for any of them. Used by one thread.
 */
@InterfaceAudience.Private
final class BlockDigests {
  /**
   * For how long digests are waited for in vain, ms, without which a version is made anew: the node
   * has sent no digest of anything in that time, or has had this order as long for nothing.
   * Repairs, a lack of memory or orders of other NameNodes keep it so busy. To give it up costs the
   * whole version, and the next try has nodes read all units, for which it may be as busy. So this
   * is longer than repairs mostly leave no gap. It is not longer, because one such node holds up
   * all files with a unit there, each of which has one of the engine's places, and jobs and CORE
   * groups share these.
   */
  static final long BUSY_MS_MAX = 7_200_000;
  /**
   * The same where nothing but a check along a chain follows, ms: as long as nodes may put off that
   * check.
   */
  static final long UNNEEDED_MS_MAX = 600_000;
  /**
   * For how long digests are waited for, ms, since the making of the file has begun, also if the
   * node reads for others all the time. Half of the time that a making may take, so that this try
   * ends before its {@link MakingGuard} ends it for good, and the next one may read. An order that
   * begins late stands in line for {@link #UNNEEDED_MS_MAX} all the same.
   */
  static final long LINE_MS_MAX = MakingGuard.VERSION_MS_MAX / 2;
  /** For how long a node may be silent, ms: it may be starting again. */
  static final long SILENT_MS_MAX = 120_000;

  private final VersionContext context;
  private final EngineParts parts;
  private final String uuid;
  private final List<BlockRef> blocks;
  private final DigestOrders asking;
  private final DigestPlaces.Place place;
  private final long busyMsMax;
  /** When the order stood in line first, monotonic ms. */
  private final long sinceMs;
  /** When the node was asked last, monotonic ms; only if there is an order. */
  private long askedMs;
  /** For how long the node has had orders of which no digest came, with the rests, ms. */
  private long refusedMs;
  private long dueMs;
  private long heardMs;
  /** Null while the node is not asked. */
  private OrderDesk.Order order;
  /** The blocks of the order, by their places in the list. */
  private List<Integer> asked = List.of();
  /** By the places of the blocks in the list. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  private boolean isDone;

  /**
   * Prepares to ask for digests. The first {@link #advance} asks, or stands in line.
   *
   * @param blocks the blocks, not more than a command may name
   * @param busyMsMax for how long they are waited for in vain, ms, beside the time that the node
   *     takes to read those before
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
    // A node that is not busy may have as much to read, of units that are about as large.
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

  /** Returns for how long the digests are worth waiting for, ms; not positive if they are not. */
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
   * Returns whether a node that was heard sends no digests. A node that has become silent since it
   * was heard seems to send none either.
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

  /** Takes the order back, if it has not ended, and gives the place, or the turn, back. */
  void cancel() {
    if (order != null) {
      context.takeBack(order);
      order = null;
    }
    place.release();
  }
}
