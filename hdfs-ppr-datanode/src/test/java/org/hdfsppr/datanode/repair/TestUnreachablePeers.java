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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.repair.PeerDirectory.UnreachablePeers;
import org.hdfsppr.manage.SelfReport;
import org.junit.jupiter.api.Test;

/** Tests what a node remembers of the nodes that it could not reach. */
@InterfaceAudience.Private
class TestUnreachablePeers {
  private long now = Long.MAX_VALUE - 5;
  private final UnreachablePeers peers = new UnreachablePeers(() -> now);

  @Test
  void aFailureIsRememberedForAWhileOrUntilTheNodeIsReached() {
    peers.note("a", false);
    peers.note("b", false);
    peers.note("c", true);
    assertEquals(List.of("a", "b"), peers.recent());
    peers.note("a", true);
    assertEquals(List.of("b"), peers.recent());
    now += UnreachablePeers.KEPT_NANOS;
    assertEquals(List.of("b"), peers.recent());
    now++;
    assertEquals(List.of(), peers.recent());
  }

  @Test
  void theOldestFailuresAreForgottenFirst() {
    for (int i = 0; i <= SelfReport.UNREACHABLE_MAX; i++) {
      peers.note("u" + i, false);
    }
    List<String> recent = peers.recent();
    assertEquals(SelfReport.UNREACHABLE_MAX, recent.size());
    assertEquals("u1", recent.get(0));
  }
}
