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
package org.hdfsppr.client.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.stream.LocalServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verifies files of a cluster whose DataNodes have the plugin. */
class TestVerify {
  private static final int CELL = VerifiedCluster.CELL;
  private static final int NODES = 16;
  private static final int GROUPS = 60;

  @TempDir
  static File directory;
  private static VerifiedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new VerifiedCluster(directory, NODES);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static LocatedStripedBlock group(Path file) throws IOException {
    return cluster.cluster.groups(file).get(0);
  }

  private static GroupFinding verifyOne(Path file) throws IOException {
    List<GroupFinding> findings = cluster.verify(false, file);
    assertEquals(1, findings.size(), findings.toString());
    return findings.get(0);
  }

  private static List<Integer> units(GroupFinding finding) {
    return finding.suspects.stream().map(place -> place.unit)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "rs-10-4", "rs-3-2", "xor-2-1", "lrc-l2-6-4", "lrc-l2-12-4",
      "hitchhiker-xor-6-3", "hitchhiker-xorplus-10-4",
      "rotated-rs-r4-6-3", "rotated-rs-r4-10-4", "less-a3-6-3", "less-a4-10-4"})
  void healthyFilesOfManyLengthsAgree(String spec) throws IOException {
    Path files = cluster.directory(spec, "/healthy-" + spec);
    int groups = 0;
    for (int bytes : new int[] {1, 3, 511, 4096, CELL - 1, CELL, CELL + 1, 2 * CELL + 5,
        5 * CELL + CELL / 2 + 3, 17 * CELL + 77, 90 * CELL + 1234}) {
      groups += cluster.cluster.groups(cluster.write(files, "f" + bytes, bytes)).size();
    }
    for (boolean all : new boolean[] {false, true}) {
      List<GroupFinding> findings = cluster.verify(all, files);
      assertEquals(groups, findings.size());
      for (GroupFinding finding : findings) {
        assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
        assertEquals("", finding.text);
        assertEquals(Collections.emptyList(), finding.missing);
      }
    }
  }

  /** One flipped byte, whose checksum is right, in each unit in turn: that unit is named. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "rs-10-4", "lrc-l2-6-4", "hitchhiker-xor-6-3",
      "rotated-rs-r4-6-3", "less-a3-6-3"})
  void theWrongUnitIsNamed(String spec) throws IOException {
    Path files = cluster.directory(spec, "/wrong-" + spec);
    int parity = spec.lastIndexOf('-');
    int k = Integer.parseInt(spec.substring(spec.lastIndexOf('-', parity - 1) + 1, parity));
    int units = k + Integer.parseInt(spec.substring(parity + 1));
    for (int unit = 0; unit < units; unit++) {
      // The last stripe is short.
      Path file = cluster.write(files, "f" + unit, 3 * k * CELL + 7 * unit + 1234);
      // Each unit is longer than three cells or, in the last stripe, a few bytes shorter.
      int offset = unit % 3 == 0 ? 2 * CELL + 5 * unit : CELL * unit / units + unit;
      cluster.spoil(group(file), unit, offset, true);
      GroupFinding finding = verifyOne(file);
      assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
      assertTrue(finding.namesUnit(), finding.toString());
      assertEquals(Collections.singletonList(unit), units(finding), finding.toString());
      GroupFinding.UnitPlace place = finding.suspects.get(0);
      assertEquals(RepairCluster.internalBlock(group(file), unit).getBlockName(), place.block);
      DataNode holder = cluster.holder(group(file), unit);
      assertTrue(place.node.endsWith(":" + holder.getXferPort()), place.node);
      assertTrue(finding.next.contains(place.block), finding.next);
    }
  }

  @Test
  void oneParityDetectsWithoutNaming() throws IOException {
    Path files = cluster.directory("xor-2-1", "/wrong-xor");
    for (int unit = 0; unit < 3; unit++) {
      Path file = cluster.write(files, "f" + unit, 5 * CELL + 99);
      cluster.spoil(group(file), unit, CELL + 3, true);
      GroupFinding finding = verifyOne(file);
      assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
      assertFalse(finding.namesUnit());
      assertEquals(Arrays.asList(0, 1, 2), units(finding));
    }
  }

  @Test
  void twoWrongUnitsAreNoThirdOne() throws IOException {
    Path file = cluster.write(cluster.directory("rs-6-3", "/two"), "f", 12 * CELL);
    cluster.spoil(group(file), 1, 70, true);
    cluster.spoil(group(file), 7, 70, true);
    cluster.spoil(group(file), 7, 90, true);
    GroupFinding finding = verifyOne(file);
    assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
    assertEquals(Collections.emptyList(), units(finding));
    assertTrue(finding.text.contains("more than one unit"), finding.text);
  }

  @Test
  void aChecksumErrorIsNoContradiction() throws IOException {
    Path file = cluster.write(cluster.directory("rs-6-3", "/checksum"), "f", 20 * CELL);
    cluster.spoil(group(file), 4, 17, false);
    GroupFinding finding = verifyOne(file);
    // The DataNode tells the NameNode, which then names this replica no more.
    if (finding.verdict == Verdict.UNREADABLE) {
      assertTrue(finding.text.contains("unit 4"), finding.text);
    } else {
      assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
    }
    assertEquals(Collections.singletonList(4), finding.missing, finding.toString());
  }

  @Test
  void aGroupThatIsNotWholeIsCheckedAsFarAsItGoes() throws IOException {
    Path files = cluster.directory("rs-6-3", "/lost");
    Path file = cluster.write(files, "f", 20 * CELL);
    LocatedStripedBlock whole = group(file);
    lose(file, whole, 2);
    GroupFinding finding = verifyOne(file);
    assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
    assertEquals(Collections.singletonList(2), finding.missing);
    assertTrue(finding.text.contains("are missing"), finding.text);
    cluster.spoil(whole, 8, 5, true);
    finding = verifyOne(file);
    assertEquals(Collections.singletonList(8), units(finding), finding.toString());
    assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
    lose(file, whole, 3);
    finding = verifyOne(file);
    assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
    assertEquals(7, finding.suspects.size(), "one relation is left, and it names no unit");
    lose(file, whole, 4);
    finding = verifyOne(file);
    assertEquals(Verdict.NOT_CHECKED, finding.verdict, finding.toString());
    assertTrue(finding.text.contains("nothing left to check"), finding.text);
  }

  private static void lose(Path file, LocatedStripedBlock whole, int unit) throws IOException {
    RepairCluster.drop(cluster.holder(whole, unit), RepairCluster.internalBlock(whole, unit));
    RepairCluster.await("the NameNode misses it", () -> {
      try {
        return !RepairCluster.holders(group(file)).containsKey(unit);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Other DataNodes read the units of a DataNode without the plugin, if the code allows that. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "hitchhiker-xor-6-3"})
  void aDataNodeWithoutThePluginIsReadAsStockDoes(String spec) throws IOException {
    Path file = cluster.write(cluster.directory(spec, "/stock-" + spec), "f", 20 * CELL + 5);
    int xferPort = cluster.holder(group(file), 5).getXferPort();
    int repairPort = LocalServers.port(xferPort);
    LocalServers.remove(xferPort, repairPort);
    try {
      GroupFinding finding = verifyOne(file);
      if (spec.startsWith("rs")) {
        assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
        assertEquals(Collections.emptyList(), finding.missing);
        cluster.spoil(group(file), 5, 100, true);
        assertEquals(Collections.singletonList(5), units(verifyOne(file)));
      } else {
        assertEquals(Verdict.UNREADABLE, finding.verdict, finding.toString());
        assertEquals(Collections.singletonList(5), finding.missing);
        assertTrue(finding.text.contains("plugin"), finding.text);
      }
    } finally {
      LocalServers.add(xferPort, repairPort);
    }
  }

  /** Each DataNode sends one unit for each group, and the client receives one for each group. */
  @Test
  void noLinkCarriesMoreThanOneUnitOfAGroup() throws IOException {
    Path files = cluster.directory("rs-6-3", "/links");
    long clientMost = 0;
    for (int i = 0; i < GROUPS; i++) {
      Path file = cluster.write(files, "f" + i, 24 * CELL);
      clientMost += group(file).getBlockSize() / 6;
    }
    long[] held = new long[cluster.cluster.mini().getDataNodes().size()];
    long[] sent = new long[held.length];
    long[] received = new long[held.length];
    for (int i = 0; i < held.length; i++) {
      sent[i] = -counter(i, "SentToParentsBytes");
      received[i] = -counter(i, "ReceivedFromChildrenBytes");
    }
    for (int i = 0; i < GROUPS; i++) {
      LocatedStripedBlock group = group(new Path(files, "f" + i));
      for (int unit = 0; unit < 9; unit++) {
        held[cluster.cluster.mini().getDataNodes().indexOf(cluster.holder(group, unit))] +=
            group.getBlockSize() / 6;
      }
    }
    List<GroupFinding> findings = cluster.verify(false, files);
    assertTrue(findings.stream().allMatch(one -> one.verdict == Verdict.AGREES),
        findings.toString());
    RepairCluster.await("helpers are done",
        () -> cluster.cluster.gauge("HelpersInFlight") == 0);
    for (int i = 0; i < held.length; i++) {
      sent[i] += counter(i, "SentToParentsBytes");
      received[i] += counter(i, "ReceivedFromChildrenBytes");
      assertTrue(sent[i] >= held[i] && sent[i] <= 1.1 * held[i],
          "DataNode " + i + " holds " + held[i] + " and sent " + sent[i]);
      assertTrue(received[i] <= 1.1 * held[i],
          "DataNode " + i + " holds " + held[i] + " and received " + received[i]);
    }
    long client = findings.stream().mapToLong(finding -> finding.clientBytes).sum();
    assertTrue(client >= clientMost && client <= 1.1 * clientMost,
        client + " of " + clientMost);
  }

  /** The NameNode knows no bytes of a group until its writer closes it. */
  @Test
  void anAppendedGroupIsOpenUntilItsWriterClosesIt() throws IOException {
    Path files = cluster.directory("rs-6-3", "/appended");
    Path file = cluster.write(files, "f", 24 * CELL);
    try (FSDataOutputStream out = cluster.cluster.fs.append(file,
        EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(new byte[8 * CELL]);
      RepairCluster.await("the NameNode has allocated a second group", () -> {
        try {
          return cluster.cluster.groups(file).size() == 2;
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      LocatedStripedBlock second = cluster.cluster.groups(file).get(1);
      assertEquals(0, second.getBlockSize());
      NameNodeLookup lookup = new NameNodeLookup(cluster.cluster.fs.getClient(), policy -> {
        throw new AssertionError("an open group is not checked");
      });
      assertEquals(SeenGroup.State.OPEN, lookup.find(new GroupSpot(file.toString(),
          second.getStartOffset(), second.getBlock().getBlockId())).state);
      assertEquals(SeenGroup.State.GONE, lookup.find(new GroupSpot(file.toString(),
          second.getStartOffset(), second.getBlock().getBlockId() + 16)).state);
      // A listing names no group that covers no bytes.
      assertEquals(Collections.singletonList(Verdict.AGREES), verdicts(file));
    }
    assertEquals(Arrays.asList(Verdict.AGREES, Verdict.AGREES), verdicts(file));
  }

  private static List<Verdict> verdicts(Path file) throws IOException {
    return cluster.verify(false, file).stream().map(finding -> finding.verdict)
        .collect(Collectors.toList());
  }

  private static long counter(int datanode, String name) {
    return MetricsAsserts.getLongCounterWithoutCheck(name,
        MetricsAsserts.getMetrics("PprDataNode-" + cluster.cluster.mini()
            .getDataNodes().get(datanode).getDisplayName().replace(':', '-')));
  }
}
