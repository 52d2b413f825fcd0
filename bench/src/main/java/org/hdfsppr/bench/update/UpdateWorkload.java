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
package org.hdfsppr.bench.update;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;


/**
 * Made-up writes that are heavier on commits than the traces: each round writes the same range of
 * some units of one stripe, so that a commit has changes to merge. Equal seeds give equal writes.
 */
final class UpdateWorkload {
  /** How much of a stripe a commit finds changed, as a share of its data units. */
  private static final double UNITS_CHANGED = 0.3;
  private static final int RANGE_BYTES = 16 << 10;
  /** The ranges of a round, each of all changed units. */
  private static final int RANGES = 4;

  private final SplittableRandom random;
  private final int dataUnits;
  private final long chunkBytes;
  private final int stripes;
  private int next;

  /**
   * @param seed decides everything
   * @param dataUnits k
   * @param chunkBytes bytes of a chunk, whole ranges
   * @param stripes how many stripes are written, one after the other
   */
  UpdateWorkload(long seed, int dataUnits, long chunkBytes, int stripes) {
    this.random = new SplittableRandom(seed);
    this.dataUnits = dataUnits;
    this.chunkBytes = chunkBytes;
    this.stripes = stripes;
  }

  /** {@return the writes of the next round, all in one stripe} */
  List<TraceRequest> round() {
    long stripe = next++ % stripes;
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < dataUnits; unit++) {
      units.add(unit);
    }
    int count = (int) Math.ceil(UNITS_CHANGED * dataUnits);
    for (int i = 0; i < count; i++) {
      Collections.swap(units, i, i + random.nextInt(dataUnits - i));
    }
    List<TraceRequest> writes = new ArrayList<>();
    for (int range = 0; range < RANGES; range++) {
      long from = random.nextLong(chunkBytes / RANGE_BYTES) * RANGE_BYTES;
      for (int i = 0; i < count; i++) {
        writes.add(new TraceRequest(true,
            (stripe * dataUnits + units.get(i)) * chunkBytes + from, RANGE_BYTES));
      }
    }
    return writes;
  }
}
