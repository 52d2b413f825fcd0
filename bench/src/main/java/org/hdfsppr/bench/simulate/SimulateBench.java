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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CoreScheduler;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairAdmission;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh simulate}: runs the NameNode's schedulers on simulated clusters. */
@Command(name = "simulate", mixinStandardHelpOptions = true,
    description = "Seconds to repair what lost nodes held, scheduler by scheduler, on simulated "
        + "links that are shared max-min fair; and how many plans a core makes per second.")
@InterfaceAudience.Private
public final class SimulateBench implements Callable<Integer> {
  private static final double MIB = 1 << 20;

  @Spec
  private CommandSpec spec;

  @Option(names = "--code", defaultValue = "rs-6-3",
      description = "As of bench.sh repair (default: ${DEFAULT-VALUE})")
  private String code;

  @Option(names = "--nodes", defaultValue = "1000", description = "Default: ${DEFAULT-VALUE}")
  private int nodes;

  @Option(names = "--racks", defaultValue = "50", description = "Default: ${DEFAULT-VALUE}")
  private int racks;

  @Option(names = "--groups", defaultValue = "1000000",
      description = "Block groups of the cluster (default: ${DEFAULT-VALUE})")
  private long groups;

  @Option(names = "--lost-nodes", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}")
  private int lostNodes;

  @Option(names = "--lost-blocks", defaultValue = "0", description = "Groups are drawn until the "
      + "lost nodes have this number of blocks; --groups does not count then")
  private int lostBlocks;

  @Option(names = "--block", defaultValue = "64m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--rate", defaultValue = "1gbit",
      description = "Of each node's link, both ways (default: ${DEFAULT-VALUE})")
  private String rate;

  @Option(names = "--cross-rack-rate", defaultValue = "none",
      description = "Of each rack's link to the others, both ways (default: ${DEFAULT-VALUE})")
  private String crossRackRate;

  @Option(names = "--scheduler", split = ",", defaultValue = "mppr,balanced,fifo",
      description = "Default: ${DEFAULT-VALUE}")
  private List<String> schedulers;

  @Option(names = "--strategy", defaultValue = "rgs", description = "With a code of CORE, how a "
      + "lost unit is rebuilt: rgs (by row or column, as costs less), row-first, column-first "
      + "(default: ${DEFAULT-VALUE})")
  private String strategy;

  @Option(names = "--depth", description = "Repairs that may be pending on a link, in time of one "
      + "(default: the NameNode's)")
  private Double depth;

  @Option(names = "--window", defaultValue = "0",
      description = "Seconds that may be pending in any case (default: ${DEFAULT-VALUE})")
  private double windowS;

  @Option(names = "--interval", defaultValue = "0", description = "Seconds from one start of "
      + "repairs to the next; 0: whenever one has ended (default: ${DEFAULT-VALUE})")
  private double intervalS;

  @Option(names = "--heartbeat", defaultValue = "1", description = "Seconds from one word of how "
      + "far repairs are to the next, 0: never (default: ${DEFAULT-VALUE})")
  private double heartbeatS;

  @Option(names = "--leads", defaultValue = "0", description = "Repairs that a node leads at a "
      + "time, 0: any number. Nodes say so with --heartbeat (default: ${DEFAULT-VALUE})")
  private int leadsMost;

  @Option(names = "--check-one-in", defaultValue = "64",
      description = "Slices per checked one, 0: none checked (default: ${DEFAULT-VALUE})")
  private int checkOneIn;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(names = "--json", description = "Where the results go, one object per scheduler")
  private Path json;

  @Override
  public Integer call() throws IOException {
    SimulatedSpec simulated = new SimulatedSpec(EcCode.parse(code), nodes, racks, groups, lostNodes,
        lostBlocks, blockBytes, Rate.parse(rate), Rate.parse(crossRackRate), seed);
    SimulatedCluster cluster = new SimulatedCluster(simulated);
    if (cluster.lost.isEmpty()) {
      throw new IllegalArgumentException("The lost nodes held nothing: more --groups?");
    }
    double bound = new SimulatedBound(simulated, cluster.lost).seconds();
    BenchRun bench = new BenchRun(spec.commandLine().getOut(), json, null);
    bench.say("Repair of %d groups, %s, %d nodes in %d racks, %d lost, links %s%s, "
        + "seed %d", cluster.lost.size(), code, nodes, racks, lostNodes, rate,
        crossRackRate.equals("none") ? "" : ", racks " + crossRackRate, seed);
    List<Row> rows = new ArrayList<>();
    for (String name : schedulers) {
      rows.add(simulate(cluster, name, bound));
    }
    table().printEach(bench.out, rows);
    bench.writeJson(rows);
    return 0;
  }

  private static Table table() {
    return new Table().text("scheduler", -10, "scheduler").text("repairs", 9, "repairs")
        .median("makespan s", 12, 2, "makespan_s").median("lower bound s", 14, 2, "lower_bound_s")
        .median("x bound", 9, 3, row -> row.number("makespan_s") / row.number("lower_bound_s"))
        .text("in flight", 10, "in_flight_most").median("starts/s", 10, 0, "starts_per_s")
        .median("plans/s", 10, 0, "plans_per_s").median("heap MiB", 9, 1, "heap_bytes", MIB)
        .median("blocks sent", 11, 2, row -> row.number("sent_bytes") / row.number("block_bytes")
            / row.number("repairs"));
  }

  private Row simulate(SimulatedCluster cluster, String name, double bound) {
    RepairAdmission admission =
        new RepairAdmission(depth == null ? RepairAdmission.DEPTH_DEFAULT : depth, windowS);
    PlanningRate planning = new PlanningRate(cluster, scheduler(cluster, name), admission);
    double startsPerS = planning.startsPerSecond();
    Simulation simulation =
        new Simulation(cluster, scheduler(cluster, name), admission, intervalS, heartbeatS,
            leadsMost);
    // After the garbage collection, the used heap consists mainly of the queue, the fleet and the
    // groups.
    System.gc();
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    double makespan = simulation.run();
    SimulatedSpec of = cluster.spec;
    return new Row("simulate")
        .put("scheduler", name)
        .put("code", of.code.label())
        .put("nodes", of.nodes)
        .put("racks", of.racks)
        .put("groups", of.groups)
        .put("lost_nodes", of.lostNodes)
        .put("repairs", simulation.starts())
        .put("block_bytes", of.blockBytes)
        .put("rate_bits_per_s", of.rate.bitsPerSecond())
        .put("starts_per_s", startsPerS)
        .put("plans_per_s", startsPerS * planning.plansPerStart())
        .put("makespan_s", makespan)
        .put("lower_bound_s", bound)
        .put("in_flight_most", simulation.flowsMost())
        .put("sent_bytes", (long) simulation.sentBytes())
        .put("heap_bytes", heap)
        .put("seed", of.seed);
  }

  private RepairScheduler scheduler(SimulatedCluster cluster, String name) {
    EcCode ecCode = cluster.spec.code;
    CodeReads reads = new CodeReads(policy -> ecCode.code);
    MpprWeights weights =
        new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, blockBytes, ecCode.dataUnits());
    SchedulerOptions options = new SchedulerOptions(reads, checkOneIn, weights);
    RepairScheduler rows = RepairSchedulers.byName(name, options, new Random(seed));
    return ecCode.filesPerGroup().isEmpty() ? rows
        : new CoreScheduler(rows, options, RepairStrategies.byName(strategy));
  }
}
