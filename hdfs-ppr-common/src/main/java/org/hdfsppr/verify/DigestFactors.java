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
package org.hdfsppr.verify;

import java.util.SplittableRandom;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The random factors of digests, 1 to 255: the same sequence as {@code 1 + nextInt(255)} of a
 * {@link SplittableRandom}, which is the same in all versions. The plain digest of a short unit
 * takes 65,000 factors, which is most of its time, so that this class calculates them without calls
 * and without a division. Used by one thread.
 */
@InterfaceAudience.Private
final class DigestFactors {
  /** The increment of a {@link SplittableRandom} for each number. */
  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final int FACTORS = 255;

  private long state;

  DigestFactors(long seed) {
    this.state = seed;
  }

  /** Returns the next factor, 1 to 255. */
  int next() {
    int number;
    int rest;
    do {
      state += STEP;
      long mixed = (state ^ state >>> 33) * 0x62a9d9ed799705f5L;
      number = (int) ((mixed ^ mixed >>> 28) * 0xcb24d0a5c88c35b3L >>> 32) >>> 1;
      rest = rest(number);
      // The greatest numbers do not fill a whole round of factors, and are skipped.
    } while (number - rest > Integer.MAX_VALUE - FACTORS + 1);
    return 1 + rest;
  }

  /** Returns a number modulo 255, by the sum of its digits to the base 256. */
  private static int rest(int number) {
    int sum = (number & 0xff) + (number >>> 8 & 0xff) + (number >>> 16 & 0xff) + (number >>> 24);
    sum = (sum & 0xff) + (sum >>> 8);
    sum = (sum & 0xff) + (sum >>> 8);
    return sum == FACTORS ? 0 : sum;
  }
}
