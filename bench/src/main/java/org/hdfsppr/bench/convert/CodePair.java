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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.it.util.EcCode;

/** The code that files have, and the code that they are to have. Knows the goals of both. */
@InterfaceAudience.Private
public final class CodePair {
  private static final String SEPARATOR = ":";

  /** Frames, headers and heartbeats may add this share to the units that have to move. */
  private static final double OVERHEAD = 1.05;

  /** The bytes of a cell of noise that both codes encode. Sub-chunks divide it. */
  private static final int CELL_BYTES = 1 << 12;
  private static final long SEED = 1;

  public final EcCode from;
  public final EcCode to;

  private CodePair(EcCode from, EcCode to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Reads a pair.
   *
   * @param text two codes as {@link EcCode#parse} reads them, such as {@code rs-6-3:lrc-l2-6-4}
   * @return the pair
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static CodePair parse(String text) throws IOException {
    String[] codes = text.split(SEPARATOR, -1);
    if (codes.length != 2) {
      throw new IllegalArgumentException("'" + text + "' is not FROM:TO, such as"
          + " rs-6-3:lrc-l2-6-4");
    }
    CodePair pair = new CodePair(EcCode.parse(codes[0]), EcCode.parse(codes[1]));
    if (pair.from.equals(pair.to) || pair.from.dataUnits() != pair.to.dataUnits()) {
      throw new IllegalArgumentException("'" + text + "' must name two codes with the same number"
          + " of data units");
    }
    return pair;
  }

  /** Returns whether daemons and clients need the extension's codecs for either code. */
  boolean needsCodecs() {
    return from.isOwnCodec() || to.isOwnCodec();
  }

  /**
   * Returns how many units of each group are other bytes than every unit of the old code. Finds
   * out by encoding noise with the raw coders of both codes.
   */
  int madeUnits() {
    byte[][] data = new byte[from.dataUnits()][CELL_BYTES];
    Random random = new Random(SEED);
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    byte[][] old = encode(from, data);
    return (int) Arrays.stream(encode(to, data))
        .filter(unit -> Arrays.stream(old).noneMatch(other -> Arrays.equals(unit, other)))
        .count();
  }

  private static byte[][] encode(EcCode code, byte[][] data) {
    byte[][] inputs = Arrays.stream(data).map(byte[]::clone).toArray(byte[][]::new);
    byte[][] parity = new byte[code.parityUnits()][CELL_BYTES];
    RawErasureEncoder encoder = CodecUtil.createRawEncoder(new Configuration(), code.codec,
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits()));
    try {
      encoder.encode(inputs, parity);
      return parity;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      encoder.release();
    }
  }

  private boolean isPatchedHitchhiker() {
    return from.equals(EcCode.RS_10_4) && to.codec.equals("hitchhiker-nonxor");
  }

  private boolean isLrcOverRs() {
    return from.codec.equals("rs") && to.codec.startsWith("lrc-rs");
  }

  /** Returns how many units the links may carry for each group. */
  double networkUnitsMost() {
    if (isPatchedHitchhiker()) {
      return 5;
    } else if (isLrcOverRs() && from.dataUnits() == 6) {
      return 6.5;
    }
    return OVERHEAD * (from.dataUnits() + madeUnits() - 1);
  }

  /** Returns how many times faster than a rewrite a conversion is to be. */
  double speedupLeast() {
    return isPatchedHitchhiker() ? 3 : isLrcOverRs() ? 1.8 : 1.3;
  }

  @Override
  public String toString() {
    return from + SEPARATOR + to;
  }
}
