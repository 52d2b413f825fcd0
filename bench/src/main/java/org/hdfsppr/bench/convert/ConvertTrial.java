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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.OldVersions;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.convert.StoredReplicas;
import org.hdfsppr.it.util.Await;

/** One run of one mode: warms up, measures, and looks for faults afterwards. */
final class ConvertTrial {
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(200);

  /** NameNodes delete the replicas of a deleted file with the heartbeats that follow. */
  private static final Duration GONE_LIMIT = Duration.ofMinutes(5);
  private static final Duration VERIFY_LIMIT = Duration.ofMinutes(30);

  private static final long WARM_BLOCK_BYTES_MAX = 2L << 20;

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final CodePair codes;
  private final ConvertMode mode;
  private final int clients;

  /**
   * @param clients how many stock clients rewrite files at a time
   */
  ConvertTrial(HdfsProcessCluster cluster, DistributedFileSystem client, CodePair codes,
      ConvertMode mode, int clients) {
    this.cluster = cluster;
    this.client = client;
    this.codes = codes;
    this.mode = mode;
    this.clients = clients;
  }

  Row run(ConvertedFiles files, long blockBytes, int warmUpFiles, int run)
      throws IOException, InterruptedException, TimeoutException {
    List<String> complaints = new ArrayList<>();
    try (Converter converter = mode.isInPlace() ? new InPlaceConverter(cluster, mode.options)
        : Rewriters.start(cluster, clients)) {
      awaitSettled();
      warmUp(converter, warmUpFiles, blockBytes);
      awaitSettled();
      Set<Long> oldIds = files.blockIds(cluster, client);
      StoredReplicas old = StoredReplicas.of(cluster).only(oldIds);
      if (old.count() != oldIds.size()) {
        throw new IOException("There are " + oldIds.size() + " units, and " + old.describe());
      }
      DroppedPages.drop(old.dataFiles());
      cluster.links().setShaping(true);
      Row row = measure(converter, files, blockBytes, run, complaints);
      cluster.links().setShaping(false);
      Set<Long> newIds = new TreeSet<>(files.blockIds(cluster, client));
      newIds.removeAll(oldIds);
      StoredReplicas now = StoredReplicas.of(cluster).only(newIds);
      long linked = now.linkedTo(old).bytes();
      complaints.addAll(files.wrong(cluster, client, codes.to));
      complaints.addAll(left(oldIds));
      complaints.addAll(clusterFaults(files));
      return row.put("linked_bytes", (double) linked)
          .put("ok", complaints.isEmpty())
          .put("made_bytes", (double) (now.bytes() - linked))
          .put("complaints", String.join("; ", complaints));
    }
  }

  /** Returns the row, in which nothing says yet what was found after the run. */
  private Row measure(Converter converter, ConvertedFiles files, long blockBytes, int run,
      List<String> complaints) throws IOException, InterruptedException {
    Meters before = Meters.read(cluster);
    WriteLockTime lock = WriteLockTime.start(cluster);
    long start = System.nanoTime();
    try {
      converter.convert(files, codes.to);
    } catch (IOException e) {
      complaints.add(e.getMessage());
    } finally {
      lock.end();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Meters after = Meters.read(cluster);
    OptionalLong received = after.receivedSince(before);
    double network = received.isPresent() ? received.getAsLong() : Double.NaN;
    long groups = files.groups(codes.from);
    ClusterSpec spec = cluster.spec();
    Row row = new Row("convert")
        .put("mode", mode.label)
        .put("code_from", codes.from.label())
        .put("code_to", codes.to.label())
        .put("groups", groups)
        .put("seconds", seconds)
        .put("network_bytes", network)
        .put("disk_read_bytes", (double) after.diskReadSince(before))
        .put("disk_write_bytes", (double) after.diskWrittenSince(before))
        .put("linked_bytes", Double.NaN)
        .put("ok", false)
        .put("made_bytes", Double.NaN)
        .put("network_units_per_group",
            network / ((double) groups * Math.min(blockBytes, files.fileBytes)))
        .put("x_rewrite_speed", Double.NaN)
        .put("files_per_second", files.count() / seconds)
        .put("write_lock_share", lock.share());
    ObjectNode locks = row.json.putObject("write_lock_ms");
    lock.heldMsByOperation().forEach(locks::put);
    return row.put("run", run)
        .put("files", files.count())
        .put("file_bytes", files.fileBytes)
        .put("block_bytes", blockBytes)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("cross_rack_rate", spec.crossRackRate.toString())
        .put("hadoop", spec.hadoopVersion)
        .put("datanodes_cpu_seconds", after.daemonCpuSecondsSince(before))
        .put("other_cpu_seconds", after.otherCpuSecondsSince(before))
        .keep(ConvertTable.OTHER_CPU_SHARE, after.otherCpuShareSince(before));
  }

  private void awaitSettled() throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode has nothing to repair", SETTLE_LIMIT, POLL,
        () -> cluster.state().redundancy().isSettled());
  }

  /** Converts small files, so that all processes load and compile what the measured run needs. */
  private void warmUp(Converter converter, int files, long blockBytes)
      throws IOException, InterruptedException, TimeoutException {
    if (files == 0) {
      return;
    }
    cluster.links().setShaping(false);
    long block = Math.min(blockBytes, WARM_BLOCK_BYTES_MAX);
    ConvertedFiles warm = new ConvertedFiles(new Path("/warm-up"), files,
        block * codes.from.dataUnits(), block);
    warm.write(cluster, client, codes.from);
    converter.convert(warm, codes.to);
    client.delete(warm.folder, true);
  }

  /**
   * Waits until the old replicas are gone, and the old versions are out of the work folder. Says
   * what is left.
   */
  private List<String> left(Set<Long> oldIds) throws IOException, InterruptedException {
    OldVersions leftovers = new OldVersions(cluster, client);
    try {
      leftovers.awaitNone(oldIds, GONE_LIMIT.plus(InPlaceConverter.GRACE));
      return List.of();
    } catch (TimeoutException e) {
      return List.of(e.getMessage());
    }
  }

  private List<String> clusterFaults(ConvertedFiles files)
      throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    Fsck fsck = Fsck.of(cluster.clientConf());
    if (!fsck.isWhole()) {
      faults.add(fsck.toString());
    }
    if (cluster.spec().plugin) {
      try {
        PprCommand.run(cluster, VERIFY_LIMIT,
            List.of("-verify", files.folder.toUri().getPath()));
      } catch (IOException e) {
        faults.add(e.getMessage());
      }
    }
    return faults;
  }
}
