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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Arithmetic in GF(2^8) over the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d), the field of Hadoop
 * and of ISA-L. This class works on one byte at a time. Tests and self-tests compare every kernel
 * with this class. Only kernels multiply the bytes of files, because they are faster.
 *
 * <p>Elements are the low 8 bits of an int. The methods ignore the higher bits of an argument, so
 * that a caller can pass a signed byte. Results are 0 to 255. Addition and subtraction are both
 * XOR.
 */
@InterfaceAudience.Public
public final class Gf256 {
  /** The field polynomial. */
  public static final int POLYNOMIAL = 0x11d;

  private static final int ORDER = 255;
  private static final int[] LOG = new int[256];
  /**
   * The powers of x, in order, for two periods of {@link #ORDER} each, so that the sum of two
   * logarithms is a valid index without a reduction.
   */
  private static final int[] EXP = new int[2 * ORDER];

  static {
    int x = 1;
    for (int i = 0; i < ORDER; i++) {
      EXP[i] = x;
      EXP[i + ORDER] = x;
      LOG[x] = i;
      x <<= 1;
      if (x > 0xff) {
        x ^= POLYNOMIAL;
      }
    }
  }

  private Gf256() {
  }

  /**
   * {@return the product of two elements}
   *
   * @param a an element, 0 to 255
   * @param b an element, 0 to 255
   */
  public static int mul(int a, int b) {
    int x = a & 0xff;
    int y = b & 0xff;
    return x == 0 || y == 0 ? 0 : EXP[LOG[x] + LOG[y]];
  }

  /**
   * {@return the element that gives 1 when multiplied by {@code a}}
   *
   * @param a an element, 0 to 255
   * @throws ArithmeticException if {@code a} is 0
   */
  public static int inverse(int a) {
    int x = a & 0xff;
    if (x == 0) {
      throw new ArithmeticException("0 has no inverse in GF(2^8)");
    }
    return EXP[ORDER - LOG[x]];
  }

  /**
   * {@return {@code a} times the inverse of {@code b}}
   *
   * @param a an element, 0 to 255
   * @param b an element, 0 to 255
   * @throws ArithmeticException if {@code b} is 0
   */
  public static int div(int a, int b) {
    return mul(a, inverse(b));
  }

  /**
   * {@return {@code a} multiplied {@code exponent} times by itself; 1 if the exponent is 0}
   *
   * @param a an element, 0 to 255
   * @param exponent 0 or more
   * @throws IllegalArgumentException if the exponent is negative
   */
  public static int pow(int a, int exponent) {
    if (exponent < 0) {
      throw new IllegalArgumentException("exponent is negative: " + exponent);
    }
    int x = a & 0xff;
    if (exponent == 0) {
      return 1;
    }
    return x == 0 ? 0 : EXP[(int) ((long) LOG[x] * exponent % ORDER)];
  }
}
