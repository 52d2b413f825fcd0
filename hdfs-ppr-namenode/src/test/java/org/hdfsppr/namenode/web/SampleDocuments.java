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

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The documents of a large cluster that has lost a node, with invented numbers. Each version of a
 * document is made once. The lists are as long as the documents of the manager's status may be.
 */
@InterfaceAudience.Private
final class SampleDocuments implements PageSource {
  static final int GROUPS = 10_000;
  static final int NODES = 1_000;
  private static final int LISTED_MAX = 1_000;
  private static final int HISTORY = 360;
  private static final long SEED = 17;

  private final LongSupplier version;
  private final Map<String, PageResponse> pages = new ConcurrentHashMap<>();

  /** @param version the number of the present version */
  SampleDocuments(LongSupplier version) {
    this.version = version;
  }

  @Override
  public Optional<PageResponse> find(String path) {
    String etag = Long.toString(version.getAsLong());
    return Optional.ofNullable(pages.compute(path, (same, old) ->
        old != null && old.etag().equals(Optional.of(etag)) ? old : make(path, etag)));
  }

  private static PageResponse make(String path, String etag) {
    Random random = new Random(SEED + Long.parseLong(etag));
    switch (path) {
      case "/v1/status":
        return page(etag, "{\"version\":1,\"cycle\":" + etag + ",\"state\":\"repairing\","
            + list("busiest", 5, i -> "{\"node\":\"" + host(i) + "\",\"busy_s\":"
                + decimal(random) + "}") + ","
            + list("losses", 20, i -> "{\"node\":\"" + host(i) + "\",\"uuid\":\"" + uuid(i)
                + "\",\"groups\":" + random.nextInt(GROUPS) + ",\"bytes_left\":"
                + (random.nextLong() >>> 20) + "}") + "}");
      case "/v1/nodes":
        return page(etag, "{\"total\":" + NODES + "," + list("nodes", NODES, i ->
            "{\"uuid\":\"" + uuid(i) + "\",\"node\":\"" + host(i) + "\",\"host\":\"dn" + i
                + ".example.com\",\"rack\":\"/r" + i % 40 + "\",\"takes_part\":true,"
                + "\"software\":\"0.2.0\",\"kernel\":\"isal\",\"repairs_as_destination\":"
                + random.nextInt(5) + ",\"repairs_as_helper\":" + random.nextInt(30)
                + ",\"helping\":" + random.nextInt(30) + ",\"receiving\":" + random.nextInt(5)
                + ",\"pending_up_bytes\":" + random.nextInt() + ",\"pending_down_bytes\":"
                + random.nextInt() + ",\"busy_s\":" + decimal(random) + ",\"up_bytes_per_s\":"
                + decimal(random) + ",\"down_bytes_per_s\":" + decimal(random)
                + ",\"link_bytes_per_s\":1.25E8,\"last_heartbeat_s\":" + decimal(random)
                + ",\"quarantined\":null}") + "}");
      case "/v1/groups":
        return page(etag, "{\"total\":" + GROUPS + "," + list("groups", LISTED_MAX, i ->
            "{\"group\":\"" + group(i) + "\",\"policy\":\"RS-6-3-1024k\",\"spare_units\":"
                + random.nextInt(3) + ",\"lost_units\":[" + random.nextInt(9)
                + "],\"since\":\"2026-01-01T00:00:00Z\",\"reason\":\"queued\",\"text\":"
                + "\"The group waits for its turn.\",\"failures\":0,\"next_try\":null,"
                + "\"read_degraded\":false,\"prioritized\":false}") + "}");
      case "/v1/repairs":
        return page(etag, "{\"total\":" + GROUPS + "," + list("repairs", LISTED_MAX, i ->
            "{\"id\":\"65537-" + i + "\",\"group\":\"" + group(i) + "\",\"policy\":"
                + "\"RS-6-3-1024k\",\"state\":\"running\",\"done_percent\":" + random.nextInt(100)
                + ",\"started\":\"2026-01-01T00:00:00Z\",\"tree\":" + chain(random, 6) + "}")
            + "}");
      case "/v1/doubts":
        return page(etag, "{\"total\":0," + list("doubts", 0, i -> "") + "}");
      case "/v1/history":
        return page(etag, "{\"step_s\":10," + list("bytes_per_s", HISTORY, i -> decimal(random))
            + "," + list("groups_queued", HISTORY, i -> decimal(random)) + ","
            + list("repairs_in_flight", HISTORY, i -> decimal(random)) + "}");
      default:
        return null;
    }
  }

  private static String chain(Random random, int nodes) {
    int i = random.nextInt(NODES);
    return "{\"node\":\"" + host(i) + "\",\"uuid\":\"" + uuid(i) + "\",\"units\":[" + nodes
        + "],\"children\":[" + (nodes == 0 ? "" : chain(random, nodes - 1)) + "]}";
  }

  private static PageResponse page(String etag, String json) {
    return PageResponse.json(etag, json.getBytes(StandardCharsets.UTF_8));
  }

  private static String list(String name, int length, IntFunction<String> entry) {
    return "\"truncated\":false,\"" + name + "\":[" + IntStream.range(0, length).mapToObj(entry)
        .collect(Collectors.joining(",")) + "]";
  }

  private static String host(int i) {
    return "dn" + i + ".example.com:9866";
  }

  private static String uuid(int i) {
    return String.format(Locale.ROOT, "%08x-1111-2222-3333-%012x", i * 0x9e3779b9, i * 0x5851f42dL);
  }

  private static String group(int i) {
    return "blk_" + (Long.MIN_VALUE + 16L * i);
  }

  private static String decimal(Random random) {
    return Double.toString(random.nextInt(1_000_000) / 1e3);
  }
}
