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
 * Random histories of updates on processes: several clients write into files and read them, files
 * are committed all the time, and DataNodes, NameNodes and clients are killed with SIGKILL. What
 * clients read of a file is one history of its updates, and every commit is a whole version.
 *
 * <p>{@code -Dfaults.seed=N} chooses other histories, {@code -Dupdates.histories=N} how many: 100
 * by hand before a release, {@code -Dupdates.files=N} how many at a time, {@code
 * -Dupdates.minutes=N} after which time no more begin, and {@code -Dupdates.ha=false,true} whether
 * there are two NameNodes, with one run for each value.
 */
@Tag("process")
@Timeout(value = 6, unit = TimeUnit.HOURS)
class TestRandomUpdates {
  private static final int HISTORIES = Integer.getInteger("updates.histories", 3);
  private static final int MINUTES_MAX = Integer.getInteger("updates.minutes", 300);

  static List<Boolean> highAvailability() {
    return RandomRuns.highAvailability("updates.ha");
  }

  @ParameterizedTest(name = "two NameNodes: {0}")
  @MethodSource("highAvailability")
  void whatClientsReadIsOneHistory(boolean ha) throws Exception {
    System.out.println("faults.seed=" + RandomRuns.SEED + " updates.histories=" + HISTORIES
        + " updates.ha=" + ha);
    // The names differ, so that both runs may be made beside each other.
    try (UpdatesCluster cluster = UpdatesCluster.start(ha ? "urandom2" : "urandom", ha)) {
      RandomUpdates updates = new RandomUpdates(cluster, new Random(RandomRuns.SEED));
      try {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
        while (updates.histories() < HISTORIES && System.nanoTime() < endNs) {
          RandomRuns.say("histories from " + updates.histories() + ": " + updates.round());
        }
        updates.end();
      } finally {
        RandomRuns.say("seed " + RandomRuns.SEED + ", "
            + (ha ? "two NameNodes: " : "one NameNode: ") + updates);
      }
    }
  }
}
