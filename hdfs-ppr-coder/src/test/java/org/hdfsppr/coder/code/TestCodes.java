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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;

/** The way from a policy to its code. */
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

  private void refused(String why, String codec, int k, int m) {
    String message = assertThrows(UnsupportedCodeException.class,
        () -> Codes.forCodec(conf, codec, k, m)).getMessage();
    assertTrue(message.contains(why), message);
  }
}
