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
package org.hdfsppr.bench.core;

import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A result of the analysis: a number for a number of failures, beside the paper's. */
final class CoreRecord {
  private static final double DIGITS = 1e6;

  final String what;
  private final String code;
  final int failures;
  final double value;

  /**
   * @param what what is counted, such as {@code recoverability} in percent or {@code cost_rgs} in
   *     blocks
   * @param code the code's name
   * @param failures the number of failures
   * @param value the number
   */
  CoreRecord(String what, String code, int failures, double value) {
    this.what = what;
    this.code = code;
    this.failures = failures;
    this.value = value;
  }

  /** {@return the paper's number, or empty if it prints none} */
  OptionalDouble paper() {
    return PaperFigures.of(code, what, failures);
  }

  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("bench", "core")
        .put("what", what)
        .put("code", code)
        .put("failures", failures)
        .put("value", Math.round(value * DIGITS) / DIGITS);
    if (paper().isPresent()) {
      json.put("paper", paper().getAsDouble());
    } else {
      json.putNull("paper");
    }
    return json;
  }
}
