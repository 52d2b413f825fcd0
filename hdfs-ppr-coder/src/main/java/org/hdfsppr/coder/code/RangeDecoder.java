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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;

/**
 * Decodes ranges of bytes of which nobody says where in their windows they lie, as Hadoop's stock
 * readers and workers ask for: whole cells, 64 KiB of one, the end of one and the beginning of the
 * next.
 *
 * <p>That can be right only for bytes that depend on nothing but the bytes at the same position of
 * other units. So a code with sub-chunks is decoded here from its {@linkplain
 * LinearCode#isPositionWise position-wise} units alone, and everything else is refused: never wrong
 * bytes.
 *
 * <p>Remembers the last {@value #REMEMBERED_MOST} patterns that it was asked for, which it decodes
 * without allocating anything (if its kernel does). Thread-safe: calls do not wait for each other.
 */
@InterfaceAudience.Public
public final class RangeDecoder {
  /**
   * A client that reads around lost nodes meets a pattern for each place that these have in block
   * groups. A pattern takes a few kilobytes.
   */
  static final int REMEMBERED_MOST = 16;

  private final LinearCode code;
  private final RegionKernel kernel;

  /** Never changed, but replaced; the oldest first. */
  private volatile Pattern[] remembered = {};

  /**
   * Prepares a decoder of a code.
   *
   * @param code the code
   * @param kernel multiplies
   */
  public RangeDecoder(LinearCode code, RegionKernel kernel) {
    this.code = code;
    this.kernel = kernel;
  }

  /** {@return the code that is decoded} */
  public LinearCode code() {
    return code;
  }

  /**
   * Rebuilds {@code length} bytes of each erased unit. Reads and writes from the buffers' positions
   * on and leaves positions and limits as they are. A call that fails has written nothing.
   *
   * @param inputs k + m buffers, in the order of the units; null where a unit is not given
   * @param erased the units to rebuild, in any order
   * @param outputs a buffer for each of them, in the same order, which shares no byte with others
   * @param length bytes of each unit
   * @throws IllegalArgumentException if that makes no sense: a wrong number of buffers, a unit that
   *     does not exist, is asked for twice, or is asked for and given, a buffer that is too short
   *     or an output that is read-only
   * @throws UndecodableException if the units that are given do not determine the erased ones, or
   *     determine them only together with the bytes at other positions
   */
  public void decode(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs, int length)
      throws UndecodableException {
    check(inputs, erased, outputs);
    if (erased.length == 0) {
      return;
    }
    int available = 0;
    for (int unit = 0; unit < inputs.length; unit++) {
      available |= inputs[unit] == null ? 0 : 1 << unit;
    }
    Pattern pattern = find(remembered, erased, available);
    if (pattern == null) {
      pattern = prepare(erased, available);
    }
    pattern.operator.apply(inputs, pattern.helperUnits, outputs, pattern.outputs, length, false);
  }

  private void check(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs) {
    if (inputs.length != code.units() || outputs.length != erased.length) {
      throw new IllegalArgumentException(code.name() + " has " + code.units() + " units, and needs"
          + " an output for each erased one; given were " + inputs.length + " inputs and "
          + outputs.length + " outputs for the erased units " + Arrays.toString(erased));
    }
    int seen = 0;
    for (int unit : erased) {
      if (unit < 0 || unit >= code.units()) {
        throw new IllegalArgumentException(code.name() + " has no unit " + unit + ": its units are"
            + " 0 to " + (code.units() - 1) + "; erased " + Arrays.toString(erased));
      }
      if ((seen >>> unit & 1) != 0) {
        throw new IllegalArgumentException(code.name() + ": unit " + unit + " is erased twice in "
            + Arrays.toString(erased));
      }
      seen |= 1 << unit;
      if (inputs[unit] != null) {
        throw new IllegalArgumentException(code.name() + ": unit " + unit + " is both erased and"
            + " given; erased " + Arrays.toString(erased));
      }
    }
  }

  private static Pattern find(Pattern[] patterns, int[] erased, int available) {
    for (Pattern pattern : patterns) {
      if (pattern.available == available && Arrays.equals(pattern.erased, erased)) {
        return pattern;
      }
    }
    return null;
  }

  private Pattern prepare(int[] erased, int available) throws UndecodableException {
    int[] units = IntStream.range(0, code.units()).filter(unit -> (available >>> unit & 1) != 0)
        .toArray();
    Pattern pattern =
        new Pattern(erased.clone(), available, solve(code, erased, units), kernel);
    synchronized (this) {
      Pattern[] known = remembered;
      // Two threads may have prepared the same.
      if (find(known, erased, available) == null) {
        int first = known.length < REMEMBERED_MOST ? 0 : 1;
        Pattern[] more = Arrays.copyOfRange(known, first, known.length + 1);
        more[more.length - 1] = pattern;
        remembered = more;
      }
    }
    return pattern;
  }

  /** What is erased and given, and what has been prepared for it. Immutable. */
  private static final class Pattern {
    /** In the caller's order. */
    private final int[] erased;
    /** A bit for each unit that is given. */
    private final int available;
    private final int[] helperUnits;
    /** For each row of the operator, where the caller has the output for it. */
    private final int[] outputs;
    private final RegionOperator operator;

    Pattern(int[] erased, int available, RepairEquation equation, RegionKernel kernel) {
      this.erased = erased;
      this.available = available;
      helperUnits = equation.helperUnits();
      // The equation has the erased units in ascending order, whatever the caller's order is.
      outputs = Arrays.stream(equation.lostUnits())
          .map(unit -> IntStream.range(0, erased.length).filter(i -> erased[i] == unit)
              .findFirst().getAsInt())
          .toArray();
      operator = kernel.prepare(equation.coefficients());
    }
  }

  /**
   * The equation by which any range of bytes of some units follows from the same range of others.
   *
   * @throws IllegalArgumentException as {@link LinearCode#solve}
   * @throws UndecodableException as {@link #decode}
   */
  static RepairEquation solve(LinearCode code, int[] erased, int[] available)
      throws UndecodableException {
    Optional<RepairEquation> equation = Optional.empty();
    if (code.subChunks() == 1) {
      equation = code.solve(erased, code.subChunksOf(available));
    } else if (code.remainderCode().isPresent()
        && Arrays.stream(erased).allMatch(code::isPositionWise)) {
      LinearCode alike = code.remainderCode().get();
      int[] usable = Arrays.stream(available).filter(code::isPositionWise).toArray();
      equation = alike.solve(erased, alike.subChunksOf(usable));
    }
    if (equation.isPresent()) {
      return equation.get();
    }
    throw new UndecodableException(code, erased, available);
  }

  /** The units that are given do not suffice for the ones asked for; says which, and what to do. */
  @InterfaceAudience.Public
  public static final class UndecodableException extends IOException {
    private static final long serialVersionUID = 1L;

    UndecodableException(LinearCode code, int[] erased, int[] available) {
      super("Cannot rebuild units " + Arrays.toString(erased) + " under " + code.name()
          + " from units " + Arrays.toString(available) + ": " + reason(code, erased, available));
    }

    private static String reason(LinearCode code, int[] erased, int[] available) {
      if (!code.decodable(erased, available)) {
        return "they do not determine them. " + (available.length < code.units() - erased.length
            ? "Others of the block group may: DataNodes with"
                + " dfs.datanode.plugins=org.hdfsppr.datanode.PprDataNodePlugin take whichever do"
            : "No other unit is left");
      }
      return "a unit of this code is divided into " + code.subChunks() + " sub-chunks, and a"
          + " decoder that is given a part of a cell must not guess which. Let DataNodes repair the"
          + " block group, with dfs.datanode.plugins=org.hdfsppr.datanode.PprDataNodePlugin, and"
          + " read again";
    }
  }
}
