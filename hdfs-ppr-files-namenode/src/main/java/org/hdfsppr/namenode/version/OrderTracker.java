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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.extend.CommandResults;
import org.hdfsppr.plan.NodeRef;

/**
 * Keeps the orders that are under way, and brings their results to the threads that wait for them.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class OrderTracker implements CommandResults {
  /**
   * How often an order without a result is given again, ms. A DataNode that has restarted, or whose
   * heartbeat had no answer, does not know the order; any other one recognizes it by its id.
   */
  static final long REPEAT_MS = 30_000;

  /** An order that is under way or has ended. Thread-safe. */
  static final class Order {
    final String id;
    /** The UUID of the node that has the order. */
    final String uuid;
    final long term;
    private final long lateMs;
    private final VersionNews news;
    private final BooleanSupplier give;
    private volatile RepairResult result;
    private boolean isSent;
    private long sentMs;

    private Order(String id, String uuid, long term, long lateMs, VersionNews news,
        BooleanSupplier give) {
      this.news = news;
      this.give = give;
      this.id = id;
      this.uuid = uuid;
      this.term = term;
      this.lateMs = lateMs;
    }

    /** Returns the result; null while there is none. */
    RepairResult result() {
      return result;
    }

    /**
     * Gives the order to its node, and again while there is no result. Only the thread that has
     * opened the order calls this, again and again.
     *
     * @return false if the order has not been given yet
     */
    boolean send(long nowMs) {
      if ((!isSent || result == null && nowMs - sentMs >= REPEAT_MS) && give.getAsBoolean()) {
        isSent = true;
        sentMs = nowMs;
      }
      return isSent;
    }

    /** Returns whether the order has no result, and none can be expected any more. */
    boolean isLate(long nowMs) {
      return result == null && nowMs - lateMs >= 0;
    }
  }

  /**
   * How long a result may take beyond the deadline of its order, ms: the order waits for a
   * heartbeat before the deadline begins, and the result for another one after it. A node whose
   * heartbeats are later counts as silent.
   */
  private static final long SLACK_MS = 30_000;

  /** Distinguishes the orders of this engine from those of an earlier one with the same term. */
  private final String run;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, Order> orders = new ConcurrentHashMap<>();

  /** The book of the readers of old versions */
  public final OldReadReports reads;

  /** Makes a desk whose book of readers waits for no node. */
  OrderTracker(String run) {
    this(run, OldReadReports.ofTests());
  }

  /**
   * @param run a text without blanks that no other engine has
   * @param reads takes note of readers of old versions
   */
  public OrderTracker(String run, OldReadReports reads) {
    this.run = run;
    this.reads = reads;
  }

  @Override
  public boolean hear(NodeRef node, OldReads report) {
    return reads.hear(node, report);
  }

  String newId() {
    return ID_PREFIX + run + "-" + numbers.incrementAndGet();
  }

  /**
   * Takes note of an order that is about to be given.
   *
   * @param news wakes the thread that waits for the result
   * @param give gives the order to its node; returns false if too many orders wait for the node
   */
  Order open(String id, String uuid, long term, long deadlineMs, long nowMs, VersionNews news,
      BooleanSupplier give) {
    Order order = new Order(id, uuid, term, nowMs + deadlineMs + SLACK_MS, news, give);
    orders.put(id, order);
    return order;
  }

  /** Forgets an order; a result that comes later is dropped. */
  void close(Order order) {
    orders.remove(order.id);
  }

  int size() {
    return orders.size();
  }

  @Override
  public boolean tell(String uuid, RepairResult result) {
    Order order = orders.get(result.repairId);
    // A result of another node than the one that has the order proves nothing.
    if (order != null && order.uuid.equals(uuid) && order.result == null) {
      order.result = result;
      order.news.come();
    }
    return true;
  }
}
