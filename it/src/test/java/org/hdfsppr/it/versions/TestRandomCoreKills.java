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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes, losses and kills of processes under CORE. No byte is ever wrong, no row is stale,
 * and each loss is reported.
 *
 * <p>{@code -Dfaults.seed=N} chooses other steps, {@code -Dcore.steps=N} how many: 300 by hand
 * before a release, {@code -Dcore.minutes=N} after which time no further step begins, and {@code
 * -Dcore.ha=false,true} whether there are two NameNodes, with one run for each value.
 */
@Tag("process")
@Timeout(value = 6, unit = TimeUnit.HOURS)
class TestRandomCoreKills {
  private static final int STEPS = Integer.getInteger("core.steps", 15);

  private static final int MINUTES_MAX = Integer.getInteger("core.minutes", 300);

  /** A node makes or rebuilds a unit for a second, so that it can be killed meanwhile. */
  private static final int WRITE_BYTES_PER_SECOND = 1 << 20;

  static List<Boolean> highAvailability() {
    return RandomRuns.highAvailability("core.ha");
  }

  private static Map<String, String> settings() {
    Map<String, String> conf = new HashMap<>(RandomRuns.CONF);
    // A group that has changed is noticed after a second. Until then it has stale rows.
    conf.put(PprKeys.NAMENODE_CORE_SETTLE_KEY, "0");
    conf.put("dfs.datanode.ec.reconstruct.write.bandwidthPerSec", "" + WRITE_BYTES_PER_SECOND);
    // A DataNode that is asked for no replica finds out by itself that files are gone.
    conf.put("dfs.datanode.directoryscan.interval", "10");
    // A NameNode starts although files have lost more units than their code bears.
    conf.put("dfs.namenode.safemode.threshold-pct", "0.5");
    return conf;
  }

  @ParameterizedTest(name = "two NameNodes: {0}")
  @MethodSource("highAvailability")
  void nothingIsWrongStaleOrLost(boolean ha) throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED + " core.steps=" + STEPS
        + " core.ha=" + ha);
    // The names differ, so that both runs may be made beside each other.
    String name = ha ? "ckills2" : "ckills";
    try (VersionsCluster cluster = VersionsCluster.start(name, ha, settings())) {
      RandomCoreKills driver = new RandomCoreKills(cluster, new Random(RandomRuns.SEED));
      try {
        driver.begin();
        RandomRuns.say("files are written and protected");
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
        for (int step = 1; step <= STEPS && System.nanoTime() < endNs; step++) {
          RandomRuns.say("step " + step + ": " + driver.step());
        }
        driver.end();
      } finally {
        RandomRuns.say("seed " + RandomRuns.SEED + ", "
            + (ha ? "two NameNodes: " : "one NameNode: ") + driver);
      }
    }
  }
}
