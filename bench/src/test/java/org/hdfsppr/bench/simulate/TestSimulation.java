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
package org.hdfsppr.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CoreScheduler;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairAdmission;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/**
 * Tests that simulated repairs take the time that can be computed by hand, and that balanced
 * scheduling is as much faster as it should be.
 */
class TestSimulation {
  private static final long BLOCK = 64 << 20;
  private static final double BLOCK_S = BLOCK * 8 / 200e6;

  private static SimulatedCluster cluster(String code, int lostBlocks) throws IOException {
    return new SimulatedCluster(new SimulatedSpec(EcCode.parse(code), 18, 3, 1, 1, lostBlocks,
        BLOCK, Rate.parse("200mbit"), Rate.UNLIMITED, 1));
  }

  private static double makespan(SimulatedCluster cluster, String scheduler, int checkOneIn) {
    EcCode code = cluster.spec.code;
    return simulation(cluster, scheduler, checkOneIn, RepairStrategies.RGS).run();
  }

  private static Simulation simulation(SimulatedCluster cluster, String scheduler, int checkOneIn,
      RepairStrategy strategy) {
    EcCode code = cluster.spec.code;
    SchedulerOptions options = new SchedulerOptions(new CodeReads(policy -> code.code),
        checkOneIn, new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, BLOCK, code.dataUnits()));
    RepairScheduler rows = RepairSchedulers.byName(scheduler, options, new Random(1));
    return new Simulation(cluster, new CoreScheduler(rows, options, strategy),
        new RepairAdmission(RepairAdmission.DEPTH_DEFAULT, 0), 0, 1, 0);
  }

  @Test
  void oneRepairTakesOneBlocksTimeInAChainAndThreeInATree() throws IOException {
    SimulatedCluster cluster = cluster("rs-6-3", 1);
    assertEquals(BLOCK_S, makespan(cluster, "balanced", 0), BLOCK_S / 1000);
    assertEquals(BLOCK_S, makespan(cluster, "fifo", 0), BLOCK_S / 1000);
    // The paper's number of steps: ceil(log2(6 + 1)).
    assertEquals(3 * BLOCK_S, makespan(cluster, "mppr", 0), BLOCK_S / 1000);
  }

  @Test
  void aLostNodeIsRepairedNotMuchSlowerThanAnyoneCould() throws IOException {
    for (String code : new String[] {"rs-6-3", "rs-10-4", "lrc-l2-12-4"}) {
      SimulatedCluster cluster = cluster(code, 60);
      double bound = new SimulatedBound(cluster.spec, cluster.lost).seconds();
      double balanced = makespan(cluster, "balanced", 64);
      assertTrue(balanced >= bound && balanced <= 1.35 * bound,
          code + ": " + balanced + " s, bound " + bound + " s");
      for (String other : new String[] {"mppr", "fifo"}) {
        double its = makespan(cluster, other, 64);
        assertTrue(its > balanced, code + ": " + other + " " + its + " s, balanced " + balanced);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSame() throws IOException {
    assertEquals(makespan(cluster("rs-6-3", 60), "balanced", 64),
        makespan(cluster("rs-6-3", 60), "balanced", 64));
  }

  /**
   * With LESS, each node is a helper of three repairs in four. If helping used up the places for
   * repairs that nodes lead, eight repairs would begin in each second, one batch after the other,
   * and a batch cannot be planned beside the next one. Hitchhiker-XOR+ would then move 8.2 blocks
   * for each lost one, and LESS 5.8.
   */
  @Test
  void nodesThatLeadFewRepairsHelpWithMany() throws IOException {
    for (Map.Entry<String, Double> most : Map.of("hitchhiker-xorplus-10-4", 8.0,
        "less-a4-10-4", 5.5).entrySet()) {
      SimulatedCluster cluster = cluster(most.getKey(), 60);
      EcCode code = cluster.spec.code;
      SchedulerOptions options = new SchedulerOptions(new CodeReads(policy -> code.code), 64,
          new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, BLOCK, code.dataUnits()));
      Simulation simulation = new Simulation(cluster,
          RepairSchedulers.byName("balanced", options, new Random(1)),
          new RepairAdmission(RepairAdmission.DEPTH_DEFAULT, 1), 0.25, 1, 8);
      double seconds = simulation.run();
      double sent = simulation.sentBytes() / BLOCK / simulation.starts();
      assertTrue(sent <= most.getValue(), most.getKey() + ": " + sent + " blocks per repair");
      double bound = new SimulatedBound(cluster.spec, cluster.lost).seconds();
      assertTrue(seconds <= 1.25 * bound, most.getKey() + ": " + seconds + " s, bound " + bound);
    }
  }

  /** A column of CORE-T5-12-2 has five other blocks, and a row sends twelve units. */
  @Test
  void columnsSendFewerBlocksThanRows() throws IOException {
    SimulatedCluster cluster = cluster("core-t5-12-2", 60);
    Simulation columns = simulation(cluster, "balanced", 0, RepairStrategies.RGS);
    double byColumn = columns.run();
    Simulation rows = simulation(cluster, "balanced", 0, RepairStrategies.ROW_FIRST);
    double byRow = rows.run();
    assertEquals(12.0 * BLOCK * rows.starts(), rows.sentBytes(), BLOCK / 100.0);
    // The scheduler reads a row where the links of the column's nodes are the busier ones.
    double sent = columns.sentBytes() / BLOCK / columns.starts();
    assertTrue(sent >= 5 && sent < 6, sent + " blocks per repair");
    assertTrue(byColumn < 0.6 * byRow, byColumn + " s by columns, " + byRow + " s by rows");
    double bound = new SimulatedBound(cluster.spec, cluster.lost).seconds();
    assertTrue(byColumn >= bound && byColumn <= 1.6 * bound, byColumn + " s, bound " + bound);
  }

  @Test
  void noColumnHasTwoBlocksOnANode() throws IOException {
    for (LostGroup group : cluster("core-t5-12-2", 60).lost) {
      for (int unit : group.lost) {
        List<UnitHolder> column = group.core.column(unit).orElseThrow().holders;
        assertEquals(5, column.stream().map(holder -> holder.node).distinct().count());
      }
    }
  }

  @Test
  void severalLostNodesAreRefusedForCore() {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
        () -> new SimulatedSpec(EcCode.parse("core-t3-6-3"), 18, 3, 1, 2, 60, BLOCK,
            Rate.parse("200mbit"), Rate.UNLIMITED, 1));
    assertTrue(refused.getMessage().contains("--lost-nodes is 2"), refused.getMessage());
  }
}
