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
 * How a range of a lost unit is rebuilt: the helpers stand in chains side by side, or the
 * client reads them all and decodes. With k helpers, c chains, a range of R bytes in slices of S
 * and a link of B bytes a second the client waits
 *
 * <pre>
 *   chains    ceil(k/c) hops + (c R + (ceil(k/c) - 1) S) / B     fewer bytes, more hops
 *   decoding  one read       + k R / B                           the other way round
 * </pre>
 *
 * so that one chain is best for long ranges, decoding for short ones on fast links, and a few short
 * chains for what is between. Immutable.
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
   * @param others what else is being read at the same time
   * @return all shapes that a range can be rebuilt in: chains, fewer first, and decoding
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
   * @return the trees that could take this one's place
   */
  public List<Shape> trees(int chainsAllowed) {
    List<Shape> all = all(helpers, rangeBytes, sliceBytes, chainsAllowed, others);
    return all.subList(0, all.size() - 1);
  }

  /**
   * From half of the helpers on, more chains are no shorter, down to single nodes.
   *
   * @param helpers k
   * @return the most chains that make sense
   */
  public static int chainsMost(int helpers) {
    return (helpers + 1) / 2;
  }

  /**
   * @param costs what reads take
   * @return what it is expected to take, nanoseconds
   */
  public double nanos(ReadCosts costs) {
    return (isDecoding() ? costs.readNanos() : hops() * costs.hopNanos()) + nanosOfBytes(costs);
  }

  /**
   * @param costs what reads take
   * @return what its bytes alone take, nanoseconds
   */
  public double nanosOfBytes(ReadCosts costs) {
    return (isDecoding() ? (double) helpers * rangeBytes : bytesInTurn()) * costs.byteNanos();
  }

  /** @return k */
  public int helpers() {
    return helpers;
  }

  /** @return what else is being read at the same time */
  public int others() {
    return others;
  }

  /** @return how many bytes of the lost unit have to come */
  public long rangeBytes() {
    return rangeBytes;
  }

  /** @return whether the client reads the helpers' units itself */
  public boolean isDecoding() {
    return chains == 0;
  }

  /** @return how many chains; 0 if there is no tree */
  public int chains() {
    return chains;
  }

  /** @return nodes that a sum passes through */
  public int hops() {
    return (helpers + chains - 1) / chains;
  }

  /** @return bytes whose time has to pass, one after the other, until the client has all */
  public double bytesInTurn() {
    return (double) chains * rangeBytes + (hops() - 1.0) * Math.min(sliceBytes, rangeBytes);
  }

  @Override
  public String toString() {
    return isDecoding() ? "decoding" : chains + " chains of " + hops();
  }
}
