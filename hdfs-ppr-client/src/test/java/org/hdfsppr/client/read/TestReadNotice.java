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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.hdfsppr.client.patience.NodeHealth;
import org.junit.jupiter.api.Test;

/** Which groups a client makes urgent when stock decodes their stripes. */
class TestReadNotice {
  private final MemoryUnits units = new MemoryUnits(5);

  TestReadNotice() throws IOException {
    // The fields need this throws clause, although the units are only made in memory.
  }

  private void assertNotified(boolean expected, LocatedGroup group, Consumer<NodeHealth> known) {
    try (ReadContext context = MemoryUnits.context(TimeUnit.MINUTES.toNanos(1))) {
      known.accept(context.health);
      new GroupReader(context, units, units.code).decodedByStock(group);
      assertEquals(expected, context.isNotified(group.id()));
    }
  }

  @Test
  void aUnitWithoutAPlaceIsLost() {
    assertNotified(true, units.group(5), health -> { });
  }

  @Test
  void aUnitOfANodeThatDidNotAnswerIsLost() {
    assertNotified(true, units.group(), health -> health.noteLost("dn3"));
  }

  @Test
  void aReplicaThatCouldNotBeReadIsLost() {
    LocatedGroup group = units.group();
    assertNotified(true, group, health -> health.noteLost("dn3", group.id().blockId(3)));
  }

  /** Stock reads a parity unit in place of a slow DataNode's unit as well. */
  @Test
  void aUnitOfASlowNodeIsNotLost() {
    assertNotified(false, units.group(), health -> health.noteStalled("dn3"));
  }

  /** No reader waits for a parity unit. */
  @Test
  void aLostParityUnitIsNotUrgent() {
    assertNotified(false, units.group(MemoryUnits.DATA), health -> { });
  }
}
