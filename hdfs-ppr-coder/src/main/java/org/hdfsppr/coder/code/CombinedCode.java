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
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The code that has the units of two codes over the same data: of an old code, with which the data
 * are stored, and of a new code, whose parities are to be made. A conversion uses it to make new
 * parities from data units and old parities.
 *
 * <pre>
 *   unit   0 ... k-1    k ... k+o-1       k+o ... k+o+m'-1
 *          data         old parities      new parities
 * </pre>
 *
 * <p>Both codes must divide a unit into the same parts. A code without sub-chunks fits every other
 * code: its bytes depend only on bytes at the same position, and so they do within each sub-chunk
 * of the other code, and in the remainder. Two codes with different numbers of sub-chunks, both
 * more than one, divide a short last cell at different positions. The combined code then has the
 * new code's sub-chunks. Of the old parities it has only the {@linkplain LinearCode#isPositionWise
 * position-wise} ones. In all other cases it has all old parities. Immutable.
 */
@InterfaceAudience.Public
public final class CombinedCode {
  /** The character between the names of the two codes. No codec of Hadoop has it in its name. */
  private static final char SEPARATOR = '>';
  /** A code's name: codec, k, m. */
  private static final Pattern PART = Pattern.compile("([^>]{1,64})-([1-9]\\d?)-([1-9]\\d?)");

  private final LinearCode code;
  /**
   * For each parity of the old code, its index in the combined code; -1 if the combined code does
   * not have it.
   */
  private final int[] oldParities;
  private final int firstNew;

  private CombinedCode(LinearCode code, int[] oldParities, int firstNew) {
    this.code = code;
    this.oldParities = oldParities;
    this.firstNew = firstNew;
  }

  /**
   * {@return the combination of two codes}
   *
   * @param from the old code
   * @param to the new code
   * @throws UnsupportedCodeException if the codes have different numbers of data units, or together
   *     more than {@link LinearCode#MANY_UNITS_MAX} units
   */
  public static CombinedCode of(LinearCode from, LinearCode to) throws UnsupportedCodeException {
    String name = from.name() + SEPARATOR + to.name();
    int k = from.dataUnits();
    if (to.dataUnits() != k) {
      throw new UnsupportedCodeException(name + ": both codes must have the same number of data"
          + " units, not " + k + " and " + to.dataUnits());
    }
    boolean alike = from.subChunks() == to.subChunks() || from.subChunks() == 1
        || to.subChunks() == 1;
    int[] oldParities = new int[from.parityUnits()];
    int next = k;
    for (int parity = 0; parity < oldParities.length; parity++) {
      oldParities[parity] = alike || from.isPositionWise(k + parity) ? next++ : -1;
    }
    int parities = next - k + to.parityUnits();
    if (k + parities > LinearCode.MANY_UNITS_MAX) {
      throw new UnsupportedCodeException(name + ": the two codes have " + (k + parities)
          + " units together, at most " + LinearCode.MANY_UNITS_MAX + " are supported");
    }
    int subChunks = alike ? Math.max(from.subChunks(), to.subChunks()) : to.subChunks();
    int[] kept = IntStream.range(0, oldParities.length).filter(p -> oldParities[p] >= 0)
        .map(p -> k + p).toArray();
    int[] added = IntStream.range(k, to.units()).toArray();
    GfMatrix generator = GfMatrix.identity(k * subChunks);
    if (kept.length > 0) {
      generator = generator.stack(rows(from, subChunks, kept));
    }
    generator = generator.stack(rows(to, subChunks, added));
    LinearCode remainder = remainder(name, from, to, subChunks, kept, added);
    List<Recipe> recipes = recipes(generator, remainder, k, next, k + parities);
    return new CombinedCode(LinearCode.ofManyUnits(name, new CodeDimensions(k, parities, subChunks),
        generator, recipes, remainder), oldParities, next);
  }

  /**
   * Returns the remainder code of the combined code; null if no window has a remainder, or if one
   * of the two codes has no remainder code.
   */
  private static LinearCode remainder(String name, LinearCode from, LinearCode to, int subChunks,
      int[] kept, int[] added) {
    Optional<LinearCode> first = from.remainderCode();
    Optional<LinearCode> second = to.remainderCode();
    if (subChunks == 1 || !second.isPresent() || kept.length > 0 && !first.isPresent()) {
      return null;
    }
    GfMatrix generator = GfMatrix.identity(from.dataUnits());
    if (kept.length > 0) {
      generator = generator.stack(first.get().generator().rows(kept));
    }
    return LinearCode.ofManyUnits(
        name + "-remainder", new CodeDimensions(from.dataUnits(), kept.length + added.length, 1),
        generator.stack(second.get().generator().rows(added)), List.of(), null);
  }

  /**
   * Returns the rows of the generator for some units of a code, with units that are divided into
   * the given number of sub-chunks. If the code itself has another number of sub-chunks, all of
   * these units must be position-wise.
   */
  private static GfMatrix rows(LinearCode code, int subChunks, int[] units) {
    if (code.subChunks() == subChunks) {
      return code.generator().rows(Arrays.stream(units).flatMap(unit ->
          IntStream.range(unit * subChunks, (unit + 1) * subChunks)).toArray());
    }
    LinearCode bytes = code.remainderCode().orElseThrow(() ->
        new IllegalStateException(code.name() + " does not say how to code bytes"));
    return GfMatrix.generate(units.length * subChunks, code.dataUnits() * subChunks,
        (row, column) -> row % subChunks != column % subChunks ? 0
            : bytes.generator().get(units[row / subChunks], column / subChunks));
  }

  /** Lists, for each new parity, recipes that make it from data units or from an old parity. */
  private static List<Recipe> recipes(GfMatrix generator, LinearCode remainder, int k,
      int firstNew, int units) {
    int subChunks = generator.columns() / k;
    List<Recipe> all = new ArrayList<>();
    for (int unit = firstNew; unit < units; unit++) {
      GfMatrix wanted = rowsOf(generator, unit, subChunks);
      List<Recipe> found = new ArrayList<>();
      found.add(new Recipe("data", unit, helpers(subChunks, -1,
          IntStream.range(0, generator.columns()).filter(column -> IntStream
              .range(0, subChunks).anyMatch(row -> wanted.get(row, column) != 0)))));
      for (int old = k; old < firstNew; old++) {
        GfMatrix rows = rowsOf(generator, old, subChunks);
        found.add(new Recipe("unit " + old + " and what differs", unit, helpers(subChunks, old,
            SparseDifference.columns(wanted, rows).stream().mapToInt(Integer::intValue))));
      }
      all.addAll(Recipe.worthwhile(found, k * subChunks));
    }
    return all;
  }

  private static GfMatrix rowsOf(GfMatrix generator, int unit, int subChunks) {
    return generator.rows(IntStream.range(unit * subChunks, (unit + 1) * subChunks).toArray());
  }

  private static List<SubChunk> helpers(int subChunks, int old, IntStream columns) {
    List<SubChunk> helpers = new ArrayList<>();
    for (int sub = 0; old >= 0 && sub < subChunks; sub++) {
      helpers.add(SubChunk.of(old, sub));
    }
    columns.forEach(column -> helpers.add(SubChunk.of(column / subChunks, column % subChunks)));
    return helpers;
  }

  /**
   * {@return whether a codec name is the name of a combined code}
   *
   * @param codec the name
   */
  static boolean isName(String codec) {
    return codec.indexOf(SEPARATOR) >= 0;
  }

  /**
   * {@return the two codes in the name of a combination}
   *
   * @param name the name
   * @throws UnsupportedCodeException if the name does not consist of two names of codes with {@code
   *     >} between them
   */
  static List<Part> parts(String name) throws UnsupportedCodeException {
    List<Part> parts = new ArrayList<>();
    for (String part : name.split(String.valueOf(SEPARATOR), -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches() || parts.size() == 2) {
        throw malformed(name);
      }
      parts.add(new Part(matcher.group(1), Integer.parseInt(matcher.group(2)),
          Integer.parseInt(matcher.group(3))));
    }
    if (parts.size() != 2) {
      throw malformed(name);
    }
    return parts;
  }

  private static UnsupportedCodeException malformed(String name) {
    return new UnsupportedCodeException("\"" + name + "\" is not the name of two codes, such as"
        + " rs-6-3>lrc-rs-l2-6-4");
  }

  /** {@return the code of all units} */
  public LinearCode code() {
    return code;
  }

  /**
   * {@return the index in the combined code of a unit of the old code; -1 if the combined code does
   * not have the unit}
   *
   * @param unit index in the old code
   */
  public int oldUnit(int unit) {
    return unit < code.dataUnits() ? unit : oldParities[unit - code.dataUnits()];
  }

  /**
   * {@return the index in the combined code of a unit of the new code}
   *
   * @param unit index in the new code
   */
  public int newUnit(int unit) {
    return unit < code.dataUnits() ? unit : firstNew + unit - code.dataUnits();
  }

  /**
   * {@return whether two units always have the same bytes, with any data}
   *
   * @param one index in the combined code
   * @param other index in the combined code
   */
  public boolean isSame(int one, int other) {
    int s = code.subChunks();
    boolean same = rowsOf(code.generator(), one, s).equals(rowsOf(code.generator(), other, s));
    return same && code.remainderCode().map(remainder ->
        remainder.generator().rows(one).equals(remainder.generator().rows(other))).orElse(true);
  }

  /** A code in the name of a combination. */
  static final class Part {
    private final String codec;
    private final int dataUnits;
    private final int parityUnits;

    Part(String codec, int dataUnits, int parityUnits) {
      this.codec = codec;
      this.dataUnits = dataUnits;
      this.parityUnits = parityUnits;
    }

    String codec() {
      return codec;
    }

    int dataUnits() {
      return dataUnits;
    }

    int parityUnits() {
      return parityUnits;
    }
  }
}
