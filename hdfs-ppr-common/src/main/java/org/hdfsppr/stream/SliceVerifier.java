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
package org.hdfsppr.stream;

import java.nio.ByteBuffer;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Tests whether checked slices satisfy the plan's {@code VerificationRelation}. Used by one thread.
 */
final class SliceVerifier {
  private final int lostRows;
  private final RegionOperator weigh;
  private final ByteBuffer[] rebuilt;
  private final ByteBuffer zeros;

  /** @param weights the relation's weights for slices of one kind */
  SliceVerifier(byte[] weights, RegionKernel kernel, int sliceBytes) {
    lostRows = weights.length;
    weigh = kernel.prepare(GfMatrix.of(new byte[][] {weights}));
    rebuilt = new ByteBuffer[lostRows];
    zeros = ByteBuffer.allocate(sliceBytes);
  }

  /**
   * Adds the weighted rebuilt rows to the check row, which this method overwrites. The slice
   * satisfies the relation if the result is zero.
   *
   * @return whether the slice satisfies the relation
   */
  boolean holds(SliceBuffer slice) {
    for (int row = 0; row < lostRows; row++) {
      rebuilt[row] = slice.row(row);
    }
    ByteBuffer check = slice.row(lostRows);
    weigh.apply(rebuilt, new ByteBuffer[] {check}, slice.length(), true);
    zeros.limit(slice.length());
    return check.mismatch(zeros) < 0;
  }
}
