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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The weights of m-PPR (Mitra et al., EuroSys 2016, section 5). One repair in flight costs its node
 * one unit, a2 = b1 = 1; user load is in MB.
 *
 * <pre>
 *   source        a1 * hasCache - a2 * repairs - a3 * userLoad
 *   destination   -(b1 * repairs as destination + b2 * userLoad)
 *
 *   a1 / a2 = alpha * ceil(log2(k + 1)) / beta
 *   a2 / a3 = b1 / b2 = C * ceil(log2 k)
 * </pre>
 *
 * <p>Alpha is the share of a repair's time that a source in memory spares, beta the share that the
 * network takes, which is ceil(log2(k + 1)) transfers of a chunk: so alpha * ceil(log2(k + 1)) /
 * beta is a chunk's time on the disk over its time on the link. Immutable.
 */
@InterfaceAudience.Private
public final class MpprWeights {
  /** alpha / beta, as it follows from the paper's a1 = 0.36 at k = 6. */
  public static final double CACHE_GAIN_PAPER = 0.12;

  private static final double MB = 1 << 20;
  private static final int BITS = Integer.SIZE;

  private final double cacheGain;
  private final double chunkBytes;
  private final int dataUnits;

  /**
   * @param cacheGain alpha / beta
   * @param chunkBytes C, of the blocks that count when nodes are ranked
   * @param dataUnits their k
   */
  public MpprWeights(double cacheGain, double chunkBytes, int dataUnits) {
    this.cacheGain = cacheGain;
    this.chunkBytes = chunkBytes;
    this.dataUnits = dataUnits;
  }

  /**
   * @param linkBytesPerS rate of a node's link, bytes/s
   * @param diskBytesPerS rate of a node's disks, bytes/s
   * @param chunkBytes size of a unit, bytes
   * @param dataUnits data units of a group, k
   * @return the weights of a cluster whose link and disk rates are known, bytes per second
   */
  public static MpprWeights ofRates(double linkBytesPerS, double diskBytesPerS, double chunkBytes,
      int dataUnits) {
    return new MpprWeights(linkBytesPerS / diskBytesPerS / log2(dataUnits + 1), chunkBytes,
        dataUnits);
  }

  /** The weights of the same cluster for a group of another code or size. */
  MpprWeights with(double chunk, int k) {
    return chunk == chunkBytes && k == dataUnits ? this : new MpprWeights(cacheGain, chunk, k);
  }

  /** The logarithm, rounded up. */
  private static int log2(int n) {
    return BITS - Integer.numberOfLeadingZeros(n - 1);
  }

  /** @return weight of a source that has the chunk in memory */
  public double a1() {
    return cacheGain * log2(dataUnits + 1);
  }

  /** @return weight of each repair that a source takes part in */
  public double a2() {
    return 1;
  }

  /** @return weight of each MB of a source's user load */
  public double a3() {
    // With k = 1 there is nothing to sum up, but still a chunk to move.
    return 1 / (chunkBytes / MB * Math.max(1, log2(dataUnits)));
  }

  /** @return weight of each repair that a node is the destination of */
  public double b1() {
    return 1;
  }

  /** @return weight of each MB of a destination's user load */
  public double b2() {
    return a3();
  }

  double source(boolean hasCache, NodeState node) {
    return (hasCache ? a1() : 0) - a2() * (node.helping() + node.receiving())
        - a3() * userMb(node);
  }

  double destination(NodeState node) {
    return -(b1() * node.receiving() + b2() * userMb(node));
  }

  private static double userMb(NodeState node) {
    return (node.report().userUpBytesPerS() + node.report().userDownBytesPerS()) / MB;
  }
}
