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
package org.apache.hadoop.hdfs.server.namenode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess.LateNodes;
import org.junit.jupiter.api.Test;

/** Says when units that no DataNode has reported count as lost. */
class TestLateNodes {
  private static final long DEAD_MS = 630_000;

  private long nowMs = -5;
  private final LateNodes nodes = new LateNodes(() -> TimeUnit.MILLISECONDS.toNanos(nowMs));

  private boolean look(boolean isInSafeMode) {
    nodes.look(isInSafeMode);
    return nodes.areDead(DEAD_MS);
  }

  @Test
  void theTimeCountsFromTheFirstLookOn() {
    assertFalse(nodes.areDead(DEAD_MS));
    assertFalse(look(false));
    nowMs += DEAD_MS;
    assertFalse(look(false));
    nowMs++;
    assertTrue(look(false));
    nowMs += 10 * DEAD_MS;
    assertTrue(look(false));
  }

  @Test
  void theTimeCountsFromTheEndOfSafeModeOn() {
    assertFalse(look(true));
    nowMs += 2 * DEAD_MS;
    assertFalse(look(true));
    assertFalse(look(false));
    nowMs += DEAD_MS + 1;
    assertTrue(look(false));
    assertFalse(look(true), "in safe mode again");
    assertFalse(look(false));
    nowMs += DEAD_MS + 1;
    assertTrue(look(false));
  }
}
