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

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.files.UpdateHistory;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.cluster.ClientCommand;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Updates in place where one of two NameNodes and half of the DataNodes run the release before this
 * one, by clients of both. {@code -Dupdates.points=COLLECTED,TRIMMING} chooses other moments of
 * commits than all.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SaidCases.class)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = OlderRelease.PROPERTY, matches = ".+",
    disabledReason = OlderRelease.MISSING)
class TestMixedUpdates {
  private static final String OLDER = MixedPair.OLDER_NAME + " dn1 dn2 dn3 dn4";

  private UpdatesCluster cluster;
  private MixedPair pair;
  private int written;

  @BeforeAll
  void start() throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED);
    cluster = UpdatesCluster.start("umixed", true, OlderRelease.on(OLDER));
    pair = new MixedPair(cluster.versions());
  }

  @AfterAll
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void release() throws Exception {
    useClient(false);
    cluster.versions().stops.clear();
    cluster.versions().heal();
  }

  private void useClient(boolean isOlder) throws IOException {
    HdfsProcessCluster processes = cluster.processes();
    processes.use(processes.spec().toBuilder().conf(ClusterSpec.OLDER_DAEMONS_KEY,
        isOlder ? OLDER + " " + ClientCommand.NAME : OLDER).build());
  }

  private UpdatedFile write() throws IOException, InterruptedException, TimeoutException {
    long seed = RandomRuns.SEED + written;
    return cluster.write("mixed-" + written++, seed);
  }

  static Stream<Arguments> moments() {
    return MixedPair.eachActive("updates.points", VersionPoint.ofCommits());
  }

  /** The other NameNode has the updates, and ends the commit or makes another one. */
  @ParameterizedTest
  @MethodSource("moments")
  void theOtherGoesOn(VersionPoint point, int active) throws Exception {
    cluster.processes().nameNodes().failOver(active);
    UpdatedFile file = write();
    Random random = new Random(RandomRuns.SEED + written);
    try (PprFileSystem fs = cluster.client();
        FileUpdater updater = fs.openForUpdate(file.path)) {
      file.update(updater, random, 12);
      updater.hsync();
      cluster.versions().stops.request(point);
      try (PprCommand commit = PprCommand.start(cluster.processes(),
          List.of("-commit", file.path.toUri().getPath()))) {
        cluster.versions().stops.awaitStopped(UpdatesCluster.LIMIT);
        cluster.versions().killActiveNameNode();
        // A NameNode that died between two renames has its successor end them.
        Await.until("the version has its path", UpdatesCluster.LIMIT, UpdatesCluster.POLL,
            () -> cluster.versions().client().exists(file.path));
        pair.checkFlat();
        file.readAll();
        file.update(updater, random, 3);
        file.readAll();
        System.out.println("TestMixedUpdates: " + point + ": the commit ends with "
            + commit.await(UpdatesCluster.LIMIT) + ": " + commit.output().strip());
      }
      file.update(updater, random, 3);
    }
    file.commitAndCheck();
    pair.awaitStandbyFollows();
  }

  static Stream<Arguments> clients() {
    return Stream.of(false, true).flatMap(isOlder -> Stream.of(MixedPair.NEW, MixedPair.OLDER)
        .map(active -> Arguments.of(isOlder, active)));
  }

  /** A device's process writes and reads through all that clients of a release know. */
  @ParameterizedTest
  @MethodSource("clients")
  void aClientWritesReadsAndCommits(boolean isOlder, int active) throws Exception {
    cluster.processes().nameNodes().failOver(active);
    useClient(isOlder);
    UpdatedFile file = write();
    String path = file.path.toUri().getPath();
    Random random = new Random(RandomRuns.SEED + written);
    try (DeviceProcess device = DeviceProcess.start(cluster, path);
        NbdClient client = device.connect()) {
      writeAndRead(file, client, random);
      PprCommand.run(cluster.processes(), ConvertCall.LIMIT, List.of("-commit", path));
      writeAndRead(file, client, random);
      // The leader of a unit's log is killed, and the other holder of the log goes on.
      cluster.processes().kill(cluster.holders(file.path, 0, 0).get(0));
      writeAndRead(file, client, random);
    }
    file.readAll();
    file.assertOneHistory();
    cluster.versions().heal();
    file.commitAndCheck();
  }

  private void writeAndRead(UpdatedFile file, NbdClient client, Random random)
      throws IOException {
    for (int i = 0; i < 12; i++) {
      int first = (i % 4) * UpdatedFile.WORDS_PER_CELL + random.nextInt(100);
      UpdateHistory.Update update = file.history.begin(first, 1 + random.nextInt(400));
      client.write(0, update.position(), update.bytes());
      file.history.acknowledge(List.of(update));
    }
    long begun = file.history.now();
    byte[] read = client.read(0, UpdatesCluster.GROUP);
    file.history.check(0, read, begun);
    file.assertOneHistory();
    assertEquals(UpdatesCluster.GROUP, read.length);
  }
}
