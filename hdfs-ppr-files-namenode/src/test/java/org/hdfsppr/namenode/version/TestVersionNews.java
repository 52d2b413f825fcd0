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

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.orders.OrderBook;
import org.junit.jupiter.api.Test;

/** Results of orders, and the makings that wait for them. */
class TestVersionNews {
  private static final long TERM = 7;

  private final OrderBook desk = new OrderBook();
  /** The results that the making sees when it is woken. */
  private final List<RepairResult> seen = new ArrayList<>();
  private OrderBook.Order order;
  private final VersionNews news = () -> seen.add(order.result());

  private OrderBook.Order open(String uuid) {
    return desk.open("version-" + desk.size(), uuid, TERM, 1_000, news::come, () -> true);
  }

  private static RepairResult result(OrderBook.Order order) {
    return RepairResult.notTried(order.id, TERM, RepairOutcome.REFUSED, null, "because");
  }

  /** A making that were woken before would look in vain, and not be woken again. */
  @Test
  void theMakingIsWokenWhenTheResultIsThere() {
    order = open("node");
    assertNull(order.result());
    RepairResult result = result(order);
    desk.tell("node", result);
    assertSame(result, order.result());
    assertEquals(List.of(result), seen);
  }

  @Test
  void onlyTheNodeThatHasTheOrderCanEndIt() {
    order = open("node");
    desk.tell("another", result(order));
    assertNull(order.result());
    desk.close(order);
    desk.tell("node", result(order));
    assertNull(order.result());
    assertEquals(List.of(), seen);
  }
}
