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
package org.apache.hadoop.io.erasurecode.rawcoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.bench.clock.ReadClock;
import org.hdfsppr.bench.clock.ReadTimes;
import org.junit.jupiter.api.Test;

/** Tests that a setting puts the clock around decoding, and that nothing else does. */
class TestTimedCoderFactory {
  private static final ErasureCoderOptions RS = new ErasureCoderOptions(3, 2);
  private static final int BYTES = 4096;

  @Test
  void decodesAndCounts() throws Exception {
    Configuration conf = new Configuration();
    conf.set(TimedCoderFactory.KEY, TimedCoderFactory.NAME);
    RawErasureDecoder decoder = CodecUtil.createRawDecoder(conf, "rs", RS);
    assertTrue(decoder instanceof TimedDecoder, decoder.getClass().getName());
    byte[][] data = new byte[3][BYTES];
    byte[][] parity = new byte[2][BYTES];
    for (byte[] unit : data) {
      new Random(unit.length).nextBytes(unit);
    }
    CodecUtil.createRawEncoder(conf, "rs", RS).encode(data, parity);
    byte[][] rebuilt = new byte[1][BYTES];

    ReadTimes before = ReadClock.OF_PROCESS.times();
    ReadClock.OF_PROCESS.begin();
    decoder.decode(new byte[][] {null, data[1], data[2], parity[0], null}, new int[] {0},
        rebuilt);
    ReadClock.OF_PROCESS.end();
    ReadTimes times = ReadClock.OF_PROCESS.times().since(before);
    assertArrayEquals(data[0], rebuilt[0]);
    assertTrue(times.computing > 0);
    assertEquals(0, times.waiting);
    assertTrue(times.total >= times.computing);
  }

  @Test
  void byDefaultNothingIsTimed() {
    assertFalse(CodecUtil.createRawDecoder(new Configuration(), "rs", RS)
        instanceof TimedDecoder);
  }
}
