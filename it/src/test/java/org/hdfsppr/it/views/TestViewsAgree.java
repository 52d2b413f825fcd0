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
package org.hdfsppr.it.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills a node, and looks at the loss from its beginning to its end through all views that an
 * operator has. {@link Agreement} says what it means that two of them agree to within two seconds.
 */
@Tag("process")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class TestViewsAgree {
  private static final String NAME = "views";
  private static final int NODES = 8;
  private static final int VICTIM = 4;
  /** Of each policy; about half of the files then have a unit on the node that is killed. */
  private static final int FILES = 24;
  private static final long UNIT = 4L << 20;
  private static final long TOLERANCE_MS = 2000;
  /** The views go on for so long after the end of the loss. */
  private static final long AFTERWARDS_MS = 2 * TOLERANCE_MS;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);
  /** Numbers that only rise or only fall once the loss has begun. */
  private static final List<String> STEADY = List.of(Viewers.TO_DO, Viewers.AT_RISK,
      Viewers.BYTES_LEFT, Viewers.BYTES_REBUILT, Viewers.DONE, Viewers.DATA_NODES,
      Viewers.AGENTS);
  /**
   * Numbers that go up and down, so that a view that looks seldom misses some values. Each view is
   * compared with the page only, at which the test looks twice in each cycle.
   */
  private static final List<String> LIVELY = List.of(Viewers.QUEUED, Viewers.IN_FLIGHT);

  @Test
  void allViewsAgreeDuringALoss() throws Exception {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      left.get().close();
    }
    try (HdfsProcessCluster cluster = HdfsProcessCluster.create(ClusterSpec.builder().name(NAME)
        .nodes(NODES).racks(2).rate(Rate.parse("20mbit")).hadoopVersion(VersionInfo.getVersion())
        .plugin(true).codecs(true).nameNodePlugin(true)
        .conf(ClusterSpec.METRICS_PERIOD_KEY, "1000").build())) {
      cluster.up();
      int lost = write(cluster);
      // The NameNode chooses nodes at random; three times as many units are to be expected.
      assertTrue(lost >= FILES / 3, lost + " units on the node");
      Viewers viewers = new Viewers(cluster, cluster.clientJava());
      try {
        awaitAll(viewers, "all views show a cluster that is whole", 0);
        cluster.kill(VICTIM);
        awaitAll(viewers, "all views show the loss", lost * 3 / 4);
        awaitAll(viewers, "all views show the end of the loss", 0);
        // What an earlier answer shows must still be seen to agree with what comes after it.
        awaitLooks(viewers, AFTERWARDS_MS);
      } finally {
        viewers.end();
      }
      viewers.requireNoFailure();
      judge(viewers, lost, cluster.nameNode().log());
    }
  }

  /**
   * Waits until all views have shown a number of groups.
   *
   * @param least every view has shown at least this number; if 0, every view shows 0 now
   */
  private static void awaitAll(Viewers viewers, String what, int least) throws Exception {
    for (View view : viewers.all()) {
      Await.until(() -> what + ", and " + view.name + " shows " + view.values(Viewers.TO_DO),
          LIMIT, POLL, () -> {
            viewers.requireNoFailure();
            List<Double> values = view.values(Viewers.TO_DO);
            return !values.isEmpty() && (least == 0 ? values.get(values.size() - 1) == 0
                : Collections.max(values) >= least);
          });
    }
  }

  /** Waits until all views have been asked later than all of them have until now. */
  private static void awaitLooks(Viewers viewers, long laterMs) throws Exception {
    long last = 0;
    for (View view : viewers.all()) {
      last = Math.max(last, lastAskedMs(view));
    }
    long until = last + laterMs;
    for (View view : viewers.all()) {
      Await.until(() -> "a later look by " + view.name, LIMIT, POLL, () -> {
        viewers.requireNoFailure();
        return lastAskedMs(view) >= until;
      });
    }
  }

  private static long lastAskedMs(View view) {
    List<Glance> looks = view.samples();
    return looks.get(looks.size() - 1).askedMs;
  }

  /** Returns how many units are on the node that is killed. */
  private static int write(HdfsProcessCluster cluster) throws Exception {
    int lost = 0;
    cluster.links().setShaping(false);
    try (DistributedFileSystem fs = cluster.client()) {
      for (String policy : new String[] {"RS-3-2-1024k", "XOR-2-1-1024k"}) {
        int k = policy.startsWith("RS") ? 3 : 2;
        int units = policy.startsWith("RS") ? 5 : 3;
        Path folder = new Path("/" + policy);
        fs.enableErasureCodingPolicy(policy);
        fs.mkdirs(folder);
        fs.setErasureCodingPolicy(folder, policy);
        for (int i = 0; i < FILES; i++) {
          Path file = new Path(folder, "f" + i);
          TestFile.write(fs, file, UNIT, k * UNIT, i);
          Await.until("all units of " + file, LIMIT, POLL,
              () -> group(fs, file).getLocations().length == units);
          for (DatanodeInfo node : group(fs, file).getLocations()) {
            lost += cluster.nodeAt(node.getIpAddr()) == VICTIM ? 1 : 0;
          }
        }
      }
    }
    cluster.links().setShaping(true);
    return lost;
  }

  private static LocatedBlock group(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).get(0);
  }

  private static void judge(Viewers viewers, int lost, java.nio.file.Path log) {
    List<String> disagreements = new ArrayList<>();
    View page = viewers.page;
    for (View view : viewers.all()) {
      List<Double> values = view.values(Viewers.TO_DO);
      long loss = values.stream().filter(value -> value > 0).count();
      System.out.printf(Locale.ROOT, "%-8s %4d samples, %3d of them during the loss; at most %.0f"
          + " of %d groups to do%n", view.name, values.size(), loss, Collections.max(values),
          lost);
      assertEquals(0, values.get(values.size() - 1), view.name);
      for (String number : STEADY) {
        for (View other : viewers.all()) {
          compare(number, view, other, disagreements);
        }
      }
      for (String number : LIVELY) {
        compare(number, view, page, disagreements);
      }
    }
    int same = viewers.sameCycles();
    System.out.println("The command and the page have both shown " + same + " cycles, alike");
    assertEquals(List.of(), disagreements);
    assertEquals(lost, page.values(Viewers.DONE).get(page.values(Viewers.DONE).size() - 1),
        () -> "repairs as the NameNode logged them:\n" + repairs(log));
    // The comparison is sharp enough to see a view that is late by more than it may be.
    for (View view : viewers.all()) {
      assertFalse(Agreement.of(Viewers.TO_DO, view.later(4 * TOLERANCE_MS), page, TOLERANCE_MS)
          .disagreements.isEmpty(), view.name);
    }
  }

  private static String repairs(java.nio.file.Path log) {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.contains(" Repair ")).collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compare(String number, View view, View other, List<String> disagreements) {
    if (view == other || !view.has(number) || !other.has(number)) {
      return;
    }
    Agreement agreement = Agreement.of(number, view, other, TOLERANCE_MS);
    System.out.printf(Locale.ROOT, "%-18s %-8s and %-8s %4d compared, %2d not, agree to within %d"
        + " ms%n", number, view.name, other.name, agreement.compared(), agreement.uncompared(),
        Agreement.least(number, view, other, 50, 60_000).orElse(-1));
    disagreements.addAll(agreement.disagreements);
    // Before the first and after the last answer of the other view, nothing is next to a sample.
    assertTrue(agreement.uncompared() * 10 <= agreement.compared(), view.name + " and "
        + other.name + ": " + agreement.uncompared() + " samples have nothing next to them");
  }
}
