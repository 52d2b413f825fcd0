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
package org.hdfsppr.bench.characterize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.PeerBytes;
import org.junit.jupiter.api.Test;

/** From readings of counters to what a byte costs. */
class TestPointRecord {
  private static final long BYTES = 1_000_000;
  private static final LoadSettings SETTINGS =
      new LoadSettings(30 << 20, 30 << 20, 256, 10, 3, 15, 0, 1);
  /** A tenth of a second of processors and ten switches in each second. */
  private static final IdleUsage IDLE = IdleUsage.of(usage(10, 0.5, 0.5, 100, 0, 0, 0));

  /** Makes a reading in which the NameNode has a fifth of what the DataNodes have. */
  private static Usage usage(double seconds, double user, double system, long switches, long read,
      long written, long between) {
    return new Usage(seconds, Map.of(
        DaemonKind.DATANODES, new ProcessUsage(user * 0.8, system * 0.8, switches * 8 / 10, 0,
            read, written),
        DaemonKind.NAMENODE, new ProcessUsage(user * 0.2, system * 0.2, 0, switches * 2 / 10, 0,
            0),
        DaemonKind.CLIENT, new ProcessUsage(1, 1, 7, 0, 0, 0)),
        new PeerBytes(between, 3 * between, between, 5));
  }

  private static PointRecord record(Places places, DeviceState state, double seconds)
      throws IOException {
    AskedBytes progress = new AskedBytes();
    progress.put(100, 0);
    progress.put(102, BYTES);
    return new PointRecord(new LoadPoint(Scheme.parse("rs-6-3"), 4096, places, LoadOperation.WRITE,
        state), SETTINGS, ClusterSpec.builder().build(), IDLE, 2,
        new PointMeasured(new LoadResult(BYTES, 250, seconds, 1, 2, 3, progress),
            List.of(usage(100, 1, 1, 1000, 0, 0, 0), usage(101, 1.6, 1.2, 1510, 0, 0, 1),
                usage(102, 2.1, 1.4, 2020, 500_000, 2_000_000, 1_000_000)),
            usage(110, 3, 2, 3000, 500_000, 5_000_000, 1_500_000)));
  }

  private static List<JsonNode> rows(PointRecord record, List<PointRecord> all) {
    return record.rows(all).stream().map(row -> row.json).collect(Collectors.toList());
  }

  @Test
  void whatAByteCosts() throws IOException {
    PointRecord record = record(Places.SEQUENTIAL, DeviceState.PRISTINE, 2);
    JsonNode row = rows(record, List.of(record)).get(0);
    assertEquals("point", row.get("what").asText());
    assertEquals(0.5, row.get("mb_per_s").asDouble(), 1e-9);
    // 1.1 s in 2 s, of which 0.1 s are those of idle daemons; on two processors.
    assertEquals(1000, row.get("cpu_user_ns_per_byte").asDouble(), 1e-6);
    assertEquals(300, row.get("cpu_system_ns_per_byte").asDouble(), 1e-6);
    assertEquals(25, row.get("cpu_user_percent").asDouble(), 1e-9);
    assertEquals((1020 - 20) / 1e6, row.get("switches_per_byte").asDouble(), 1e-12);
    assertEquals(0.5, row.get("storage_read_per_byte").asDouble());
    assertEquals(2, row.get("storage_written_per_byte").asDouble());
    assertEquals(1, row.get("private_per_byte").asDouble());
    assertEquals(4, row.get("public_per_byte").asDouble());
    assertEquals(5, row.get("committed_storage_written_per_byte").asDouble());
    assertEquals(1.5, row.get("committed_private_per_byte").asDouble());
    assertEquals(8, row.get("commit_seconds").asDouble());
    assertEquals(0.2 * 1.1, row.get("namenode").get("cpu_user_seconds").asDouble(), 1e-9);
    assertTrue(row.get("random_over_sequential").isNull());
  }

  @Test
  void secondsOfAPointAreRows() throws IOException {
    PointRecord record = record(Places.SEQUENTIAL, DeviceState.PRISTINE, 2);
    List<JsonNode> rows = rows(record, List.of(record));
    assertEquals(3, rows.size());
    assertEquals("sample", rows.get(2).get("what").asText());
    assertEquals(2, rows.get(2).get("second").asInt());
    assertEquals(0.5, rows.get(2).get("mb_per_s").asDouble(), 1e-9);
    assertEquals(500, rows.get(2).get("switches_per_s").asDouble(), 1e-9);
    assertEquals(0.999999, rows.get(2).get("private_mb_per_s").asDouble(), 1e-9);
  }

  @Test
  void ratiosStandWithTheUpperSide() throws IOException {
    PointRecord sequential = record(Places.SEQUENTIAL, DeviceState.PRISTINE, 2);
    PointRecord random = record(Places.RANDOM, DeviceState.PRISTINE, 4);
    PointRecord overwritten = record(Places.RANDOM, DeviceState.OVERWRITTEN, 1);
    List<PointRecord> all = List.of(sequential, random, overwritten);
    JsonNode row = rows(random, all).get(0);
    assertEquals(0.5, row.get("random_over_sequential").asDouble(), 1e-9);
    assertEquals(0.25, row.get("pristine_over_overwritten").asDouble(), 1e-9);
    assertTrue(rows(sequential, all).get(0).get("random_over_sequential").isNull());
    assertTrue(rows(overwritten, all).get(0).get("pristine_over_overwritten").isNull());
    StringWriter text = new StringWriter();
    new CharacterizeTable(all).print(new PrintWriter(text));
    assertTrue(text.toString().contains(
        "random over sequential 0.500, pristine over overwritten 0.250"), text.toString());
  }
}
