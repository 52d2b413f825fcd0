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
package org.hdfsppr.client.shape;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How a range of a lost unit is rebuilt. Either the helpers form several chains that work side by
 * side, or the client reads the units of all helpers and decodes. With k helpers, c chains, a range
 * of R bytes and a link of B bytes a second the client waits
 *
 *<pre>
 *chains    ceil(k/c) hops + c R / B     fewer bytes, more hops
 *decoding  one read       + k R / B     more bytes, no hops
 *</pre>
 *
 * <p>A hop includes the time in which a helper sends one slice. One chain is best for long ranges,
 * because it sends the fewest bytes over the client's link. Decoding is best for short ranges on
 * fast links, because it needs no hops. A few short chains are best for ranges between. Immutable.
 */
@InterfaceAudience.Private
public final class RebuildShape {
  /** How many helpers, k */
  final int helpers;
  /** How many chains; 0 if the client decodes */
  public final int chains;
  /** Bytes of the lost unit that are wanted */
  final long rangeBytes;

  private RebuildShape(int helpers, int chains, long rangeBytes) {
    this.helpers = helpers;
    this.chains = chains;
    this.rangeBytes = rangeBytes;
  }

  /**
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @return all shapes in which the range can be rebuilt: first the trees, from one chain to the
   *     most chains, and last decoding
   */
  static List<RebuildShape> all(int helpers, long rangeBytes, int chainsMost) {
    List<RebuildShape> all = new ArrayList<>();
    for (int chains = 1; chains <= Math.min(chainsMost, chainsMost(helpers)); chains++) {
      all.add(new RebuildShape(helpers, chains, rangeBytes));
    }
    all.add(decoding(helpers, rangeBytes));
    return all;
  }

  /**
   * @param helpers how many units the client reads without those that only check, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @return the shape in which the client decodes
   */
  public static RebuildShape decoding(int helpers, long rangeBytes) {
    return new RebuildShape(helpers, 0, rangeBytes);
  }

  /**
   * Returns half of the number of helpers, rounded up. Then the longest chain has two nodes. More
   * chains would send more bytes, and the longest chain would still have two nodes, unless each
   * chain is a single node.
   *
   * @param helpers k
   * @return the largest number of chains that is worth considering
   */
  static int chainsMost(int helpers) {
    return (helpers + 1) / 2;
  }

  /**
   * @param costs the expected times of reads, bytes and hops
   * @return the expected time of a rebuild in this shape, nanoseconds
   */
  double nanos(ReadCosts costs) {
    return (isDecoding() ? costs.readNanos() : hops() * costs.hopNanos())
        + bytesOverLink() * costs.byteNanos();
  }

  /**
   * @param costs the expected times of reads, bytes and hops
   * @return the shortest time, nanoseconds, that the client's link may need for the bytes of this
   *     shape; a rebuild in this shape cannot take less
   */
  double nanosAtLeast(ReadCosts costs) {
    return bytesOverLink() * costs.byteNanosAtLeast();
  }

  private double bytesOverLink() {
    return isDecoding() ? (double) helpers * rangeBytes : bytesInTurn();
  }

  /** @return whether the client reads the helpers' units itself */
  public boolean isDecoding() {
    return chains == 0;
  }

  /** @return how many nodes a sum passes through; not to be called for decoding */
  public int hops() {
    return (helpers + chains - 1) / chains;
  }

  /**
   * @return how many bytes all chains of a tree send over the client's link, which carries them one
   *     after the other; each chain sends the whole range
   */
  public double bytesInTurn() {
    return (double) chains * rangeBytes;
  }

  @Override
  public String toString() {
    return isDecoding() ? "decoding" : chains + " chains of " + hops();
  }
}
