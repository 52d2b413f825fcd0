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
package org.hdfsppr.coder.gf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.rawcoder.util.GF256;
import org.junit.jupiter.api.Test;

/** Tests the scalar oracle against the definition of the field and against Hadoop's tables. */
@InterfaceAudience.Private
class TestGf256 {
  /** Multiplies bit by bit: shift, add, reduce. */
  private static int slowly(int a, int b) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product <<= 1;
      if (product > 0xff) {
        product ^= 0x11d;
      }
      if ((b >>> bit & 1) != 0) {
        product ^= a;
      }
    }
    return product;
  }

  @Test
  void everyProductFollowsFromTheDefinition() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertEquals(slowly(a, b), Gf256.mul(a, b), a + " * " + b);
      }
    }
  }

  @Test
  void hadoopComputesInTheSameField() {
    for (int a = 0; a < 256; a++) {
      assertEquals(GF256.gfInv((byte) a) & 0xff, a == 0 ? 0 : Gf256.inverse(a), "1 / " + a);
      for (int b = 0; b < 256; b++) {
        assertEquals(GF256.gfMul((byte) a, (byte) b) & 0xff, Gf256.mul(a, b), a + " * " + b);
      }
    }
  }

  @Test
  void divisionUndoesMultiplication() {
    for (int a = 0; a < 256; a++) {
      for (int b = 1; b < 256; b++) {
        assertEquals(a, Gf256.div(Gf256.mul(a, b), b));
      }
    }
    assertThrows(ArithmeticException.class, () -> Gf256.inverse(0));
    assertThrows(ArithmeticException.class, () -> Gf256.div(7, 0));
  }

  @Test
  void aPowerIsRepeatedMultiplication() {
    for (int a = 0; a < 256; a++) {
      int expected = 1;
      for (int exponent = 0; exponent < 600; exponent++) {
        assertEquals(expected, Gf256.pow(a, exponent), a + " ^ " + exponent);
        expected = Gf256.mul(expected, a);
      }
    }
    assertEquals(Gf256.pow(3, Integer.MAX_VALUE % 255), Gf256.pow(3, Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> Gf256.pow(2, -1));
  }

  @Test
  void signedBytesAreTakenAsTheyAre() {
    assertEquals(Gf256.mul(0xfe, 0x80), Gf256.mul((byte) 0xfe, (byte) 0x80));
    assertEquals(Gf256.inverse(0xfe), Gf256.inverse((byte) 0xfe));
    assertEquals(Gf256.pow(0xfe, 5), Gf256.pow((byte) 0xfe, 5));
  }
}
