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
package org.hdfsppr.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import org.hdfsppr.bench.clock.ReadTimes;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.util.EcCode;
import org.junit.jupiter.api.Test;

/** Tests what becomes of the readings of clocks. */
class TestPhasesRecord {
  private static final long MS = 1_000_000;
  private static final double EXACT = 1e-12;

  private static PhaseTimes read(long total, long waiting, long computing, long nodeComputing,
      Map<Integer, Long> disk) {
    return new PhaseTimes(new ReadTimes(total, waiting, computing),
        new NodeTimes(disk, nodeComputing));
  }

  private static PhasesRecord record(PhaseTimes... runs) throws IOException {
    PhasesRecord record = new PhasesRecord(EcCode.parse("rs-6-3"), 8 << 20, DegradedMode.CHAIN);
    for (PhaseTimes run : runs) {
      record.add(new PhasesTrial(run, "", 1000, 0.5));
    }
    return record;
  }

  @Test
  void theSlowestNodeCountsAndTheClientsWaitingIsSplit() {
    PhaseTimes times =
        read(100 * MS, 80 * MS, 6 * MS, 4 * MS, Map.of(1, 10 * MS, 2, 30 * MS, 5, 20 * MS));
    assertEquals(0.030, ReadPhase.DISK.seconds(times), EXACT);
    assertEquals(0.010, ReadPhase.COMPUTATION.seconds(times), EXACT);
    assertEquals(0.046, ReadPhase.TRANSFER.seconds(times), EXACT);
    assertEquals(0.014, ReadPhase.REST.seconds(times), EXACT);
    assertEquals(30, ReadPhase.DISK.percent(times), EXACT);
    assertEquals(0.060, times.diskOfAll(), EXACT);
  }

  @Test
  void phasesAddUpToTheRead() throws IOException {
    Row row = record(
        read(100 * MS, 80 * MS, 6 * MS, 4 * MS, Map.of(1, 30 * MS)),
        read(300 * MS, 200 * MS, 60 * MS, 0, Map.of(1, 5 * MS, 2, 7 * MS))).row();
    double seconds = 0;
    for (ReadPhase phase : ReadPhase.values()) {
      seconds += PhasesRecord.seconds(row, phase);
    }
    assertEquals(0.2, row.number("seconds"), EXACT);
    assertEquals(0.2, seconds, EXACT);
  }

  @Test
  void fieldsOfTheResult() throws IOException {
    JsonNode json = record(
        read(100 * MS, 80 * MS, 6 * MS, 4 * MS, Map.of(1, 30 * MS)),
        read(300 * MS, 200 * MS, 60 * MS, 0, Map.of(1, 5 * MS, 2, 7 * MS)))
        .row().json;
    assertEquals("phases", json.get("bench").asText());
    assertEquals("rs-6-3", json.get("code").asText());
    assertEquals("chain", json.get("mode").asText());
    assertEquals(8 << 20, json.get("block_bytes").asLong());
    assertEquals(2, json.get("runs").asInt());
    assertTrue(json.get("ok").asBoolean());
    assertEquals(0.14, json.get("waiting_seconds").asDouble(), EXACT);
    assertEquals(0.1195, json.get("transfer_seconds").asDouble(), EXACT);
    assertEquals(0.0185, json.get("disk_seconds").asDouble(), EXACT);
    assertEquals(0.021, json.get("disk_of_all_seconds").asDouble(), EXACT);
    assertEquals(0.035, json.get("computation_seconds").asDouble(), EXACT);
    assertEquals(0.033, json.get("client_computation_seconds").asDouble(), EXACT);
    assertEquals(0.027, json.get("rest_seconds").asDouble(), EXACT);
    assertEquals(1000, json.get("disk_read_bytes").asLong());
    assertEquals(0.5, json.get("other_cpu_seconds").asDouble(), EXACT);
    assertEquals(30, json.get("disk_percent_runs").get(0).asDouble(), 1e-9);
    assertEquals(20, json.get("computation_percent_runs").get(1).asDouble(), 1e-9);
    assertEquals(0.3, json.get("seconds_runs").get(1).asDouble(), EXACT);
  }

  @Test
  void oneWrongReadIsNotOk() throws IOException {
    PhasesRecord record = record(read(1, 0, 0, 0, Map.of()));
    assertTrue(record.ok());
    record.add(new PhasesTrial(read(1, 0, 0, 0, Map.of()), "WRONG BYTE", 0, 0));
    record.add(new PhasesTrial(read(1, 0, 0, 0, Map.of()), "", 0, 0));
    assertFalse(record.ok());
  }

  @Test
  void theTableHasALineForEachMode() throws IOException {
    StringWriter text = new StringWriter();
    PhasesRecord.print(new PrintWriter(text), List.of(record(read(100 * MS, 80 * MS, 6 * MS,
        4 * MS, Map.of(1, 10 * MS, 2, 30 * MS))).row()));
    String line = text.toString().lines().filter(one -> one.startsWith("chain"))
        .findFirst().orElseThrow();
    assertEquals(List.of("chain", "1", "0.100", "46.00", "30.00", "10.00", "14.00", "0.080",
        "0.040", "0.50"), List.of(line.split("\\s+")));
  }
}
