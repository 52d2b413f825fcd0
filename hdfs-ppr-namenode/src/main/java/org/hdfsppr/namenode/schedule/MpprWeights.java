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
 * The weights of m-PPR (Mitra et al., EuroSys 2016, section 5). Each repair in flight lowers the
 * weight of its nodes by 1 (a2 = b1 = 1); user load is in MB/s.
 *
 * <pre>
 *   source        a1 * hasCache - a2 * repairs - a3 * userLoad
 *   destination   -(b1 * repairs as destination + b2 * userLoad)
 *
 *   a1 / a2 = alpha * ceil(log2(k + 1)) / beta
 *   a2 / a3 = b1 / b2 = C * ceil(log2 k)
 * </pre>
 *
 * <p>Alpha is the share of a repair's time that is saved if a source has the chunk in memory. Beta
 * is the share that the network takes, which is ceil(log2(k + 1)) transfers of a chunk. Therefore
 * alpha * ceil(log2(k + 1)) / beta is the time of a chunk on the disk divided by its time on the
 * link. Immutable.
 */
@InterfaceAudience.Private
public final class MpprWeights {
  /** The quotient alpha / beta that follows from the paper's a1 = 0.36 at k = 6. */
  public static final double CACHE_GAIN_PAPER = 0.12;

  /** The disk rate that follows from the paper's a1 on its links of 1 Gbps, bytes/s. */
  public static final double DISK_PAPER_BYTES_PER_S = 347.2e6;

  private static final double MB = 1 << 20;
  private static final int BITS = Integer.SIZE;

  private final double cacheGain;
  /**
   * The rate of a node's link, bytes/s; 0 if {@link #cacheGain} holds for all nodes, whatever disk
   * rates they report.
   */
  private final double linkBytesPerS;
  private final double chunkBytes;
  private final int dataUnits;

  /**
   * @param cacheGain alpha / beta
   * @param chunkBytes C, the size of the blocks for which nodes are ranked, bytes
   * @param dataUnits k, the number of data units of the groups for which nodes are ranked
   */
  public MpprWeights(double cacheGain, double chunkBytes, int dataUnits) {
    this(cacheGain, 0, chunkBytes, dataUnits);
  }

  private MpprWeights(double cacheGain, double linkBytesPerS, double chunkBytes, int dataUnits) {
    this.linkBytesPerS = linkBytesPerS;
    this.cacheGain = cacheGain;
    this.chunkBytes = chunkBytes;
    this.dataUnits = dataUnits;
  }

  /**
   * @param linkBytesPerS rate of a node's link, bytes/s
   * @param diskBytesPerS rate of a node's disks, bytes/s
   * @param chunkBytes size of a unit, bytes
   * @param dataUnits data units of a group, k
   * @return the weights of a cluster whose nodes have these rates
   */
  public static MpprWeights ofRates(double linkBytesPerS, double diskBytesPerS, double chunkBytes,
      int dataUnits) {
    return new MpprWeights(linkBytesPerS / diskBytesPerS / log2(dataUnits + 1), chunkBytes,
        dataUnits);
  }

  /**
   * Returns the weights of a cluster whose nodes report the rates of their disks. The disks of a
   * node that reports none are taken for those of the paper's cluster.
   *
   * @param linkBytesPerS rate of a node's link, bytes/s
   * @param chunkBytes size of a unit, bytes
   * @param dataUnits data units of a group, k
   * @return the weights
   */
  public static MpprWeights ofNodes(double linkBytesPerS, double chunkBytes, int dataUnits) {
    return new MpprWeights(linkBytesPerS / DISK_PAPER_BYTES_PER_S / log2(dataUnits + 1),
        linkBytesPerS, chunkBytes, dataUnits);
  }

  /** Returns the weights of the same cluster for a group with another code or unit size. */
  MpprWeights with(double chunk, int k) {
    return chunk == chunkBytes && k == dataUnits ? this
        : new MpprWeights(linkBytesPerS == 0 ? cacheGain
            : linkBytesPerS / DISK_PAPER_BYTES_PER_S / log2(k + 1), linkBytesPerS, chunk, k);
  }

  /** Returns the binary logarithm, rounded up. */
  private static int log2(int n) {
    return BITS - Integer.numberOfLeadingZeros(n - 1);
  }

  /** @return how much the weight of a source rises if it has the chunk in memory */
  public double a1() {
    return cacheGain * log2(dataUnits + 1);
  }

  /**
   * @param diskBytesPerS the rate of a node's disks, bytes/s; infinite if the node reports none
   * @return how much the weight of the node as a source rises if it has the chunk in memory: the
   *     time of a chunk on its disks divided by the time on its link
   */
  double a1(double diskBytesPerS) {
    return linkBytesPerS == 0 || Double.isInfinite(diskBytesPerS) ? a1()
        : linkBytesPerS / diskBytesPerS;
  }

  /** @return how much each repair that a source takes part in lowers its weight */
  public double a2() {
    return 1;
  }

  /** @return how much each MB/s of user load lowers the weight of a source */
  public double a3() {
    // With k = 1 the logarithm is 0, although a chunk still has to be moved; so 1 is used instead.
    return 1 / (chunkBytes / MB * Math.max(1, log2(dataUnits)));
  }

  /**
   * @return how much each repair of which a node is the destination lowers its weight as
   *     destination
   */
  public double b1() {
    return 1;
  }

  /** @return how much each MB/s of user load lowers the weight of a destination */
  public double b2() {
    return a3();
  }

  double source(boolean hasCache, NodeState node) {
    return (hasCache ? a1(node.report().bounds.diskBytesPerS) : 0)
        - a2() * (node.helping() + node.receiving()) - a3() * userMb(node);
  }

  double destination(NodeState node) {
    return -(b1() * node.receiving() + b2() * userMb(node));
  }

  private static double userMb(NodeState node) {
    NodeReport.UserLoad users = node.report().users;
    return (users.upBytesPerS + users.downBytesPerS) / MB;
  }
}
