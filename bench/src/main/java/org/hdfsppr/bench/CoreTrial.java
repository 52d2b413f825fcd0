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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.CommandLogs;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.PluginCounters;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/**
 * The files of CORE groups on a cluster, and the measured repairs of their units. The time of
 * repairs begins with the timestamp of the line with which a DataNode logs its first order, and
 * ends when the files of all rebuilt replicas are among the finalised replicas of some node.
 */
final class CoreTrial {
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);
  private static final Duration REPAIR_LIMIT = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(200);

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final EcCode code;
  private final CoreWay way;
  private final long blockBytes;
  /** The files of each CORE group. */
  private final List<List<Path>> groups = new ArrayList<>();

  CoreTrial(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code, CoreWay way,
      long blockBytes) {
    this.cluster = cluster;
    this.client = client;
    this.code = code;
    this.way = way;
    this.blockBytes = blockBytes;
  }

  /**
   * Writes the files of groups, one block group each, and lets CORE protect them. Each CORE group
   * has a folder of its own, because the NameNode forms groups of files of one folder.
   */
  void write(int groupCount, int filesPerGroup)
      throws IOException, InterruptedException, TimeoutException {
    cluster.links().setShaping(false);
    Path folder = new Path("/bench/core");
    client.mkdirs(folder);
    client.setErasureCodingPolicy(folder, code.policy());
    for (int group = 0; group < groupCount; group++) {
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < filesPerGroup; i++) {
        Path file = new Path(folder, "g" + group + "/f" + i);
        TestFile.write(client, file, blockBytes, blockBytes * code.dataUnits(),
            group * filesPerGroup + i);
        files.add(file);
        AwaitedUnits.known(cluster, client, file, code, WHOLE_LIMIT);
      }
      groups.add(files);
    }
    if (way.isProtected()) {
      new CoreProtection(cluster, folder).form(groupCount);
    }
    Await.until("nothing is left to repair", WHOLE_LIMIT, POLL,
        () -> cluster.state().redundancy().isSettled());
    cluster.links().setShaping(true);
  }

  /**
   * Loses units of each group, and measures until all are back.
   *
   * @param shift the first column of the first group, so that each run loses other units
   */
  Row measure(CoreLoss loss, int run, int shift)
      throws IOException, InterruptedException, TimeoutException {
    List<Unit> lost = choose(loss, shift);
    Map<Unit, String> digests = new HashMap<>();
    for (Unit unit : lost) {
      UnitFiles replica = UnitFiles.of(cluster, unit.node, unit.block);
      digests.put(unit, replica.digest());
    }
    // Where several files matter, the NameNode plans when it knows all losses.
    boolean pauses = way.hasPlugins() && (loss.isOfSeveralFiles() || groups.size() > 1);
    if (pauses) {
      PprCommand.run(cluster, COMMAND_LIMIT, List.of("-pause"));
    }
    PluginCounters countersBefore = way.hasPlugins() ? PluginCounters.whenIdle(cluster) : null;
    CommandLogs logs = CommandLogs.from(cluster);
    Meters before = Meters.read(cluster);
    LossKind.REPORT.lose(cluster, client, lost);
    if (pauses) {
      PprCommand.run(cluster, COMMAND_LIMIT, List.of("-resume"));
    }
    AwaitedUnits.rebuilt(cluster, lost, REPAIR_LIMIT);
    long endMs = System.currentTimeMillis();
    Meters after = Meters.read(cluster);
    OptionalLong startMs = logs.firstRepairCommandMs();
    List<String> complaints = new ArrayList<>();
    if (startMs.isEmpty()) {
      complaints.add("no DataNode logged an order");
    }
    for (Unit unit : lost) {
      String rebuilt = AwaitedUnits.digest(cluster, unit, WHOLE_LIMIT);
      if (!rebuilt.equals(digests.get(unit))) {
        complaints.add(unit + " has other bytes");
      }
    }
    for (List<Path> files : groups) {
      for (Path file : files) {
        AwaitedUnits.known(cluster, client, file, code, WHOLE_LIMIT);
      }
    }
    OptionalLong read = countersBefore == null ? OptionalLong.empty() : OptionalLong.of(
        PluginCounters.whenIdle(cluster).since(countersBefore, "HelperDiskReadBytes"));
    Fsck fsck = Fsck.of(cluster.clientConf());
    if (!fsck.isWhole()) {
      complaints.add(fsck.toString());
    }
    OptionalLong moved = after.receivedSince(before);
    ClusterSpec spec = cluster.spec();
    return new Row("core")
        .put("code", code.label())
        .put("pattern", loss.label)
        .put("groups", groups.size())
        .put("strategy", way.label)
        .put("seconds", (endMs - startMs.orElse(endMs)) / 1000.0)
        .put("blocks_read", read.isEmpty() ? Double.NaN : (double) read.getAsLong() / blockBytes)
        .put("network_bytes", moved)
        .put("ok", complaints.isEmpty())
        .put("run", run)
        .put("block_bytes", blockBytes)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("hadoop", spec.hadoopVersion)
        .put("other_cpu_share", after.otherCpuShareSince(before))
        .put("complaints", String.join("; ", complaints));
  }

  private List<Unit> choose(CoreLoss loss, int shift) throws IOException {
    List<Unit> lost = new ArrayList<>();
    for (int of = 0; of < groups.size(); of++) {
      for (int row = 0; row < loss.lost.size(); row++) {
        BlockGroup group = BlockGroup.of(cluster, client, groups.get(of).get(row)).get(0);
        for (int bit = 0; bit < code.units(); bit++) {
          if ((loss.lost.get(row) >> bit & 1) != 0) {
            lost.addAll(group.replicasOf((bit + shift + of) % code.units()));
          }
        }
      }
    }
    return lost;
  }
}
