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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.rawcoder.FunctionEncoder;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;

/**
 * Tests codes that are found by probing encoders. It also has encoders whose codes are not linear,
 * or do not work byte by byte.
 */
@InterfaceAudience.Private
class TestProbedCode {
  private static LinearCode probe(FunctionEncoder.Parity parity) throws IOException {
    return ProbedCode.probe("toy", new FunctionEncoder(parity));
  }

  private static String refusal(FunctionEncoder.Parity parity) {
    return assertThrows(UnsupportedCodeException.class, () -> probe(parity)).getMessage();
  }

  @Test
  void coefficientsAreReadOffTheEncoder() throws IOException {
    LinearCode code =
        probe((d, x) -> d[0][x] ^ Gf256.mul(2, d[1][x]) ^ Gf256.mul(0xc3, d[2][x]));
    assertEquals("toy", code.name());
    assertEquals(1, code.subChunks());
    assertEquals(GfMatrix.of(new byte[][] {{1, 2, (byte) 0xc3}}), code.parityCoefficients());
    assertEquals(List.of(), code.recipes());
  }

  @Test
  void aCodeThatCouplesTheHalvesOfAWindowIsRefused() {
    String why = refusal((d, x) -> {
      int half = d[0].length / 2;
      return d[0][x] ^ d[1][x] ^ d[2][x] ^ (x >= half && half > 0 ? d[0][x - half] : 0);
    });
    assertTrue(why.contains("depends on bytes at other positions of the data units"), why);
    assertTrue(why.contains("Codec toy (" + FunctionEncoder.class.getName() + ")"), why);
  }

  @Test
  void aCodeThatCouplesOnlyWholeWindowsOfDataNodesIsRefused() {
    String why = refusal((d, x) -> d[0][x] ^ d[1][x] ^ d[2][x]
        ^ (d[0].length == 65536 ? d[0][x ^ 32768] : 0));
    assertTrue(why.contains("in a window of 65536 bytes"), why);
  }

  @Test
  void aCodeThatIsNotLinearIsRefused() {
    String sum = refusal((d, x) -> d[0][x] + d[1][x] + d[2][x]);
    assertTrue(sum.contains("is not a GF(2^8)-linear function of the data bytes"), sum);
    String constant = refusal((d, x) -> d[0][x] ^ d[1][x] ^ d[2][x] ^ 0x55);
    assertTrue(constant.contains("is not a GF(2^8)-linear function of the data bytes"), constant);
  }

  @Test
  void aCodeOverAnotherFieldIsRefused() {
    String why = refusal((d, x) -> d[0][x] ^ d[1][x] ^ timesXInTheFieldOfAes(d[2][x] & 0xff));
    assertTrue(why.contains("is not a GF(2^8)-linear function of the data bytes"), why);
  }

  private static int timesXInTheFieldOfAes(int a) {
    return a < 0x80 ? a << 1 : a << 1 ^ 0x11b;
  }

  @Test
  void anEncoderThatFailsIsNotTakenForAnUnsupportedCode() {
    IOException failed = assertThrows(IOException.class, () -> probe((d, x) -> {
      throw new IOException("closed");
    }));
    assertEquals("closed", failed.getMessage());
    assertEquals(IOException.class, failed.getClass());
  }
}
