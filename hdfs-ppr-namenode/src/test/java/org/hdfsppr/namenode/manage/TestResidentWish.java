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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NameNode whose scheduler uses no resident blocks says so, also while it is a standby. */
class TestResidentWish {
  private final PaperCluster cluster = new PaperCluster(new Configuration(false));

  @AfterEach
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void whetherResidentBlocksAreUsed(boolean wants, boolean isActive) {
    cluster.books.setActive(isActive);
    HeartbeatResponse answer = new HeartbeatResponder(cluster.manager,
        () -> "BP", wants).heartbeat(null, cluster.request(1));
    assertEquals(!wants, answer.ignoresResident);
    assertEquals(wants && isActive, answer.wantsAllResident);
  }
}
