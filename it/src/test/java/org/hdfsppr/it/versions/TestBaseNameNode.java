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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClientCommand;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.OldVersions;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of two NameNodes one has the jars for repairs alone. It repairs while the namespace has nothing
 * that it cannot read; it leaves all to stock while a conversion is under way that the other
 * NameNode began; and the other one ends this conversion when it is active again.
 */
@Tag("process")
class TestBaseNameNode extends Crashes {
  private static final int FILES = 1;
  private static final int BASE = 2;
  private static final String BASE_NAME = "nn2";
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode TO = VersionFile.CODES.get(1);
  private static final long FILE_BYTES = 2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + 123;
  private static final Path FOLDER = new Path("/base");
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(300);

  private int written;

  TestBaseNameNode() {
    super("basenn", true, Map.of(ClusterSpec.BASE_DAEMONS_KEY, BASE_NAME,
        // The plugin that stops at moments of versions needs the classes of versions.
        "dfs.namenode.plugins", PprNameNodePlugin.class.getName(),
        // So slow that a conversion is under way when its NameNode dies.
        PprKeys.NAMENODE_VERSION_RATE_KEY, "1048576"));
  }

  private VersionFile write() throws Exception {
    return VersionFile.write(cluster(), new Path(FOLDER, written++ + "/f"), FROM, FILE_BYTES,
        SEED + written);
  }

  private static List<String> convert(VersionFile file, String... more) {
    List<String> arguments = new ArrayList<>(List.of("-convert", "-policy", TO.policy(), "-idle",
        "0", "-grace", "2s"));
    arguments.addAll(List.of(more));
    arguments.add(file.path.toUri().getPath());
    return arguments;
  }

  private String refusal(List<String> arguments) throws IOException, InterruptedException {
    try (PprCommand command = PprCommand.start(cluster().processes, arguments)) {
      assertNotEquals(0, command.await(LIMIT), command::text);
      return command.output();
    }
  }

  private JsonNode status() throws IOException, InterruptedException {
    return new ObjectMapper().readTree(
        PprCommand.run(cluster().processes, LIMIT, List.of("-status", "-json")));
  }

  @Test
  void theBaseNameNodeRepairsAndRefusesToConvert() throws Exception {
    cluster().processes.nameNodes().failOver(BASE);
    VersionFile file = write();
    Await.until("the base NameNode is in charge", LIMIT, POLL,
        () -> status().get("in_charge").asBoolean());
    String why = refusal(convert(file));
    assertTrue(why.contains("its hdfs-ppr has no files part (hdfs-ppr-files-namenode)"), why);
    int node = BlockGroup.of(cluster().processes, cluster().client(),
        file.path).get(0).replicasOf(0).get(0).node;
    cluster().processes.kill(node);
    cluster().processes.wipe(node);
    Await.until("a repair is counted", LIMIT, POLL, () -> cluster().processes.nameNodes()
        .jmx(BASE, "Hadoop:service=NameNode,name=PprNameNode").get("RepairsDone").asLong() > 0);
    file.check(cluster());
    assertEquals(FROM.policy(), file.policy(cluster().client()));
  }

  @Test
  void aBaseClientNamesTheJarThatHasTheCommand() throws Exception {
    HdfsProcessCluster processes = cluster().processes;
    processes.use(processes.spec().toBuilder().conf(ClusterSpec.BASE_DAEMONS_KEY,
        BASE_NAME + " " + ClientCommand.NAME).build());
    try {
      String why = refusal(List.of("-convert", "-status"));
      assertTrue(why.contains("-convert") && why.contains("hdfs-ppr-files-client"), why);
    } finally {
      processes.use(processes.spec().toBuilder().conf(ClusterSpec.BASE_DAEMONS_KEY, BASE_NAME)
          .build());
    }
  }

  @Test
  void aConversionRestsWhileTheBaseNameNodeIsActive() throws Exception {
    cluster().processes.nameNodes().failOver(FILES);
    VersionFile file = write();
    PprCommand.run(cluster().processes, LIMIT, convert(file));
    OldVersions versions = new OldVersions(cluster().processes, cluster().client());
    Await.until("a version is being made", LIMIT, POLL, () -> !versions.versions().isEmpty());
    cluster().killActiveNameNode();
    assertEquals(BASE, cluster().processes.nameNodes().active().orElseThrow());
    Await.until("the base NameNode has looked for records", LIMIT, POLL,
        () -> status().get("why").asText().contains("versions of files"));
    assertEquals(false, status().get("in_charge").asBoolean());
    assertEquals(FROM.policy(), file.policy(cluster().client()), "nothing was published");
    cluster().processes.nameNodes().failOver(FILES);
    Await.until("the file is converted", LIMIT, POLL,
        () -> file.policy(cluster().client()).equals(TO.policy()));
    new NothingLeft(cluster()).await(FOLDER);
    file.check(cluster());
    Await.until("its NameNode is in charge", LIMIT, POLL,
        () -> status().get("in_charge").asBoolean());
  }
}
