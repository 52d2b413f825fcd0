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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.TimeUnit;

import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results of orders, and the threads that wait for them. */
@Timeout(60)
class TestOrderTracker {
  private static final long TERM = 7;

  /** A wait of this length that is not ended by a result exceeds the time of a test. */
  private static final long FOR_EVER_MS = TimeUnit.MINUTES.toMillis(10);

  private final OrderTracker desk = new OrderTracker("run");
  private final VersionNews news = new VersionNews();

  private OrderTracker.Order open(String uuid) {
    return desk.open(desk.newId(), uuid, TERM, 1_000, 0, news, () -> true);
  }

  private static RepairResult result(OrderTracker.Order order) {
    return RepairResult.notTried(order.id, TERM, RepairOutcome.REFUSED, null, "because");
  }

  @Test
  void aResultThatComesBetweenALookAndTheWaitIsNotMissed() throws Exception {
    OrderTracker.Order order = open("node");
    assertNull(order.result());
    RepairResult result = result(order);
    desk.tell("node", result);
    news.await(FOR_EVER_MS);
    assertSame(result, order.result());
  }

  @Test
  void aResultWakesTheThreadThatHasGivenTheOrder() throws Exception {
    OrderTracker.Order order = open("node");
    Thread.State[] seen = new Thread.State[1];
    Thread owner = Thread.currentThread();
    Thread node = new Thread(() -> {
      while (owner.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      seen[0] = owner.getState();
      OrderTracker.Order other = open("node");
      desk.tell("node", result(other));
      desk.tell("node", result(order));
    });
    node.start();
    news.await(FOR_EVER_MS);
    node.join();
    assertEquals(Thread.State.TIMED_WAITING, seen[0]);
    assertEquals(order.id, order.result().repairId);
  }

  @Test
  void onlyTheNodeThatHasTheOrderCanEndIt() {
    OrderTracker.Order order = open("node");
    desk.tell("another", result(order));
    assertNull(order.result());
    desk.close(order);
    desk.tell("node", result(order));
    assertNull(order.result());
  }
}
