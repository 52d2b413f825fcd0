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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * When the encoder of a code with sub-chunks warns about windows that may not be cells: for the
 * heap buffers of {@code hdfs debug verifyEC}, and not for what writers and daemons do.
 */
@InterfaceAudience.Private
public class TestWindowWarning {
  private static final int LENGTH = 64;

  /** A kernel that, unlike Java's, makes coders prefer direct buffers. */
  private static final class NativeLike implements RegionKernel {
    private final RegionKernel java = Kernels.select("java");

    @Override
    public String name() {
      return "native-like";
    }

    @Override
    public RegionOperator prepare(GfMatrix coefficients) {
      return java.prepare(coefficients);
    }
  }

  private final LogCapturer log =
      LogCapturer.captureLogs(LoggerFactory.getLogger(LinearCodeRawEncoder.class));
  private final LinearCode code;
  private final LinearCodeRawEncoder encoder;
  private final byte[][] data;

  TestWindowWarning() throws IOException {
    code = PprCodec.HITCHHIKER_XOR.code(6, 3);
    encoder = new LinearCodeRawEncoder(code, new NativeLike(),
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits()));
    data = new byte[code.dataUnits()][LENGTH];
  }

  @BeforeEach
  void fill() {
    Random random = new Random(20261130);
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
  }

  @AfterEach
  void stopListening() {
    log.stopCapturing();
    encoder.release();
  }

  private byte[][] encodeBuffers(boolean direct) throws IOException {
    ByteBuffer[] from = new ByteBuffer[data.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = direct ? ByteBuffer.allocateDirect(LENGTH) : ByteBuffer.allocate(LENGTH);
      from[i].put(data[i]).flip();
    }
    ByteBuffer[] to = new ByteBuffer[code.parityUnits()];
    for (int i = 0; i < to.length; i++) {
      to[i] = direct ? ByteBuffer.allocateDirect(LENGTH) : ByteBuffer.allocate(LENGTH);
    }
    encoder.encode(from, to);
    byte[][] parity = new byte[to.length][LENGTH];
    for (int i = 0; i < to.length; i++) {
      to[i].clear();
      to[i].get(parity[i]);
    }
    return parity;
  }

  @Test
  void heapBuffersAreWarnedAboutOnce() throws IOException {
    encodeBuffers(false);
    encodeBuffers(false);
    assertEquals(1, log.getOutput().split("verifyEC' runs here", -1).length - 1, log.getOutput());
  }

  @Test
  void whatWritersAndDaemonsDoIsNotWarnedAbout() throws IOException {
    byte[][] right = encodeBuffers(true);
    byte[][] parity = new byte[code.parityUnits()][LENGTH];
    encoder.encode(data, parity);
    for (int p = 0; p < parity.length; p++) {
      assertArrayEquals(right[p], parity[p]);
    }
    assertEquals("", log.getOutput());
  }
}
