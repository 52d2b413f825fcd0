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

package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.files.UpdateHistory;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power of all DataNodes is cut at the moment when a new version of a file is published: each
 * DataNode has a file system on a loop device, which ends without writing its log. Every unit that
 * was there before is there after it, on one of its nodes, and the file has its bytes.
 *
 * <p>Without root or loop devices the tests are skipped, and say why.
 */
@Tag("process")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TestPowerCut {
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode TO = VersionFile.CODES.get(2);
  /** The new parity units find nodes besides those of the others. */
  private static final int NODES = 11;
  /** Two full groups, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + (9L << 20) + 123;
  private static final Duration STOP_LIMIT = Duration.ofMinutes(4);
  private static final long SEED = Long.getLong("faults.seed", 20261125L);

  private static void assumeDisks(String type) {
    String why = LoopDisks.whyNot(type);
    System.out.println("faults.seed=" + SEED + (why.isEmpty() ? "" : "; skipped: " + why));
    assumeTrue(why.isEmpty(), why);
  }

  private static String unit(String replica) {
    return replica.substring(replica.indexOf(' ') + 1);
  }

  /** Cuts the power, and starts all again. */
  private static void cut(VersionsCluster cluster, LoopDisks disks, String moment)
      throws IOException, InterruptedException, TimeoutException {
    Set<String> before = disks.replicas();
    disks.cutPower();
    Set<String> after = disks.replicas();
    Set<String> lost = new TreeSet<>(before);
    lost.removeAll(after);
    // Stock copies a unit to a further rack without a sync, and the unit is on its old node, too.
    Set<String> kept = after.stream().map(TestPowerCut::unit).collect(Collectors.toSet());
    lost.removeIf(replica -> kept.contains(unit(replica)));
    System.out.println("TestPowerCut: " + moment + ": " + lost.size() + " of " + before.size()
        + " files of replicas are lost");
    cluster.processes.nameNodes().daemon(1).kill();
    cluster.stops.clear();
    assertEquals(Set.of(), lost, "what a power cut has lost");
    cluster.processes.startNameNode();
    cluster.processes.nameNodes().awaitAnswers(1);
    cluster.heal();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  void aConversionLosesNothing(String type) throws Exception {
    assumeDisks(type);
    try (VersionsCluster cluster = VersionsCluster.start("pwc" + type, false, NODES, 1, Map.of());
        LoopDisks disks = LoopDisks.under(cluster, type)) {
      VersionFile file =
          VersionFile.write(cluster, new Path("/power/f"), FROM, FILE_BYTES, SEED);
      disks.sync();
      cluster.stops.request(VersionPoint.PUBLISHED);
      try (PprCommand command = ConvertCall.start(cluster, TO, file.path)) {
        cluster.stops.awaitStopped(STOP_LIMIT);
        cut(cluster, disks, "a conversion on " + type);
        // The command may have given up while no NameNode answered. The job goes on without it.
        System.out.println("TestPowerCut: the command ends with "
            + command.await(ConvertCall.LIMIT));
      }
      new NothingLeft(cluster).await(file.path.getParent());
      file.check(cluster);
      assertEquals(TO.policy(), file.policy(cluster.client()));
    }
  }

  /** The logs have dropped the updates by then, so that they are in the new version alone. */
  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  void aCommitLosesNothing(String type) throws Exception {
    assumeDisks(type);
    try (UpdatesCluster updates = UpdatesCluster.start("pwu" + type, false);
        LoopDisks disks = LoopDisks.under(updates.versions(), type)) {
      VersionsCluster cluster = updates.versions();
      UpdatedFile file = updates.write("f", SEED);
      try (PprFileSystem fs = updates.client();
          FileUpdater updater = fs.openForUpdate(file.path)) {
        // One unit changes. All others are cold.
        UpdateHistory.Update update = file.history.begin(0, 3);
        updater.write(update.position(), update.bytes());
        updater.hsync();
        file.history.acknowledge(List.of(update));
      }
      disks.sync();
      cluster.stops.request(VersionPoint.TRIMMED);
      try (PprCommand command = PprCommand.start(cluster.processes,
          List.of("-commit", file.path.toUri().getPath()))) {
        cluster.stops.awaitStopped(STOP_LIMIT);
        cut(cluster, disks, "a commit on " + type);
        System.out.println("TestPowerCut: the commit ends with "
            + command.await(ConvertCall.LIMIT) + ": " + command.output().strip());
      }
      file.commitAndCheck();
    }
  }
}
