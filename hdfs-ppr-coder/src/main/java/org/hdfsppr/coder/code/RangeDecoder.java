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
 * <p>Remembers the last pattern that it was asked for. Used by one thread at a time.
 */
@InterfaceAudience.Public
public final class RangeDecoder {
  private final LinearCode code;
  private final RegionKernel kernel;

  private int[] lastErased = {};
  private int[] lastAvailable = {};
  private RepairEquation equation;
  private RegionOperator operator;

  /** Prepares a decoder of a code. */
  public RangeDecoder(LinearCode code, RegionKernel kernel) {
    this.code = code;
    this.kernel = kernel;
  }

  /** The code that is decoded. */
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
    int[] available =
        IntStream.range(0, inputs.length).filter(u -> inputs[u] != null).toArray();
    prepare(erased, available);
    ByteBuffer[] from = Arrays.stream(equation.helperUnits()).mapToObj(u -> inputs[u])
        .toArray(ByteBuffer[]::new);
    // The equation has the erased units in ascending order, whatever the caller's order is.
    ByteBuffer[] to = new ByteBuffer[outputs.length];
    for (int i = 0; i < erased.length; i++) {
      to[Arrays.binarySearch(equation.lostUnits(), erased[i])] = outputs[i];
    }
    operator.apply(from, to, length, false);
  }

  private void check(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs) {
    if (inputs.length != code.units() || outputs.length != erased.length) {
      throw new IllegalArgumentException(code.name() + " has " + code.units() + " units, and needs"
          + " an output for each erased one; given were " + inputs.length + " inputs and "
          + outputs.length + " outputs for the erased units " + Arrays.toString(erased));
    }
    for (int i = 0; i < erased.length; i++) {
      int unit = erased[i];
      if (unit < 0 || unit >= code.units()) {
        throw new IllegalArgumentException(code.name() + " has no unit " + unit + ": its units are"
            + " 0 to " + (code.units() - 1) + "; erased " + Arrays.toString(erased));
      }
      if (IntStream.range(0, i).anyMatch(earlier -> erased[earlier] == unit)) {
        throw new IllegalArgumentException(code.name() + ": unit " + unit + " is erased twice in "
            + Arrays.toString(erased));
      }
      if (inputs[unit] != null) {
        throw new IllegalArgumentException(code.name() + ": unit " + unit + " is both erased and"
            + " given; erased " + Arrays.toString(erased));
      }
    }
  }

  private void prepare(int[] erased, int[] available) throws UndecodableException {
    if (equation != null && Arrays.equals(erased, lastErased)
        && Arrays.equals(available, lastAvailable)) {
      return;
    }
    equation = null;
    equation = solve(code, erased, available);
    operator = kernel.prepare(equation.coefficients());
    lastErased = erased.clone();
    lastAvailable = available.clone();
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
