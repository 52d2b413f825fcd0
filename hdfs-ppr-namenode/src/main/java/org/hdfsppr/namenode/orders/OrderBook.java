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
package org.hdfsppr.namenode.orders;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairResult;

/**
 * The orders that DataNodes have not completed. A result names its order by its id alone, so that
 * the book finds out whose order it is. The threads that answer heartbeats bring the results, and
 * are never blocked. Thread-safe.
 */
@InterfaceAudience.Private
public final class OrderBook {
  /**
   * How often an order without a result is sent again, ms. A DataNode does not know the order if it
   * has restarted, or if the answer to its heartbeat was lost. Any other DataNode recognizes the
   * order by its id, and ignores the repetition.
   */
  public static final long REPEAT_MS = 30_000;
  /**
   * How long after the deadline of its order a result may still come, ms: the order waits for a
   * heartbeat before the deadline begins to run, and the result waits for another heartbeat. A node
   * whose heartbeats take longer counts as silent.
   */
  private static final long SLACK_MS = 30_000;

  /** An order that was given to a DataNode, with its result once there is one. Thread-safe. */
  public static final class Order {
    public final String id;
    /** The UUID of the node that has the order */
    public final String uuid;
    public final long term;
    private final long lateMs;
    private final Runnable news;
    private final BooleanSupplier give;
    private volatile RepairResult result;
    private boolean isSent;
    private long sentMs;

    private Order(String id, String uuid, long term, long lateMs, Runnable news,
        BooleanSupplier give) {
      this.id = id;
      this.uuid = uuid;
      this.term = term;
      this.lateMs = lateMs;
      this.news = news;
      this.give = give;
    }

    /** @return the result; null while there is none */
    public RepairResult result() {
      return result;
    }

    /**
     * Sends the order to its node, and sends it again from time to time while there is no result.
     * Only the making that has opened the order calls this method, in its steps.
     *
     * @param nowMs the time now, monotonic, ms
     * @return false if the order has not been sent yet
     */
    public boolean send(long nowMs) {
      if ((!isSent || result == null && nowMs - sentMs >= REPEAT_MS) && give.getAsBoolean()) {
        isSent = true;
        sentMs = nowMs;
      }
      return isSent;
    }

    /**
     * @param nowMs the time now, monotonic, ms
     * @return whether the order has no result, and its time is over, so that none is expected any
     *     more
     */
    public boolean isLate(long nowMs) {
      return result == null && nowMs - lateMs >= 0;
    }
  }

  private final Map<String, Order> orders = new ConcurrentHashMap<>();

  /**
   * Registers an order that is about to be given, so that its result is kept.
   *
   * @param id the id of the order, different from those of all other orders
   * @param uuid UUID of the node that gets the order
   * @param term the term of the order
   * @param lastMs until when the node may work on the order, if it gets it now, monotonic ms
   * @param news is run when the result has come: it wakes what waits for it
   * @param give queues the order for its node; returns false if too many orders wait for that node
   * @return the order, which {@link #close} removes
   * @throws IllegalArgumentException if an order with this id is open
   */
  public Order open(String id, String uuid, long term, long lastMs, Runnable news,
      BooleanSupplier give) {
    Order order = new Order(id, uuid, term, lastMs + SLACK_MS, news, give);
    if (orders.putIfAbsent(id, order) != null) {
      throw new IllegalArgumentException("There is an order " + id + " already");
    }
    return order;
  }

  /**
   * Removes an order. If its result comes later, it is dropped.
   *
   * @param order the order
   */
  public void close(Order order) {
    orders.remove(order.id, order);
  }

  /** @return how many orders are open */
  public int size() {
    return orders.size();
  }

  /**
   * Keeps the result of an order. DataNodes repeat a result until it is acknowledged, so that this
   * method may get it several times.
   *
   * @param uuid the DataNode that reports the result
   * @param result the result
   * @return whether the book has the order; if so, the DataNode may forget the result
   */
  public boolean tell(String uuid, RepairResult result) {
    Order order = orders.get(result.repairId);
    // A result counts only if it comes from the node that has the order.
    if (order != null && order.uuid.equals(uuid) && order.result == null) {
      order.result = result;
      order.news.run();
    }
    return order != null;
  }
}
