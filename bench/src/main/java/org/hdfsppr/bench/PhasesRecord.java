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

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.it.util.EcCode;

/**
 * The phases of one mode's reads. Times are means over the runs, since means of phases add up to
 * the mean of the whole.
 */
final class PhasesRecord {
  private final EcCode code;
  private final long blockBytes;
  final DegradedMode mode;
  private final List<PhasesTrial> runs = new ArrayList<>();

  PhasesRecord(EcCode code, long blockBytes, DegradedMode mode) {
    this.code = code;
    this.blockBytes = blockBytes;
    this.mode = mode;
  }

  void add(PhasesTrial run) {
    runs.add(run);
  }

  int runs() {
    return runs.size();
  }

  boolean ok() {
    return !runs.isEmpty() && runs.stream().allMatch(PhasesTrial::ok);
  }

  private double mean(ToDoubleFunction<PhaseTimes> value) {
    return meanOf(run -> value.applyAsDouble(run.times));
  }

  private double meanOf(ToDoubleFunction<PhasesTrial> value) {
    return runs.stream().mapToDouble(value).average().orElse(Double.NaN);
  }

  /** Returns the means, and the times and shares of each run; needs a run. */
  Row row() {
    Row row = new Row("phases")
        .put("code", code.label())
        .put("block_bytes", blockBytes)
        .put("mode", mode.label)
        .put("ok", ok())
        .put("runs", runs.size())
        .put("seconds", mean(PhaseTimes::total))
        .put("transfer_seconds", mean(ReadPhase.TRANSFER::seconds))
        .put("disk_seconds", mean(ReadPhase.DISK::seconds))
        .put("computation_seconds", mean(ReadPhase.COMPUTATION::seconds))
        .put("rest_seconds", mean(ReadPhase.REST::seconds))
        .put("waiting_seconds", mean(PhaseTimes::waiting))
        .put("disk_of_all_seconds", mean(PhaseTimes::diskOfAll))
        .put("client_computation_seconds", mean(PhaseTimes::clientComputation))
        .put("disk_read_bytes", Math.round(meanOf(trial -> trial.diskReadBytes)))
        .put("other_cpu_seconds", meanOf(trial -> trial.otherCpuSeconds));
    putAll(row.json.putArray("seconds_runs"), PhaseTimes::total);
    putAll(row.json.putArray("transfer_percent_runs"), ReadPhase.TRANSFER::percent);
    putAll(row.json.putArray("disk_percent_runs"), ReadPhase.DISK::percent);
    putAll(row.json.putArray("computation_percent_runs"), ReadPhase.COMPUTATION::percent);
    putAll(row.json.putArray("rest_percent_runs"), ReadPhase.REST::percent);
    return row;
  }

  private void putAll(ArrayNode array, ToDoubleFunction<PhaseTimes> value) {
    runs.forEach(run -> array.add(value.applyAsDouble(run.times)));
  }

  /** Returns the seconds of a phase in a row. */
  static double seconds(Row row, ReadPhase phase) {
    return row.number(phase.label + "_seconds");
  }

  /** Prints how long the reads of each mode took, and the share of each phase. */
  static void print(PrintWriter out, List<Row> rows) {
    Table table = new Table().text("mode", -8, "mode").text("runs", 5, "runs")
        .median("seconds", 9, 3, "seconds");
    for (ReadPhase phase : ReadPhase.values()) {
      table.median(phase.label + " %", 13, 2,
          row -> 100 * seconds(row, phase) / row.number("seconds"));
    }
    table.median("waiting s", 10, 3, "waiting_seconds")
        .median("all disks s", 12, 3, "disk_of_all_seconds")
        .median("other CPU s", 12, 2, "other_cpu_seconds").markNotOk().printEach(out, rows);
    out.println();
    out.println("disk: reads of files on the DataNode that read for longest; computation: the"
        + " client's, and that of the DataNode that computed for longest;");
    out.println("transfer: what is left of the client's waiting for bytes; rest: all but waiting"
        + " and the client's computation. Means of the runs.");
    out.flush();
  }
}
