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
package org.hdfsppr.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.util.EcCode;
import org.junit.jupiter.api.Test;

/** Tests the cluster specification that each mode makes. */
class TestNodeMode {
  private static final String SCHEDULER = "dfs.namenode.ppr.scheduler";

  private static ClusterSpec spec(String label) {
    return NodeMode.parse(label).specFor(ClusterSpec.builder().build(), EcCode.RS_6_3);
  }

  @Test
  void stockHasNothingOfOurs() {
    for (String label : new String[] {"stock", "stock-tuned"}) {
      assertFalse(spec(label).plugin || spec(label).nameNodePlugin || spec(label).codecs);
    }
    assertEquals(RepairMode.STOCK_TUNED.settings(), spec("stock-tuned").conf);
  }

  @Test
  void schedulersWantBothPlugins() {
    assertTrue(spec("datanode-only").plugin);
    assertFalse(spec("datanode-only").nameNodePlugin);
    for (String label : new String[] {"mppr", "balanced", "fifo"}) {
      assertTrue(spec(label).plugin && spec(label).nameNodePlugin);
      assertEquals(label, spec(label).conf.get(SCHEDULER));
      assertTrue(NodeMode.parse(label).describe().contains(SCHEDULER + "=" + label));
    }
  }

  @Test
  void whatTheUserSetsWins() {
    ClusterSpec base = ClusterSpec.builder().conf(SCHEDULER, "fifo").build();
    assertEquals("fifo",
        NodeMode.BALANCED.specFor(base, EcCode.RS_6_3).conf.get(SCHEDULER));
  }

  @Test
  void unknownOnesAreRefusedWithWhatThereIs() {
    assertTrue(assertThrows(IllegalArgumentException.class, () -> NodeMode.parse("chain"))
        .getMessage().contains("datanode-only"));
  }
}
