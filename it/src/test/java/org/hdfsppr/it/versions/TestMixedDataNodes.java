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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of two NameNodes and half of the DataNodes run the release before this one: conversions,
 * repairs and degraded reads, ordered by clients of both.
 */
@Tag("process")
@ExtendWith(SaidCases.class)
@EnabledIfSystemProperty(named = OlderRelease.PROPERTY, matches = ".+",
    disabledReason = OlderRelease.MISSING)
class TestMixedDataNodes extends TwoHalves {
  private MixedPair pair;

  TestMixedDataNodes() {
    super("dmixed", ClusterSpec.OLDER_DAEMONS_KEY, withInnerTargets());
  }

  /**
   * Has leaders of the older release give units to targets below the root, if a group has lost
   * several. This build refuses that, and these leaders then plan as all others do.
   */
  private static Map<String, String> withInnerTargets() {
    Map<String, String> conf = new HashMap<>(OlderRelease.on(OTHERS));
    conf.put("dfs.datanode.ppr.inner.targets", "true");
    return conf;
  }

  @BeforeAll
  void makePair() {
    pair = new MixedPair(cluster());
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

  /** Says how often leaders of the older release had to plan anew. */
  @AfterAll
  void countRefusals() throws IOException {
    if (cluster() != null) {
      System.out.println("TestMixedDataNodes: " + refusals()
          + " inner targets of older leaders were refused");
    }
  }

  /** Counts what older leaders have logged of refused inner targets. */
  private long refusals() throws IOException {
    long count = 0;
    for (int node = 1; node <= OTHER_NODES; node++) {
      try (Stream<String> lines = Files.lines(cluster().processes.log(node))) {
        count += lines.filter(line -> line.contains("attempt")
            && line.contains("features that this version lacks: 8")).count();
      }
    }
    return count;
  }
}
