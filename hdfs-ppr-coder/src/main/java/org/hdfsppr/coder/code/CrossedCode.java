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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The code that has the units of a row of CORE and the blocks of one column that crosses the row.
 * The row is a block group. The column has one unit of the row, and the blocks with the same index
 * of other block groups; the XOR of all blocks of the column is zero. So a repair can rebuild the
 * crossed unit from the column, and check the result with the row.
 *
 * <pre>
 *   unit   0 ... k-1        k ... k+t-2            k+t-1 ... k+t+m-2    k+t+m-1
 *          row's data       blocks of the column   row's parities       last block of the column
 * </pre>
 *
 * <p>Here t is the number of blocks of the column besides the crossed unit. The last of them
 * depends on all the others. Immutable.
 */
@InterfaceAudience.Public
public final class CrossedCode {
  /** The name of the recipe that rebuilds the crossed unit from its column. */
  public static final String RECIPE = "column";
  /** The character after the name of the row's code. No codec of Hadoop has it in its name. */
  private static final char SEPARATOR = '*';
  /** The form of a name: codec, k and m of the row; the crossed unit; t. */
  private static final Pattern NAME =
      Pattern.compile("([^*>]{1,64})-([1-9]\\d?)-([1-9]\\d?)\\*(\\d{1,2})x([1-9]\\d?)");

  private final LinearCode row;
  private final int unit;
  private final int others;
  private final LinearCode code;

  private CrossedCode(LinearCode row, int unit, int others, LinearCode code) {
    this.row = row;
    this.unit = unit;
    this.others = others;
    this.code = code;
  }

  /**
   * {@return the crossing of a row and a column}
   *
   * @param row the code of the row, without sub-chunks
   * @param unit the unit of the row that the column crosses
   * @param others how many blocks the column has besides the crossed unit, at least 1; blocks of
   *     zeros do not count
   * @throws UnsupportedCodeException if the row's code has sub-chunks or no such unit, or if there
   *     are more than {@link LinearCode#MANY_UNITS_MAX} units
   */
  public static CrossedCode of(LinearCode row, int unit, int others)
      throws UnsupportedCodeException {
    String name = name(row.name(), unit, others);
    if (row.subChunks() != 1 || unit < 0 || unit >= row.units() || !fits(row.units(), others)) {
      throw new UnsupportedCodeException(name + ": a row of " + row.units() + " units with "
          + row.subChunks() + " sub-chunks cannot be crossed there with " + others + " blocks");
    }
    int k = row.dataUnits();
    int free = others - 1;
    GfMatrix parities = GfMatrix.generate(row.parityUnits(), k + free,
        (r, c) -> c < k ? row.generator().get(k + r, c) : 0);
    GfMatrix last = GfMatrix.generate(1, k + free,
        (r, c) -> c < k ? row.generator().get(unit, c) : 1);
    GfMatrix generator = GfMatrix.identity(k + free).stack(parities).stack(last);
    CrossedCode shape = new CrossedCode(row, unit, others, null);
    List<SubChunk> column = IntStream.range(0, others)
        .mapToObj(i -> SubChunk.of(shape.ofColumn(i), 0)).collect(Collectors.toList());
    List<Recipe> recipes = List.of(new Recipe(RECIPE, shape.ofRow(unit), column));
    return new CrossedCode(row, unit, others, LinearCode.ofManyUnits(
        name, new CodeDimensions(k + free, row.parityUnits() + 1, 1), generator, recipes, null));
  }

  /**
   * {@return whether a row of this many units can be crossed with this many other blocks}
   *
   * @param units units of the row
   * @param others how many blocks the column has besides the crossed unit
   */
  public static boolean fits(int units, int others) {
    return others >= 1 && units + others <= LinearCode.MANY_UNITS_MAX;
  }

  /**
   * {@return the codec name of a crossing}
   *
   * @param row the name of the row's code, such as {@code rs-6-3}
   * @param unit the crossed unit
   * @param others how many blocks the column has besides the crossed unit
   */
  public static String name(String row, int unit, int others) {
    return row + SEPARATOR + unit + "x" + others;
  }

  /**
   * {@return whether a codec name is the name of a crossing}
   *
   * @param codec the name
   */
  public static boolean isName(String codec) {
    return codec.indexOf(SEPARATOR) >= 0;
  }

  /**
   * {@return the parts of the name of a crossing}
   *
   * @param codec the name
   * @throws UnsupportedCodeException if the text is not the name of a crossing
   */
  public static Parts parts(String codec) throws UnsupportedCodeException {
    Matcher matcher = NAME.matcher(codec);
    if (!matcher.matches()) {
      throw new UnsupportedCodeException("\"" + codec + "\" is not the name of a code and a column,"
          + " such as rs-6-3*4x3");
    }
    return new Parts(matcher);
  }

  /** {@return the code of all units} */
  public LinearCode code() {
    return code;
  }

  /**
   * {@return the index in this code of a unit of the row}
   *
   * @param rowUnit index in the row's code
   */
  public int ofRow(int rowUnit) {
    return ofRow(row.dataUnits(), others, rowUnit);
  }

  /**
   * {@return the index in the code of a crossing of a unit of the row} This method does not need
   * the code itself.
   *
   * @param dataUnits k of the row
   * @param others how many blocks the column has besides the crossed unit
   * @param rowUnit index in the row's code
   */
  public static int ofRow(int dataUnits, int others, int rowUnit) {
    return rowUnit < dataUnits ? rowUnit : rowUnit + others - 1;
  }

  /**
   * {@return the index in this code of a block of the column}
   *
   * @param block the index of the block among the blocks of the column without the crossed unit,
   *     from 0
   */
  public int ofColumn(int block) {
    return ofColumn(row.dataUnits(), row.parityUnits(), others, block);
  }

  /**
   * {@return the index in the code of a crossing of a block of the column} This method does not
   * need the code itself.
   *
   * @param dataUnits k of the row
   * @param parityUnits m of the row
   * @param others how many blocks the column has besides the crossed unit
   * @param block the index of the block among the blocks of the column without the crossed unit,
   *     from 0
   */
  public static int ofColumn(int dataUnits, int parityUnits, int others, int block) {
    return dataUnits + block + (block == others - 1 ? parityUnits : 0);
  }

  /** The parts of a crossing's name. */
  public static final class Parts {
    private final String codec;
    private final int dataUnits;
    private final int parityUnits;
    private final int unit;
    private final int others;

    private Parts(Matcher matcher) {
      codec = matcher.group(1);
      dataUnits = Integer.parseInt(matcher.group(2));
      parityUnits = Integer.parseInt(matcher.group(3));
      unit = Integer.parseInt(matcher.group(4));
      others = Integer.parseInt(matcher.group(5));
    }

    /** {@return name of the row's codec} */
    public String codec() {
      return codec;
    }

    /** {@return k of the row} */
    public int dataUnits() {
      return dataUnits;
    }

    /** {@return m of the row} */
    public int parityUnits() {
      return parityUnits;
    }

    /** {@return the crossed unit} */
    public int unit() {
      return unit;
    }

    /** {@return how many blocks the column has besides the crossed unit} */
    public int others() {
      return others;
    }

    /**
     * {@return the index in the row's code of the unit at an index in the code of the crossing; -1
     * if a block of the column is there}
     *
     * @param index an index in the code of the crossing
     */
    public int rowUnit(int index) {
      if (index < dataUnits) {
        return index;
      }
      int parity = index - dataUnits - (others - 1);
      return parity >= 0 && parity < parityUnits ? dataUnits + parity : -1;
    }
  }
}
