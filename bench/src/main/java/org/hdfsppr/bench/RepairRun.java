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
package org.hdfsppr.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.CommandLogs;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.PluginCounters;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/**
 * Measures one repair. This class writes a file of one full block group and makes units of the
 * group get lost. It measures the time from the NameNode's command until the last rebuilt replica
 * is in place.
 *
 * <p>The start and the end are defined in the same way for every mode, and both times come from the
 * clock of this machine. The time starts with the timestamp of the line with which a DataNode logs
 * the command to repair. It ends when the files of all rebuilt replicas are among the finalised
 * replicas of some node. This class looks for them every 2 ms.
 */
final class RepairRun {
  private static final double DISTURBED_SHARE = 0.25;
  private static final Duration BOOKKEEPING_LIMIT = Duration.ofSeconds(60);

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final EcCode code;
  private final long blockBytes;
  private final LossKind lossKind;
  private final Duration limit;

  RepairRun(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code,
      long blockBytes, LossKind lossKind, Duration limit) {
    this.cluster = cluster;
    this.client = client;
    this.code = code;
    this.blockBytes = blockBytes;
    this.lossKind = lossKind;
    this.limit = limit;
  }

  /** The result of one run. */
  static final class Outcome {
    /** True if every byte of each rebuilt replica equals the byte of the lost replica. */
    final boolean ok;
    final double seconds;
    final OptionalLong busiestReceivedBytes;
    final OptionalLong networkBytes;
    final OptionalLong crossRackBytes;
    final long diskReadBytes;
    final double daemonCpuSeconds;
    /**
     * How many processor seconds all processes except the DataNodes and this JVM have used between
     * the loss and the end of the repair.
     */
    final double otherCpuSeconds;
    final double otherCpuShare;
    /** The indices of the lost units. */
    final List<Integer> lostUnits;
    /**
     * How many bytes helpers have read from their replicas, as the plugin counts them. Empty
     * without the plugin, because stock does not count these bytes.
     */
    final OptionalLong helperReadBytes;

    Outcome(boolean ok, double seconds, Meters before, Meters after, List<Integer> lostUnits,
        OptionalLong helperReadBytes) {
      this.ok = ok;
      this.lostUnits = lostUnits;
      this.helperReadBytes = helperReadBytes;
      this.seconds = seconds;
      this.busiestReceivedBytes = after.busiestReceivedSince(before);
      this.networkBytes = after.receivedSince(before);
      this.crossRackBytes = after.crossRackSince(before);
      this.diskReadBytes = after.diskReadSince(before);
      this.daemonCpuSeconds = after.daemonCpuSecondsSince(before);
      this.otherCpuSeconds = after.otherCpuSecondsSince(before);
      this.otherCpuShare = after.otherCpuShareSince(before);
    }

    /**
     * Returns true if other processes used so much processor time that the measured time is
     * worthless.
     */
    boolean disturbed() {
      return otherCpuShare > DISTURBED_SHARE;
    }
  }

  /**
   * Measures one repair.
   *
   * @param run the number of the run, from 1. It determines the content of the file and the first
   *     lost unit, so all modes repair the same loss
   */
  Outcome measure(int run, int lostUnits)
      throws IOException, InterruptedException, TimeoutException {
    Path file = new Path("/bench/" + code.label() + "/run" + run);
    writeUnshaped(file, run);
    BlockGroup group = wholeGroup(file);
    List<Unit> lost = LossChoice.choose(cluster.spec(), group, run - 1, lostUnits);
    Map<Unit, String> digests = new HashMap<>();
    for (Unit unit : lost) {
      digests.put(unit, UnitFiles.of(cluster, unit.node, unit.block).digest());
    }
    for (Unit unit : group.units) {
      UnitFiles.of(cluster, unit.node, unit.block).dropFromCache();
    }

    Optional<PluginCounters> countersBefore = pluginCounters();
    CommandLogs logs = CommandLogs.from(cluster);
    Meters before = Meters.read(cluster);
    lossKind.lose(cluster, client, lost);
    AwaitedUnits.rebuilt(cluster, lost, limit);
    long endMs = System.currentTimeMillis();
    Meters after = Meters.read(cluster);

    long startMs = logs.firstRepairCommandMs().orElseThrow(() -> new IOException(
        "A replica was rebuilt, and no DataNode logged a command to do so"));
    boolean ok = true;
    for (Unit unit : lost) {
      String rebuilt = AwaitedUnits.digest(cluster, unit, limit);
      ok &= rebuilt.equals(digests.get(unit));
    }
    awaitBookkeeping(file);
    OptionalLong helperRead = OptionalLong.empty();
    if (countersBefore.isPresent()) {
      helperRead = OptionalLong.of(
          helperReadBytes(countersBefore.get(), pluginCounters().orElseThrow()));
    }
    tidy(file, lost);
    return new Outcome(ok, (endMs - startMs) / 1000.0, before, after,
        lost.stream().map(unit -> unit.index).collect(Collectors.toList()), helperRead);
  }

  private Optional<PluginCounters> pluginCounters()
      throws IOException, InterruptedException, TimeoutException {
    return cluster.spec().plugin ? Optional.of(PluginCounters.whenIdle(cluster))
        : Optional.empty();
  }

  private static long helperReadBytes(PluginCounters before, PluginCounters after)
      throws IOException {
    if (after.since(before, "RepairsSucceeded") == 0) {
      throw new IOException("A replica was rebuilt, and no plugin counts a repair that succeeded,"
          + " only " + after.grownSince(before, "Fallbacks") + ": this was the stock worker");
    }
    return after.since(before, "HelperDiskReadBytes");
  }

  /**
   * Writes the file while the links are not shaped, because writing is not measured.
   */
  private void writeUnshaped(Path file, int run) throws IOException, InterruptedException {
    cluster.links().setShaping(false);
    try {
      client.mkdirs(file.getParent());
      client.setErasureCodingPolicy(file.getParent(), code.policy());
      TestFile.write(client, file, blockBytes, blockBytes * code.dataUnits(), run);
    } finally {
      cluster.links().setShaping(true);
    }
  }

  private BlockGroup wholeGroup(Path file)
      throws IOException, InterruptedException, TimeoutException {
    awaitBookkeeping(file);
    List<BlockGroup> groups = BlockGroup.of(cluster, client, file);
    if (groups.size() != 1) {
      throw new IOException(file + " has " + groups.size() + " block groups instead of 1");
    }
    return groups.get(0);
  }

  private void awaitBookkeeping(Path file)
      throws IOException, InterruptedException, TimeoutException {
    AwaitedUnits.known(cluster, client, file, code, BOOKKEEPING_LIMIT);
  }

  private void tidy(Path file, List<Unit> lost)
      throws IOException, InterruptedException, TimeoutException {
    client.delete(file, true);
    if (lossKind == LossKind.KILL) {
      for (Unit unit : lost) {
        cluster.start(unit.node);
      }
      cluster.state().awaitLive(cluster.spec().nodes, BOOKKEEPING_LIMIT);
    }
  }
}
