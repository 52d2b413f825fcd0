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

import java.util.HashSet;
import java.util.Set;


/**
 * How clustered the writes of a trace are: writes for each stripe, of sets of 1000 writes that
 * follow each other (paper of CAU, section 5.1). A last set with fewer writes does not count,
 * unless it is the only one.
 */
final class UpdateLocality {
  /** e of the paper. */
  private static final int WRITES = 1000;

  private final long stripeBytes;
  private final Set<Long> stripes = new HashSet<>();
  private int writes;
  private long sets;
  private long stripesOfSets;

  /**
   * @param chunkBytes bytes of a chunk
   * @param dataUnits k
   */
  UpdateLocality(long chunkBytes, int dataUnits) {
    this.stripeBytes = chunkBytes * dataUnits;
  }

  /** Adds a request. Reads do not count. */
  void add(TraceRequest request) {
    if (!request.isWrite) {
      return;
    }
    for (long stripe = request.offset / stripeBytes; stripe * stripeBytes < request.end();
        stripe++) {
      stripes.add(stripe);
    }
    writes++;
    if (writes == WRITES) {
      sets++;
      stripesOfSets += stripes.size();
      stripes.clear();
      writes = 0;
    }
  }

  /** {@return the number of writes of a set} */
  int writesOfASet() {
    return sets > 0 ? WRITES : writes;
  }

  /** {@return writes for each stripe, or 0 if the trace has no write} */
  double value() {
    if (sets > 0) {
      return (double) WRITES * sets / stripesOfSets;
    }
    return writes == 0 ? 0 : (double) writes / stripes.size();
  }
}
