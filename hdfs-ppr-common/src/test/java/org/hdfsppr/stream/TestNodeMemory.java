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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** No caller, and not all of them together, can take what others need. */
@InterfaceAudience.Private
class TestNodeMemory {
  private static final int MIB = 1 << 20;

  private final NodeMemory memory = new NodeMemory(128 * MIB, 6 * MIB, MIB);
  private final Deque<BufferSource.Lease> leases = new ArrayDeque<>();

  /** Leases pieces of a megabyte until there are none; returns how many there were. */
  private int takeAll(BufferSource source) {
    int pieces = 0;
    for (BufferSource.Lease lease = source.lease(MIB); lease != null; lease = source.lease(MIB)) {
      leases.add(lease);
      pieces++;
    }
    return pieces;
  }

  @Test
  void aCallerHasAShare() {
    assertEquals(24, takeAll(memory.helping("10.0.0.1")));
    assertNull(memory.helping("10.0.0.1").lease(1), "another connection of the same caller");
    assertEquals(24, takeAll(memory.helping("10.0.0.2")));
    leases.remove().close();
    assertNotNull(memory.helping("10.0.0.1").lease(MIB));
  }

  @Test
  void allCallersLeaveWhatIsKept() {
    for (int caller = 0; caller < 4; caller++) {
      assertEquals(24, takeAll(memory.helping("10.0.0." + caller)));
    }
    assertEquals(0, takeAll(memory.helping("10.0.0.4")));
    assertEquals(32, takeAll(memory.leading()), "repairs that this node leads");
    assertEquals(128 * MIB, memory.usedBytes());
    leases.forEach(BufferSource.Lease::close);
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void repairsThatTheNodeLeadsMayTakeAll() {
    assertEquals(128, takeAll(memory.leading()));
    assertNull(memory.helping("10.0.0.1").lease(1));
    leases.forEach(BufferSource.Lease::close);
    leases.clear();
    assertEquals(24, takeAll(memory.helping("10.0.0.1")), "what was refused is not held");
  }

  /** A node that has little memory serves one request at a time, and not none. */
  @Test
  void theLargestRequestFitsIntoAShare() {
    NodeMemory small = new NodeMemory(8 * MIB, 5 * MIB, MIB);
    assertEquals(5, takeAll(small.helping("10.0.0.1")));
    assertEquals(1, takeAll(small.helping("10.0.0.2")));
    NodeMemory tiny = new NodeMemory(4 * MIB, 5 * MIB, MIB);
    assertEquals(3, takeAll(tiny.helping("10.0.0.1")));
  }

  /** Work that can wait leaves half of what callers share, and gets nothing if they have that. */
  @Test
  void workThatCanWaitLeavesRoomForTheRest() {
    assertEquals(48, takeAll(memory.spare()));
    assertEquals(24, takeAll(memory.helping("10.0.0.1")));
    assertEquals(24, takeAll(memory.helping("10.0.0.2")));
    leases.forEach(BufferSource.Lease::close);
    leases.clear();
    assertEquals(24, takeAll(memory.helping("10.0.0.1")));
    assertEquals(24, takeAll(memory.helping("10.0.0.2")));
    assertEquals(0, takeAll(memory.spare()), "half of it is taken");
    assertNull(memory.spare().refusal(16 * MIB));
    assertTrue(memory.spare().refusal(16 * MIB, 16 * MIB, 16 * MIB, 1).contains("can wait"));
  }

  /** It waits until others leave as much free as it has to leave them. */
  @Test
  void workThatCanWaitDoes() throws Exception {
    assertEquals(24, takeAll(memory.helping("10.0.0.1")));
    assertEquals(24, takeAll(memory.helping("10.0.0.2")));
    assertNull(memory.spare().await(1, MIB), "half of it is taken");
    assertNull(memory.spare().await(1_000_000, 16 * MIB, 16 * MIB, 16 * MIB, 1),
        "what never will be free");
    BufferSource.Lease first = leases.remove();
    CompletableFuture<Void> given = CompletableFuture.runAsync(first::close);
    try (BufferSource.Lease lease = memory.spare().await(60_000, MIB)) {
      assertNotNull(lease);
      assertNull(memory.spare().lease(MIB));
    }
    given.get();
  }

  @Test
  void whatCanNeverBeIsSaid() {
    assertNull(memory.leading().refusal(16 * MIB), "not in what is kept, but in what is shared");
    assertEquals("a buffer of 16777217 bytes is needed, and the largest has 16777216",
        memory.leading().refusal(16 * MIB + 1));
  }

  @Test
  void theLongestPieceOfARequestFits() {
    NodeMemory large = new NodeMemory(128 * MIB, 40 * MIB, 17 * MIB);
    try (BufferSource.Lease lease = large.helping("10.0.0.1").lease(17 * MIB, 17 * MIB)) {
      assertNotNull(lease);
    }
    assertEquals(40 * MIB, large.callerBytesMost());
    assertFalse(large.hasSmallShares());
    assertTrue(memory.hasSmallShares());
  }
}
