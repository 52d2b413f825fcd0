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
 * of R bytes in slices of S and a link of B bytes a second the client waits
 *
 *<pre>
 * chains    ceil(k/c) hops + (c R + (ceil(k/c) - 1) S) / B     fewer bytes, more hops
 * decoding  one read       + k R / B                           the other way round
 *</pre>
 *
 * So one chain is best for long ranges, decoding is best for short ranges on fast links, and a few
 * short chains are best for ranges between. Immutable.
 */
@InterfaceAudience.Private
public final class Shape {
  private final int helpers;
  private final int chains;
  private final long rangeBytes;
  private final int sliceBytes;
  private final int others;

  private Shape(int helpers, int chains, long rangeBytes, int sliceBytes, int others) {
    this.others = others;
    this.helpers = helpers;
    this.chains = chains;
    this.rangeBytes = rangeBytes;
    this.sliceBytes = sliceBytes;
  }

  /**
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param sliceBytes bytes of a slice
   * @param chainsMost how many chains are allowed, at least 1
   * @param others how many other units and reads the client reads at the same time
   * @return all shapes in which the range can be rebuilt: the trees, those with fewer chains first,
   *     and then decoding
   */
  public static List<Shape> all(int helpers, long rangeBytes, int sliceBytes, int chainsMost,
      int others) {
    List<Shape> all = new ArrayList<>();
    for (int chains = 1; chains <= Math.min(chainsMost, chainsMost(helpers)); chains++) {
      all.add(new Shape(helpers, chains, rangeBytes, sliceBytes, others));
    }
    all.add(new Shape(helpers, 0, rangeBytes, sliceBytes, others));
    return all;
  }

  /**
   * @param chainsAllowed how many chains are allowed
   * @return all trees, of at most that many chains, that could rebuild the same range
   */
  public List<Shape> trees(int chainsAllowed) {
    List<Shape> all = all(helpers, rangeBytes, sliceBytes, chainsAllowed, others);
    return all.subList(0, all.size() - 1);
  }

  /**
   * Beyond half of the helpers, rounded up, more chains do not shorten the longest chain, until
   * each chain is a single node.
   *
   * @param helpers k
   * @return the largest number of chains that is worth considering
   */
  public static int chainsMost(int helpers) {
    return (helpers + 1) / 2;
  }

  /**
   * @param costs the expected times of reads, bytes and hops
   * @return the expected time of a rebuild in this shape, nanoseconds
   */
  public double nanos(ReadCosts costs) {
    return (isDecoding() ? costs.readNanos() : hops() * costs.hopNanos()) + nanosOfBytes(costs);
  }

  /**
   * @param costs the expected times of reads, bytes and hops
   * @return the part of the expected time that the bytes take on the client's link, nanoseconds
   */
  public double nanosOfBytes(ReadCosts costs) {
    return (isDecoding() ? (double) helpers * rangeBytes : bytesInTurn()) * costs.byteNanos();
  }

  /** @return the number of helpers, k */
  public int helpers() {
    return helpers;
  }

  /** @return how many other units and reads the client reads at the same time */
  public int others() {
    return others;
  }

  /** @return how many bytes of the lost unit are rebuilt */
  public long rangeBytes() {
    return rangeBytes;
  }

  /** @return whether the client reads the helpers' units itself */
  public boolean isDecoding() {
    return chains == 0;
  }

  /** @return how many chains; 0 if the client decodes */
  public int chains() {
    return chains;
  }

  /** @return how many nodes a sum passes through; not to be called for decoding */
  public int hops() {
    return (helpers + chains - 1) / chains;
  }

  /**
   * @return how many bytes are transferred one after the other before a tree has delivered the
   *     whole range: each chain's range over the client's link, and one slice for each further hop
   */
  public double bytesInTurn() {
    return (double) chains * rangeBytes + (hops() - 1.0) * Math.min(sliceBytes, rangeBytes);
  }

  @Override
  public String toString() {
    return isDecoding() ? "decoding" : chains + " chains of " + hops();
  }
}
