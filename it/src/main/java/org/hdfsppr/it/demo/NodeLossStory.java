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
package org.hdfsppr.it.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.TestFile;

/**
 * Runs the steps of the demo: it writes a file with a stock client, stops a node, waits until the
 * lost units are repaired, and compares the file and the rebuilt replicas with the originals.
 */
final class NodeLossStory {
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(5);
  private static final Duration WHOLE_POLL = Duration.ofMillis(50);
  private static final double MIB = 1024 * 1024;

  private final EmbeddedCluster cluster;
  private final Worker worker;
  private final EcCode code;
  private final long blockBytes;
  private final int groups;
  private final PrintWriter out;
  private final DistributedFileSystem client;
  private final Path file;

  NodeLossStory(EmbeddedCluster cluster, Worker worker, EcCode code, long blockBytes, int groups,
      PrintWriter out) throws IOException {
    this.cluster = cluster;
    this.worker = worker;
    this.code = code;
    this.blockBytes = blockBytes;
    this.groups = groups;
    this.out = out;
    this.client = cluster.client();
    this.file = new Path("/demo/" + code.label() + "/file");
  }

  DemoRecord tell() throws IOException, InterruptedException, TimeoutException {
    String checksum = write();
    List<BlockGroup> before = groupsNow();
    int victim = nodeWithMost(before);
    Map<Integer, Unit> lost = unitsOn(victim, before);
    // Reads the counters before the node stops. Every node that can lead a later repair keeps
    // running until all repairs are counted, so no repair is missed.
    RepairCounters countersBefore = RepairCounters.read(worker);

    say("stopping node %d: %d of %d block groups lose a block", victim, lost.size(), groups);
    long startNanos = System.nanoTime();
    DataNodeProperties stopped = cluster.stop(victim);
    awaitRepairs(lost, startNanos);
    double seconds = (System.nanoTime() - startNanos) / 1e9;

    boolean sameContent = checksum.equals(readBack());
    say("read back %.0f MiB: %s", blockBytes * code.dataUnits() * groups / MIB,
        sameContent ? "same checksum as before" : "CHECKSUM DIFFERS");
    boolean sameReplicas = sameReplicas(lost, victim);
    RepairCounters countersAfter = countersBefore.awaitMore(lost.size());
    client.delete(file, true);
    cluster.restart(stopped);
    return new DemoRecord(code, worker, lost.size(), seconds,
        countersAfter.busiestReceivedSince(countersBefore), sameContent && sameReplicas);
  }

  private String write() throws IOException, InterruptedException, TimeoutException {
    client.mkdirs(file.getParent());
    code.enable(client);
    client.setErasureCodingPolicy(file.getParent(), code.policy());
    long length = blockBytes * code.dataUnits() * groups;
    TestFile.write(client, file, blockBytes, length, code.units());
    Await.until("the NameNode knows all units of " + file, WHOLE_LIMIT, WHOLE_POLL,
        () -> groupsNow().stream().allMatch(group -> group.distinctUnits() == code.units()));
    String checksum = readBack();
    say("wrote %.0f MiB as %d block groups of %d+%d, SHA-256 %s...", length / MIB, groups,
        code.dataUnits(), code.parityUnits(), checksum.substring(0, 16));
    return checksum;
  }

  private String readBack() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(client.open(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return StringUtils.byteToHexString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private List<BlockGroup> groupsNow() throws IOException {
    return BlockGroup.of(client, file, cluster::nodeOf);
  }

  /**
   * Returns the node that holds the most units. Its loss causes the most repairs.
   */
  private int nodeWithMost(List<BlockGroup> of) {
    int most = 1;
    for (int node = 2; node <= cluster.nodes(); node++) {
      if (unitsOn(node, of).size() > unitsOn(most, of).size()) {
        most = node;
      }
    }
    return most;
  }

  /**
   * Maps the index of each group in the list to the group's unit that the node holds. Groups
   * without a unit on the node are left out.
   */
  private static Map<Integer, Unit> unitsOn(int node, List<BlockGroup> of) {
    Map<Integer, Unit> units = new TreeMap<>();
    for (int group = 0; group < of.size(); group++) {
      Optional<Unit> unit = of.get(group).on(node);
      if (unit.isPresent()) {
        units.put(group, unit.get());
      }
    }
    return units;
  }

  private void awaitRepairs(Map<Integer, Unit> lost, long startNanos)
      throws IOException, InterruptedException, TimeoutException {
    Map<Integer, Unit> open = new TreeMap<>(lost);
    Await.until(() -> "rebuilt, but for " + open.values(), WHOLE_LIMIT, WHOLE_POLL, () -> {
      List<BlockGroup> now = groupsNow();
      for (Integer group : new ArrayList<>(open.keySet())) {
        Unit gone = open.get(group);
        Optional<Unit> rebuilt = rebuilt(now.get(group), gone);
        if (rebuilt.isPresent()) {
          open.remove(group);
          say("  %6.2f s  group %d: block %d rebuilt on node %d (%d of %d)",
              (System.nanoTime() - startNanos) / 1e9, group + 1, gone.index,
              rebuilt.get().node, lost.size() - open.size(), lost.size());
        }
      }
      return open.isEmpty();
    });
  }

  private static Optional<Unit> rebuilt(BlockGroup now, Unit gone) {
    return now.replicasOf(gone.index).stream()
        .filter(unit -> unit.node != gone.node).findFirst();
  }

  /**
   * Compares each rebuilt replica with the lost replica. Reading the file back is not enough,
   * because this reads no parity units.
   */
  private boolean sameReplicas(Map<Integer, Unit> lost, int victim) throws IOException {
    List<BlockGroup> now = groupsNow();
    boolean same = true;
    for (Map.Entry<Integer, Unit> entry : lost.entrySet()) {
      Unit gone = entry.getValue();
      Unit rebuilt = rebuilt(now.get(entry.getKey()), gone).orElseThrow(() -> new IOException(
          "the NameNode forgot the rebuilt replica of " + gone));
      boolean equal = UnitFiles.in(cluster.volume(victim), gone.block).digest()
          .equals(UnitFiles.in(cluster.volume(rebuilt.node), gone.block).digest());
      if (!equal) {
        say("REBUILT REPLICA DIFFERS from the lost one: group %d, block %d", entry.getKey() + 1,
            gone.index);
      }
      same &= equal;
    }
    say("%d rebuilt replicas %s the lost ones, data and checksums", lost.size(),
        same ? "equal" : "DO NOT ALL EQUAL");
    return same;
  }

  private void say(String format, Object... values) {
    out.printf(Locale.ROOT, "[%s, %s] " + format + "%n", concat(values));
    out.flush();
  }

  private Object[] concat(Object[] values) {
    Object[] all = new Object[values.length + 2];
    all[0] = worker.label;
    all[1] = code.label();
    System.arraycopy(values, 0, all, 2, values.length);
    return all;
  }
}
