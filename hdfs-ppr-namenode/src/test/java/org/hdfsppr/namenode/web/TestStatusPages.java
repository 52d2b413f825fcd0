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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Moment;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the shape of the documents, and that viewers share them. */
@InterfaceAudience.Private
class TestStatusPages {
  private static final ManagerStatus STATUS =
      Samples.status(1234, Samples.lists(1230, 4, 5, 3, 120)).build();

  private static JsonNode read(StatusPages pages, String path) throws IOException {
    PageResponse page = pages.find(path).get();
    assertEquals(200, page.status);
    assertEquals("application/json; charset=utf-8", page.contentType);
    return new ObjectMapper().readTree(page.body);
  }

  private static JsonNode read(String path) throws IOException {
    return read(new StatusPages(() -> STATUS), path);
  }

  private static void assertFields(String names, JsonNode object) {
    Set<String> found = new TreeSet<>();
    object.fieldNames().forEachRemaining(found::add);
    assertEquals(new TreeSet<>(List.of(names.split(" "))), found);
  }

  @Test
  void theStatus() throws IOException {
    JsonNode status = read("/v1/status");
    assertFields("version software made cycle block_pool state headline in_charge why term"
        + " scheduler listening groups_queued queue unrecoverable recoverable_through_core"
        + " at_risk read_degraded"
        + " waiting_for_stock with_stock handed_to_stock repairs_in_flight repairs_in_flight_max"
        + " bytes_left bytes_per_s eta_s eta_bound_s repairs_done repairs_failed bytes_rebuilt"
        + " agents data_nodes data_nodes_silent quarantined doubted suspected pause"
        + " left_to_stock reasons busiest losses lock",
        status);
    assertEquals(1, status.get("version").asInt());
    assertEquals("2026-11-23T12:00:00Z", status.get("made").asText());
    assertEquals(1234, status.get("cycle").asLong());
    assertEquals("at_risk", status.get("state").asText());
    assertTrue(status.get("in_charge").asBoolean());
    assertEquals(120, status.get("groups_queued").asInt());
    assertEquals("[{\"spare_units\":0,\"groups\":2},{\"spare_units\":1,\"groups\":118}]",
        status.get("queue").toString());
    assertEquals(120 * (64L << 20) + (32L << 20), status.get("bytes_left").asLong());
    assertEquals(4.56e7, status.get("bytes_per_s").asDouble());
    assertEquals(270.25, status.get("eta_s").asDouble());
    assertTrue(status.get("eta_bound_s").isNull(), "what is not known is null");
    assertEquals(30, status.get("repairs_in_flight").asInt());
    assertEquals(100, status.get("repairs_in_flight_max").asInt());
    assertEquals("{\"since\":\"2026-11-23T11:59:00Z\",\"until\":null}",
        status.get("pause").toString());
    assertFields("code groups text", status.get("reasons").get(0));
    assertEquals("{\"node\":\"host5:9866\",\"uuid\":\"uuid-5\",\"busy_s\":12.5}",
        status.get("busiest").get(0).toString());
    JsonNode loss = status.get("losses").get(0);
    assertFields("node uuid nodes since ended groups groups_left bytes bytes_left", loss);
    assertEquals("[\"host7:9866\",\"host8:9866\"]", loss.get("nodes").toString());
    assertEquals("2026-11-23T11:59:00Z", loss.get("since").asText());
    assertTrue(loss.get("ended").isNull());
    assertEquals("2026-11-23T11:50:00Z", status.get("losses").get(1).get("ended").asText());
    assertEquals("{\"holds\":30,\"held_ms\":5.0,\"longest_ms\":0.7}",
        status.get("lock").toString());
    assertTrue(status.get("headline").asText().startsWith("3 groups have no spare unit"),
        status.get("headline").asText());
  }

  @Test
  void aStatusIsOneLine() {
    String text = new String(new StatusPages(() -> STATUS).find("/v1/status").get().body,
        StandardCharsets.UTF_8);
    assertFalse(text.contains("\n"), text);
  }

  @Test
  void beforeTheFirstCycle() throws IOException {
    StatusPages pages = new StatusPages(() -> ManagerStatus.NONE);
    JsonNode status = read(pages, "/v1/status");
    assertEquals("starting", status.get("state").asText());
    assertTrue(status.get("pause").isNull());
    assertTrue(status.get("eta_s").isNull());
    assertTrue(read(pages, "/v1/history").get("end").isNull());
    assertEquals(0, read(pages, "/v1/groups").get("total").asInt());
  }

  @Test
  void theHistory() throws IOException {
    assertEquals("{\"step_s\":10,\"end\":\"2026-11-23T11:59:57Z\",\"bytes_per_s\":[0.0,4.5E7],"
        + "\"groups_queued\":[0,120],\"repairs_in_flight\":[0,30]}",
        read("/v1/history").toString());
  }

  @Test
  void theRepairs() throws IOException {
    JsonNode repairs = read("/v1/repairs");
    assertFields("total truncated repairs", repairs);
    assertEquals(3, repairs.get("total").asInt());
    JsonNode one = repairs.get("repairs").get(0);
    assertFields("id group policy state done_percent started deadline destination units targets"
        + " topology tree", one);
    assertEquals("blk_-9223372036854775808", one.get("group").textValue(), "an id is a string");
    assertEquals("RS-6-3-1024k", one.get("policy").asText());
    assertEquals("running", one.get("state").asText());
    assertEquals(40, one.get("done_percent").asInt());
    assertEquals("2026-11-23T11:59:56Z", one.get("started").asText());
    assertFields("node uuid", one.get("destination"));
    assertEquals("[0]", one.get("units").toString());
    JsonNode tree = one.get("tree");
    assertFields("node uuid units children", tree);
    assertEquals("host99:9866", tree.get("node").asText());
    assertEquals(0, tree.get("units").size());
    assertEquals("[1]", tree.get("children").get(0).get("units").toString());
  }

  @Test
  void theGroups() throws IOException {
    JsonNode groups = read("/v1/groups");
    assertEquals(120, groups.get("total").asInt());
    assertTrue(groups.get("truncated").asBoolean(), "4 of 120 groups are listed");
    assertTrue(groups.get("with_stock").isNumber(), "groups that cannot be listed");
    JsonNode one = groups.get("groups").get(0);
    assertFields("group policy spare_units lost_units since reason text failures next_try"
        + " read_degraded prioritized", one);
    assertTrue(one.get("group").isTextual());
    assertEquals("backoff", one.get("reason").asText());
    assertEquals("2026-11-23T12:00:07Z", one.get("next_try").asText());
    assertEquals(2, one.get("failures").asInt());
    assertTrue(one.get("read_degraded").asBoolean());
    assertTrue(groups.get("groups").get(1).get("next_try").isNull());
    assertTrue(groups.get("groups").get(1).get("prioritized").asBoolean());
  }

  @Test
  void theNodes() throws IOException {
    JsonNode nodes = read("/v1/nodes");
    assertFalse(nodes.get("truncated").asBoolean());
    JsonNode one = nodes.get("nodes").get(0);
    assertFields("uuid node host rack takes_part software kernel repairs_as_destination"
        + " repairs_as_helper helping receiving pending_up_bytes pending_down_bytes busy_s"
        + " up_bytes_per_s down_bytes_per_s link_bytes_per_s last_heartbeat_s quarantined", one);
    assertEquals(0.8, one.get("last_heartbeat_s").asDouble());
    assertTrue(one.get("quarantined").isNull());
    assertEquals("0.2.0", one.get("software").asText());
    assertEquals("isal", one.get("kernel").asText());
    assertEquals(7_000, one.get("up_bytes_per_s").asDouble());
    assertEquals(9_000, one.get("down_bytes_per_s").asDouble());
    assertEquals("has failed in repairs", nodes.get("nodes").get(3).get("quarantined").asText());
    assertEquals(25e6, one.get("link_bytes_per_s").asDouble());
  }

  @Test
  void aNodeWithoutTheExtension() throws IOException {
    StatusPages pages = new StatusPages(() ->
        Samples.status(1, Samples.lists(1, 0, 10, 0, 0)).build());
    JsonNode one = read(pages, "/v1/nodes").get("nodes").get(9);
    assertFalse(one.get("takes_part").asBoolean());
    for (String unknown : List.of("software", "kernel", "up_bytes_per_s", "down_bytes_per_s",
        "last_heartbeat_s")) {
      assertTrue(one.get(unknown).isNull(), unknown);
    }
  }

  @Test
  void theDoubts() throws IOException {
    JsonNode doubts = read("/v1/doubts");
    assertEquals(2, doubts.get("total").asInt());
    JsonNode one = doubts.get("doubts").get(0);
    assertFields("group since certain suspects suspected_units text", one);
    assertTrue(one.get("certain").asBoolean());
    // Only the nodes 0 to 4 are listed; the units 1 to 8 of the group are on the nodes 1 to 8.
    assertEquals("[\"host1:9866\",\"host2:9866\",\"host3:9866\",\"host4:9866\"]",
        one.get("suspects").toString());
    assertEquals(8, one.get("suspected_units").size());
    assertEquals("{\"unit\":4,\"block\":\"blk_-9223372036854775788\",\"node\":\"host4:9866\"}",
        one.get("suspected_units").get(3).toString());
    assertTrue(one.get("suspected_units").get(4).get("node").isNull(), "a node that has left");
    assertTrue(one.get("text").asText().contains("hdfs ppr -undoubt blk_-9223372036854775792"),
        one.get("text").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/v1", "/v1/", "/v1/statu", "/v1/status/", "/v1/explain/blk_-16",
      "/v1/doctor", "/metrics", ""})
  void otherPathsAreNotServedHere(String path) {
    assertEquals(Optional.empty(), new StatusPages(() -> STATUS).find(path));
  }

  @Test
  void aListIsBounded() {
    List<StatusLists> made = new ArrayList<>();
    made.add(Samples.lists(1, StatusLists.ENTRIES_MAX, 1, 1, 10_000));
    assertEquals(StatusLists.ENTRIES_MAX, made.get(0).groups.size());
    assertThrows(IllegalArgumentException.class,
        () -> Samples.lists(1, StatusLists.ENTRIES_MAX + 1, 1, 1, 10_000));
  }

  @Test
  void allViewersGetTheSameBytes() throws Exception {
    AtomicInteger cycle = new AtomicInteger(1);
    StatusLists lists = Samples.lists(1, 1, 1, 1, 1);
    StatusPages pages = new StatusPages(() -> Samples.status(cycle.get(), lists).build());
    ExecutorService viewers = Executors.newFixedThreadPool(20);
    try {
      List<Future<PageResponse>> asked = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        asked.add(viewers.submit(() -> pages.find("/v1/status").get()));
      }
      Set<byte[]> bodies = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Future<PageResponse> one : asked) {
        bodies.add(one.get().body);
      }
      assertEquals(1, bodies.size(), "a document is written once for all viewers");
    } finally {
      viewers.shutdownNow();
    }
    PageResponse first = pages.find("/v1/status").get();
    assertEquals("1-" + Long.toString(1_700_000_000_000L, 36), first.etag().get());
    byte[] groups = pages.find("/v1/groups").get().body;
    cycle.set(2);
    PageResponse second = pages.find("/v1/status").get();
    assertNotSame(first.body, second.body);
    assertNotEquals(first.etag(), second.etag());
    assertSame(pages.find("/v1/groups").get().body, groups,
        "the lists are still those of the first cycle");
    assertSame(second.body, pages.find("/v1/status").get().body);
  }

  private static ManagerStatus madeAt(long ms, StatusLists lists) {
    return Samples.status(ms, lists)
        .made(new Moment(ms, Samples.NOW), ms, "BP-1", STATUS.facts).build();
  }

  @Test
  void theFirstViewerWaitsForTheLists() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    StatusPages pages = new StatusPages(() -> calls.incrementAndGet() < 4
        ? madeAt(Samples.NOW_MS, StatusLists.NONE)
        : madeAt(Samples.NOW_MS + 250, Samples.lists(1, 4, 5, 3, 120)));
    assertEquals(120, read(pages, "/v1/groups").get("total").asInt());
    assertEquals(4, calls.get());
  }

  @Test
  void aManagerThatMakesNoListsDelaysViewersForABoundedTime() throws IOException {
    long start = System.nanoTime();
    StatusPages pages = new StatusPages(() ->
        madeAt(Samples.NOW_MS + 60_000, Samples.lists(1, 4, 5, 3, 120)));
    assertEquals(120, read(pages, "/v1/groups").get("total").asInt(), "old lists");
    assertTrue(System.nanoTime() - start >= StatusPages.WAIT_MS_MAX * 1_000_000,
        "the viewer has waited");
  }
}
