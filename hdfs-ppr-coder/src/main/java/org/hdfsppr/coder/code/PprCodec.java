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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The codecs of this library. Hadoop passes only k and m to a raw coder, and treats two policies as
 * one if they differ only in other options. So every other parameter of a code is a part of its
 * codec's name.
 *
 * <p>Names and coefficients can never change: the NameNode writes codec names to its image, and the
 * coefficients determine the bytes of stored parities.
 */
@InterfaceAudience.Public
public enum PprCodec {
  /**
   * {@link LocalReconstruction} with two local groups: k data units, m - 2 global and 2 local
   * parities.
   */
  LRC_L2("lrc-l2", (k, m) -> LocalReconstruction.of(k, 2, m - 2),
      6, 4, 12, 4, 10, 6),
  /** {@link LocalReconstruction#overReedSolomon}. */
  LRC_RS_L2("lrc-rs-l2", LocalReconstruction::overReedSolomon,
      6, 4, 10, 4),
  /** {@link Hitchhiker#xor}. */
  HITCHHIKER_XOR("hitchhiker-xor", Hitchhiker::xor,
      6, 3, 10, 4, 12, 4),
  /** {@link Hitchhiker#xorPlus}. */
  HITCHHIKER_XORPLUS("hitchhiker-xorplus", Hitchhiker::xorPlus,
      6, 3, 10, 4, 12, 4),
  /** {@link Hitchhiker#nonXor}. */
  HITCHHIKER_NONXOR("hitchhiker-nonxor", Hitchhiker::nonXor,
      6, 3, 10, 4, 12, 4),
  /** {@link RotatedReedSolomon} with four rows. */
  ROTATED_RS_R4("rotated-rs-r4", (k, m) -> RotatedReedSolomon.of(k, m, 4),
      6, 3, 10, 4, 12, 4),
  /** {@link Less} with two sub-chunks. */
  LESS_A2("less-a2", (k, m) -> Less.of(k, m, 2),
      6, 3, 10, 4),
  /** {@link Less} with three sub-chunks. */
  LESS_A3("less-a3", (k, m) -> Less.of(k, m, 3),
      6, 3, 10, 4),
  /** {@link Less} with four sub-chunks. */
  LESS_A4("less-a4", (k, m) -> Less.of(k, m, 4),
      10, 4, 12, 4),
  /** {@link CoreRow} of groups of two files. */
  CORE_T2(2),
  /** {@link CoreRow} of groups of three files. */
  CORE_T3(3, 6, 3),
  /** {@link CoreRow} of groups of four files. */
  CORE_T4(4),
  /** {@link CoreRow} of groups of five files. */
  CORE_T5(5, 12, 2),
  /** {@link CoreRow} of groups of six files. */
  CORE_T6(6),
  /** {@link CoreRow} of groups of seven files. */
  CORE_T7(7),
  /** {@link CoreRow} of groups of eight files. */
  CORE_T8(8),
  /** {@link CoreRow} of groups of nine files. */
  CORE_T9(9),
  /** {@link CoreRow} of groups of ten files. */
  CORE_T10(10),
  /** {@link CoreRow} of groups of eleven files. */
  CORE_T11(11),
  /** {@link CoreRow} of groups of twelve files. */
  CORE_T12(12),
  /** {@link CoreRow} of groups of thirteen files. */
  CORE_T13(13),
  /** {@link CoreRow} of groups of fourteen files. */
  CORE_T14(14),
  /** {@link CoreRow} of groups of fifteen files. */
  CORE_T15(15);

  private static final String CORE_PREFIX = "core-t";

  private final String codecName;
  private final Family family;
  /**
   * The pairs (k, m) for which {@code conf/ec-policies.xml} has policies, one pair after the other.
   */
  private final int[] shipped;
  /**
   * The codes that this codec has made so far. The key of a code is 16 k + m. The map stays small,
   * because a codec has codes only for pairs (k, m) with k + m &lt;= 16.
   */
  private final Map<Integer, LinearCode> codes = new ConcurrentHashMap<>();

  PprCodec(String codecName, Family family, int... shipped) {
    this.codecName = codecName;
    this.family = family;
    this.shipped = shipped;
  }

  /**
   * Makes a codec of CORE, for all k and m with k + m of at most 16. A column has t + 1 units,
   * which are at most 16 as well.
   *
   * @param files t, the number of files in a group
   */
  PprCodec(int files, int... shipped) {
    this(CORE_PREFIX + files, (k, m) -> CoreRow.of(files, k, m), shipped);
  }

  /** {@return the name by which a policy's schema refers to the codec} */
  public String codecName() {
    return codecName;
  }

  /**
   * Finds a codec.
   *
   * @param codecName the codec name in a policy's schema
   * @return the codec, or empty if it does not belong to this library
   */
  public static Optional<PprCodec> byName(String codecName) {
    return Arrays.stream(values()).filter(c -> c.codecName.equals(codecName)).findFirst();
  }

  /**
   * {@return the code for a policy's k and m} The method accepts all numbers for which the
   * construction is proven, not only those of {@link #shippedCodes}.
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @throws UnsupportedCodeException if the construction is not proven for these numbers; the
   *     message gives the reason
   */
  public LinearCode code(int dataUnits, int parityUnits) throws UnsupportedCodeException {
    int key = LinearCode.MAX_UNITS * dataUnits + parityUnits;
    LinearCode known = codes.get(key);
    if (known != null && known.dataUnits() == dataUnits) {
      return known;
    }
    LinearCode made;
    try {
      made = family.code(dataUnits, parityUnits);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedCodeException("Codec " + codecName + " has no code with " + dataUnits
          + " data and " + parityUnits + " parity units: " + e.getMessage(), e);
    }
    codes.put(key, made);
    return made;
  }

  /** {@return the codes of this codec for which {@code conf/ec-policies.xml} has policies} */
  public List<LinearCode> shippedCodes() {
    List<LinearCode> all = new ArrayList<>();
    for (int i = 0; i < shipped.length; i += 2) {
      try {
        all.add(code(shipped[i], shipped[i + 1]));
      } catch (UnsupportedCodeException e) {
        throw new IllegalStateException(e);
      }
    }
    return Collections.unmodifiableList(all);
  }

  /**
   * {@return t of CORE, the number of files that share one parity file; empty for every other
   * codec}
   */
  public OptionalInt filesPerGroup() {
    return codecName.startsWith(CORE_PREFIX)
        ? OptionalInt.of(Integer.parseInt(codecName.substring(CORE_PREFIX.length())))
        : OptionalInt.empty();
  }

  /** Makes the code of a codec for given k and m. */
  @FunctionalInterface
  private interface Family {
    /**
     * @throws IllegalArgumentException if the construction gives no code for these numbers; the
     *     message gives the reason
     */
    LinearCode code(int dataUnits, int parityUnits);
  }
}
