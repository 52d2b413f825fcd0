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
package org.hdfsppr.coder.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.CombinedCode;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.code.UnsupportedCodeException;

/**
 * The change of a block group from one code to another code with the same k. A unit of the new code
 * may have the bytes of a unit of the old code; then a link to the old block suffices. All other
 * units are made from other units. The {@link #combined} code has all units that can take part.
 * Immutable and thread-safe.
 */
@InterfaceAudience.Public
public final class Conversion {
  /** The value that stands for no unit. */
  public static final int NONE = -1;

  private final LinearCode from;
  private final LinearCode to;
  private final CombinedCode combined;
  /**
   * For each unit of the new code, the unit of the old code with the same bytes, or {@link #NONE}.
   */
  private final int[] linkedFrom;
  private final List<Integer> made;

  private Conversion(LinearCode from, LinearCode to) throws UnsupportedCodeException {
    this.from = from;
    this.to = to;
    this.combined = CombinedCode.of(from, to);
    this.linkedFrom = new int[to.units()];
    List<Integer> missing = new ArrayList<>();
    boolean[] used = new boolean[from.units()];
    for (int unit = 0; unit < to.units(); unit++) {
      linkedFrom[unit] = unit < to.dataUnits() ? unit : sameParity(unit, used);
      if (linkedFrom[unit] == NONE) {
        missing.add(unit);
      } else {
        // An old block is linked only once: two units of a group that are links to one block would
        // be lost together.
        used[linkedFrom[unit]] = true;
      }
    }
    this.made = Collections.unmodifiableList(missing);
  }

  /**
   * {@return the change from one code to another}
   *
   * @param from the code by which the data are stored
   * @param to the code by which the data are to be stored
   * @throws UnsupportedCodeException if the codes have different numbers of data units, or too many
   *     units together; the message says so
   */
  public static Conversion of(LinearCode from, LinearCode to) throws UnsupportedCodeException {
    return new Conversion(from, to);
  }

  private int sameParity(int unit, boolean[] used) {
    return IntStream.range(from.dataUnits(), from.units())
        .filter(old -> !used[old] && combined.oldUnit(old) >= 0
            && combined.isSame(combined.oldUnit(old), combined.newUnit(unit)))
        .findFirst().orElse(NONE);
  }

  /** {@return the code by which the data are stored} */
  public LinearCode from() {
    return from;
  }

  /** {@return the code by which the data are to be stored} */
  public LinearCode to() {
    return to;
  }

  /**
   * {@return the code of all units: the k data units, the parities of the old code that can take
   * part, and all parities of the new code} Each of its recipes makes one new parity; the cheapest
   * recipes come first. See {@link CombinedCode} for the old parities that cannot take part.
   */
  public LinearCode combined() {
    return combined.code();
  }

  /**
   * {@return the name by which commands of the NameNode refer to the combined code, such as {@code
   * rs-6-3>lrc-rs-l2-6-4}} {@code Codes.forCodec} finds the combined code by this name, k, and the
   * number of the combined code's parities.
   */
  public String codecName() {
    return combined.code().name();
  }

  /**
   * {@return the index in the combined code of a unit of the old code; {@link #NONE} if the unit
   * cannot take part}
   *
   * @param fromUnit index in the old code
   */
  public int oldUnit(int fromUnit) {
    return combined.oldUnit(fromUnit);
  }

  /**
   * {@return the index in the combined code of a unit of the new code} A data unit has the same
   * index in all three codes.
   *
   * @param toUnit index in the new code
   */
  public int newUnit(int toUnit) {
    return combined.newUnit(toUnit);
  }

  /**
   * {@return the unit of the old code that has the same bytes as a unit of the new code; {@link
   * #NONE} if the unit must be made}
   *
   * @param toUnit index in the new code
   */
  public int linkedFrom(int toUnit) {
    return linkedFrom[toUnit];
  }

  /** {@return the units of the new code that must be made, ascending} */
  public List<Integer> made() {
    return made;
  }

  /**
   * {@return how many units have to go over the network to make one new unit, if all old units are
   * available} The result is a fraction if a node sends only some sub-chunks.
   *
   * @param toUnit index in the new code
   * @param held the unit of the old code that is on the node which makes the new unit; {@link
   *     #NONE} for none
   * @throws IllegalArgumentException if the unit is not among those that are {@link #made}
   */
  public double unitsMoved(int toUnit, int held) {
    if (!made.contains(toUnit)) {
      throw new IllegalArgumentException(codecName() + ": unit " + toUnit + " is not made");
    }
    int own = held == NONE ? NONE : oldUnit(held);
    // A decoding takes the first units that suffice. So the unit on the node itself comes first,
    // then the data units.
    int[] order = IntStream.concat(own == NONE ? IntStream.empty() : IntStream.of(own),
        IntStream.range(0, from.units()).map(this::oldUnit)
            .filter(unit -> unit != NONE && unit != own)).toArray();
    return combined().repairOptions(new int[] {newUnit(toUnit)}, order).stream()
        .map(RepairOption::equation)
        .mapToDouble(equation -> rowsMoved(equation, own) / (double) combined().subChunks())
        .min().orElseThrow(() -> new IllegalStateException(codecName() + " cannot make unit "
            + toUnit + " of all others"));
  }

  /**
   * {@return how many sub-chunks have to go over the network to a node that computes an equation,
   * if each other node sends directly to it} A node need not send more sums than the rank of its
   * coefficients.
   *
   * @param equation an equation of the combined code
   * @param local indices in the combined code of the units that are on the computing node
   */
  public static int rowsMoved(RepairEquation equation, int... local) {
    return Arrays.stream(equation.helperUnits())
        .filter(unit -> Arrays.stream(local).noneMatch(own -> own == unit))
        .map(unit -> equation.coefficientsOf(unit).rank()).sum();
  }

  @Override
  public String toString() {
    return codecName();
  }
}
