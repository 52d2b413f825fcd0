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

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.namenode.manage.status.ExtensionStatus;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Moment;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WaitingGroup;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.track.DoubtView;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.plan.FreeSumTopology;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Writes the lists of a status as JSON documents. They contain no names of files. Stateless. */
final class ListsJson {
  private static final double MS_PER_SECOND = 1_000;
  private static final int KIBI = 1_024;

  private ListsJson() {
  }

  /** Returns when the lists were made. The numbers of the status may be newer. */
  private static Moment made(ManagerStatus status) {
    return status.lists.made == null ? status.made : status.lists.made;
  }

  private static void start(JsonGenerator json, int total, List<?> list, String name)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("total", total);
    json.writeBooleanField("truncated", list.size() < total);
    json.writeArrayFieldStart(name);
  }

  private static void end(JsonGenerator json) throws IOException {
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Returns a policy as Hadoop names it, such as RS-6-3-1024k. */
  static String name(GroupPolicy policy) {
    return policy.codec.toUpperCase(Locale.ROOT) + "-" + policy.dataUnits + "-"
        + policy.parityUnits + "-" + policy.cellBytes / KIBI + "k";
  }

  private static void units(JsonGenerator json, String field, Iterable<Integer> units)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (int unit : units) {
      json.writeNumber(unit);
    }
    json.writeEndArray();
  }

  /** Writes the document {@code /v1/repairs}. */
  static void writeRepairs(ManagerStatus status, OutputStream out) throws IOException {
    StatusLists lists = status.lists;
    try (JsonGenerator json = JsonText.to(out)) {
      start(json, lists.repairsTotal, lists.repairs, "repairs");
      for (RepairProgress repair : lists.repairs) {
        repair(json, status, repair);
      }
      end(json);
    }
  }

  private static void repair(JsonGenerator json, ManagerStatus status, RepairProgress repair)
      throws IOException {
    Assignment assignment = repair.assignment;
    json.writeStartObject();
    json.writeStringField("id", repair.id);
    json.writeStringField("group", JsonText.name(repair.group()));
    json.writeStringField("policy", name(assignment.group.policy));
    json.writeStringField("state", repair.state.name().toLowerCase(Locale.ROOT));
    json.writeNumberField("done_percent", repair.donePercent);
    JsonText.time(json, "started", made(status).wallAt(repair.startedMs));
    JsonText.time(json, "deadline", made(status).wallAt(repair.deadlineMs));
    json.writeObjectFieldStart("destination");
    JsonText.node(json, repair.destination);
    json.writeEndObject();
    units(json, "units", assignment.unitsWithout(List.of()));
    json.writeArrayFieldStart("targets");
    for (UnitHolder target : assignment.targets) {
      json.writeStartObject();
      json.writeNumberField("unit", target.unit);
      JsonText.node(json, target.node);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("topology", assignment.topology);
    json.writeFieldName("tree");
    tree(json, RepairTree.of(assignment));
    json.writeEndObject();
  }

  private static void tree(JsonGenerator json, RepairTree tree) throws IOException {
    json.writeStartObject();
    JsonText.node(json, tree.node);
    units(json, "units", tree.units);
    json.writeArrayFieldStart("children");
    for (RepairTree child : tree.children) {
      tree(json, child);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes the document {@code /v1/groups}. */
  static void writeGroups(ManagerStatus status, OutputStream out) throws IOException {
    StatusLists lists = status.lists;
    try (JsonGenerator json = JsonText.to(out)) {
      start(json, lists.groupsTotal, lists.groups, "groups");
      for (WaitingGroup waiting : lists.groups) {
        group(json, status, waiting);
      }
      json.writeEndArray();
      // The manager does not know which groups stock has, only how many.
      json.writeNumberField("with_stock", status.get(StatusNumber.WAITING_FOR_STOCK)
          + status.get(StatusNumber.WITH_STOCK));
      json.writeEndObject();
    }
  }

  private static void group(JsonGenerator json, ManagerStatus status, WaitingGroup waiting)
      throws IOException {
    OptionalLong next = waiting.nextTryMs();
    json.writeStartObject();
    json.writeStringField("group", JsonText.name(waiting.group.id));
    json.writeStringField("policy", name(waiting.group.policy));
    json.writeNumberField("spare_units", waiting.group.spareUnits);
    units(json, "lost_units", waiting.group.lost);
    JsonText.time(json, "since", made(status).wallAt(waiting.group.sinceMs));
    json.writeStringField("reason", waiting.reason.code());
    json.writeStringField("text", waiting.reason.text);
    json.writeNumberField("failures", waiting.failures);
    JsonText.time(json, "next_try",
        next.isPresent() ? made(status).wallAt(next.getAsLong()) : null);
    json.writeBooleanField("read_degraded", waiting.readDegraded);
    json.writeBooleanField("prioritized", waiting.prioritized);
    json.writeEndObject();
  }

  /** Writes the document {@code /v1/nodes}. */
  static void writeNodes(ManagerStatus status, OutputStream out) throws IOException {
    StatusLists lists = status.lists;
    try (JsonGenerator json = JsonText.to(out)) {
      start(json, lists.nodesTotal, lists.nodes, "nodes");
      for (NodeStatus node : lists.nodes) {
        node(json, status, node);
      }
      end(json);
    }
  }

  private static void node(JsonGenerator json, ManagerStatus status, NodeStatus one)
      throws IOException {
    NodeRef node = one.node;
    Optional<NodeLoad> load = one.load();
    json.writeStartObject();
    json.writeStringField("uuid", node.uuid);
    json.writeStringField("node", JsonText.name(node));
    json.writeStringField("host", node.hostName);
    json.writeStringField("rack", node.rack);
    json.writeBooleanField("takes_part", load.isPresent());
    json.writeStringField("software",
        one.extension().flatMap(ExtensionStatus::software).orElse(null));
    json.writeStringField("kernel",
        one.extension().flatMap(ExtensionStatus::kernel).orElse(null));
    json.writeNumberField("repairs_as_destination",
        load.map(found -> found.asDestination).orElse(0));
    json.writeNumberField("repairs_as_helper", load.map(found -> found.asHelper).orElse(0));
    json.writeNumberField("helping", one.helping);
    json.writeNumberField("receiving", one.receiving);
    json.writeNumberField("pending_up_bytes", one.pendingUpBytes);
    json.writeNumberField("pending_down_bytes", one.pendingDownBytes);
    JsonText.number(json, "busy_s", one.busySeconds);
    Optional<RepairRates> rates = load.flatMap(known -> known.repairRates);
    JsonText.number(json, "up_bytes_per_s",
        rates.map(each -> (double) each.up).orElse(Double.NaN));
    JsonText.number(json, "down_bytes_per_s",
        rates.map(each -> (double) each.down).orElse(Double.NaN));
    JsonText.number(json, "link_bytes_per_s", status.facts.linkBytesPerSecond);
    JsonText.number(json, "last_heartbeat_s", one.extension().map(each ->
        Math.max(0, made(status).ms - each.heardMs) / MS_PER_SECOND).orElse(Double.NaN));
    if (one.keptOut().isPresent()) {
      json.writeStringField("quarantined", one.keptOut().get());
    } else {
      json.writeNullField("quarantined");
    }
    json.writeEndObject();
  }

  /** Writes the document {@code /v1/doubts}. */
  static void writeDoubts(ManagerStatus status, OutputStream out) throws IOException {
    StatusLists lists = status.lists;
    Map<Integer, String> names = new HashMap<>();
    lists.nodes.forEach(one ->
        names.put(one.node.uuid.hashCode(), JsonText.name(one.node)));
    try (JsonGenerator json = JsonText.to(out)) {
      start(json, lists.doubtsTotal, lists.doubts, "doubts");
      for (DoubtView doubt : lists.doubts) {
        doubt(json, doubt, made(status).wallAt(doubt.sinceMs), names);
      }
      end(json);
    }
  }

  private static void doubt(JsonGenerator json, DoubtView doubt, Instant since,
      Map<Integer, String> names) throws IOException {
    String group = JsonText.name(doubt.group);
    json.writeStartObject();
    json.writeStringField("group", group);
    JsonText.time(json, "since", since);
    json.writeBooleanField("certain", doubt.certain);
    json.writeArrayFieldStart("suspects");
    for (String suspect : doubt.suspects.lookUp(names)) {
      json.writeString(suspect);
    }
    json.writeEndArray();
    suspectedUnits(json, doubt, names);
    json.writeStringField("text", doubt.certain
        ? "A unit of this group is wrong although its checksums are right. 'hdfs fsck -blockId "
            + group + "' names the file: compare it with a copy. If the units are right, run"
            + " 'hdfs ppr -undoubt " + group + "'."
        : "One node found that the units contradict each other. The next repair, on another node,"
            + " decides; nothing has to be done now.");
    json.writeEndObject();
  }

  /** Writes each unit that may be wrong, with its block and its node; null if the node has left. */
  private static void suspectedUnits(JsonGenerator json, DoubtView doubt,
      Map<Integer, String> names) throws IOException {
    List<Map.Entry<Integer, Integer>> places = new ArrayList<>();
    doubt.suspects.forEach((unit, node) -> places.add(Map.entry(unit, node)));
    json.writeArrayFieldStart("suspected_units");
    for (Map.Entry<Integer, Integer> place : places) {
      json.writeStartObject();
      json.writeNumberField("unit", place.getKey());
      json.writeStringField("block", "blk_" + (doubt.group.blockId(place.getKey())));
      json.writeStringField("node", names.get(place.getValue()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /**
   * The tree that the scheduler expects for a command. The destination plans the tree itself, from
   * the helpers in the order of the command, and may plan another one if a helper fails.
   *
   * <p>The first helpers, as many as any decoding needs, add up units. The helpers behind them are
   * read only for the check. They stand below the last helper of a chain, or below the last leaf of
   * a ppr tree. The nodes that add up take turns to read from nodes without the extension; the
   * farthest from the destination begins. A free-sum tree is that of {@link
   * FreeSumTopology#parents}. Immutable.
   */
  static final class RepairTree {
    private static final String PPR = "ppr";
    private static final String STAR = "star";

    /** The DataNode. */
    final NodeRef node;
    /** The units that the node reads for the repair; none at the destination. */
    final List<Integer> units = new ArrayList<>();
    /** The nodes that send to this node. */
    final List<RepairTree> children = new ArrayList<>();

    private RepairTree(NodeRef node) {
      this.node = node;
    }

    /**
     * @param assignment the command
     * @return the destination, with the nodes that send to it as its children
     */
    static RepairTree of(Assignment assignment) {
      RepairTree root = new RepairTree(assignment.targets.get(0).node);
      Map<NodeRef, RepairTree> sums = new LinkedHashMap<>();
      Map<NodeRef, RepairTree> checks = new LinkedHashMap<>();
      Map<NodeRef, RepairTree> stock = new LinkedHashMap<>();
      GroupPolicy policy = assignment.group.policy;
      long needed = assignment.column().map(column -> (long) column.size())
          .orElseGet(() -> assignment.group.unitsToDecode());
      for (int i = 0; i < assignment.helpers.size(); i++) {
        UnitHolder helper = assignment.helpers.get(i);
        NodeRef node = helper.node;
        Map<NodeRef, RepairTree> kind = !node.runsExtension() ? stock
            : i < needed || sums.containsKey(node) ? sums : checks;
        // All blocks of a column have the index of the lost unit.
        int index = helper.unit;
        kind.computeIfAbsent(node, RepairTree::new).units.add(assignment.column()
            .filter(column -> index >= policy.dataUnits + policy.parityUnits)
            .map(column -> column.unit).orElse(index));
      }
      if (assignment.topology.equals(FreeSumTopology.NAME)) {
        addFreely(root, assignment);
        return root;
      }
      List<RepairTree> order = new ArrayList<>();
      order.add(root);
      order.addAll(sums.values());
      for (int i = 1; i < order.size(); i++) {
        order.get(parent(assignment.topology, i)).children.add(order.get(i));
      }
      addChecks(order, checks.values(), assignment.topology);
      addStock(order, stock.values());
      return root;
    }

    /**
     * Adds the nodes of a free-sum tree. The scheduler chooses such a tree only for codes with
     * sub-chunks, and all helpers of these codes run the extension.
     */
    private static void addFreely(RepairTree root, Assignment assignment) {
      Map<NodeRef, RepairTree> nodes = new LinkedHashMap<>();
      Map<NodeRef, Integer> reads = new HashMap<>();
      for (UnitHolder helper : assignment.helpers) {
        nodes.computeIfAbsent(helper.node, RepairTree::new).units.add(helper.unit);
        reads.merge(helper.node, assignment.reads.of(helper.unit), Integer::sum);
      }
      List<RepairTree> order = new ArrayList<>(nodes.values());
      // In the plan, too, helpers that serve only the check come last.
      order.sort(Comparator.comparing(tree -> reads.get(tree.node) == 0));
      int[] runs = order.stream().mapToInt(tree -> reads.get(tree.node)).toArray();
      int[] parents = FreeSumTopology.parents(runs, assignment.reads.subChunks,
          assignment.targets.size());
      for (int i = 1; i < parents.length; i++) {
        (parents[i] == 0 ? root : order.get(parents[i] - 1)).children.add(order.get(i - 1));
      }
    }

    private static int parent(String topology, int number) {
      return topology.equals(STAR) ? 0 : topology.equals(PPR) ? number & number - 1 : number - 1;
    }

    private static void addChecks(List<RepairTree> order, Iterable<RepairTree> checks,
        String topology) {
      int last = order.size() - 1;
      RepairTree above = order.get(topology.equals(STAR) || last == 0 ? 0
          : topology.equals(PPR) ? last - 1 + last % 2 : last);
      for (RepairTree check : checks) {
        above.children.add(check);
        above = topology.equals(STAR) ? above : check;
      }
    }

    private static void addStock(List<RepairTree> order, Iterable<RepairTree> stock) {
      int sums = order.size() - 1;
      int i = 0;
      for (RepairTree one : stock) {
        order.get(sums == 0 ? 0 : sums - i++ % sums).children.add(one);
      }
    }
  }
}
