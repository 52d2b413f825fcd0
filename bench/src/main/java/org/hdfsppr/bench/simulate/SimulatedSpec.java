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
package org.hdfsppr.bench.simulate;

import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;

/** The parameters of a simulation. Immutable. */
final class SimulatedSpec {
  private static final double BITS = 8;

  final EcCode code;
  final int nodes;
  final int racks;
  final long groups;
  final int lostNodes;
  final int lostBlocks;
  final long blockBytes;
  final Rate rate;
  private final Rate crossRackRate;
  final long seed;

  /**
   * @param lostBlocks the minimum number of lost blocks; the cluster creates groups until this many
   *     blocks are lost. If it is 0, the cluster creates {@code groups} groups instead
   * @throws IllegalArgumentException if values contradict each other; the message names the values
   */
  SimulatedSpec(EcCode code, int nodes, int racks, long groups, int lostNodes, int lostBlocks,
      long blockBytes, Rate rate, Rate crossRackRate, long seed) {
    this.code = code;
    this.nodes = nodes;
    this.racks = racks;
    this.groups = groups;
    this.lostNodes = lostNodes;
    this.lostBlocks = lostBlocks;
    this.blockBytes = blockBytes;
    this.rate = rate;
    this.crossRackRate = crossRackRate;
    this.seed = seed;
    if (racks < 1 || lostNodes < 1 || nodes - lostNodes < code.units() || racks > nodes) {
      throw new IllegalArgumentException(code + " wants " + code.units() + " nodes besides lost"
          + " ones, and a node in each rack, not " + nodes + " in " + racks + " with " + lostNodes
          + " lost");
    }
    if (groups < 1 || blockBytes < 1 || lostBlocks < 0) {
      throw new IllegalArgumentException("--groups is " + groups + ", --block " + blockBytes
          + ", --lost-blocks " + lostBlocks);
    }
    if (code.filesPerGroup().isPresent() && lostNodes > 1) {
      throw new IllegalArgumentException("--lost-nodes is " + lostNodes + ", but with " + code
          + " the simulation knows one lost node only, because it does not order the repairs of"
          + " several rows");
    }
    if (rate.isUnlimited()) {
      throw new IllegalArgumentException("Without a rate nothing takes time");
    }
  }

  double linkBytesPerS() {
    return rate.bitsPerSecond() / BITS;
  }

  double crossRackBytesPerS() {
    return crossRackRate.isUnlimited() ? Double.POSITIVE_INFINITY
        : crossRackRate.bitsPerSecond() / BITS;
  }
}
