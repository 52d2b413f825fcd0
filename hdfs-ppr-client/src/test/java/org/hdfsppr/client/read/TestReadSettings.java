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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;

/** Tests the checks of a client's settings. */
class TestReadSettings {
  private static Configuration with(String... settings) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  @Test
  void nothingSetMeansAChain() {
    ReadSettings settings = ReadSettings.of(with());
    assertTrue(settings.isOn());
    assertEquals("chain", settings.topology.name());
    assertEquals(Integer.MAX_VALUE, settings.chainsMost);
    assertEquals(9877, settings.repairPort);
    assertEquals(64, settings.checkOneIn);
  }

  @Test
  void timesFollowTwoSettings() {
    ReadSettings settings = ReadSettings.of(with());
    assertEquals(1_000, settings.connectTimeoutMs());
    assertEquals(50, settings.hedgeMinMs);
    assertEquals(1_000, settings.hedgeMaxMs);
    assertEquals(250, ReadSettings.of(with(PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY, "500"))
        .connectTimeoutMs());
    assertEquals(1, ReadSettings.of(with(PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY, "1"))
        .connectTimeoutMs());
    assertEquals(5_000, ReadSettings.of(with(PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY, "600000"))
        .connectTimeoutMs());
    int[][] hedges = {{0, 1_000}, {1, 1_000}, {999, 1_000}, {1_001, 1_001}, {600_000, 600_000}};
    for (int[] hedge : hedges) {
      assertEquals(hedge[1], ReadSettings.of(with(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "" + hedge[0]))
          .hedgeMaxMs, hedge[0] + " ms");
    }
  }

  @Test
  void itCanBeSwitchedOffOrShaped() {
    assertFalse(ReadSettings.of(with(PprKeys.CLIENT_DEGRADED_READ_KEY, "off")).isOn());
    assertEquals(1,
        ReadSettings.of(with(PprKeys.CLIENT_DEGRADED_READ_KEY, "chain")).chainsMost);
    assertEquals(0, ReadSettings.of(with(PprKeys.CLIENT_DEGRADED_READ_KEY, "rack")).chainsMost);
    assertEquals("ppr", ReadSettings.of(with(PprKeys.CLIENT_DEGRADED_READ_KEY, " PPR "))
        .topology.name());
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    String[][] wrong = {{PprKeys.CLIENT_DEGRADED_READ_KEY, "fast"},
        {PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY, "0"}, {PprKeys.CLIENT_CACHE_BYTES_KEY, "-1"},
        {PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "many"}, {PprKeys.VERIFY_KEY, "maybe"}};
    for (String[] setting : wrong) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> ReadSettings.of(with(setting)));
      assertTrue(e.getMessage().contains(setting[0]) && e.getMessage().contains(setting[1]),
          e.getMessage());
    }
  }
}
