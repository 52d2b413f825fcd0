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
package org.hdfsppr.it.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifyOptions;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LinkBytes;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Counts what each DataNode's link carries while files of RS-6-3 are verified. {@code
 * -Dverify.unit.mib=64} has units of that length, {@code -Dverify.groups=N} as many groups. The
 * units of 60 such groups take 34 GB of disk, and on a busy machine half an hour to be written.
 */
@Tag("process")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class TestVerifyLinks {
  private static final int NODES = 12;
  private static final int GROUPS = Integer.getInteger("verify.groups", 60);
  private static final long UNIT = (long) Integer.getInteger("verify.unit.mib", 8) << 20;
  private static final int K = 6;
  private static final int UNITS = 9;
  /** What frames, checksums, acknowledgements and heartbeats may add to the sums. */
  private static final double MOST = 1.1;
  private static final Duration UNITS_LIMIT = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(250);

  @Test
  void noLinkCarriesMoreThanOneUnitOfAGroup() throws Exception {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open("verify");
    if (left.isPresent()) {
      left.get().close();
    }
    try (HdfsProcessCluster cluster = HdfsProcessCluster.create(ClusterSpec.builder()
        .name("verify").nodes(NODES).racks(3).rate(Rate.parse("200mbit")).plugin(true)
        .codecs(true)
        // The machine may be busy with other work; a late byte shall not end a tree.
        .conf("dfs.datanode.ppr.stall.timeout.ms", "60000")
        .conf("dfs.client.ppr.stall.timeout.ms", "60000").build())) {
      cluster.up();
      measure(cluster);
    }
  }

  private static void measure(HdfsProcessCluster cluster) throws Exception {
    Assumptions.assumeTrue(cluster.links().linkBytes(1).isPresent(),
        "this machine does not count the bytes of links");
    Path files = new Path("/verified");
    long[] held = new long[NODES + 1];
    try (DistributedFileSystem fs = cluster.client()) {
      cluster.links().setShaping(false);
      write(cluster, fs, files, held);
      cluster.links().setShaping(true);
    }
    List<LinkBytes> before = bytes(cluster);
    List<GroupFinding> wrong = Collections.synchronizedList(new ArrayList<>());
    long start = System.nanoTime();
    long clientBytes;
    try (VerifySession session = VerifySession.open(cluster.clientConf(), files)) {
      session.verify(Collections.singletonList(files), new VerifyOptions(0, 0, false, 4),
          finding -> {
            if (finding.verdict != Verdict.AGREES || !finding.missing.isEmpty()) {
              wrong.add(finding);
            }
          }, problem -> {
            throw new AssertionError(problem);
          });
      clientBytes = session.tally.clientBytes();
      assertEquals(GROUPS, session.tally.groups());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<LinkBytes> after = bytes(cluster);
    assertEquals(Collections.emptyList(), wrong);
    System.out.printf(Locale.ROOT, "%d groups with units of %d MiB verified in %.1f s; the client"
        + " received %.3f of one unit per group%n", GROUPS, UNIT >> 20, seconds,
        (double) clientBytes / (GROUPS * UNIT));
    double busiest = 0;
    for (int node = 1; node <= NODES; node++) {
      LinkBytes moved = after.get(node - 1).since(before.get(node - 1));
      double most = (double) Math.max(moved.sent, moved.received) / held[node];
      busiest = Math.max(busiest, most);
      System.out.printf(Locale.ROOT, "dn%-2d %3d units: sent %.3f, received %.3f of them%n", node,
          held[node] / UNIT, (double) moved.sent / held[node],
          (double) moved.received / held[node]);
    }
    assertTrue(busiest <= MOST, "the busiest link carried " + busiest);
    assertTrue(clientBytes <= MOST * GROUPS * UNIT, "the client received " + clientBytes);
  }

  private static List<LinkBytes> bytes(HdfsProcessCluster cluster) throws IOException {
    List<LinkBytes> all = new ArrayList<>();
    for (int node = 1; node <= NODES; node++) {
      all.add(cluster.links().linkBytes(node).orElseThrow());
    }
    return all;
  }

  private static void write(HdfsProcessCluster cluster, DistributedFileSystem fs, Path files,
      long[] held) throws Exception {
    fs.enableErasureCodingPolicy("RS-6-3-1024k");
    fs.mkdirs(files);
    fs.setErasureCodingPolicy(files, "RS-6-3-1024k");
    byte[] bytes = new byte[1 << 20];
    Random random = new Random(20261123);
    for (int i = 0; i < GROUPS; i++) {
      Path file = new Path(files, "f" + i);
      try (FSDataOutputStream out = fs.create(file, null,
          EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), 1 << 16, (short) 1, UNIT, null)) {
        for (long done = 0; done < K * UNIT; done += bytes.length) {
          random.nextBytes(bytes);
          out.write(bytes);
        }
      }
      Await.until("all units of " + file, UNITS_LIMIT, POLL, () -> group(fs, file)
          .getLocations().length == UNITS);
      for (DatanodeInfo node : group(fs, file).getLocations()) {
        held[cluster.nodeAt(node.getIpAddr())] += UNIT;
      }
    }
  }

  private static LocatedBlock group(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).get(0);
  }
}
