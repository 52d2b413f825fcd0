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
import java.util.function.BooleanSupplier;
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
 * waits here until the node has a place for it, which takes hours if thousands of groups ask: the
 * making's own time, and its end, bound that. Used by one thread.
 */
@InterfaceAudience.Private
final class BlockDigests {
  /**
   * For how long a node is asked again that reads for others, or repairs, ms, since it was asked
   * first. Only repairs and orders of other NameNodes keep it so busy, and those of older ones are
   * not bounded. To give the node up would cost the whole version, and the next try would have
   * nodes that are as busy read all units. Half of the time that a making may take, so that this
   * try ends before its guard ends it for good, and the next one may read.
   */
  static final long BUSY_MS_MAX = MakingGuard.VERSION_MS_MAX / 2;
  /** For how long a node may be silent, ms: it may be starting again. */
  static final long SILENT_MS_MAX = 120_000;

  private final VersionContext context;
  private final EngineParts parts;
  private final String uuid;
  private final List<BlockRef> blocks;
  private final DigestOrders asking;
  private final DigestPlaces.Place place;
  private boolean hasAsked;
  /** When the node was asked first, monotonic ms; only if it was. */
  private long sinceMs;
  private long dueMs;
  private long heardMs;
  /** Null while the node is not asked. */
  private OrderDesk.Order order;
  private BooleanSupplier send;
  /** The blocks of the order, by their places in the list. */
  private List<Integer> asked = List.of();
  /** By the places of the blocks in the list. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  private boolean isDone;

  /**
   * Prepares to ask for digests. The first {@link #advance} asks, or stands in line.
   *
   * @param blocks the blocks, not more than a command may name
   */
  BlockDigests(VersionContext context, String uuid, List<BlockRef> blocks, DigestOrders asking,
      long nowMs) {
    this.context = context;
    this.parts = context.parts;
    this.uuid = uuid;
    this.blocks = blocks;
    this.asking = asking;
    this.dueMs = nowMs;
    this.heardMs = nowMs;
    long bytes = DigestOrders.bytes(blocks);
    this.place = parts.digestPlaces.of(uuid, context.jobId, context.news,
        asking.readMs(bytes, nodeRate()), asking.paidMs(bytes, nodeRate()));
  }

  private long nodeRate() {
    return parts.settings.nodeBytesPerSecond();
  }

  private void ask(long nowMs) {
    if (!hasAsked) {
      hasAsked = true;
      sinceMs = nowMs;
    }
    asked = IntStream.range(0, blocks.size()).filter(block -> !digests.containsKey(block)).boxed()
        .collect(Collectors.toList());
    LinkCommand command = asking.of(parts.desk.newId(), context.term,
        asked.stream().map(blocks::get).collect(Collectors.toList()), nodeRate(),
        Math.max(1, sinceMs + BUSY_MS_MAX - nowMs));
    send = () -> parts.door.link(uuid, command);
    order = parts.desk.open(command.id(), uuid, context.term, command.deadlineMs(), nowMs,
        context.news);
    order.send(nowMs, send);
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
    if (isHeard && !parts.door.sendsDigests(uuid) || nowMs - heardMs >= SILENT_MS_MAX) {
      end();
    } else if (order == null) {
      if (nowMs - dueMs >= 0 && place.take()) {
        ask(nowMs);
      }
    } else if (order.isLate(nowMs)) {
      take(null, nowMs);
    } else {
      order.send(nowMs, send);
    }
  }

  /** @param result the result; null if the order is late */
  private void take(RepairResult result, long nowMs) {
    if (result != null && result.version() != null) {
      result.version().digests().forEach((number, digest) -> {
        if (number >= 0 && number < asked.size()) {
          digests.put(asked.get(number), digest);
        }
      });
    }
    if (digests.size() < blocks.size() && isBusy(result) && nowMs - sinceMs < BUSY_MS_MAX) {
      cancel();
      dueMs = nowMs + NodeLinks.REST_MS;
    } else {
      end();
    }
  }

  /** Returns whether the node has had no time for some of the blocks. */
  private static boolean isBusy(RepairResult result) {
    return result == null || result.cause() == FailureCause.OVERLOADED;
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
      if (order.result() == null) {
        parts.door.cancel(uuid, order.id(), order.term());
      }
      parts.desk.close(order);
      order = null;
    }
    place.release();
  }
}
