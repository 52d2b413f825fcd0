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
 * Keeps the orders that DataNodes have not completed, and wakes the makings that wait for their
 * results. Thread-safe.
 */
@InterfaceAudience.Private
public final class OrderTracker implements CommandResults {
  /**
   * How often an order without a result is sent again, ms. A DataNode does not know the order if it
   * has restarted, or if the answer to its heartbeat was lost. Any other DataNode recognizes the
   * order by its id, and ignores the repetition.
   */
  static final long REPEAT_MS = 30_000;

  /** An order that was given to a DataNode, with its result once there is one. Thread-safe. */
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
     * Sends the order to its node, and sends it again from time to time while there is no result.
     * Only the making that has opened the order calls this method, in its steps.
     *
     * @return false if the order has not been sent yet
     */
    boolean send(long nowMs) {
      if ((!isSent || result == null && nowMs - sentMs >= REPEAT_MS) && give.getAsBoolean()) {
        isSent = true;
        sentMs = nowMs;
      }
      return isSent;
    }

    /**
     * Returns whether the order has no result, and its time is over, so that none is expected any
     * more.
     */
    boolean isLate(long nowMs) {
      return result == null && nowMs - lateMs >= 0;
    }
  }

  /**
   * How long after the deadline of its order a result may still come, ms: the order waits for a
   * heartbeat before the deadline begins to run, and the result waits for another heartbeat. A node
   * whose heartbeats take longer counts as silent.
   */
  private static final long SLACK_MS = 30_000;

  /**
   * A part of each order's id. It differs from that of all earlier engines, which may have had the
   * same term.
   */
  private final String run;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, Order> orders = new ConcurrentHashMap<>();

  /** What DataNodes report about clients that read old versions */
  public final OldReadReports reads;

  /** Creates a tracker for tests, whose reports of reads wait for no DataNode. */
  OrderTracker(String run) {
    this(run, OldReadReports.ofTests());
  }

  /**
   * @param run an identifier of this run of the NameNode's plugin, without blanks, different from
   *     that of every other run
   * @param reads takes the DataNodes' reports about clients that read old versions
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
   * Registers an order that is about to be given, so that its result is passed on.
   *
   * @param news wakes the making that waits for the result
   * @param give queues the order for its node; returns false if too many orders wait for that node
   */
  Order open(String id, String uuid, long term, long deadlineMs, long nowMs, VersionNews news,
      BooleanSupplier give) {
    Order order = new Order(id, uuid, term, nowMs + deadlineMs + SLACK_MS, news, give);
    orders.put(id, order);
    return order;
  }

  /** Removes an order. If its result comes later, it is dropped. */
  void close(Order order) {
    orders.remove(order.id);
  }

  int size() {
    return orders.size();
  }

  @Override
  public boolean tell(String uuid, RepairResult result) {
    Order order = orders.get(result.repairId);
    // A result counts only if it comes from the node that has the order.
    if (order != null && order.uuid.equals(uuid) && order.result == null) {
      order.result = result;
      order.news.come();
    }
    return true;
  }
}
