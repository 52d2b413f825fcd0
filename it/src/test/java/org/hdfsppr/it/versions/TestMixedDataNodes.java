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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClientCommand;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.Shell;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of two NameNodes and half of the DataNodes run the release before this one: conversions,
 * repairs and degraded reads, ordered by clients of both.
 */
@Tag("process")
@ExtendWith(SaidCases.class)
@EnabledIfSystemProperty(named = OlderRelease.PROPERTY, matches = ".+",
    disabledReason = OlderRelease.MISSING)
class TestMixedDataNodes extends Crashes {
  private static final String OLDER =
      MixedPair.OLDER_NAME + " dn1 dn2 dn3 dn4 dn5 dn6 dn7";
  private static final int OLDER_NODES = 7;
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode LRC = VersionFile.CODES.get(1);
  private static final EcCode HITCHHIKER = VersionFile.CODES.get(2);
  /** Two full groups, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + (9L << 20) + 123;
  private static final Path FOLDER = new Path("/dmixed");
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(500);

  private MixedPair pair;
  private int written;

  TestMixedDataNodes() {
    super("dmixed", true, withInnerTargets());
  }

  /**
   * Has leaders of the older release give units to targets below the root, if a group has lost
   * several. This build refuses that, and these leaders then plan as all others do.
   */
  private static Map<String, String> withInnerTargets() {
    Map<String, String> conf = new HashMap<>(OlderRelease.on(OLDER));
    conf.put("dfs.datanode.ppr.inner.targets", "true");
    return conf;
  }

  @BeforeAll
  void makePair() {
    pair = new MixedPair(cluster());
  }

  @AfterEach
  void useNewClient() throws IOException {
    useClient(false);
  }

  /** A NameNode with this build keeps old versions for two minutes beside older DataNodes. */
  @AfterAll
  void nothingIsLeft() throws Exception {
    if (pair != null) {
      cluster().heal();
      new NothingLeft(cluster()).await(FOLDER);
    }
  }

  private void useClient(boolean isOlder) throws IOException {
    HdfsProcessCluster processes = cluster().processes;
    processes.use(processes.spec().toBuilder().conf(ClusterSpec.OLDER_DAEMONS_KEY,
        isOlder ? OLDER + " " + ClientCommand.NAME : OLDER).build());
  }

  private VersionFile write(EcCode code)
      throws IOException, InterruptedException, TimeoutException {
    return VersionFile.write(cluster(), new Path(FOLDER, written++ + "/f"), code, FILE_BYTES,
        SEED + written);
  }

  /** Reads a file by the command of a client, which reads degraded by the extension. */
  private void checkRead(VersionFile file) throws IOException, InterruptedException {
    java.nio.file.Path copy = Files.createTempFile("mixed-", ".copy");
    try {
      List<String> command = new ArrayList<>(cluster().processes.clientJava());
      command.addAll(List.of(FsShell.class.getName(), "-D",
          "fs.hdfs.impl=" + PprFileSystem.class.getName(), "-get", "-f",
          file.path.toUri().getPath(), copy.toString()));
      Shell.run(LIMIT, command);
      try (InputStream in = Files.newInputStream(copy)) {
        assertTrue(file.content.isIn(in), () -> file + " as the client reads it");
      }
    } finally {
      Files.delete(copy);
    }
  }

  private void verify(VersionFile file) throws IOException, InterruptedException {
    System.out.println("TestMixedDataNodes: " + PprCommand.run(cluster().processes, LIMIT,
        List.of("-verify", file.path.toUri().getPath())).strip());
  }

  static Stream<Arguments> conversions() {
    return Stream.of(LRC, HITCHHIKER).flatMap(to -> Stream.of(MixedPair.NEW, MixedPair.OLDER)
        .flatMap(active -> Stream.of(Arguments.of(to, active, false, List.of()),
            Arguments.of(to, active, false, List.of("-sample-check")),
            Arguments.of(to, active, true, List.of()),
            Arguments.of(to, active, true, List.of("-full-check")))));
  }

  @ParameterizedTest
  @MethodSource("conversions")
  void filesAreConverted(EcCode to, int active, boolean isOlderClient, List<String> more)
      throws Exception {
    cluster().processes.nameNodes().failOver(active);
    useClient(isOlderClient);
    VersionFile file = write(FROM);
    List<String> arguments = new ArrayList<>(List.of("-convert", "-policy", to.policy(), "-wait",
        "-json", "-idle", "0", "-grace", "2s"));
    arguments.addAll(more);
    arguments.add(file.path.toUri().getPath());
    PprCommand.run(cluster().processes, ConvertCall.LIMIT, arguments);
    assertEquals(to.policy(), file.policy(cluster().client()));
    verify(file);
    checkRead(file);
    file.check(cluster());
    pair.checkFlat();
    pair.awaitStandbyFollows();
  }

  /** Returns a DataNode of a release that holds a data unit of a file. */
  private int holderOf(VersionFile file, boolean isOlder) throws IOException {
    BlockGroup group =
        BlockGroup.of(cluster().processes, cluster().client(), file.path).get(0);
    for (int unit = 0; unit < FROM.dataUnits(); unit++) {
      int node = group.replicasOf(unit).get(0).node;
      if (node <= OLDER_NODES == isOlder) {
        return node;
      }
    }
    throw new IOException("No DataNode of the wanted release holds a data unit of " + file);
  }

  /**
   * One node of each release dies, so that the first group loses two units. Clients of both
   * releases read what is lost before it is repaired.
   */
  @ParameterizedTest
  @ValueSource(ints = {MixedPair.NEW, MixedPair.OLDER})
  void lostUnitsAreReadAndRepaired(int active) throws Exception {
    cluster().processes.nameNodes().failOver(active);
    List<VersionFile> files = new ArrayList<>();
    for (EcCode code : List.of(FROM, LRC, HITCHHIKER)) {
      files.add(write(code));
    }
    List<Integer> killed =
        List.of(holderOf(files.get(0), true), holderOf(files.get(0), false));
    for (int node : killed) {
      cluster().processes.kill(node);
      cluster().processes.wipe(node);
    }
    for (boolean isOlderClient : new boolean[] {false, true}) {
      useClient(isOlderClient);
      for (VersionFile file : files) {
        checkRead(file);
      }
    }
    // Until the NameNode counts the nodes as dead, each file looks whole to it.
    Await.until("nodes " + killed + " are dead", LIMIT, POLL, () ->
        cluster().client().getDataNodeStats(DatanodeReportType.DEAD).length == killed.size());
    for (VersionFile file : files) {
      file.check(cluster());
    }
    for (boolean isOlderClient : new boolean[] {false, true}) {
      useClient(isOlderClient);
      for (VersionFile file : files) {
        verify(file);
      }
    }
    pair.awaitStandbyFollows();
    System.out.println("TestMixedDataNodes: " + refusals()
        + " inner targets of older leaders were refused so far");
  }

  /** Counts what older leaders have logged of refused inner targets. */
  private long refusals() throws IOException {
    long count = 0;
    for (int node = 1; node <= OLDER_NODES; node++) {
      try (Stream<String> lines = Files.lines(cluster().processes.log(node))) {
        count += lines.filter(line -> line.contains("attempt")
            && line.contains("features that this version lacks: 8")).count();
      }
    }
    return count;
  }
}
