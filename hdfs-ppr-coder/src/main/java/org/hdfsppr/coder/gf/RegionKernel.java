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
package org.hdfsppr.coder.gf;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Multiplies regions of bytes by matrices over GF(2^8). All kernels give the same bytes, and differ
 * only in speed. A kernel is immutable and thread-safe.
 *
 * @see Kernels
 */
@InterfaceAudience.Public
public interface RegionKernel {
  /** {@return the name by which {@link Kernels#select} finds this kernel} */
  String name();

  /**
   * {@return whether zeros in a matrix cost this kernel little or no time} If so, one operator with
   * the whole matrix is faster than several operators with the parts that are not zero, because
   * several operators read and write the same data several times.
   *
   * @param coefficients one row per output, one column per input
   */
  default boolean skipsZeros(GfMatrix coefficients) {
    return false;
  }

  /**
   * Prepares an operator. This method does all work that depends only on the coefficients. The
   * caller can apply the operator any number of times.
   *
   * @param coefficients one row for each output, one column for each input; at least one of each
   *     and at most {@link RegionOperator#MAX_BUFFERS}
   * @return the operator, which applies the coefficients to regions of bytes
   * @throws IllegalArgumentException if the matrix has no row, no column, or more than {@link
   *     RegionOperator#MAX_BUFFERS} rows or columns
   */
  RegionOperator prepare(GfMatrix coefficients);

  /**
   * Like {@link #prepare(GfMatrix)}, but places the tables of the operator in memory that the
   * caller provides. Direct memory that an operator allocates itself stays allocated until a
   * garbage collection, so that a caller with many short-lived operators could hold any amount of
   * memory.
   *
   * @param coefficients one row per output, one column per input
   * @param tables allocates a direct buffer; its argument is the number of bytes, at most {@link
   *     #tableBytesMost}. The kernel calls it at most once. Only the operator may use the memory as
   *     long as the operator is in use
   * @return the operator, which applies the coefficients to regions of bytes
   */
  default RegionOperator prepare(GfMatrix coefficients, IntFunction<ByteBuffer> tables) {
    return prepare(coefficients);
  }

  /**
   * {@return how many bytes of direct memory an operator of this size needs at most for its tables;
   * 0 if it needs none}
   *
   * @param rows number of outputs
   * @param columns number of inputs
   */
  default int tableBytesMost(int rows, int columns) {
    return 0;
  }
}
