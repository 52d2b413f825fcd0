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
package org.hdfsppr.client.files;

import java.io.File;
import java.time.LocalTime;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.WeakHashMap;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.manage.ManagerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A random driver of CORE. {@code -Dcore.seed} repeats the choices of a run, {@code -Dcore.steps}
 * says how many steps it takes: 10,000 by hand before a release.
 */
class TestRandomCore {
  private static final int STEPS = 20;
  private static final long SEED = 20261125;

  /** The plugin, found by the NameNode in which it runs. */
  public static final class Plugin extends PprNameNodePlugin {
    private static final Map<Object, Plugin> OF =
        Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public synchronized void start(Object daemon) {
      super.start(daemon);
      OF.put(daemon, this);
    }
  }

  @TempDir
  File directory;

  private static ManagerService service(ConvertCluster cluster) {
    Plugin plugin = Plugin.OF.get(cluster.hdfs().mini().getNameNode());
    return plugin == null ? null : plugin.service();
  }

  @Test
  void randomChangesAndLosses() throws Exception {
    long seed = Long.getLong("core.seed", SEED);
    int steps = Integer.getInteger("core.steps", STEPS);
    System.out.println("-Dcore.seed=" + seed + " -Dcore.steps=" + steps);
    try (ConvertCluster cluster = new ConvertCluster(directory,
        "dfs.namenode.plugins", Plugin.class.getName(),
        PprKeys.NAMENODE_CORE_SETTLE_KEY, "0",
        // A NameNode starts although it has to find rows in CORE groups that have lost too much.
        "dfs.namenode.safemode.threshold-pct", "0.5")) {
      cluster.awaitInCharge();
      RandomCore driver =
          new RandomCore(cluster, () -> service(cluster), new Random(seed));
      try {
        driver.begin();
        for (int i = 1; i <= steps; i++) {
          long beganNs = System.nanoTime();
          System.out.println(LocalTime.now() + " step " + i + ": " + driver.step() + " "
              + (System.nanoTime() - beganNs) / 1_000_000 + " ms");
        }
        driver.end();
      } finally {
        System.out.println(driver.summary());
        driver.close();
      }
    }
  }
}
