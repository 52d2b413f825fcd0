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

import java.util.List;
import java.util.Map;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One of two NameNodes, half of the DataNodes and some clients have the jars for repairs alone. All
 * of them repair and read degraded together. A conversion leaves files whole whose units are on
 * DataNodes that cannot link them.
 */
@Tag("process")
class TestBaseDataNodes extends TwoHalves {
  TestBaseDataNodes() {
    super("basedn", ClusterSpec.BASE_DAEMONS_KEY, Map.of(ClusterSpec.BASE_DAEMONS_KEY, OTHERS,
        // The plugin that stops at moments of versions needs the classes of versions.
        "dfs.namenode.plugins", PprNameNodePlugin.class.getName()));
  }

  /** Nine of fourteen nodes hold a group, so that at least two of these have base jars alone. */
  @Test
  void aFileOnBaseDataNodesStaysAsItIs() throws Exception {
    cluster().processes.nameNodes().failOver(NEW);
    VersionFile file = write(FROM);
    List<String> convert = List.of("-convert", "-policy", LRC.policy(), "-wait", "-json", "-idle",
        "0", "-grace", "2s", file.path.toUri().getPath());
    try (PprCommand command = PprCommand.start(cluster().processes, convert)) {
      int exit = command.await(ConvertCall.LIMIT);
      String said = command.output();
      System.out.println("TestBaseDataNodes: " + exit + " " + said.strip());
      assertTrue(exit != 0 && file.policy(cluster().client()).equals(FROM.policy()), said);
    }
    checkRead(file);
    file.check(cluster());
  }
}
