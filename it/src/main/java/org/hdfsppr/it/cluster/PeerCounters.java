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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.it.util.Shell;

/**
 * Counts the bytes of a cluster's bridges by who has sent them to whom. The kernel counts in rules
 * of nftables where a packet enters a bridge from the veth pair of its sender, so that it counts
 * each packet once, also if the packet crosses the bridges of two racks. Packets of this host, on
 * which the only NameNode runs, enter no bridge; they are counted where they leave the host's own
 * end.
 */
final class PeerCounters {
  private static final String BETWEEN_NODES = "between_nodes";
  private static final String NODES_TO_CLIENTS = "nodes_to_clients";
  private static final String CLIENTS_TO_NODES = "clients_to_nodes";
  private static final String MASTERS = "masters";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String table;

  /**
   * @param cluster the name of the cluster, which becomes that of the table of rules
   */
  PeerCounters(String cluster) {
    this.table = cluster;
  }

  /**
   * Begins to count.
   *
   * @param nodes the addresses of all DataNodes, as a range of nftables
   * @param clients the addresses of all places of clients, likewise
   * @throws IOException if nftables are missing; the message says which package has them
   */
  void create(String nodes, String clients) throws IOException, InterruptedException {
    requireInstalled();
    Path rules = Files.createTempFile("peers", ".nft");
    try {
      Files.writeString(rules, rules(table, nodes, clients));
      Shell.run("nft", "-f", rules.toString());
    } finally {
      Files.deleteIfExists(rules);
    }
  }

  static String rules(String table, String nodes, String clients) {
    String fromNode = "iifname \"" + table + "-v*\" ip ";
    String fromClient = "iifname \"" + table + "-x*\" ip ";
    return String.join("\n", "table bridge " + table + " {",
        "counter " + BETWEEN_NODES + " { }", "counter " + NODES_TO_CLIENTS + " { }",
        "counter " + CLIENTS_TO_NODES + " { }", "counter " + MASTERS + " { }",
        "chain arriving {", "type filter hook prerouting priority 0;",
        fromNode + "daddr " + nodes + " counter name " + BETWEEN_NODES + " return",
        fromNode + "daddr " + clients + " counter name " + NODES_TO_CLIENTS + " return",
        fromClient + "daddr " + nodes + " counter name " + CLIENTS_TO_NODES + " return",
        fromNode + "protocol tcp counter name " + MASTERS,
        fromClient + "protocol tcp counter name " + MASTERS,
        "iifname \"" + table + "-w*\" ip protocol tcp counter name " + MASTERS,
        "}", "chain leaving {", "type filter hook output priority 0;",
        "oifname \"" + table + "-v*\" ip protocol tcp counter name " + MASTERS,
        "oifname \"" + table + "-x*\" ip protocol tcp counter name " + MASTERS,
        // The links to racks, where these have bridges of their own.
        "oifname \"" + table + "-d*\" ip protocol tcp counter name " + MASTERS,
        "}", "}", "");
  }

  PeerBytes read() throws IOException, InterruptedException {
    return parse(Shell.run("nft", "-j", "list", "counters", "table", "bridge", table));
  }

  /** Reads what {@code nft -j list counters} prints. */
  static PeerBytes parse(String json) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (JsonNode entry : MAPPER.readTree(json).path("nftables")) {
      JsonNode counter = entry.path("counter");
      if (!counter.isMissingNode()) {
        bytes.put(counter.get("name").asText(), counter.get("bytes").asLong());
      }
    }
    for (String name : List.of(BETWEEN_NODES, NODES_TO_CLIENTS, CLIENTS_TO_NODES, MASTERS)) {
      if (!bytes.containsKey(name)) {
        throw new IOException("nft lists no counter " + name + ": " + json);
      }
    }
    return new PeerBytes(bytes.get(BETWEEN_NODES), bytes.get(NODES_TO_CLIENTS),
        bytes.get(CLIENTS_TO_NODES), bytes.get(MASTERS));
  }

  /** Removes the rules, if there are any. */
  void remove() throws IOException, InterruptedException {
    // A host without the command cannot have the rules.
    if (isInstalled()
        && List.of(Shell.run("nft", "list", "tables", "bridge").split("\n"))
            .contains("table bridge " + table)) {
      Shell.run("nft", "delete", "table", "bridge", table);
    }
  }

  private static void requireInstalled() throws IOException {
    if (!isInstalled()) {
      throw new IOException("Bytes between DataNodes are counted by the nft command, which is "
          + "missing here (package nftables)");
    }
  }

  private static boolean isInstalled() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, "nft"))) {
        return true;
      }
    }
    return false;
  }
}
