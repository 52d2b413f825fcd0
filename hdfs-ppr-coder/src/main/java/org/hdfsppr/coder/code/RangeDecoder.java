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
 * Decodes ranges of bytes without knowing where in a coding window the ranges lie. Hadoop's stock
 * readers and reconstruction workers ask for such ranges: whole cells, 64 KiB of a cell, or the end
 * of one cell with the beginning of the next.
 *
 * <p>The result can be right only for bytes that depend on nothing but the bytes at the same
 * position of other units. If the code has sub-chunks, the decoder therefore uses only the
 * {@linkplain LinearCode#isPositionWise position-wise} units. It refuses every request for which
 * these units do not suffice, and never gives wrong bytes.
 *
 * <p>The decoder remembers the {@value #REMEMBERED_MOST} patterns of given and erased units that it
 * prepared last. To decode a remembered pattern, the decoder itself allocates no memory, but its
 * kernel may. Thread-safe. Threads that decode remembered patterns do not wait for each other.
 */
@InterfaceAudience.Public
public final class RangeDecoder {
  /**
   * How many patterns the decoder remembers at most. A client that reads from block groups with
   * units on lost nodes needs one pattern for each set of unit indices that are lost in a group. A
   * pattern takes a few kilobytes.
   */
  static final int REMEMBERED_MOST = 16;

  private final LinearCode code;
  private final RegionKernel kernel;

  /**
   * The remembered patterns, the oldest first. A thread that adds a pattern stores a new array
   * here, so that the elements of an array never change.
   */
  private volatile Pattern[] remembered = {};

  /**
   * Prepares a decoder of a code.
   *
   * @param code the code
   * @param kernel multiplies and adds the bytes
   */
  public RangeDecoder(LinearCode code, RegionKernel kernel) {
    this.code = code;
    this.kernel = kernel;
  }

  /** {@return the code whose units this object decodes} */
  public LinearCode code() {
    return code;
  }

  /**
   * Rebuilds {@code length} bytes of each erased unit. It reads and writes from the buffers'
   * positions on, and leaves positions and limits as they are. A call that fails has written
   * nothing.
   *
   * @param inputs k + m buffers, in the order of the units; null for a unit that is not given
   * @param erased the units to rebuild, in any order
   * @param outputs a buffer for each erased unit, in the same order; it shares no byte with any
   *     other buffer
   * @param length bytes of each unit
   * @throws IllegalArgumentException if the number of buffers is wrong, if an erased unit does not
   *     exist, is named twice or is also given, if a buffer is too short, or if an output is
   *     read-only
   * @throws UndecodableException if the given units do not determine the erased units, or if
   *     computing them takes bytes at other positions than those in the buffers
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
      // Two threads may have prepared the same pattern.
      if (find(known, erased, available) == null) {
        int first = known.length < REMEMBERED_MOST ? 0 : 1;
        Pattern[] more = Arrays.copyOfRange(known, first, known.length + 1);
        more[more.length - 1] = pattern;
        remembered = more;
      }
    }
    return pattern;
  }

  /**
   * A pattern: which units are erased and which are given, and the operator that decodes it.
   * Immutable.
   */
  private static final class Pattern {
    /** The erased units, in the caller's order. */
    private final int[] erased;
    /** A bit for each given unit. */
    private final int available;
    private final int[] helperUnits;
    /** For each row of the operator, the index of the caller's output buffer. */
    private final int[] outputs;
    private final RegionOperator operator;

    Pattern(int[] erased, int available, RepairEquation equation, RegionKernel kernel) {
      this.erased = erased;
      this.available = available;
      helperUnits = equation.helperUnits();
      // The equation lists the erased units in ascending order, which may differ from the caller's
      // order.
      outputs = Arrays.stream(equation.lostUnits())
          .map(unit -> IntStream.range(0, erased.length).filter(i -> erased[i] == unit)
              .findFirst().getAsInt())
          .toArray();
      operator = kernel.prepare(equation.coefficients());
    }
  }

  /**
   * Finds the equation that computes the erased units from available ones. It holds for any range
   * of bytes: the bytes of a range of the erased units depend only on the same range of the other
   * units.
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

  /**
   * The given units do not suffice for the erased units. The message names the given units, the
   * erased units and the remedy.
   */
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
