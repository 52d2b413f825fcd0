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

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Makes the tables that ISA-L reads in place of coefficients, in the layout of its {@code
 * ec_init_tables}. The tables contain for each coefficient c, row after row, the products of c with
 * 0 to 15, and then with 0, 16, 32, ..., 240. The product of c and a byte is the XOR of two
 * entries: the entry for the low half of the byte and the entry for its high half.
 */
@InterfaceAudience.Private
final class IsalTables {
  private static final int NIBBLES = 16;

  private IsalTables() {
  }

  static int bytes(int rows, int columns) {
    return rows * columns * 2 * NIBBLES;
  }

  /**
   * Makes the tables for a matrix.
   *
   * @param memory allocates the direct buffer for the tables; its argument is the number of bytes
   */
  static ByteBuffer expand(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
    ByteBuffer tables = memory.apply(bytes(coefficients.rows(), coefficients.columns()));
    for (int o = 0; o < coefficients.rows(); o++) {
      for (int i = 0; i < coefficients.columns(); i++) {
        for (int low = 0; low < NIBBLES; low++) {
          tables.put((byte) Gf256.mul(coefficients.get(o, i), low));
        }
        for (int high = 0; high < NIBBLES; high++) {
          tables.put((byte) Gf256.mul(coefficients.get(o, i), high << 4));
        }
      }
    }
    return tables;
  }
}
