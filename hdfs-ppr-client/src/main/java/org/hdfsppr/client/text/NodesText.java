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
package org.hdfsppr.client.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Writes the document {@code /v1/nodes} for people. */
@InterfaceAudience.Private
public final class NodesText {
  /**
   * A DataNode that was silent for longer is shown as silent, s. DataNodes send a heartbeat every
   * few seconds.
   */
  private static final double SILENT_S = 10;

  private NodesText() {
  }

  /**
   * Writes the DataNodes with their loads.
   *
   * @param document the document {@code /v1/nodes}
   * @return lines of at most 80 columns
   */
  public static String of(JsonNode document) {
    TextLines lines = new TextLines();
    JsonNode nodes = document.path("nodes");
    if (nodes.size() == 0) {
      return lines.paragraph(0, "The NameNode knows no DataNode.").toString();
    }
    TextTable table = new TextTable("NODE", "STATE", ">HELPS", ">GETS", ">TO SEND", ">TO GET",
        ">UP", ">DOWN");
    String port = commonPort(nodes);
    for (JsonNode node : nodes) {
      String name = name(node);
      table.row(name.substring(0, name.length() - port.length()), state(node),
          PageFields.text(node, "helping", "?"), PageFields.text(node, "receiving", "?"),
          PageFields.size(node, "pending_up_bytes"), PageFields.size(node, "pending_down_bytes"),
          PageFields.rate(node, "up_bytes_per_s", "-"),
          PageFields.rate(node, "down_bytes_per_s", "-"));
    }
    lines.all(table.lines()).gap();
    lines.fact("hdfs-ppr", counts(nodes, "software"));
    lines.fact("Kernels", counts(nodes, "kernel"));
    for (JsonNode node : nodes) {
      PageFields.text(node, "quarantined").ifPresent(why -> lines.fact("Kept out",
          name(node) + ": " + why + ". Once it is mended: hdfs ppr -readmit " + name(node)));
    }
    if (document.path("truncated").asBoolean()) {
      lines.paragraph(0, "These are " + nodes.size() + " of "
          + Quantities.count(PageFields.whole(document, "total"), "DataNode") + ".");
    }
    return lines.toString();
  }

  private static String name(JsonNode node) {
    return PageFields.text(node, "node", Quantities.UNKNOWN);
  }

  /**
   * Returns the port that all nodes have in common, so that the table can leave it out; an empty
   * text if their ports differ.
   */
  private static String commonPort(JsonNode nodes) {
    Set<String> ports = new HashSet<>();
    for (JsonNode node : nodes) {
      String name = name(node);
      ports.add(name.substring(Math.max(0, name.lastIndexOf(':'))));
    }
    String port = ports.iterator().next();
    return ports.size() == 1 && port.startsWith(":") ? port : "";
  }

  private static String state(JsonNode node) {
    if (PageFields.text(node, "quarantined").isPresent()) {
      return "kept out";
    }
    if (!node.path("takes_part").asBoolean()) {
      return "stock";
    }
    return PageFields.number(node, "last_heartbeat_s").orElse(0) > SILENT_S ? "silent" : "ok";
  }

  /** Counts the nodes by the value of a field, such as {@code 16 isal, 1 java (dn3:9866)}. */
  private static String counts(JsonNode nodes, String field) {
    Map<String, Integer> numbers = new TreeMap<>();
    Map<String, String> lastNodes = new TreeMap<>();
    for (JsonNode node : nodes) {
      Optional<String> value = PageFields.text(node, field);
      numbers.merge(value.orElse(Quantities.UNKNOWN), 1, Integer::sum);
      lastNodes.put(value.orElse(Quantities.UNKNOWN), name(node));
    }
    // A single node that differs from the others is named, because an operator will look for it.
    return numbers.entrySet().stream().map(one -> one.getValue() + " " + one.getKey()
        + (one.getValue() == 1 && nodes.size() > 1 ? " (" + lastNodes.get(one.getKey()) + ")" : ""))
        .collect(Collectors.joining(", "));
  }
}
