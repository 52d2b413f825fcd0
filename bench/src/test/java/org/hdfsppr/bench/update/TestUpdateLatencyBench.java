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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.util.CliErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests what {@code bench.sh update-latency} calculates, and its parts that need no cluster. */
class TestUpdateLatencyBench {
  private static final ClusterSpec SPEC = ClusterSpec.builder().nodes(5).racks(3).build();

  @TempDir
  private Path folder;

  private static List<Latencies> medians(double... p50Us) {
    List<Latencies> all = new ArrayList<>();
    for (double one : p50Us) {
      all.add(new Latencies(10, one, 1_000_000));
    }
    return all;
  }

  /** The bound is 40 + 50 + 2 * 5 = 100 µs. */
  private static LatencyRun run(double p50Us, double p99Us) {
    return new LatencyRun(medians(1, 40, 90), medians(90, 50, 1), medians(5, 5, 5, 5),
        new Latencies(1000, p50Us, p99Us));
  }

  private static boolean within(Row row) {
    return row.json.get("within").booleanValue();
  }

  private static Row record(boolean ok, LatencyRun... runs) {
    return LatencyTrial.row("rs-3-2", SPEC, NodeJvm.SMALL, false, List.of(runs), ok);
  }

  @Test
  void percentilesAreTimesThatOccurred() {
    long[] nanos = LongStream.rangeClosed(1, 200).map(i -> (201 - i) * 1000).toArray();
    Latencies latencies = Latencies.of(nanos);
    assertEquals(200, latencies.count);
    assertEquals(100, latencies.p50Us);
    assertEquals(198, latencies.p99Us);
    assertEquals(7, Latencies.of(new long[] {7000}).p99Us);
  }

  @Test
  void aLineGivesTheSameAgain() throws IOException {
    Latencies again = Latencies.parse(new Latencies(12, 3.25, 4.5).toLine());
    assertEquals(12, again.count);
    assertEquals(3.25, again.p50Us);
    assertEquals(4.5, again.p99Us);
  }

  @Test
  void onlyMeasuredOperationsCount() throws IOException {
    List<String> done = new ArrayList<>();
    Latencies latencies = Latencies.measure(2, 3, () -> done.add("next"), () -> done.add("run"));
    assertEquals(3, latencies.count);
    List<String> expected = new ArrayList<>();
    Collections.nCopies(5, List.of("next", "run")).forEach(expected::addAll);
    assertEquals(expected, done);
  }

  @Test
  void theBoundIsTwoRoundTripsAndTwoAppends() {
    LatencyRun run = run(250, 900);
    assertEquals(40, run.clientTripUs);
    assertEquals(50, run.followerTripUs);
    assertEquals(5, run.appendUs);
    assertEquals(100, run.boundUs());
    assertEquals(2.5, run.p50Ratio());
    assertEquals(9, run.p99Ratio());
  }

  @Test
  void bothLimitsCount() {
    assertTrue(within(record(true, run(300, 1000))));
    assertFalse(within(record(true, run(301, 1000))));
    assertFalse(within(record(true, run(300, 1001))));
    // The median repeat decides.
    assertTrue(within(record(true, run(300, 1000), run(900, 9000), run(100, 200))));
    assertFalse(within(record(true, run(300, 1000), run(301, 1000), run(301, 1000))));
  }

  @Test
  void theRecordHasMediansAndAllRepeats() {
    ObjectNode json = record(true, run(200, 700), run(400, 800), run(300, 1100)).json;
    TreeSet<String> fields = new TreeSet<>();
    json.fieldNames().forEachRemaining(fields::add);
    TreeSet<String> expected = new TreeSet<>(List.of("bench", "code", "nodes", "racks", "rate",
        "cross_rack_rate", "network", "datanodes", "acknowledged", "replicas", "update_bytes",
        "updates", "runs", "p50_ratio_max", "p99_ratio_max", "within", "ok"));
    for (String name : List.of("client_trip_us", "follower_trip_us", "append_us", "bound_us",
        "p50_us", "p99_us", "p50_ratio", "p99_ratio")) {
      expected.add(name);
      expected.add(name + "_runs");
    }
    assertEquals(expected, fields);
    assertEquals("update-latency", json.get("bench").textValue());
    assertEquals("hflush", json.get("acknowledged").textValue());
    assertEquals("small", json.get("datanodes").textValue());
    assertEquals(3000, json.get("updates").intValue());
    assertEquals(3, json.get("runs").intValue());
    assertEquals(300, json.get("p50_us").doubleValue());
    assertEquals(800, json.get("p99_us").doubleValue());
    assertEquals("[2.0,4.0,3.0]", json.get("p50_ratio_runs").toString());
    assertEquals("[7.0,8.0,11.0]", json.get("p99_ratio_runs").toString());
    assertEquals(100, json.get("bound_us").doubleValue());
    assertTrue(json.get("within").booleanValue());
  }

  @Test
  void theTableSaysWhatIsWrong() {
    StringWriter table = new StringWriter();
    LatencyTrial.table().printEach(new PrintWriter(table),
        List.of(record(false, run(400, 800))));
    String row = table.toString().split("\n")[1];
    assertTrue(row.matches("small +hflush +40.0 +50.0 +5.0 +100.0 +400.0 +800.0 +4.00 +8.00 +no"
        + " +NO"), row);
  }

  @Test
  void theSameSeedWritesTheSameBytes() {
    byte[] file = new byte[64 << 10];
    new SeededUpdates(7, file.length, 4096).into(file, 40);
    byte[] other = new byte[file.length];
    SeededUpdates updates = new SeededUpdates(7, file.length, 4096);
    for (int i = 0; i < 40; i++) {
      updates.next();
      assertEquals(0, updates.position() % 4096);
      System.arraycopy(updates.data, 0, other, (int) updates.position(), 4096);
    }
    assertArrayEquals(file, other);
  }

  @Test
  void aServerAnswersOneCallerAfterTheOther() throws IOException {
    try (PingPong server = PingPong.serve(4096)) {
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", server.port());
      for (int i = 0; i < 2; i++) {
        Latencies trips = PingPong.measure(address, 4096, 3, 20);
        assertEquals(20, trips.count);
        assertTrue(trips.p50Us > 0 && trips.p50Us <= trips.p99Us);
      }
    }
  }

  @Test
  void appendsLeaveNoFile() throws IOException {
    for (boolean durable : new boolean[] {false, true}) {
      assertEquals(10, PlainAppends.measure(folder, 4096, durable, 2, 10).count);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  private static String refusal(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int exit = new CommandLine(new UpdateLatencyBench()).setOut(writer).setErr(writer)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(CliErrors::report).execute(arguments);
    assertTrue(exit != 0, "taken: " + List.of(arguments));
    return said.toString();
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertTrue(refusal("--runs", "0").contains("have to be 1 at least, not 0"));
    assertTrue(refusal("--racks", "1").contains("--racks has to be 2 at least"));
    assertTrue(refusal("--network", "LOOPBACK").contains("--network NAMESPACES"));
    assertTrue(refusal("--datanodes", "huge").contains("huge"));
  }
}
