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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents.LateCancels;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests what is known of DataNodes while heartbeats come in. */
@InterfaceAudience.Private
class TestDataNodeAgents {
  private static final NodeRef NODE = new NodeRef("uuid", "10.0.0.1", "h1", 9866, 9877, "/a");

  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private Runnable meanwhile = () -> { };
  private final DataNodeAgents agents = new DataNodeAgents(clockMs::get, () -> {
    meanwhile.run();
    return 0;
  });

  private static HeartbeatRequest heartbeat() {
    return new HeartbeatRequest(1, "0.1", NODE, 1, new NodeLoad(0, 0, 8, 0, 0, 0)
        .withMachine(0, 0, 0), List.of(), List.of());
  }

  private DataNodeAgent beat() {
    return agents.hear(heartbeat(), false);
  }

  /** Other threads look while the first heartbeat of a node is taken in. */
  @Test
  void theFirstHeartbeatOfANodeDisturbsNoLookAtAllNodes() {
    meanwhile = () -> {
      assertEquals(List.of(), agents.facts());
      agents.tidy();
    };
    DataNodeAgent agent = beat();
    meanwhile = () -> { };
    assertSame(agent, agents.live("uuid").get(), "its orders would be lost");
    assertEquals(1, agents.facts().size());
  }

  @Test
  void aNodeThatBecomesSilentIsRememberedForAnHour() {
    beat();
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
    agents.tidy();
    assertTrue(agents.live("uuid").isEmpty());
    assertTrue(agents.facts().get(0).silent);
    clockMs.addAndGet(DataNodeAgents.SILENT_KEPT_MS);
    agents.tidy();
    assertEquals(List.of(), agents.facts());
  }

  private final List<Boolean> answers = new ArrayList<>();

  private void await(int waitMs) throws RetriableException {
    agents.awaitOrders("uuid", waitMs, answers::add);
  }

  private static CancelCommand order() {
    return new CancelCommand("a-repair", 1, "a test");
  }

  @Test
  void aNodeThatWaitsLearnsOfEachOrderOnce() throws Exception {
    assertThrows(RetriableException.class, () -> await(1_000), "no heartbeat has come");
    DataNodeAgent agent = beat();
    await(1_000);
    assertEquals(List.of(), answers);
    agent.cancel(order());
    assertEquals(List.of(true), answers);

    // What comes between an answer and the next wait is not missed.
    agent.cancel(order());
    await(1_000);
    assertEquals(List.of(true, true), answers);
    await(1_000);
    assertEquals(List.of(true, true), answers);
    agent.cancel(order());
    agent.cancel(order());
    assertEquals(List.of(true, true, true), answers);

    // A heartbeat fetches what has come before it.
    beat();
    assertEquals(4, agent.takeCancels().size());
    await(1_000);
    assertEquals(List.of(true, true, true), answers);

    // What is not urgent waits for a heartbeat.
    ManagerCommand other = mock(ManagerCommand.class);
    assertTrue(agent.order(other));
    assertEquals(List.of(true, true, true), answers);
    agent.hurry();
    assertEquals(List.of(true, true, true, true), answers);
  }

  @Test
  void noCallIsKeptForLongerThanItsTime() throws Exception {
    beat();
    await(1_000);
    clockMs.addAndGet(999);
    agents.endWaits();
    assertEquals(List.of(), answers);
    clockMs.addAndGet(1);
    agents.endWaits();
    agents.endWaits();
    assertEquals(List.of(false), answers);

    await(60_000);
    await(60_000);
    assertEquals(List.of(false, false), answers, "the node's connection broke, and it called anew");
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
    agents.tidy();
    assertEquals(List.of(false, false, false), answers, "nothing is kept for a node that is gone");
  }

  @Test
  void cancellationsForSilentNodesAreBoundedAndTheOldestGoesFirst() {
    for (int i = 0; i <= LateCancels.ORDERS_MAX; i++) {
      agents.cancel("uuid", new CancelCommand("order-" + i, 1, "a test"));
    }
    List<CancelCommand> kept = beat().takeCancels();
    assertEquals(LateCancels.ORDERS_MAX, kept.size());
    assertEquals("order-1", kept.get(0).repairId);
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);

    agents.cancel("uuid", order());
    for (int i = 1; i < LateCancels.NODES_MAX; i++) {
      agents.cancel("other-" + i, order());
    }
    assertEquals(1, beat().takeCancels().size());
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
    agents.cancel("uuid", order());
    for (int i = 1; i <= LateCancels.NODES_MAX; i++) {
      agents.cancel("further-" + i, order());
    }
    assertEquals(List.of(), beat().takeCancels());
  }

  /** A node is silent for a while before it counts as silent. */
  @Test
  void whatWaitsForANodeThatBecomesSilentIsCancelledWhenItIsHeardAgain() {
    beat();
    agents.cancel("uuid", new CancelCommand("before", 1, "a test"));
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
    agents.cancel("uuid", new CancelCommand("after", 1, "a test"));
    agents.tidy();
    assertEquals(Set.of("before", "after"), beat().takeCancels().stream()
        .map(command -> command.repairId).collect(Collectors.toSet()));
    clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
    agents.tidy();
    assertEquals(List.of(), beat().takeCancels(), "it has heard them");
  }

  @Test
  void aCancellationThatMeetsTheEndOfItsNodeIsKept() {
    AtomicBoolean isEnding = new AtomicBoolean();
    DataNodeAgents[] ending = new DataNodeAgents[1];
    ending[0] = new DataNodeAgents(() -> {
      long now = clockMs.get();
      if (isEnding.getAndSet(false)) {
        clockMs.addAndGet(DataNodeAgents.SILENCE_MS_MAX + 1);
        ending[0].tidy();
      }
      return now;
    });
    ending[0].hear(heartbeat(), false);
    isEnding.set(true);
    ending[0].cancel("uuid", order());
    assertEquals(1, ending[0].hear(heartbeat(), false).takeCancels().size());
  }

  @Test
  void aNodeThatIsHeardAgainIsNotCalledForWhatItsHeartbeatBrings() throws Exception {
    agents.cancel("uuid", order());
    assertEquals(1, beat().takeCancels().size());
    await(1_000);
    assertEquals(List.of(), answers);
  }

  @Test
  void anotherNameNodesChargeEndsLateCancellations() {
    agents.cancel("uuid", order());
    agents.dropOrders();
    assertEquals(List.of(), beat().takeCancels());
  }

  @Test
  void anOrderThatFindsNoPlaceTellsNothing() throws Exception {
    DataNodeAgent agent = beat();
    for (int i = 0; i < DataNodeAgent.ORDERS_MAX; i++) {
      agent.cancel(order());
    }
    beat();
    await(1_000);
    agent.cancel(order());
    assertEquals(List.of(), answers);
  }
}
