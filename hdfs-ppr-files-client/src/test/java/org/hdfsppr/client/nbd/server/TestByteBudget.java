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
package org.hdfsppr.client.nbd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which requests the end of a server waits for, and which clients are slow. */
@Timeout(60)
class TestByteBudget {
  private final AtomicLong clock = new AtomicLong();

  /** A reader that was between its look and the grant when the end began comes too late. */
  @Test
  void onlyAcceptedRequestsHoldUpTheEnd() throws Exception {
    ByteBudget.Share share = new ByteBudget(100, 10, 100, 10, clock::get).share();
    ByteBudget.Grant accepted = share.take(5);
    assertTrue(accepted.accept());
    ByteBudget.Grant waits = share.take(5);
    share.stop();
    assertFalse(share.isIdle());
    assertFalse(waits.accept());
    ByteBudget.Grant late = share.take(0);
    assertFalse(late.accept());
    accepted.close();
    accepted.close();
    assertTrue(share.isIdle());
    assertFalse(share.isNone());
    waits.close();
    late.close();
    assertTrue(share.isIdle());
    assertTrue(share.isNone());
  }

  @Test
  void waitsAreMeasured() throws Exception {
    ByteBudget budget = new ByteBudget(100, 10, 100, 10, clock::get);
    ByteBudget.Share holder = budget.share();
    ByteBudget.Grant all = holder.take(100);
    assertEquals(100, holder.held());
    assertEquals(0, budget.waitNanos());
    ByteBudget.Share waiter = budget.share();
    Thread waiting = new Thread(() -> {
      try {
        waiter.take(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    clock.addAndGet(7);
    assertEquals(7, budget.waitNanos());
    all.close();
    waiting.join();
    assertEquals(0, budget.waitNanos());
    assertEquals(0, holder.held());
    assertEquals(20, waiter.held());
  }

  @Test
  void aClientIsSlowThatMovesFewBytesOfWhatItOwes() {
    ClientPace pace = new ClientPace(clock::get);
    long second = TimeUnit.SECONDS.toNanos(1);
    clock.addAndGet(60 * second);
    assertFalse(pace.isSlow(), "it owes nothing");
    pace.begin();
    clock.addAndGet(10 * second);
    assertFalse(pace.isSlow(), "it has time");
    clock.addAndGet(1);
    assertTrue(pace.isSlow());
    pace.moved(10 * ClientPace.BYTES_PER_S);
    assertFalse(pace.isSlow());
    // What it has moved before does not count for later.
    pace.begin();
    clock.addAndGet(11 * second);
    assertTrue(pace.isSlow());
    pace.end();
    assertFalse(pace.isSlow());
  }
}
