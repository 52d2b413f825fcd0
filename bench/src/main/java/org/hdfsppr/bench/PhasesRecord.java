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

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.EcCode;

/**
 * The phases of one mode's reads. Times are means over the runs, since means of phases add up to
 * the mean of the whole.
 */
@InterfaceAudience.Private
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

  double seconds() {
    return mean(PhaseTimes::total);
  }

  double seconds(ReadPhase phase) {
    return mean(phase::seconds);
  }

  double percent(ReadPhase phase) {
    return 100 * seconds(phase) / seconds();
  }

  double mean(ToDoubleFunction<PhaseTimes> value) {
    return meanOf(run -> value.applyAsDouble(run.times));
  }

  double otherCpuSeconds() {
    return meanOf(trial -> trial.otherCpuSeconds);
  }

  private double meanOf(ToDoubleFunction<PhasesTrial> value) {
    return runs.stream().mapToDouble(value).average().orElse(Double.NaN);
  }

  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "phases")
        .put("code", code.label())
        .put("block_bytes", blockBytes)
        .put("mode", mode.label)
        .put("ok", ok())
        .put("runs", runs())
        .put("seconds", seconds());
    json.put("transfer_seconds", seconds(ReadPhase.TRANSFER));
    json.put("disk_seconds", seconds(ReadPhase.DISK));
    json.put("computation_seconds", seconds(ReadPhase.COMPUTATION));
    json.put("rest_seconds", seconds(ReadPhase.REST));
    json.put("waiting_seconds", mean(PhaseTimes::waiting));
    json.put("disk_of_all_seconds", mean(PhaseTimes::diskOfAll));
    json.put("client_computation_seconds", mean(PhaseTimes::clientComputation));
    json.put("disk_read_bytes", Math.round(meanOf(trial -> trial.diskReadBytes)));
    json.put("other_cpu_seconds", otherCpuSeconds());
    putAll(json.putArray("seconds_runs"), PhaseTimes::total);
    putAll(json.putArray("transfer_percent_runs"), ReadPhase.TRANSFER::percent);
    putAll(json.putArray("disk_percent_runs"), ReadPhase.DISK::percent);
    putAll(json.putArray("computation_percent_runs"), ReadPhase.COMPUTATION::percent);
    putAll(json.putArray("rest_percent_runs"), ReadPhase.REST::percent);
    return json;
  }

  private void putAll(ArrayNode array, ToDoubleFunction<PhaseTimes> value) {
    runs.forEach(run -> array.add(value.applyAsDouble(run.times)));
  }
}
