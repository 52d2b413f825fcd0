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
package org.hdfsppr.namenode.manage.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.ResidentBlocks;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests what is known of DataNodes while heartbeats come in. */
@InterfaceAudience.Private
class TestAgents {
  private static final NodeRef NODE = new NodeRef("uuid", "10.0.0.1", "h1", 9866, 9877, "/a");

  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private Runnable meanwhile = () -> { };
  private final Agents agents = new Agents(clockMs::get, () -> {
    meanwhile.run();
    return 0;
  });

  private Agent beat() {
    return agents.hear(new HeartbeatRequest(1, "0.1", NODE, 1,
        new NodeLoad(0, 0, 8, 0, 0, 0, 0, 0, 0), List.of(), List.of(),
        ResidentBlocks.unchanged()), false);
  }

  /** Other threads look while the first heartbeat of a node is taken in. */
  @Test
  void theFirstHeartbeatOfANodeDisturbsNoLookAtAllNodes() {
    meanwhile = () -> {
      assertEquals(List.of(), agents.facts());
      agents.tidy();
    };
    Agent agent = beat();
    meanwhile = () -> { };
    assertSame(agent, agents.live("uuid").get(), "its orders would be lost");
    assertEquals(1, agents.facts().size());
  }

  @Test
  void aNodeThatBecomesSilentIsRememberedForAnHour() {
    beat();
    clockMs.addAndGet(Agents.SILENCE_MS_MAX + 1);
    agents.tidy();
    assertTrue(agents.live("uuid").isEmpty());
    assertTrue(agents.facts().get(0).isSilent());
    clockMs.addAndGet(Agents.SILENT_KEPT_MS);
    agents.tidy();
    assertEquals(List.of(), agents.facts());
  }
}
