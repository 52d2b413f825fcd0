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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/**
 * Tests that counters are read only when they are complete, even if JMX has shown old values
 * before.
 */
class TestPluginCounters {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static JsonNode bean(int repairs, int helpers, long bytes) {
    return new ObjectMapper().createObjectNode().put("RepairsInFlight", repairs)
        .put("HelpersInFlight", helpers).put("HelperDiskReadBytes", bytes);
  }

  private static PluginCounters lastOf(JsonNode... beans) throws Exception {
    Deque<JsonNode> left = new ArrayDeque<>(Arrays.asList(beans));
    PluginCounters counters = PluginCounters.whenIdle(() -> Map.of(1, left.remove()), LIMIT);
    assertTrue(left.isEmpty(), "has read on to the end");
    return counters;
  }

  private static long bytes(PluginCounters counters) throws Exception {
    return counters.since(lastOf(bean(0, 0, 0), bean(0, 0, 0), bean(0, 0, 0)),
        "HelperDiskReadBytes");
  }

  @Test
  void aFirstReadingMayBeFromBeforeTheRepair() throws Exception {
    assertEquals(7, bytes(lastOf(bean(0, 0, 0), bean(0, 0, 7), bean(0, 0, 7))));
  }

  @Test
  void aSnapshotMayHaveTakenBytesBeforeTheGauge() throws Exception {
    assertEquals(7, bytes(lastOf(bean(1, 1, 0), bean(0, 0, 3), bean(0, 0, 7))));
  }

  @Test
  void idleTwiceInARow() throws Exception {
    assertEquals(9, bytes(lastOf(
        bean(0, 1, 1), bean(0, 0, 1), bean(1, 0, 2), bean(0, 0, 5), bean(0, 0, 9))));
  }

  @Test
  void whoIsStillBusyIsNamed() {
    TimeoutException e = assertThrows(TimeoutException.class, () ->
        PluginCounters.whenIdle(() -> Map.of(4, bean(0, 2, 5)), Duration.ofMillis(1)));
    assertTrue(e.getMessage().contains("{dn4 HelpersInFlight=2}"), e.getMessage());
  }

  @Test
  void nodesCountOnTheirOwn() throws Exception {
    PluginCounters before = PluginCounters.whenIdle(
        () -> Map.of(1, bean(0, 0, 50), 2, bean(0, 0, 10)), LIMIT);
    // Node 1 has left and node 3 has joined since the first reading.
    PluginCounters after = PluginCounters.whenIdle(
        () -> Map.of(2, bean(0, 0, 15), 3, bean(0, 0, 4)), LIMIT);
    assertEquals(9, after.since(before, "HelperDiskReadBytes"));
    assertEquals(5, after.mostSince(before, "HelperDiskReadBytes"));
    assertEquals(Map.of("HelperDiskReadBytes", 9L), after.grownSince(before, "Helper"));
  }
}
