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

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random versions of random files, with random harm in the middle: kills of NameNodes and
 * DataNodes, and changes of the namespace. Every file keeps its bytes and attributes, and nothing
 * is left over.
 *
 * <p>{@code -Dfaults.seed=N} chooses other files and harm, {@code -Dversions.count=N} how many
 * versions, {@code -Dversions.ha=false,true} whether there are two NameNodes, with one run for each
 * value.
 */
@Tag("process")
@Timeout(value = 6, unit = TimeUnit.HOURS)
class TestRandomVersions {
  private static final long SEED = Long.getLong("faults.seed", 20261125L);
  private static final int VERSIONS = Integer.getInteger("versions.count", 12);

  /** A check of all files and disks takes longer than a version. */
  private static final int STEPS_PER_CHECK = 4;

  static List<Boolean> highAvailability() {
    return Stream.of(System.getProperty("versions.ha", "false,true").split(","))
        .map(value -> Boolean.valueOf(value.strip())).collect(Collectors.toList());
  }

  @ParameterizedTest(name = "two NameNodes: {0}")
  @MethodSource("highAvailability")
  void everyFileIsRight(boolean ha) throws Exception {
    System.out.println("faults.seed=" + SEED + " versions.count=" + VERSIONS + " versions.ha="
        + ha);
    try (VersionsCluster cluster = VersionsCluster.start("vrandom", ha)) {
      RandomVersions versions = new RandomVersions(cluster, new Random(SEED));
      versions.begin();
      int steps = 0;
      while (versions.versions() < VERSIONS) {
        String step = versions.step();
        System.out.println("step " + ++steps + ", " + versions.versions() + " versions, "
            + LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + ": " + step);
        System.out.flush();
        if (steps % STEPS_PER_CHECK == 0 || versions.versions() >= VERSIONS) {
          versions.checkAll();
        }
      }
      versions.convertAll();
      versions.assertHarmIsNoticed();
      System.out.println(versions);
    }
  }
}
