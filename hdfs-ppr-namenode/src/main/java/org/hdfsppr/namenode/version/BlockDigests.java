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
 * keeps the order. Used by one thread.
 */
@InterfaceAudience.Private
final class BlockDigests {
  /**
   * For how long a node is asked again that reads for others, ms. A node that reads 32 MiB/s reads
   * 900 units of 128 MiB meanwhile.
   */
  static final long BUSY_MS_MAX = 3_600_000;
  /** For how long a node may be silent, ms: it may be starting again. */
  static final long SILENT_MS_MAX = 120_000;

  private final VersionContext context;
  private final EngineParts parts;
  private final String uuid;
  private final List<BlockRef> blocks;
  private final DigestOrders asking;
  private final long sinceMs;
  private long dueMs;
  private long heardMs;
  /** Null while the node is not asked. */
  private OrderDesk.Order order;
  private BooleanSupplier send;
  /** Null while digests may come. */
  private Map<Integer, Integer> digests;

  /**
   * Asks for digests.
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
    this.sinceMs = nowMs;
    this.heardMs = nowMs;
    if (parts.door.sendsDigests(uuid)) {
      ask(nowMs);
    } else {
      digests = Collections.emptyMap();
    }
  }

  private void ask(long nowMs) {
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
    if (order == null) {
      if (nowMs - dueMs >= 0) {
        ask(nowMs);
      }
      return;
    }
    RepairResult result = order.result();
    if (result == null && !order.isLate(nowMs) && nowMs - heardMs < SILENT_MS_MAX) {
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

  /** Takes the order back, if it has not ended. */
  void cancel() {
    if (order != null) {
      if (order.result() == null) {
        parts.door.cancel(uuid, order.id(), order.term());
      }
      parts.desk.close(order);
      order = null;
    }
  }
}
