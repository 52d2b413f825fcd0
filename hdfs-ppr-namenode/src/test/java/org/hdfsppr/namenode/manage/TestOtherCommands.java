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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands of an extension go out with heartbeats, and it gets their results. */
@InterfaceAudience.Private
class TestOtherCommands {
  private final PaperCluster cluster = new PaperCluster(new Configuration());
  private final HeartbeatResponder heartbeats =
      new HeartbeatResponder(cluster.manager, () -> "BP", false);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private HeartbeatResponse beat(long features, RepairResult... results) {
    return heartbeats.heartbeat(null, new HeartbeatRequest(HeartbeatRequest.PROTOCOL_VERSION,
        "test", PaperCluster.node(1), 0, new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0),
        List.of(), List.of(results)).withFeatures(0, features));
  }

  /** A command of a kind that only an extension knows. */
  private static final class Other implements ManagerCommand {
    private final String id;
    private final long term;

    Other(String id, long term) {
      this.id = id;
      this.term = term;
    }

    @Override
    public String kind() {
      return "other";
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long term() {
      return term;
    }
  }

  private static List<String> others(HeartbeatResponse response) {
    return response.commands.stream().filter(command -> command instanceof Other)
        .map(ManagerCommand::id).collect(Collectors.toList());
  }

  private DataNodeAgent agent() {
    return cluster.agents.live("u1").orElseThrow(AssertionError::new);
  }

  @Test
  void theNodeSaysWhatItKnows() {
    long both = CommandFeatures.VERSIONS | CommandFeatures.BLOCK_DIGESTS;
    beat(CommandFeatures.KNOWN & ~CommandFeatures.VERSIONS);
    assertFalse(agent().knows(CommandFeatures.VERSIONS));
    assertTrue(agent().knows(CommandFeatures.BLOCK_DIGESTS));
    assertFalse(agent().knows(both), "one of two");
    beat(CommandFeatures.KNOWN);
    assertTrue(agent().knows(both));
  }

  @Test
  void commandsGoOutOnceAndInTheirTerm() {
    beat(CommandFeatures.KNOWN);
    long term = cluster.books.term();
    assertTrue(agent().order(new Other("version-1", term)));
    assertTrue(agent().order(new Other("version-2", term - 1)));
    assertTrue(agent().order(new Other("version-3", term)));
    agent().cancel(new CancelCommand("version-3", term, "why"));
    HeartbeatResponse response = beat(CommandFeatures.KNOWN);
    assertEquals(List.of("version-1"), others(response));
    assertEquals(List.of(), response.cancels(), "what was never sent needs no cancellation");
    assertEquals(List.of(), others(beat(CommandFeatures.KNOWN)));
    agent().cancel(new CancelCommand("version-1", term, "why"));
    assertEquals("version-1", beat(CommandFeatures.KNOWN).cancels().get(0).id());

    int taken = 0;
    while (taken < 1000 && agent().order(new Other("version-9" + taken, term))) {
      taken++;
    }
    assertEquals(128, taken);
    cluster.agents.dropOrders();
    assertEquals(List.of(), others(beat(CommandFeatures.KNOWN)));
  }

  /** It may hold a making back, and would make a unit that another node has made since. */
  @Test
  void aNodeThatWasSilentHearsWhatWasGivenUpMeanwhile() {
    beat(CommandFeatures.KNOWN);
    long term = cluster.books.term();
    for (boolean isForgotten : new boolean[] {false, true}) {
      assertTrue(agent().order(new Other("version-1", term)));
      assertEquals(List.of("version-1"), others(beat(CommandFeatures.KNOWN)));
      assertTrue(agent().order(new Other("version-2", term)));
      cluster.now += 20_000;
      if (isForgotten) {
        cluster.agents.tidy();
      }
      cluster.agents.cancel("u1", new CancelCommand("version-1", term, "why"));
      cluster.agents.cancel("u1", new CancelCommand("version-2", term, "why"));
      HeartbeatResponse response = beat(CommandFeatures.KNOWN);
      assertEquals(List.of(), others(response), "it was never sent");
      assertEquals("version-1", response.cancels().get(0).repairId);
      response = beat(CommandFeatures.KNOWN);
      assertEquals(List.of(), response.cancels(), "it has heard it");
    }
  }

  @Test
  void resultsFindTheirOrders() {
    OrderBook.Order one = cluster.agents.orders.open("other-name", "u1", 1, 0, () -> { },
        () -> true);
    OrderBook.Order other = cluster.agents.orders.open("version-2", "u1", 1, 0, () -> { },
        () -> true);
    RepairResult done = new RepairResult("other-name", 1, RepairOutcome.REBUILT, List.of(0), 5, 1)
        .withVersion(new VersionReport(5, 0, 0, 0, 0));
    // A DataNode that does not know such commands sends no report.
    RepairResult refused = RepairResult.notTried("version-2", 1, RepairOutcome.REFUSED,
        FailureCause.UNSUPPORTED, "unknown");
    assertEquals(List.of("other-name", "version-2"), beat(0, done, refused).acknowledged);
    assertEquals(RepairOutcome.REBUILT, one.result().outcome);
    assertEquals(RepairOutcome.REFUSED, other.result().outcome);
  }

  /**
   * Results without an order are forgotten: another NameNode has given the commands, and the
   * DataNode would repeat the results for ever.
   */
  @Test
  void resultsOfCommandsThatWereNeverGivenAreAcknowledged() {
    RepairResult done = new RepairResult("other-name", 1, RepairOutcome.REBUILT, List.of(0), 5, 1)
        .withVersion(new VersionReport(5, 0, 0, 0, 0));
    RepairResult refused = RepairResult.notTried("version-2", 1, RepairOutcome.REFUSED,
        FailureCause.UNSUPPORTED, "unknown");
    for (boolean isActive : new boolean[] {true, false}) {
      cluster.setActive(isActive);
      assertEquals(List.of("other-name", "version-2"),
          cluster.beat(1, done, refused).acknowledged);
    }
  }
}
