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
package org.hdfsppr.coder.code;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;

/**
 * The coefficients of every code are the format of what clusters have stored. If this test fails,
 * do not change the test: files written before would be repaired to garbage.
 */
@InterfaceAudience.Private
class TestStoredFormat {
  private static final Map<String, String> FINGERPRINTS = new TreeMap<>(Map.ofEntries(
      Map.entry("core-t3-6-3", "15fca645"),
      Map.entry("core-t5-12-2", "bf720547"),
      Map.entry("hitchhiker-nonxor-10-4", "c02c5fbd"),
      Map.entry("hitchhiker-nonxor-12-4", "b4bb8db3"),
      Map.entry("hitchhiker-nonxor-6-3", "3803c971"),
      Map.entry("hitchhiker-xor-10-4", "71621f02"),
      Map.entry("hitchhiker-xor-12-4", "e68456e0"),
      Map.entry("hitchhiker-xor-6-3", "bd6c4d10"),
      Map.entry("hitchhiker-xorplus-10-4", "6d41f78b"),
      Map.entry("hitchhiker-xorplus-12-4", "d18d297d"),
      Map.entry("hitchhiker-xorplus-6-3", "aa210a4a"),
      // The same as of an independent program that builds these codes, in Python.
      Map.entry("less-a2-10-4", "12f45331"),
      Map.entry("less-a2-6-3", "dd577e11"),
      Map.entry("less-a3-10-4", "7945a095"),
      Map.entry("less-a3-6-3", "d6f4b058"),
      Map.entry("less-a4-10-4", "e2207135"),
      Map.entry("less-a4-12-4", "4b2bb359"),
      Map.entry("lrc-l2-10-6", "d591858f"),
      Map.entry("lrc-l2-12-4", "c3c1ed9a"),
      Map.entry("lrc-l2-6-4", "ac063bae"),
      // The same as of an independent program, in Python.
      Map.entry("lrc-rs-l2-10-4", "36c4186d"),
      Map.entry("lrc-rs-l2-6-4", "2272502b"),
      Map.entry("rotated-rs-r4-10-4", "cbab3ff5"),
      Map.entry("rotated-rs-r4-12-4", "89c5fdcd"),
      Map.entry("rotated-rs-r4-6-3", "b1f0110a")));

  @Test
  void noCoefficientHasEverChanged() {
    assertEquals(FINGERPRINTS, ShippedCodes.all()
        .collect(Collectors.toMap(LinearCode::name, TestStoredFormat::fingerprint,
            (first, second) -> first, TreeMap::new)));
  }

  private static String fingerprint(LinearCode code) {
    CRC32 crc = new CRC32();
    add(crc, code.parityCoefficients());
    add(crc, code.remainderCode().get().parityCoefficients());
    return String.format("%08x", crc.getValue());
  }

  private static void add(CRC32 crc, GfMatrix matrix) {
    for (int r = 0; r < matrix.rows(); r++) {
      crc.update(matrix.row(r));
    }
  }
}
