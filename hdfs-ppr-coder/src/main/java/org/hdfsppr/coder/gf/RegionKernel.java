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
 * Multiplies regions of bytes by matrices over GF(2^8). All kernels give the same bytes; they
 * differ in speed only. A kernel is immutable and may be used by any number of threads.
 *
 * @see Kernels
 */
@InterfaceAudience.Public
public interface RegionKernel {
  /** {@return the name under which {@link Kernels#select} knows this kernel} */
  String name();

  /**
   * {@return whether the zeros of a matrix cost nothing (much): then one operator that has it all
   * is faster than several without the zeros, which read and write the same data again}
   *
   * @param coefficients one row per output, one column per input
   */
  default boolean skipsZeros(GfMatrix coefficients) {
    return false;
  }

  /**
   * Does once what depends on the coefficients only. The result can be used as often as one likes.
   *
   * @param coefficients one row per output, one column per input; at least one of each and at most
   *     {@link RegionOperator#MAX_BUFFERS}
   * @return applies the coefficients to regions of bytes
   * @throws IllegalArgumentException if the matrix has no rows, no columns or too many
   */
  RegionOperator prepare(GfMatrix coefficients);

  /**
   * As {@link #prepare(GfMatrix)}, with the tables in memory of the caller. Direct memory
   * that an operator allocates itself is free again only after a garbage collection, so that many
   * short-lived operators hold memory that no bound knows of.
   *
   * @param coefficients one row per output, one column per input
   * @param tables gives a direct buffer of that many bytes, at most {@link #tableBytesMost}; called
   *     at most once. The memory must stay the operator's as long as it is used
   * @return applies the coefficients to regions of bytes
   */
  default RegionOperator prepare(GfMatrix coefficients, IntFunction<ByteBuffer> tables) {
    return prepare(coefficients);
  }

  /**
   * {@return the direct memory that an operator of that size needs at most, bytes; 0 if it needs
   * none}
   *
   * @param rows number of outputs
   * @param columns number of inputs
   */
  default int tableBytesMost(int rows, int columns) {
    return 0;
  }
}
