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

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/** The probability of a loss within some hours, beside the paper's where it prints one. */
@InterfaceAudience.Private
final class LossRecord {
  private static final int PAPER_HOURS = 18;

  final String code;
  private final int racks;
  final LossProbability.Scheme scheme;
  final int hours;
  final double probability;

  LossRecord(String code, int racks, LossProbability.Scheme scheme, int hours,
      double probability) {
    this.code = code;
    this.racks = racks;
    this.scheme = scheme;
    this.hours = hours;
    this.probability = probability;
  }

  /** {@return the probability that the paper prints for RS(9,6) and 18 hours, or null} */
  private Double paper() {
    if (!code.equals("rs-6-3") || racks != 3 || hours != PAPER_HOURS) {
      return null;
    }
    switch (scheme) {
      case EC:
        return 2.24e-7;
      case CAU_1:
        return 9.83e-7;
      default:
        return null;
    }
  }

  /** Prints the last hour of each code. */
  static void print(PrintWriter out, List<LossRecord> records) {
    int last = records.stream().mapToInt(record -> record.hours).max().orElse(0);
    out.printf("%-10s %6s %8s %6s %12s %10s%n", "code", "racks", "scheme", "hours", "probability",
        "paper");
    for (LossRecord record : records) {
      if (record.hours == last) {
        Double paper = record.paper();
        out.printf(Locale.ROOT, "%-10s %6d %8s %6d %12.3e %10s%n", record.code, record.racks,
            record.scheme.label, record.hours, record.probability,
            paper == null ? "-" : String.format(Locale.ROOT, "%.2e", paper));
      }
    }
    out.flush();
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "updates-reliability")
        .put("code", code)
        .put("racks", racks)
        .put("scheme", scheme.label)
        .put("hours", hours)
        .put("loss_probability", probability)
        .put("paper", paper());
  }
}
