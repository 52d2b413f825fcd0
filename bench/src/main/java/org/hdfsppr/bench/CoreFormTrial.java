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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/**
 * Files of one block group each, whose CORE groups are formed and measured. The time begins when
 * the NameNode has the first parity file among its work files, and ends when all parity files have
 * their places.
 */
final class CoreFormTrial {
  private static final double BITS = 8;
  private static final String RECORD = "trusted.hdfs-ppr.core-group";
  private static final Path GROUPS = new Path("/.hdfs-ppr/core/groups");
  private static final Duration FORMED_LIMIT = Duration.ofMinutes(20);
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final EcCode code;
  private final int filesPerGroup;

  CoreFormTrial(HdfsProcessCluster cluster, DistributedFileSystem client, EcCode code,
      int filesPerGroup) {
    this.cluster = cluster;
    this.client = client;
    this.code = code;
    this.filesPerGroup = filesPerGroup;
  }

  /**
   * Writes files without shaped links, and measures with shaped ones.
   *
   * @param folder a folder that does not exist
   * @param groups how many groups are formed
   * @param blockBytes length of each internal block, bytes
   */
  Row form(Path folder, int groups, long blockBytes)
      throws IOException, InterruptedException, TimeoutException {
    cluster.links().setShaping(false);
    write(folder, groups * filesPerGroup, blockBytes);
    cluster.links().setShaping(true);
    int before = parities().size();
    Set<Path> formed = new HashSet<>();
    Meters atStart = Meters.read(cluster);
    PprCommand.run(cluster, COMMAND_LIMIT,
        List.of("-core", "-protect", folder.toUri().getPath()));
    Await.until("the first group is being formed", FORMED_LIMIT, POLL,
        () -> parities().size() > before);
    long startNanos = System.nanoTime();
    Await.until("all groups are formed", FORMED_LIMIT, POLL,
        () -> isFormed(formed, before + groups));
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    Meters atEnd = Meters.read(cluster);
    cluster.links().setShaping(false);
    double madeBytes = (double) groups * code.units() * blockBytes;
    ClusterSpec spec = cluster.spec();
    // For each made unit, links carry as many units as a group has files.
    double limit = filesPerGroup * madeBytes / (spec.nodes * spec.rate.bitsPerSecond() / BITS);
    OptionalLong network = atEnd.receivedSince(atStart);
    List<String> complaints = complaints(folder);
    return new Row("core-form")
        .put("code", code.label())
        .put("groups", groups)
        .put("seconds", seconds)
        .put("limit_seconds", limit)
        .put("share_of_limit", limit / seconds)
        .put("network_bytes", network)
        .put("units_moved_per_made_unit",
            network.isEmpty() ? Double.NaN : network.getAsLong() / madeBytes)
        .put("disk_write_bytes", atEnd.diskWrittenSince(atStart))
        .put("ok", complaints.isEmpty())
        .put("block_bytes", blockBytes)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("hadoop", spec.hadoopVersion)
        .put("other_cpu_share", atEnd.otherCpuShareSince(atStart))
        .put("complaints", String.join("; ", complaints));
  }

  private void write(Path folder, int files, long blockBytes)
      throws IOException, InterruptedException, TimeoutException {
    client.mkdirs(folder);
    client.setErasureCodingPolicy(folder, code.policy());
    List<Path> written = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Path file = new Path(folder, "f" + i);
      TestFile.write(client, file, blockBytes, blockBytes * code.dataUnits(), i);
      written.add(file);
    }
    for (Path file : written) {
      AwaitedUnits.known(cluster, client, file, code, WHOLE_LIMIT);
    }
  }

  /** Returns whether a number of groups are formed, and takes note of those that are. */
  private boolean isFormed(Set<Path> formed, int groups) throws IOException {
    for (Path parity : parities()) {
      if (!formed.contains(parity) && client.getXAttrs(parity).containsKey(RECORD)) {
        formed.add(parity);
      }
    }
    return formed.size() == groups;
  }

  /** Returns the parity files, those that are being made among them. */
  private List<Path> parities() throws IOException {
    List<Path> files = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> next = client.listFiles(GROUPS, true);
      while (next.hasNext()) {
        files.add(next.next().getPath());
      }
    } catch (FileNotFoundException e) {
      // The NameNode makes the folder with the first group. The next poll sees what is there then.
      return List.of();
    }
    return files;
  }

  /** Compares all columns with the parity files, and asks fsck. */
  private List<String> complaints(Path folder) throws IOException, InterruptedException {
    List<String> complaints = new ArrayList<>();
    try {
      PprCommand.run(cluster, COMMAND_LIMIT, List.of("-core", "-check", folder.toUri().getPath()));
    } catch (IOException e) {
      complaints.add(e.getMessage());
    }
    Fsck fsck = Fsck.of(cluster.clientConf());
    if (!fsck.isWhole()) {
      complaints.add(fsck.toString());
    }
    return complaints;
  }
}
