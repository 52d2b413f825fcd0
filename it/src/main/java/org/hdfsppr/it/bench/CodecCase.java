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
package org.hdfsppr.it.bench;

import java.util.Locale;
import java.util.Objects;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What one measurement runs: an operation of a coder, with a code and cells of one size. A value.
 */
@InterfaceAudience.Private
final class CodecCase {

  /** What a coder can do. */
  @InterfaceAudience.Private
  enum Op {
    /** All parities of a stripe from its data. */
    ENCODE(true),
    /** The first data unit from what its cheapest recipe reads. */
    DECODE_1(true),
    /** One lost unit for each parity: the first such set of units that can be decoded. */
    DECODE_M(true),
    /** What one helper of a chain adds to what it has received, for the first data unit. */
    PARTIAL(false),
    /** What the change of one data unit adds to all parities. */
    DELTA(false);

    private final boolean wholeStripe;

    Op(boolean wholeStripe) {
      this.wholeStripe = wholeStripe;
    }

    /** Whether the data of a whole stripe count, or one cell. */
    boolean wholeStripe() {
      return wholeStripe;
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

  private final String code;
  private final Op op;
  private final String kernel;
  private final int cellBytes;

  CodecCase(String code, Op op, String kernel, int cellBytes) {
    this.code = code;
    this.op = op;
    this.kernel = kernel;
    this.cellBytes = cellBytes;
  }

  /** The reverse of {@link #toString}. */
  static CodecCase parse(String text) {
    String[] parts = text.split("/");
    return new CodecCase(parts[0], Op.parse(parts[1]), parts[2], Integer.parseInt(parts[3]));
  }

  String code() {
    return code;
  }

  Op op() {
    return op;
  }

  String kernel() {
    return kernel;
  }

  int cellBytes() {
    return cellBytes;
  }

  /** The same work by another kernel. */
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
