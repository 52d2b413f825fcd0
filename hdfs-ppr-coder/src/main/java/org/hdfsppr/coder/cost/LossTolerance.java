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
package org.hdfsppr.coder.cost;

import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Computes from the generator of a code which losses the code survives. The class takes the rows of
 * the parity sub-chunks that are not lost, and of these rows the columns of the lost data
 * sub-chunks. The code can compute the lost data if and only if the rank of this matrix equals the
 * number of its columns.
 */
@InterfaceAudience.Public
public final class LossTolerance {
  private LossTolerance() {
  }

  /**
   * {@return whether the remaining units determine the lost units}
   *
   * @param code the code
   * @param lostMask bit u is set if unit u is lost
   */
  public static boolean survives(LinearCode code, int lostMask) {
    int k = code.dataUnits();
    int s = code.subChunks();
    int[] lostData = IntStream.range(0, k * s).filter(c -> lost(lostMask, c / s)).toArray();
    int[] leftParity = IntStream.range(k * s, code.units() * s)
        .filter(r -> !lost(lostMask, r / s)).toArray();
    if (lostData.length == 0) {
      return true;
    }
    if (leftParity.length < lostData.length) {
      return false;
    }
    GfMatrix left = code.generator().rows(leftParity).columns(lostData);
    return left.rank() == lostData.length;
  }

  private static boolean lost(int mask, int unit) {
    return (mask >>> unit & 1) != 0;
  }

  /**
   * {@return the largest number n such that the code survives every pattern of n lost units}
   *
   * @param code the code
   */
  public static int guaranteed(LinearCode code) {
    int losses = 0;
    while (losses < code.parityUnits() && survivesAll(code, losses + 1)) {
      losses++;
    }
    return losses;
  }

  private static boolean survivesAll(LinearCode code, int losses) {
    return IntStream.range(0, 1 << code.units())
        .filter(mask -> Integer.bitCount(mask) == losses)
        .allMatch(mask -> survives(code, mask));
  }
}
