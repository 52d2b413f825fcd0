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
import java.util.OptionalLong;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import org.hdfsppr.bench.read.ReadResult;
import org.hdfsppr.bench.run.Medians;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;

/** The results of one mode with one pattern. Values are medians over the rounds. */
final class DegradedRecord {
  private static final double MEDIAN = 0.5;
  private static final double TAIL = 0.99;

  private final EcCode code;
  final DegradedMode mode;
  final ReadPattern pattern;
  private final Rate link;
  private final List<ReadResult> rounds = new ArrayList<>();
  /** For each round, the bytes that the client's link has carried to it, if the kernel counts. */
  private final List<OptionalLong> received = new ArrayList<>();

  /** @param link the rate of the client's link, each way */
  DegradedRecord(EcCode code, DegradedMode mode, ReadPattern pattern, Rate link) {
    this.link = link;
    this.code = code;
    this.mode = mode;
    this.pattern = pattern;
  }

  /** @param carried what the client's link has carried to it, bytes with the frames' headers */
  void add(ReadResult result, OptionalLong carried) {
    rounds.add(result);
    received.add(carried);
  }

  int rounds() {
    return rounds.size();
  }

  /**
   * Returns how many bytes the client's link has carried to the client for one byte that it read;
   * NaN if the network does not count bytes.
   */
  private double receivedPerByte() {
    return ofLink((result, carried) -> (double) carried / result.bytes);
  }

  /**
   * Returns for how much of the time of the reads the client's link was busy, percent; NaN if the
   * link has no limit, or the network does not count bytes.
   */
  private double linkBusyPercent() {
    return link.isUnlimited() ? Double.NaN : ofLink((result, carried) -> 100
        * link.secondsFor(carried) / (result.bytes / (result.megabytesPerSecond() * 1e6)));
  }

  private double ofLink(ToDoubleBiFunction<ReadResult, Long> value) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      if (received.get(i).isPresent() && rounds.get(i).bytes > 0) {
        values.add(value.applyAsDouble(rounds.get(i), received.get(i).getAsLong()));
      }
    }
    return values.isEmpty() ? Double.NaN : Medians.of(values);
  }

  private double median(ToDoubleFunction<ReadResult> value) {
    return Medians.of(rounds.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  boolean ok() {
    return !rounds.isEmpty() && rounds.stream().allMatch(ReadResult::ok);
  }

  /** Returns the medians, and the MB/s of each round; needs a round. */
  Row row() {
    Row row = new Row("degraded")
        .put("code", code.label())
        .put("mode", mode.label)
        .put("pattern", pattern.label)
        .put("mb_per_s", median(ReadResult::megabytesPerSecond))
        .put("p50_ms", median(result -> result.percentileMs(MEDIAN)))
        .put("p99_ms", median(result -> result.percentileMs(TAIL)))
        .put("ok", ok())
        .put("rounds", rounds.size())
        .put("client_received_per_byte", finite(receivedPerByte()))
        .put("client_link_busy_percent", finite(linkBusyPercent()));
    ArrayNode each = row.json.putArray("mb_per_s_rounds");
    rounds.forEach(result -> each.add(result.megabytesPerSecond()));
    return row;
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }
}
