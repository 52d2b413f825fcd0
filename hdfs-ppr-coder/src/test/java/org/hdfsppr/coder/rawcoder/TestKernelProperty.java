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
package org.hdfsppr.coder.rawcoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the system property that names the kernel of raw coders. */
class TestKernelProperty {
  private static final String PROPERTY = LinearCodeRawCoderFactory.KERNEL_PROPERTY;
  private final String before = System.getProperty(PROPERTY);

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  private static byte[][] encode() throws IOException {
    RawErasureEncoder encoder =
        new RawCoderFactories.HitchhikerXorPlus().createEncoder(new ErasureCoderOptions(6, 3));
    byte[][] data = new byte[6][1001];
    Random random = new Random(1);
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    byte[][] parity = new byte[3][1001];
    encoder.encode(data, parity);
    encoder.release();
    return parity;
  }

  @Test
  void everyKernelGivesTheSameBytes() throws IOException {
    System.clearProperty(PROPERTY);
    byte[][] expected = encode();
    for (RegionKernel kernel : Kernels.available()) {
      System.setProperty(PROPERTY, kernel.name());
      assertArrayEquals(expected, encode(), kernel.name());
    }
  }

  @Test
  void anUnknownKernelIsRefused() {
    System.setProperty(PROPERTY, "fast");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, TestKernelProperty::encode);
    assertTrue(e.getMessage().contains("fast"), e.getMessage());
  }
}
