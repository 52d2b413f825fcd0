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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClientCommand;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.Shell;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests on a cluster with two sets of jars. One NameNode, half of the DataNodes and some clients
 * have other jars than the rest. A DataNode of each half dies, clients read its units degraded, and
 * the cluster repairs them.
 */
abstract class TwoHalves extends Crashes {
  /** The first NameNode, which has the jars of this build. */
  static final int NEW = MixedPair.NEW;
  /** The second NameNode, which has the other jars. */
  static final int OTHER = MixedPair.OLDER;
  /** The daemons with the other jars. */
  static final String OTHERS = MixedPair.OLDER_NAME + " dn1 dn2 dn3 dn4 dn5 dn6 dn7";
  static final int OTHER_NODES = 7;
  static final EcCode FROM = VersionFile.CODES.get(0);
  static final EcCode LRC = VersionFile.CODES.get(1);
  static final EcCode HITCHHIKER = VersionFile.CODES.get(2);
  static final Duration LIMIT = Duration.ofMinutes(3);
  /** Two full groups, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + (9L << 20) + 123;
  private static final Duration POLL = Duration.ofMillis(500);

  private final String key;
  final Path folder;
  private int written;

  /**
   * @param name the cluster's name
   * @param key the setting of the harness that lists the daemons and clients with the other jars
   * @param conf more settings, {@code key} with {@link #OTHERS} among them
   */
  TwoHalves(String name, String key, Map<String, String> conf) {
    super(name, true, conf);
    this.key = key;
    folder = new Path("/" + name);
  }

  @AfterEach
  void useNewClient() throws IOException {
    useClient(false);
  }

  /** While some DataNodes have other jars, a NameNode keeps old versions for two minutes. */
  @AfterAll
  void nothingIsLeft() throws Exception {
    if (cluster() != null && written > 0) {
      cluster().heal();
      new NothingLeft(cluster()).await(folder);
    }
  }

  /** Chooses whether clients have the other jars or those of this build. */
  void useClient(boolean isOther) throws IOException {
    HdfsProcessCluster processes = cluster().processes;
    processes.use(processes.spec().toBuilder().conf(key,
        isOther ? OTHERS + " " + ClientCommand.NAME : OTHERS).build());
  }

  VersionFile write(EcCode code)
      throws IOException, InterruptedException, TimeoutException {
    return VersionFile.write(cluster(), new Path(folder, written++ + "/f"), code, FILE_BYTES,
        SEED + written);
  }

  /** Reads a file by the command of a client, which reads degraded by the extension. */
  void checkRead(VersionFile file) throws IOException, InterruptedException {
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

  void verify(VersionFile file) throws IOException, InterruptedException {
    String said = PprCommand.run(cluster().processes, LIMIT,
        List.of("-verify", file.path.toUri().getPath()));
    System.out.println(getClass().getSimpleName() + ": " + said.strip());
  }

  /** Returns a DataNode of one half that holds a data unit of a file. */
  private int holderOf(VersionFile file, boolean isOther) throws IOException {
    BlockGroup group =
        BlockGroup.of(cluster().processes, cluster().client(), file.path).get(0);
    for (int unit = 0; unit < FROM.dataUnits(); unit++) {
      int node = group.replicasOf(unit).get(0).node;
      if (node <= OTHER_NODES == isOther) {
        return node;
      }
    }
    throw new IOException("No DataNode of the wanted half holds a data unit of " + file);
  }

  /**
   * One node of each half dies, so that the first group loses two units. Clients with both
   * jars read what is lost before it is repaired.
   */
  @ParameterizedTest
  @ValueSource(ints = {NEW, OTHER})
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
    for (boolean isOther : new boolean[] {false, true}) {
      useClient(isOther);
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
    for (boolean isOther : new boolean[] {false, true}) {
      useClient(isOther);
      for (VersionFile file : files) {
        verify(file);
      }
    }
    new MixedPair(cluster()).awaitStandbyFollows();
  }
}
