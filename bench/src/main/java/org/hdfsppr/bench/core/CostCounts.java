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
package org.hdfsppr.bench.core;

import java.util.List;

import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;

/** Adds up what each strategy reads for the same recoverable patterns. */
final class CostCounts {
  private static final List<RepairStrategy> STRATEGIES = RepairStrategies.all();

  private final long[] blocks = new long[STRATEGIES.size()];
  private final long[] cheaperThanFirst = new long[STRATEGIES.size()];
  private long patterns;
  private long nanos;

  void add(FailureMatrix matrix) {
    int first = 0;
    for (int i = 0; i < blocks.length; i++) {
      long begin = System.nanoTime();
      int cost = STRATEGIES.get(i).schedule(matrix).cost();
      if (i == 0) {
        nanos += System.nanoTime() - begin;
        first = cost;
      }
      blocks[i] += cost;
      cheaperThanFirst[i] += cost < first ? 1 : 0;
    }
    patterns++;
  }

  void add(CostCounts other) {
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] += other.blocks[i];
      cheaperThanFirst[i] += other.cheaperThanFirst[i];
    }
    patterns += other.patterns;
    nanos += other.nanos;
  }

  long patterns() {
    return patterns;
  }

  /** {@return the mean number of blocks that a strategy reads} */
  double meanBlocks(RepairStrategy strategy) {
    return (double) blocks[STRATEGIES.indexOf(strategy)] / patterns;
  }

  /** {@return the part of patterns for which a strategy reads less than RGS does, percent} */
  double cheaperThanRgsPercent(RepairStrategy strategy) {
    return 100.0 * cheaperThanFirst[STRATEGIES.indexOf(strategy)] / patterns;
  }

  /** {@return the mean time of one decision of RGS, microseconds, with reading the clock} */
  double rgsMicros() {
    return nanos / 1e3 / patterns;
  }
}
