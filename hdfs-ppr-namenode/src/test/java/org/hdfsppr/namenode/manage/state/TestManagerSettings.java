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
package org.hdfsppr.namenode.manage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how stock's settings affect the manager. */
class TestManagerSettings {
  @Test
  void whatIsPendingIsKeptAliveEveryMinute() {
    assertEquals(60_000, ManagerSettings.of(new Configuration(false)).keepAliveMs);
  }

  /** A repair that takes longer than stock's timeout would count as lost and be given up. */
  @ParameterizedTest
  @CsvSource({"4, 1000", "1, 250", "60, 15000", "100000, 60000", "0, 60000", "-1, 60000"})
  void whatIsPendingIsKeptAliveWithinStocksTimeout(int timeoutS, long everyMs) {
    Configuration conf = new Configuration(false);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, timeoutS);
    assertEquals(everyMs, ManagerSettings.of(conf).keepAliveMs);
  }
}
