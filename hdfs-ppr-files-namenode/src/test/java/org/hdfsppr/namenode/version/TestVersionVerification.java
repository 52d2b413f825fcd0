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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.scrub.ScrubExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Wrong bytes with right checksums, in a unit of the old or of the new version. */
@Timeout(600)
class TestVersionVerification {
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);
  private static final int OFFSET = 5_000;

  /** A parity unit that is linked nowhere: this code has no parity unit but the first like RS. */
  private static final int MADE_UNIT = 7;
  private static final int LINKED_UNIT = 2;

  @TempDir
  File directory;
  private VersionCluster cluster;
  private byte[] data;

  @BeforeEach
  void start() throws Exception {
    cluster = VersionCluster.start(directory);
    data = cluster.write("/ec/f", FILE_BYTES, 5);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void spoil(Path file, int group, int unit, int offset) throws IOException {
    LocatedStripedBlock wrong = cluster.cluster.groups(file).get(group);
    cluster.cluster.spoil(wrong, unit, offset, true);
  }

  private void assertNotPublished(VersionOutcome outcome) throws IOException {
    assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    assertTrue(outcome.sentence.contains("contradict each other"), outcome.sentence);
    assertEquals(VersionCluster.RS, cluster.policyOf("/ec/f"));
    cluster.awaitNothingLeft();
  }

  /** Spoils a unit of the new version before its full check. */
  private VersionOutcome makeWithWrongUnit(int group) throws Exception {
    VersionRequest request = cluster.request("/ec/f", VersionCluster.XOR)
        .check(VerificationMode.FULL).build();
    Path work = new Path(VersionHome.CONVERSIONS.directory(request.inodeId),
        VersionNamespace.NEW);
    AtomicReference<String> spoilt = new AtomicReference<>("no");
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.COMPLETED) {
        try {
          spoil(work, group, MADE_UNIT, OFFSET);
          spoilt.set("yes");
        } catch (IOException e) {
          spoilt.set(e.toString());
        }
      }
    });
    VersionOutcome outcome = cluster.make(request);
    VersionHooks.set(VersionHook.NONE);
    assertEquals("yes", spoilt.get(), outcome.toString());
    return outcome;
  }

  /** The digest of what is stored shows it, and a second reading names the unit. */
  @Test
  void aWrongUnitThatIsLinkedIsNotPublishedAfterAFullCheckByDigests() throws Exception {
    spoil(new Path("/ec/f"), 0, LINKED_UNIT, OFFSET);
    assertNotPublished(cluster.make(cluster.request("/ec/f", VersionCluster.LRC)
        .check(VerificationMode.FULL).build()));
  }

  /**
   * No node reads all units of the old version, and none checks samples here, but digests show a
   * wrong unit of each kind, even in a short stripe: data, parity that is linked, and parity that
   * is not.
   */
  @Test
  void aWrongUnitOfTheOldVersionIsNamedAsOneOfTheOldVersion() throws Exception {
    cluster.close();
    Configuration conf = VersionCluster.conf(new File(directory, "unsampled"));
    conf.set(PprKeys.VERIFY_KEY, "off");
    cluster = VersionCluster.start(conf);
    for (int[] wrong : new int[][] {{0, 2}, {0, 6}, {0, 7}, {0, 8}, {1, 4}, {1, 8}}) {
      String path = "/ec/wrong-" + wrong[0] + "-" + wrong[1];
      Path file = new Path(path);
      cluster.write(path, FILE_BYTES, 7);
      spoil(file, wrong[0], wrong[1], OFFSET);
      String old = cluster.cluster.groups(file).get(wrong[0]).getBlock().getBlockName();
      VersionOutcome outcome = cluster.make(cluster.request(path, VersionCluster.LRC)
          .check(VerificationMode.FULL).build());
      assertEquals(VersionEnd.FAILED, outcome.end, path + " " + outcome);
      assertTrue(outcome.sentence.contains(old) && outcome.sentence.contains("digests")
          && outcome.sentence.contains("contradict each other"), outcome.sentence);
      assertEquals(VersionCluster.RS, cluster.policyOf(path));
    }
    cluster.awaitNothingLeft();
  }

  /** Nothing is wrong, so that no unit crosses a link a second time. */
  @Test
  void aFullCheckOfAnLrcIsDoneByDigests() throws Exception {
    assertEquals(0, checksOf(VersionCluster.LRC), "each unit was read where it lies");
    assertEquals(2, checksOf(VersionCluster.XOR), "digests say nothing of codes with sub-chunks");
  }

  /** Converts the file, and returns how many groups DataNodes have checked over the network. */
  private int checksOf(String policy) throws Exception {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(ScrubExecutor.class));
    GenericTestUtils.setLogLevel(LoggerFactory.getLogger(ScrubExecutor.class), Level.DEBUG);
    try {
      VersionOutcome outcome = cluster.make(cluster.request("/ec/f", policy)
          .check(VerificationMode.FULL).build());
      assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
      cluster.assertContent("/ec/f", data);
      return (int) log.getOutput().lines().filter(line -> line.contains("AGREES")).count();
    } finally {
      GenericTestUtils.setLogLevel(LoggerFactory.getLogger(ScrubExecutor.class), Level.INFO);
      log.stopCapturing();
    }
  }

  @Test
  void aWrongMadeUnitIsNotPublishedAfterAFullCheck() throws Exception {
    assertNotPublished(makeWithWrongUnit(0));
    cluster.assertContent("/ec/f", data);
  }

  @Test
  void aFullCheckLooksAtTheLastGroupToo() throws Exception {
    assertNotPublished(makeWithWrongUnit(1));
    cluster.assertContent("/ec/f", data);
  }

  /** Its new parity units would fit the wrong unit, and nothing could find it any more. */
  @Test
  void aWrongSourceIsNotMadeIntoUnderAFullCheck() throws Exception {
    Path file = new Path("/ec/f");
    spoil(file, 0, LINKED_UNIT, OFFSET);
    VersionOutcome outcome = cluster.make(cluster.request("/ec/f", VersionCluster.XOR)
        .check(VerificationMode.FULL).build());
    assertNotPublished(outcome);
    // The check of the new version would see it as well if a parity unit is linked.
    String old = cluster.cluster.groups(file).get(0).getBlock().getBlockName();
    assertTrue(outcome.sentence.contains(old), outcome.sentence);
  }

  /** The last slice of a unit is always one of the samples. */
  @Test
  void aWrongSourceIsNotMadeIntoIfASampleHasItsWrongByte() throws Exception {
    spoil(new Path("/ec/f"), 0, LINKED_UNIT, (int) VersionCluster.BLOCK - 1);
    assertNotPublished(cluster.make("/ec/f", VersionCluster.XOR));
  }
}
