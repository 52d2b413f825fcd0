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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs scenario files. Each describes a cluster, losses, load, and the repairs that must begin. To
 * add one, put a file into {@code src/test/resources/scenarios}:
 *
 * <pre>
 *   racks      rack -> names of nodes; a name that begins with "stock" has no extension
 *   link_mbit  of every node; cross_rack_mbit of every rack (left out: no limit)
 *   load       node -> up_mbit, down_mbit of users; slots, accepts; in_memory (group, unit pairs);
 *              disk_mb, what its disks can stream per second (left out: unknown), and
 *              disk_busy_percent by users; read_limit_mb, write_limit_mb of repairs per second
 *   quarantined names
 *   old        names of nodes that do not know narrow links or columns of CORE
 *   core_strategy
 *   scheduler, depth, codec, k, m, starts_max
 *   groups     in the order in which they come: name -> units (node of each, "-" if it is lost),
 *              since, degraded; columns: lost unit -> nodes of the other blocks of its column of
 *              CORE; steps of a strategy: each units, vertical, after (left out: no other row
 *              matters)
 *   expect     in the order in which they begin: group; and as far as it matters to the scenario
 *              targets and helpers (names in their order), last_helper, topology, not_topology,
 *              columns (how many commands read a column), commands,
 *              not (names that must take no part)
 *   spared     node -> how many of the repairs, at least, must be chains without it
 *   waiting    groups that are left
 * </pre>
 */
class TestScenarios {
  private static final double BYTES_PER_MBIT = 125_000;
  private static final double BYTES_PER_MB = 1_000_000;
  private static final double PERCENT = 100;
  private static final int FREE_SLOTS = 1000;

  @TestFactory
  List<DynamicTest> scenarios() throws IOException, URISyntaxException {
    List<DynamicTest> tests = new ArrayList<>();
    Path folder = Paths.get(getClass().getResource("/scenarios").toURI());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        JsonNode scenario = new ObjectMapper().readTree(Files.readAllBytes(file));
        tests.add(DynamicTest.dynamicTest(file.getFileName().toString(),
            () -> new Scenario(scenario).run()));
      }
    }
    assertTrue(tests.size() > 1, "no scenarios in " + folder);
    return tests;
  }

  /** A scenario file. */
  private static final class Scenario {
    private final JsonNode json;
    private final Map<String, NodeRef> nodes = new HashMap<>();
    private final Map<String, LostGroup> groups = new HashMap<>();
    private final RepairScheduler scheduler;
    private final Fleet fleet;
    private final RepairQueue queue = new RepairQueue();

    Scenario(JsonNode json) {
      this.json = json;
      scheduler = new CoreScheduler(
          Clusters.scheduler(json.path("scheduler").asText("balanced")), Clusters.options(64),
          RepairStrategies.byName(json.path("core_strategy").asText("rgs")));
      fleet = new Fleet(scheduler.rank(), json.has("cross_rack_mbit")
          ? json.get("cross_rack_mbit").asDouble() * BYTES_PER_MBIT : NodeCapacity.UNLIMITED);
    }

    void run() {
      json.get("racks").fields().forEachRemaining(rack -> rack.getValue().forEach(name -> {
        NodeRef node = name.asText().startsWith("stock")
            ? Clusters.stockNode(name.asText(), rack.getKey())
            : Clusters.node(name.asText(), rack.getKey());
        nodes.put(name.asText(), node);
        fleet.join(node, NodeCapacity.ofLink(
            json.path("link_mbit").asDouble(200) * BYTES_PER_MBIT));
        fleet.report(node, NodeReport.NONE.withNarrowLinks(isNew(node)).withColumns(isNew(node)));
      }));
      json.get("groups").fields().forEachRemaining(
          group -> add(group.getKey(), group.getValue()));
      json.path("load").fields().forEachRemaining(
          node -> fleet.report(node(node.getKey()), report(node.getValue())
              .withNarrowLinks(isNew(node(node.getKey())))
              .withColumns(isNew(node(node.getKey())))));
      json.path("quarantined").forEach(name -> fleet.quarantine(node(name.asText()), true));
      List<RepairProposal> starts = new RepairDispatcher(queue, fleet, scheduler,
          new RepairAdmission(json.path("depth").asDouble(RepairAdmission.DEPTH_DEFAULT), 0),
          DestinationFilter.ANY).dispatch(0, json.path("starts_max").asInt(100));
      List<String> started = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      starts.forEach(start -> started.add(nameOf(start.assignment().get().group)));
      json.get("expect").forEach(start -> expected.add(start.get("group").asText()));
      assertEquals(expected, started);
      for (int i = 0; i < starts.size(); i++) {
        check(json.get("expect").get(i), starts.get(i).assignment().get());
      }
      json.path("spared").fields().forEachRemaining(least ->
          checkSpared(least.getKey(), least.getValue().asInt(), starts));
      assertEquals(json.path("waiting").asInt(0), queue.size());
    }

    private static void checkSpared(String name, int least, List<RepairProposal> starts) {
      long chains = starts.stream().map(start -> start.assignment().get())
          .filter(repair -> repair.topology.equals("chain")
              && !names(repair.helpers).contains(name))
          .count();
      assertTrue(chains >= least, chains + " chains of others spare " + name);
    }

    private boolean isNew(NodeRef node) {
      return !texts(json.path("old")).contains(node.uuid);
    }

    private NodeRef node(String name) {
      assertTrue(nodes.containsKey(name), "there is no node " + name);
      return nodes.get(name);
    }

    private void add(String name, JsonNode group) {
      List<NodeRef> holders = new ArrayList<>();
      List<Integer> lost = new ArrayList<>();
      group.get("units").forEach(unit -> {
        if (unit.asText().equals("-")) {
          lost.add(holders.size());
          holders.add(null);
        } else {
          holders.add(node(unit.asText()));
        }
      });
      GroupPolicy policy = new GroupPolicy(json.path("codec").asText("rs"),
          json.path("k").asInt(6), json.path("m").asInt(3), Clusters.MIB);
      LostGroup made = withColumns(Clusters.group(groups.size(), policy, holders, lost,
          group.path("since").asLong()), group);
      groups.put(name, made);
      queue.put(made);
      if (group.path("degraded").asBoolean()) {
        queue.markReadDegraded(made.id);
      }
    }

    private LostGroup withColumns(LostGroup group, JsonNode json) {
      if (!json.has("columns")) {
        return group;
      }
      Map<Integer, CoreColumn> columns = new HashMap<>();
      Map<Integer, Set<String>> nodesOf = new HashMap<>();
      json.get("columns").fields().forEachRemaining(column -> {
        List<CoreRows.Row> rows = new ArrayList<>();
        List<UnitHolder> holders = new ArrayList<>();
        for (String name : texts(column.getValue())) {
          holders.add(new UnitHolder(rows.size(), node(name)));
          rows.add(new CoreRows.Row(new GroupId("pool", 16_000 + 16L * rows.size(), 1),
              group.groupBytes, false));
        }
        int unit = Integer.parseInt(column.getKey());
        columns.put(unit, new CoreColumn(group.policy, unit, rows, holders));
        nodesOf.put(unit, new HashSet<>(texts(column.getValue())));
      });
      List<CoreWork.RowStep> steps = new ArrayList<>();
      json.path("steps").forEach(step -> steps.add(new CoreWork.RowStep(
          numbers(step.path("units")), step.path("vertical").asBoolean(),
          numbers(step.path("after")))));
      return group.withCore(new CoreWork(steps.isEmpty() ? CoreWork.State.ALONE
          : CoreWork.State.ORDERED, columns, nodesOf, steps));
    }

    private static Set<Integer> numbers(JsonNode array) {
      Set<Integer> numbers = new HashSet<>();
      array.forEach(number -> numbers.add(number.asInt()));
      return numbers;
    }

    private String nameOf(LostGroup group) {
      return groups.entrySet().stream().filter(entry -> entry.getValue() == group)
          .map(Map.Entry::getKey).findFirst().get();
    }

    private NodeReport report(JsonNode load) {
      Set<Long> inMemory = new HashSet<>();
      load.path("in_memory").forEach(block -> inMemory.add(
          groups.get(block.get(0).asText()).id.blockId(block.get(1).asInt())));
      NodeReport report = new NodeReport(load.path("up_mbit").asDouble() * BYTES_PER_MBIT,
          load.path("down_mbit").asDouble() * BYTES_PER_MBIT,
          load.path("disk_busy_percent").asDouble() / PERCENT, load.path("slots").asInt(FREE_SLOTS),
          load.path("accepts").asBoolean(true), inMemory);
      return report.withDisks(mb(load, "disk_mb"))
          .withLimits(mb(load, "read_limit_mb"), mb(load, "write_limit_mb"));
    }

    private static double mb(JsonNode load, String key) {
      return load.has(key) ? load.get(key).asDouble() * BYTES_PER_MB : NodeCapacity.UNLIMITED;
    }

    private static List<String> names(List<UnitHolder> holders) {
      return holders.stream().map(holder -> holder.node.uuid).collect(Collectors.toList());
    }

    private static List<String> texts(JsonNode array) {
      List<String> texts = new ArrayList<>();
      array.forEach(text -> texts.add(text.asText()));
      return texts;
    }

    private static void check(JsonNode expected, Assignment actual) {
      List<String> helpers = names(actual.helpers);
      List<String> targets = names(actual.targets);
      if (expected.has("targets")) {
        assertEquals(texts(expected.get("targets")), targets, actual.toString());
      }
      if (expected.has("helpers")) {
        assertEquals(texts(expected.get("helpers")), helpers, actual.toString());
      }
      if (expected.has("columns")) {
        assertEquals(expected.get("columns").asInt(), actual.columns().size(), actual.toString());
      }
      if (expected.has("commands")) {
        assertEquals(expected.get("commands").asInt(), actual.parts().size(), actual.toString());
      }
      if (expected.has("topology")) {
        assertEquals(expected.get("topology").asText(), actual.topology);
      }
      if (expected.has("not_topology")) {
        assertNotEquals(expected.get("not_topology").asText(), actual.topology);
      }
      if (expected.has("last_helper")) {
        assertEquals(expected.get("last_helper").asText(), helpers.get(helpers.size() - 1),
            actual.toString());
      }
      assertTrue(Collections.disjoint(texts(expected.path("not")), helpers)
          && Collections.disjoint(texts(expected.path("not")), targets), actual.toString());
    }
  }
}
