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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;

import org.junit.jupiter.api.Test;

/** The rules that count bytes by peers, and what nft prints of them. */
class TestPeerCounters {
  private static final String COUNTER =
      "{\"counter\": {\"family\": \"bridge\", \"name\": \"%s\", \"table\": \"ppr\","
      + " \"handle\": 1, \"packets\": 2, \"bytes\": %d}}";

  private static String json(String... counters) {
    return "{\"nftables\": [{\"metainfo\": {\"version\": \"1.0.6\"}}, "
        + String.join(", ", counters) + "]}";
  }

  @Test
  void countersHaveTheirNames() throws IOException {
    PeerBytes bytes = PeerCounters.parse(json(String.format(COUNTER, "between_nodes", 5L << 32),
        String.format(COUNTER, "nodes_to_clients", 2), String.format(COUNTER, "masters", 4),
        String.format(COUNTER, "clients_to_nodes", 3)));
    assertEquals(5L << 32, bytes.betweenNodes);
    assertEquals(2, bytes.nodesToClients);
    assertEquals(3, bytes.clientsToNodes);
    assertEquals(4, bytes.masters);
    assertEquals(1, bytes.since(new PeerBytes(0, 1, 0, 0)).nodesToClients);
  }

  @Test
  void aCounterThatIsMissingIsAnError() {
    assertTrue(assertThrows(IOException.class, () -> PeerCounters.parse(
        json(String.format(COUNTER, "between_nodes", 5)))).getMessage().contains("no counter"));
  }

  /** A packet counts at the first bridge only, which it enters from the link of its sender. */
  @Test
  void packetsCountWhereTheyComeFromTheirSender() {
    String rules = PeerCounters.rules("ppr", "10.77.3.11-10.77.3.28", "10.77.3.219-10.77.3.250");
    assertTrue(rules.contains("iifname \"ppr-v*\" ip daddr 10.77.3.11-10.77.3.28"
        + " counter name between_nodes return\n"), rules);
    assertTrue(rules.lines().filter(line -> line.contains("counter name"))
        .allMatch(line -> line.matches("[io]ifname \"ppr-[vxwd]\\*\" ip .*")), rules);
  }
}
