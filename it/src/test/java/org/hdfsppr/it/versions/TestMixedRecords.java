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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.LogSince;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the plugin keeps in the namespace, where one of two NameNodes runs the release before this
 * one: before {@code hdfs ppr -finalize} each goes on with what the other has written. After it,
 * the older one refuses what is sealed, by name, and changes nothing of it.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(SaidCases.class)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = OlderRelease.PROPERTY, matches = ".+",
    disabledReason = OlderRelease.MISSING)
class TestMixedRecords {
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode TO = VersionFile.CODES.get(1);
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Random random = new Random(RandomRuns.SEED);
  private UpdatesCluster cluster;
  private MixedPair pair;
  private UpdatedFile updated;
  private ProtectedFolder folder;

  @BeforeAll
  void start() throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED);
    Map<String, String> conf = new HashMap<>(OlderRelease.on(MixedPair.OLDER_NAME));
    conf.put(PprKeys.NAMENODE_CORE_SETTLE_KEY, "0");
    cluster = UpdatesCluster.start("rmixed", true, VersionsCluster.NODES, conf);
    pair = new MixedPair(cluster.versions());
    nameNodes().failOver(MixedPair.NEW);
    updated = cluster.write("updated", RandomRuns.SEED);
    folder = ProtectedFolder.write(cluster.versions(), new Path("/records/core"), RandomRuns.SEED);
    folder.protect();
    folder.awaitGroup();
  }

  @AfterAll
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private Masters nameNodes() {
    return cluster.processes().nameNodes();
  }

  private String runFinalize(int exit, String... more) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("-finalize"));
    arguments.addAll(List.of(more));
    try (PprCommand command = PprCommand.start(cluster.processes(), arguments)) {
      assertEquals(exit, command.await(LIMIT), command::text);
      // The command breaks lines at 80 columns.
      return command.output().replaceAll("\\s+", " ");
    }
  }

  private void update(UpdatedFile file, int updates) throws IOException {
    try (PprFileSystem fs = cluster.client();
        FileUpdater updater = fs.openForUpdate(file.path)) {
      file.update(updater, random, updates);
    }
  }

  /** Either NameNode repairs by columns of the group, and takes updates for the file. */
  @Test
  @Order(1)
  void beforeItEachGoesOnWithWhatTheOtherHasWritten() throws Exception {
    String said = runFinalize(1);
    assertTrue(said.contains(MixedPair.OLDER_NAME + " (older"), said);
    update(updated, 12);
    for (int active : List.of(MixedPair.OLDER, MixedPair.NEW)) {
      nameNodes().failOver(active);
      update(updated, 6);
      updated.readAll();
      folder.loseBeyondRow();
      folder.awaitWhole();
      folder.awaitGroup();
    }
    updated.commitAndCheck();
    folder.check();
    pair.awaitStandbyFollows();
  }

  /** Waits until the NameNode that is active now says something. */
  private void awaitSaid(LogSince log, String... words) throws Exception {
    Await.until(() -> "the older NameNode says: " + String.join(" ... ", words), LIMIT, POLL,
        () -> log.firstMs(line -> List.of(words).stream().allMatch(line::contains)).isPresent());
  }

  @Test
  @Order(2)
  void afterItTheOlderOneRefusesWhatIsSealed() throws Exception {
    pair.restartSecond(false);
    Await.until("the second NameNode reads sealed records", LIMIT, POLL,
        () -> !runFinalize(1, "-status").contains("cannot be finalized"));
    String said = runFinalize(0);
    assertTrue(said.contains("Records are finalized now"), said);
    folder.formAnew();
    update(updated, 12);
    // Its first update begins a term, whose record is sealed.
    UpdatedFile other = cluster.write("other", RandomRuns.SEED + 1);
    update(other, 12);
    pair.restartSecond(true);
    VersionFile file = VersionFile.write(cluster.versions(), new Path("/records/f"), FROM,
        VersionFile.BLOCK_BYTES * FROM.dataUnits(), RandomRuns.SEED);
    LogSince log = LogSince.now(nameNodes().daemon(MixedPair.OLDER).log());
    cluster.versions().stops.request(VersionPoint.VERIFIED);
    try (PprCommand convert = ConvertCall.start(cluster.versions(), TO, file.path)) {
      cluster.versions().stops.awaitStopped(LIMIT);
      cluster.versions().killActiveNameNode();
      assertEquals(MixedPair.OLDER, nameNodes().active().getAsInt());

      awaitSaid(log, "The record of conversion job", "it has the version 2");
      IOException refused =
          assertThrows(IOException.class, () -> cluster.tickets(other.path, 0));
      assertTrue(refused.getMessage().contains("a newer hdfs-ppr may have written it"),
          refused::getMessage);
      Await.until("the older NameNode names the group that it does not use", LIMIT, POLL, () ->
          new CoreCalls(cluster.versions()).run("-status").replaceAll("\\s+", " ")
              .contains("a newer hdfs-ppr has written it"));
      assertTrue(file.content.isIn(cluster.versions().client(), file.path), "content");

      nameNodes().failOver(MixedPair.NEW);
      Await.until(() -> "the file is converted: " + convert.text(), LIMIT, POLL,
          () -> file.policy(cluster.versions().client()).equals(TO.policy()));
    }
    file.check(cluster.versions());
    for (UpdatedFile one : List.of(updated, other)) {
      update(one, 3);
      one.commitAndCheck();
    }
    folder.check();
    pair.awaitStandbyFollows();
    assertTrue(runFinalize(0, "-status").contains("Records are finalized since"));
  }
}
