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

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Digests for which one DataNode is asked, of blocks that it has. The blocks are there, whatever
 * becomes of the order: a node that is busy is asked again, and a node that is silent for a while
 * keeps the order. An order waits here until the node has a place for it, which takes hours if
 * thousands of groups ask: the making's own time, and its end, bound that. Used by one thread.
 */
@InterfaceAudience.Private
final class BlockDigests {
  /**
   * For how long a node is asked again that reads for others, ms, since it was asked first. Only
   * orders of other NameNodes keep it so busy, and those of older ones are not bounded. To give the
   * node up would cost the whole version, and the next try would have nodes that are as busy read
   * all units. Half of the time that a making may take, so that this try ends before its guard ends
   * it for good, and the next one may read.
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
  /** Null while digests may come. */
  private Map<Integer, Integer> digests;

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
    this.place = parts.digestPlaces.of(uuid, context.news);
    if (!parts.door.sendsDigests(uuid)) {
      digests = Collections.emptyMap();
    }
  }

  private void ask(long nowMs) {
    if (!hasAsked) {
      hasAsked = true;
      sinceMs = nowMs;
    }
    LinkCommand command = asking.of(parts.desk.newId(), context.term, blocks);
    send = () -> parts.door.link(uuid, command);
    order = parts.desk.open(command.id(), uuid, context.term, command.deadlineMs(), nowMs,
        context.news);
    order.send(nowMs, send);
  }

  /** Takes the result, or asks again. */
  void advance(long nowMs) {
    if (isDone()) {
      return;
    }
    if (parts.door.canWork(uuid)) {
      heardMs = nowMs;
    }
    boolean isSilent = nowMs - heardMs >= SILENT_MS_MAX;
    if (order == null && !isSilent) {
      if (nowMs - dueMs >= 0 && place.take()) {
        ask(nowMs);
      }
      return;
    }
    RepairResult result = order == null ? null : order.result();
    if (result == null && !isSilent && !order.isLate(nowMs)) {
      order.send(nowMs, send);
      return;
    }
    cancel();
    if (result != null && result.outcome() == RepairOutcome.REFUSED
        && result.cause() == FailureCause.OVERLOADED && nowMs - sinceMs < BUSY_MS_MAX) {
      dueMs = nowMs + NodeLinks.REST_MS;
      return;
    }
    digests = result == null || result.version() == null ? Collections.emptyMap()
        : result.version().digests();
  }

  /** Returns whether no further digest can come. */
  boolean isDone() {
    return digests != null;
  }

  /** Returns the digest of a block, by its place in the list; null if there is none. */
  Integer of(int block) {
    return digests == null ? null : digests.get(block);
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
