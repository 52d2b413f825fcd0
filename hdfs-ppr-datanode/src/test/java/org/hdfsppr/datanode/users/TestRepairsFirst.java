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
package org.hdfsppr.datanode.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests how long work waits for repairs, on a clock that only the waits move. */
class TestRepairsFirst {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST = 500 * MS;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 700 * MS);
  private final RepairsFirst first = new RepairsFirst(nanos::get, this::sleep);
  private Runnable meanwhile = () -> { };

  private void sleep(long wait) {
    assertTrue(wait > 0 && wait <= 20 * MS, wait + " ns, without a look at repairs");
    nanos.addAndGet(wait);
    meanwhile.run();
  }

  private long waited() {
    long began = nanos.get();
    first.await(MOST);
    return (nanos.get() - began) / MS;
  }

  @Test
  void withoutRepairsNothingWaits() {
    assertEquals(0, waited());
  }

  @Test
  void workGoesOnASecondAfterTheLastRepair() {
    first.repairMoves();
    assertEquals(500, waited());
    nanos.addAndGet(400 * MS);
    assertEquals(100, waited());
    assertEquals(0, waited());
  }

  @Test
  void workBesideARepairMovesASliceAfterTheLongestWait() {
    meanwhile = first::repairMoves;
    first.repairMoves();
    for (int slice = 0; slice < 10; slice++) {
      assertEquals(500, waited());
    }
  }

  @Test
  void workThatIsToEndDoesNotWait() {
    RepairsFirst interrupted = new RepairsFirst(nanos::get, wait -> {
      throw new InterruptedException();
    });
    interrupted.repairMoves();
    interrupted.await(MOST);
    assertTrue(Thread.interrupted(), "the next step sees the interrupt");
  }
}
