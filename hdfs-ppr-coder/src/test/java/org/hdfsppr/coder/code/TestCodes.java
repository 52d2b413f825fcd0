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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;

/** Tests how a policy is mapped to its code. */
@InterfaceAudience.Private
class TestCodes {
  private final Configuration conf = new Configuration();

  @Test
  void aCodeIsFoundOnce() throws IOException {
    LinearCode code = Codes.forCodec(conf, "rs-legacy", 6, 3);
    assertEquals("rs-legacy-6-3", code.name());
    assertSame(code, Codes.forCodec(conf, "rs-legacy", 6, 3));
    assertEquals("rs-6-3", Codes.forCodec(conf, "rs", 6, 3).name());
  }

  @Test
  void xorIsOneRowOfOnes() throws IOException {
    assertEquals(GfMatrix.of(new byte[][] {{1, 1}}),
        Codes.forCodec(conf, "xor", 2, 1).parityCoefficients());
  }

  @Test
  void theFallbackToHadoopsJavaCodersGivesTheSameCode() throws IOException {
    Configuration javaOnly = new Configuration(false);
    javaOnly.setBoolean("io.erasurecode.codec.native.enabled", false);
    assertEquals(Codes.forCodec(conf, "rs-legacy", 3, 2).generator(),
        Codes.forCodec(javaOnly, "rs-legacy", 3, 2).generator());
  }

  @Test
  void whatCannotBeACodeIsRefusedByName() {
    refused("no codec \"nonsense\" is registered with Hadoop here", "nonsense", 6, 3);
    refused("nonsense-6-3", "nonsense", 6, 3);
    refused("at most 16 units", "rs", 14, 3);
    refused("at least one data and one parity unit", "rs", 6, 0);
  }

  @Test
  void codecsOfThisLibraryAreBuiltIn() throws IOException {
    LinearCode code = Codes.forCodec(conf, "hitchhiker-xorplus", 10, 4);
    assertEquals("hitchhiker-xorplus-10-4", code.name());
    assertEquals(2, code.subChunks());
    assertEquals(10, code.recipes().stream().map(Recipe::lostUnits).distinct().count());
    assertSame(code, Codes.forCodec(conf, "hitchhiker-xorplus", 10, 4));
    assertEquals("lrc-l2-12-4", Codes.forCodec(conf, "lrc-l2", 12, 4).name());
    assertEquals("core-t3-6-3", Codes.forCodec(conf, "core-t3", 6, 3).name());
  }

  @Test
  void aCodecOfThisLibraryWithUnprovenNumbersIsRefusedWithTheReason() {
    refused("Codec lrc-l2 has no code with 8 data and 4 parity units: lrc-l2-8-4: no maximally"
        + " recoverable coefficients are known", "lrc-l2", 8, 4);
    refused("proven to decode", "rotated-rs-r4", 1, 9);
    refused("at least two parity units", "hitchhiker-xor", 6, 1);
    refused("at least as many parity units as sub-chunks", "less-a4", 6, 3);
  }

  @Test
  void aCoderWithAnotherMatrixDoesNotPassForACodecOfThisLibrary() throws IOException {
    LinearCode promised = PprCodec.CORE_T3.code(6, 3);
    ErasureCoderOptions options = new ErasureCoderOptions(6, 3);
    assertTrue(EncoderVerification.computes(promised, new RSRawEncoder(options)));
    assertFalse(EncoderVerification.computes(promised, new RSLegacyRawEncoder(options)));
    assertFalse(EncoderVerification.computes(Hitchhiker.nonXor(6, 3), new RSRawEncoder(options)));
  }

  private void refused(String why, String codec, int k, int m) {
    String message = assertThrows(UnsupportedCodeException.class,
        () -> Codes.forCodec(conf, codec, k, m)).getMessage();
    assertTrue(message.contains(why), message);
  }
}
