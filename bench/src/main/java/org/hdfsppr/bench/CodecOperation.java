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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Describes an operation of a code as one matrix product: the sub-chunks that the operation reads,
 * the sub-chunks that it writes, and the matrix.
 */
final class CodecOperation {
  private final int[] lost;
  /** The sub-chunks that the operation reads, one for each column of the matrix. */
  final List<SubChunk> from;
  /** The sub-chunks that the operation writes, one for each row of the matrix. */
  final List<SubChunk> to;
  final GfMatrix matrix;
  final boolean accumulate;

  private CodecOperation(int[] lost, List<SubChunk> from, List<SubChunk> to, GfMatrix matrix,
      boolean accumulate) {
    this.lost = lost;
    this.from = from;
    this.to = to;
    this.matrix = matrix;
    this.accumulate = accumulate;
  }

  static CodecOperation of(LinearCode code, CodecCase.Op op) {
    int k = code.dataUnits();
    switch (op) {
      case ENCODE:
        return new CodecOperation(new int[0], code.subChunksOf(range(0, k)),
            code.subChunksOf(range(k, code.units())), code.parityCoefficients(), false);
      case DECODE_1:
        return decode(equation(code, new int[] {0}));
      case DECODE_M:
        return decode(equation(code, worstLoss(code, new int[0], 0)));
      case PARTIAL:
        return partial(equation(code, new int[] {0}));
      case DELTA:
        return delta(code);
      default:
        throw new IllegalArgumentException(op.label());
    }
  }

  private static int[] range(int from, int to) {
    return IntStream.range(from, to).toArray();
  }

  private static RepairEquation equation(LinearCode code, int[] lost) {
    int[] available = IntStream.range(0, code.units())
        .filter(u -> IntStream.of(lost).noneMatch(l -> l == u)).toArray();
    return code.solve(lost, code.helperOrder(lost, available)).orElse(null);
  }

  /**
   * Returns the first set of m units, in lexicographic order, that the code can rebuild when all of
   * them are lost. Returns null if there is no such set that begins with {@code chosen}.
   */
  private static int[] worstLoss(LinearCode code, int[] chosen, int next) {
    if (chosen.length == code.parityUnits()) {
      return equation(code, chosen) == null ? null : chosen;
    }
    for (int unit = next; unit < code.units(); unit++) {
      int[] more = IntStream.concat(IntStream.of(chosen), IntStream.of(unit)).toArray();
      int[] found = worstLoss(code, more, unit + 1);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static CodecOperation decode(RepairEquation equation) {
    return new CodecOperation(equation.lostUnits(), equation.helpers(),
        equation.lostSubChunks(), equation.coefficients(), false);
  }

  /**
   * Returns the operation of the helper that reads the most sub-chunks among the helpers of the
   * equation.
   */
  private static CodecOperation partial(RepairEquation equation) {
    int busiest = equation.helperUnits()[0];
    for (int unit : equation.helperUnits()) {
      if (equation.helpersOf(unit).size() > equation.helpersOf(busiest).size()) {
        busiest = unit;
      }
    }
    return withoutZeroRows(equation.helpersOf(busiest), equation.lostSubChunks(),
        equation.coefficientsOf(busiest));
  }

  private static CodecOperation delta(LinearCode code) {
    GfMatrix columns = code.parityCoefficients()
        .columns(range(0, code.subChunks()));
    return withoutZeroRows(code.subChunksOf(0),
        code.subChunksOf(range(code.dataUnits(), code.units())), columns);
  }

  /**
   * Creates an operation without the outputs that it would not change, which are those whose matrix
   * row is 0.
   */
  private static CodecOperation withoutZeroRows(List<SubChunk> from, List<SubChunk> to,
      GfMatrix matrix) {
    int[] rows = IntStream.range(0, matrix.rows()).filter(r -> IntStream
        .range(0, matrix.columns()).anyMatch(c -> matrix.get(r, c) != 0)).toArray();
    List<SubChunk> changed = new ArrayList<>();
    for (int row : rows) {
      changed.add(to.get(row));
    }
    return new CodecOperation(new int[0], from, changed, matrix.rows(rows), true);
  }

  /**
   * Returns the units that the operation decodes. The array is empty if the operation does not
   * decode.
   */
  int[] lost() {
    return lost.clone();
  }
}
