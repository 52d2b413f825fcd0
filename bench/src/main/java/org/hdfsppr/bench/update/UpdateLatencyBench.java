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
package org.hdfsppr.bench.update;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.read.WorkerProcess;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh update-latency}: how long a small update in place takes. */
@Command(name = "update-latency", mixinStandardHelpOptions = true,
    description = "How long updates of 4 KiB in place take, one at a time and with one interim "
        + "replica, beside the round trips and appends of which they consist.",
    footer = {"",
        "All are measured in one run, on the same nodes. Results, for each way to acknowledge:",
        "  client_trip_us       a round trip by plain sockets, 4 KiB there and a small answer",
        "                       back, between the client and the node that leads a unit",
        "  follower_trip_us     the same between that node and the one that has the replica",
        "  append_us            an append of 4 KiB with a checksum to a plain file, beside the",
        "                       update logs; for hsync, the file is synced each time",
        "  bound_us             both round trips and two appends",
        "  p50_us, p99_us       updates: a write at a random place, and hflush or hsync",
        "  p50_ratio, p99_ratio     updates, in bounds",
        "  within               p50 is at most 3 bounds, and p99 at most 10",
        "  ok                   another client has read all that was written",
        "All times but p99_us are medians. Of all, the median repeat counts; ..._runs has each."})
@InterfaceAudience.Private
public final class UpdateLatencyBench implements Callable<Integer> {
  private static final long LOG_BYTES = 512L << 20;

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--code", defaultValue = "rs-3-2", description = "As 'hdfs ppr -codes' names it"
      + " (default: ${DEFAULT-VALUE}). Without --nodes, each unit has a node")
  private String codeName;

  @Option(names = "--datanodes", split = ",", defaultValue = "small", description = "How the JVMs "
      + "of DataNodes run: small, as in all clusters here, with a small heap and without the "
      + "second compiler, usual, as in production, or both (default: ${DEFAULT-VALUE})")
  private List<NodeJvm> jvms;

  @Option(names = "--updates", defaultValue = "4000", description = "Updates with hflush in each "
      + "repeat, and as many round trips and appends (default: ${DEFAULT-VALUE})")
  private int updates;

  @Option(names = "--durable-updates", defaultValue = "1000", description = "Updates with hsync in "
      + "each repeat, and as many appends with a sync (default: ${DEFAULT-VALUE})")
  private int durableUpdates;

  @Option(names = "--warm-up", defaultValue = "20000", description = "Updates before the first "
      + "repeat, which do not count, and half as many round trips and appends before those of each"
      + " repeat (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(names = "--runs", defaultValue = "5", description = "Repeats (default: "
      + "${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--json", description = "Where the results go, one object for each way to "
      + "acknowledge")
  private Path json;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    for (int count : List.of(updates, durableUpdates, warmUp, runs)) {
      if (count < 1) {
        throw new IllegalArgumentException("--updates, --durable-updates, --warm-up and --runs have"
            + " to be 1 at least, not " + count);
      }
    }
    BenchRun bench = new BenchRun(spec.commandLine().getOut(), json, null);
    EcCode code = EcCode.parse(codeName);
    ClusterSpec.Builder builder = cluster.toSpec();
    if (!spec.commandLine().getParseResult().hasMatchedOption("--nodes")) {
      builder.nodes(code.units());
    }
    ClusterSpec base = builder.build();
    if (base.racks < 2 || !cluster.canShape()) {
      throw new IllegalArgumentException("--racks has to be 2 at least, since replicas of updates"
          + " are in other racks, and --network NAMESPACES, which gives the client a place");
    }
    List<Row> records = new ArrayList<>();
    bench.onCluster(specOf(base, jvms.get(0)), running -> {
      boolean isUp = false;
      for (NodeJvm jvm : jvms) {
        ClusterSpec own = specOf(base, jvm);
        bench.say("DataNodes: %s. Starting %d nodes in %d racks", jvm.label(), own.nodes,
            own.racks);
        if (isUp) {
          running.restartEmpty(own);
        } else {
          running.up();
          running.createClientPlace(WorkerProcess.FIRST_PLACE, base.rate);
          isUp = true;
        }
        records.addAll(new LatencyTrial(bench, running, code, jvm)
            .measure(updates, durableUpdates, warmUp, runs));
        bench.writeJson(records);
      }
    });
    bench.out.println();
    LatencyTrial.table().printEach(bench.out, records);
    return records.stream().allMatch(Row::ok) ? 0 : 1;
  }

  /** No commit comes between updates. The user's settings come last. */
  private static ClusterSpec specOf(ClusterSpec base, NodeJvm jvm) {
    return base.toBuilder().plugin(true).nameNodePlugin(true).codecs(true)
        .conf(ClusterSpec.DATANODE_JVM_KEY, jvm.options)
        .conf(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY, String.valueOf(LOG_BYTES))
        .conf(PprKeys.NAMENODE_COMMIT_STRIPES_KEY, "0")
        .conf(PprKeys.NAMENODE_COMMIT_BYTES_KEY, "0")
        .conf(PprKeys.NAMENODE_COMMIT_AGE_KEY, "0")
        .conf(PprKeys.NAMENODE_UPDATE_REPLICAS_KEY, "1")
        .conf(base.conf).build();
  }
}
