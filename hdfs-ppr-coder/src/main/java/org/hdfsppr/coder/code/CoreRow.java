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

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The two component codes of CORE (Esmaili, Pamies-Juarez, Datta, "CORE: Cross-object redundancy
 * for efficient data repair in storage systems", 2013): a product code whose rows are files and
 * whose columns are the internal blocks with the same index.
 *
 * <p>A row is a file under plain Reed-Solomon, and a raw coder sees nothing but rows. The codec's
 * name contains t, the number of files in a group: it is the only part of a policy that
 * distinguishes policies with different t and that every node gets.
 */
@InterfaceAudience.Public
public final class CoreRow {
  /** The names of the codes of rows, which contain t, k and m. */
  private static final Pattern NAME = Pattern.compile("core-t(\\d{1,4})-\\d+-\\d+");

  private CoreRow() {
  }

  /**
   * {@return the code of one file, which has the matrix of Hadoop's codec {@code rs} but another
   * name}
   *
   * @param files t, the number of files in a group; the coefficients do not depend on t
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @throws IllegalArgumentException if k or m is less than 1, if k + m is more than 16, or if t is
   *     less than 2
   */
  public static LinearCode of(int files, int dataUnits, int parityUnits) {
    String name = "core-t" + files + "-" + dataUnits + "-" + parityUnits;
    if (files < 2) {
      throw new IllegalArgumentException(name + ": a CORE group has at least two files, not "
          + files);
    }
    if (dataUnits < 1 || parityUnits < 1 || dataUnits + parityUnits > LinearCode.MAX_UNITS) {
      throw new IllegalArgumentException(name + ": a code has at least one data unit and one parity"
          + " unit and at most " + LinearCode.MAX_UNITS + " units");
    }
    return new LinearCode(name, new CodeDimensions(dataUnits, parityUnits, 1),
        ReedSolomon.hadoop(dataUnits, parityUnits).generator(), List.of());
  }

  /**
   * {@return t, if the code is a row of CORE; empty for every other code}
   *
   * @param code any code
   */
  public static OptionalInt filesOf(LinearCode code) {
    Matcher row = NAME.matcher(code.name());
    return row.matches() ? OptionalInt.of(Integer.parseInt(row.group(1))) : OptionalInt.empty();
  }

  /**
   * {@return the code of one column: block t is the XOR of blocks 0 to t - 1. These t blocks belong
   * to the t files of the group, and have the same index in their block groups}
   *
   * @param files t
   */
  public static LinearCode column(int files) {
    GfMatrix ones = GfMatrix.generate(1, files, (r, c) -> 1);
    return new LinearCode("core-t" + files + "-column",
        new CodeDimensions(files, 1, 1), GfMatrix.identity(files).stack(ones), List.of());
  }
}
