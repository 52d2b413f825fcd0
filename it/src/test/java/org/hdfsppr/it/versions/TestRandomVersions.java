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

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

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
 * versions at least, {@code -Dversions.files=N} how many at a time at the most,
 * {@code -Dversions.minutes=N} after which time no further step begins, and
 * {@code -Dversions.ha=false,true} whether there are two NameNodes, with one run for each value.
 */
@Tag("process")
@Timeout(value = 6, unit = TimeUnit.HOURS)
class TestRandomVersions {
  private static final int VERSIONS = Integer.getInteger("versions.count", 30);
  private static final int MINUTES_MAX = Integer.getInteger("versions.minutes", 300);

  /** A check of all files and disks takes longer than a step. */
  private static final int STEPS_PER_CHECK = 4;

  static List<Boolean> highAvailability() {
    return RandomRuns.highAvailability("versions.ha");
  }

  @ParameterizedTest(name = "two NameNodes: {0}")
  @MethodSource("highAvailability")
  void everyFileIsRight(boolean ha) throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED + " versions.count=" + VERSIONS
        + " versions.ha=" + ha);
    try (VersionsCluster cluster = VersionsCluster.start("vrandom", ha, RandomRuns.CONF)) {
      RandomVersions versions = new RandomVersions(cluster, new Random(RandomRuns.SEED));
      versions.begin();
      RandomRuns.say("files are written");
      long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
      boolean goesOn = true;
      for (int step = 1; goesOn; step++) {
        RandomRuns.say("step " + step + ": " + versions.step() + "; " + versions.tally.versions()
            + " versions");
        goesOn = versions.tally.versions() < VERSIONS && System.nanoTime() < endNs;
        if (step % STEPS_PER_CHECK == 0 || !goesOn) {
          RandomRuns.say("check: " + versions.checkAll());
        }
      }
      versions.convertAll();
      versions.assertHarmIsNoticed();
      RandomRuns.say("seed " + RandomRuns.SEED + ", "
          + (ha ? "two NameNodes: " : "one NameNode: ") + versions.tally);
    }
  }
}
