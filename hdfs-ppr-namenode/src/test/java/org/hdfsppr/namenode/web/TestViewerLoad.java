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
package org.hdfsppr.namenode.web;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures what 50 viewers of the page cost the NameNode while 10,000 groups wait on 1,000 nodes.
 * Other work on the machine slows answers down, so only {@code -Dviewers.seconds=N} runs the test.
 */
@EnabledIfSystemProperty(named = "viewers.seconds", matches = "[0-9]+")
class TestViewerLoad {
  private static final int SECONDS = Integer.getInteger("viewers.seconds", 30);
  /** The most that the NameNode may spend on viewers, of the time of a core. */
  private static final double OF_CORE_MOST = 0.2;
  private static final long STATUS_MS_MOST = 1_000;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void viewersOfALargeClusterCostLittle() throws Exception {
    ViewerLoad.Cost cost = ViewerLoad.ofThePage(SECONDS);
    assertTrue(cost.ofCore < OF_CORE_MOST, "the viewers cost " + cost.ofCore + " of a core");
    assertTrue(cost.slowestStatusMs < STATUS_MS_MOST,
        "a status took " + cost.slowestStatusMs + " ms");
  }
}
