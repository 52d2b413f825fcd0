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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that stop the NameNode at a named moment and kill processes there. All tests of a class
 * share a cluster. After each test, what was stopped goes on, and dead processes start again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
abstract class Crashes {
  static final long SEED = Long.getLong("faults.seed", 20261125L);

  /** The limit includes the start of the command, and a look at the directory. */
  static final Duration STOP_LIMIT = Duration.ofMinutes(4);

  private final String name;
  private final boolean ha;
  private final Map<String, String> conf;
  private VersionsCluster cluster;

  Crashes(String name, boolean ha, Map<String, String> conf) {
    this.name = name;
    this.ha = ha;
    this.conf = conf;
  }

  @BeforeAll
  void startCluster() throws Exception {
    System.out.println("faults.seed=" + SEED + (ha ? ", two NameNodes" : ", one NameNode"));
    cluster = VersionsCluster.start(name, ha, conf);
  }

  @AfterAll
  void endCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void release() throws Exception {
    if (cluster != null) {
      cluster.stops.clear();
      cluster.heal();
    }
  }

  VersionsCluster cluster() {
    return cluster;
  }
}
