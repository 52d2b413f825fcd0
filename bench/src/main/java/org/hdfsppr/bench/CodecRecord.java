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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One sample of a case, together with the sample of memcpy, for the same number of bytes, that the
 * benchmark took just before it.
 */
final class CodecRecord {
  /** A gigabyte in a second is this number of bytes in a microsecond. */
  private static final double BYTES_PER_US = 1e3;

  final CodecCase what;
  final int round;
  /** The speed, in gigabytes (10^9 bytes) of data per second. */
  final double gbPerSecond;
  private final double memcpyGbPerSecond;
  private final double bytes;

  /**
   * @param round the round of the sample, from 1
   * @param bytes how many bytes count as processed by one operation
   */
  CodecRecord(CodecCase what, int round, double bytes, double gbPerSecond,
      double memcpyGbPerSecond) {
    this.what = what;
    this.round = round;
    this.bytes = bytes;
    this.gbPerSecond = gbPerSecond;
    this.memcpyGbPerSecond = memcpyGbPerSecond;
  }

  double toMemcpy() {
    return gbPerSecond / memcpyGbPerSecond;
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("bench", "codec")
        .put("code", what.code)
        .put("op", what.op.label())
        .put("kernel", what.kernel)
        .put("cell_bytes", what.cellBytes)
        .put("round", round)
        .put("gb_per_s", rounded(gbPerSecond))
        .put("memcpy_gb_per_s", rounded(memcpyGbPerSecond))
        .put("us_per_op", rounded(bytes / gbPerSecond / BYTES_PER_US));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
