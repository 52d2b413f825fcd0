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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.junit.jupiter.api.Test;

/** Orders find their results, and are sent until they have one. */
class TestOrderBook {
  private static final long TERM = 7;
  private static final long LAST_MS = 5_000;

  private final OrderBook book = new OrderBook();
  private boolean hasRoom = true;
  private int given;
  private int news;

  private OrderBook.Order open(String id) {
    return book.open(id, "node", TERM, LAST_MS, () -> news++, () -> {
      given += hasRoom ? 1 : 0;
      return hasRoom;
    });
  }

  private static RepairResult result(String id) {
    return RepairResult.notTried(id, TERM, RepairOutcome.REFUSED, null, "because");
  }

  @Test
  void theFirstResultOfTheNodeThatHasTheOrderCounts() {
    OrderBook.Order order = open("a");
    open("b");
    assertTrue(book.tell("another", result("a")), "it needs not repeat it");
    assertNull(order.result());
    RepairResult first = result("a");
    assertTrue(book.tell("node", first));
    assertTrue(book.tell("node", result("a")), "DataNodes repeat results");
    assertSame(first, order.result());
    assertEquals(1, news);
  }

  @Test
  void aResultWithoutAnOrderIsNotTaken() {
    OrderBook.Order order = open("a");
    assertFalse(book.tell("node", result("b")));
    book.close(order);
    assertEquals(0, book.size());
    assertFalse(book.tell("node", result("a")));
    assertNull(order.result());
    assertEquals(0, news);
  }

  @Test
  void anOrderIsSentUntilItHasAResult() {
    OrderBook.Order order = open("a");
    hasRoom = false;
    assertFalse(order.send(0), "too many orders wait");
    hasRoom = true;
    assertTrue(order.send(1));
    assertTrue(order.send(OrderBook.REPEAT_MS));
    assertEquals(1, given);
    hasRoom = false;
    assertTrue(order.send(1 + OrderBook.REPEAT_MS), "it was sent before");
    hasRoom = true;
    assertTrue(order.send(2 + OrderBook.REPEAT_MS));
    assertEquals(2, given);
    book.tell("node", result("a"));
    assertTrue(order.send(10 * OrderBook.REPEAT_MS));
    assertEquals(2, given);
  }

  @Test
  void anOrderIsLateSomeHeartbeatsAfterItsDeadline() {
    OrderBook.Order order = open("a");
    OrderBook.Order other = open("b");
    assertFalse(order.isLate(LAST_MS + 29_999));
    assertTrue(order.isLate(LAST_MS + 30_000));
    book.tell("node", result("b"));
    assertFalse(other.isLate(Long.MAX_VALUE));
  }
}
