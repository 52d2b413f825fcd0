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
package org.hdfsppr.bench;

import java.util.Locale;
import java.util.Objects;


/**
 * One measured case: an operation, a code, the kernel that computes it, and a cell size. Immutable.
 */
final class CodecCase {

  /** The operations of a coder. */
  enum Op {
    /** Computes all parity units of a stripe from its data units. */
    ENCODE(true),
    /** Rebuilds the first data unit from the units of its cheapest recipe. */
    DECODE_1(true),
    /**
     * Rebuilds as many lost units as the code has parity units. The lost units are the first set of
     * this size, in lexicographic order, that the code can decode.
     */
    DECODE_M(true),
    /**
     * Does the work of one helper of a chain that rebuilds the first data unit. The helper
     * multiplies its own unit by coefficients and adds the product to the sum that it received.
     */
    PARTIAL(false),
    /** Updates all parity units after a change of one data unit. */
    DELTA(false);

    /**
     * True if the speed is computed from the data bytes of a whole stripe, and false if it is
     * computed from the bytes of one cell.
     */
    final boolean wholeStripe;

    Op(boolean wholeStripe) {
      this.wholeStripe = wholeStripe;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Op parse(String label) {
      for (Op op : values()) {
        if (op.label().equals(label)) {
          return op;
        }
      }
      throw new IllegalArgumentException("'" + label + "' is no operation; there are encode,"
          + " decode-1, decode-m, partial, delta");
    }
  }

  final String code;
  final Op op;
  final String kernel;
  final int cellBytes;

  CodecCase(String code, Op op, String kernel, int cellBytes) {
    this.code = code;
    this.op = op;
    this.kernel = kernel;
    this.cellBytes = cellBytes;
  }

  /** Parses a text that {@link #toString} returned. */
  static CodecCase parse(String text) {
    String[] parts = text.split("/");
    return new CodecCase(parts[0], Op.parse(parts[1]), parts[2], Integer.parseInt(parts[3]));
  }

  /** Returns a case that differs from this case only in its kernel. */
  CodecCase by(String other) {
    return new CodecCase(code, op, other, cellBytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodecCase && other.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return Objects.hash(toString());
  }

  @Override
  public String toString() {
    return code + "/" + op.label() + "/" + kernel + "/" + cellBytes;
  }
}
