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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How a range is rebuilt, and what is learnt for that. */
class TestShape {
  private static final int SLICE = 8 << 10;
  /** 200 Mbit/s. */
  private static final double SLOW = 40;
  /** 10 Gbit/s. */
  private static final double FAST = 0.8;
  private static final double MS = 1e6;

  /** What was learnt on a link where a byte takes so long, and a node of a tree so long. */
  private static ReadCosts costs(double byteNanos, double hopNanos) {
    ReadCosts costs = new ReadCosts();
    for (int i = 0; i < 300; i++) {
      long bytes = (i % 6 + 1) * (64 << 10);
      costs.read(bytes, (long) (MS / 2 + bytes * byteNanos));
      costs.tree(3, 100_000, (long) (3 * hopNanos + 100_000 * byteNanos));
    }
    return costs;
  }

  private static Shape auto(int helpers, int bytes, ReadCosts costs) {
    return new ShapeChoice(costs).choose(helpers, bytes, SLICE, Integer.MAX_VALUE, 0);
  }

  @Test
  void longRangesComeThroughOneChain() {
    for (int helpers : new int[] {6, 10, 12}) {
      Shape shape = auto(helpers, 1 << 20, costs(SLOW, MS));
      assertEquals(1, shape.chains(), shape.toString());
      assertEquals(helpers, shape.hops());
    }
  }

  @Test
  void shortRangesAreDecodedWhereBytesAreCheap() {
    assertTrue(auto(6, 64 << 10, costs(FAST, MS)).isDecoding());
    assertTrue(auto(6, 1000, costs(SLOW, MS)).isDecoding());
    assertTrue(auto(6, 64 << 10, costs(SLOW, 10 * MS)).isDecoding(), "nodes are slow");
    assertTrue(auto(12, 4 << 10, costs(SLOW, MS)).isDecoding());
  }

  @Test
  void betweenThemAFewShortChainsAreBest() {
    Shape shape = auto(6, 64 << 10, costs(SLOW, MS));
    assertEquals(2, shape.chains(), shape.toString());
    assertEquals(3, shape.hops());
    Shape wide = auto(12, 64 << 10, costs(SLOW, MS));
    assertTrue(wide.chains() >= 2 && wide.chains() <= 4, wide.toString());
  }

  @Test
  void oneChainIsAllThereIsIfThatIsWished() {
    Shape shape = new ShapeChoice(costs(SLOW, MS)).choose(6, 64 << 10, SLICE, 1, 0);
    assertEquals(1, shape.chains());
    assertTrue(new ShapeChoice(costs(SLOW, MS)).choose(6, 4 << 10, SLICE, 1, 0).isDecoding());
  }

  /** Nothing chosen is worse than what it was chosen from. */
  @Test
  void theChoiceIsTheLeastOfAll() {
    for (double hop : new double[] {0.1 * MS, MS, 5 * MS}) {
      for (double oneByte : new double[] {FAST, 8, SLOW, 400}) {
        ReadCosts costs = costs(oneByte, hop);
        for (int helpers = 1; helpers <= 15; helpers++) {
          for (int bytes = 512; bytes <= 8 << 20; bytes *= 4) {
            Shape shape = auto(helpers, bytes, costs);
            double nanos = nanos(shape, helpers, bytes, costs);
            for (int chains = 1; chains <= helpers; chains++) {
              double hops = Math.ceil(helpers / (double) chains);
              double other = hops * costs.hopNanos()
                  + (chains * (double) bytes + (hops - 1) * Math.min(SLICE, bytes))
                  * costs.byteNanos();
              if (chains <= (helpers + 1) / 2) {
                assertTrue(nanos <= other * 1.000001, shape + " for " + bytes + " of " + helpers);
              }
            }
          }
        }
      }
    }
  }

  private static double nanos(Shape shape, int helpers, int bytes, ReadCosts costs) {
    return shape.isDecoding()
        ? costs.readNanos() + (double) helpers * bytes * costs.byteNanos()
        : shape.hops() * costs.hopNanos() + shape.bytesInTurn() * costs.byteNanos();
  }

  @Test
  void theLineIsFound() {
    ReadCosts costs = costs(SLOW, 2 * MS);
    assertEquals(SLOW, costs.byteNanos(), SLOW / 100);
    assertEquals(MS / 2, costs.readNanos(), MS / 20);
    assertEquals(2 * MS, costs.hopNanos(), MS / 10);
  }

  /** Healthy reads of one size say nothing about the price of a byte, and take nothing away. */
  @Test
  void readsOfOneSizeDoNotForgetTheSlope() {
    ReadCosts costs = costs(SLOW, MS);
    for (int i = 0; i < 100_000; i++) {
      costs.read(64 << 10, (long) (MS / 2 + (64 << 10) * SLOW));
    }
    assertEquals(SLOW, costs.byteNanos(), SLOW / 20);
    assertEquals(MS / 2, costs.readNanos(), MS / 10);
  }

  @Test
  void aSlowerLinkIsNoticed() {
    ReadCosts costs = costs(FAST, MS);
    assertTrue(auto(6, 64 << 10, costs).isDecoding());
    int reads = 0;
    while (auto(6, 64 << 10, costs).isDecoding()) {
      costs.read(6 * (64 << 10), (long) (MS / 2 + 6 * (64 << 10) * SLOW));
      reads++;
      assertTrue(reads < 30, "never");
    }
  }

  /** Two trees in trouble are no reason to go without them, and many are until some are good. */
  @Test
  void twoBadTreesAreNoOpinion() {
    ReadCosts costs = costs(SLOW, MS);
    costs.tree(3, 100_000, (long) (1000 * MS));
    costs.tree(3, 100_000, (long) (1000 * MS));
    assertFalse(auto(6, 64 << 10, costs).isDecoding());
    costs.tree(3, 100_000, (long) (1000 * MS));
    assertTrue(auto(6, 64 << 10, costs).isDecoding());
    for (int i = 0; i < 3; i++) {
      assertTrue(auto(6, 64 << 10, costs).isDecoding());
      costs.tree(3, 100_000, (long) (10 * MS));
    }
    assertFalse(auto(6, 64 << 10, costs).isDecoding());
  }

  /** Trees that never get to their end are not taken for what they would like to be. */
  @Test
  void treesThatWereEndedCount() {
    ReadCosts costs = costs(SLOW, MS);
    for (int i = 0; i < 3; i++) {
      assertFalse(auto(6, 64 << 10, costs).isDecoding());
      costs.lateTree(3, 100_000, (long) (1000 * MS));
    }
    assertTrue(auto(6, 64 << 10, costs).isDecoding());
    double before = costs.hopNanos();
    costs.lateTree(3, 100_000, 0);
    assertEquals(before, costs.hopNanos(), "one that was ended early says nothing good");
  }

  @Test
  void whatCannotBeIsNoReasonToFail() {
    ReadCosts costs = new ReadCosts();
    for (int i = 0; i < 1000; i++) {
      // A clock that stands still, and short reads that take longer than long ones.
      costs.read(i % 2 == 0 ? 1 : 1 << 20, i % 2 == 0 ? (long) MS : 0);
      costs.read(0, 0);
      costs.tree(1, 1e9, 0);
      assertTrue(costs.byteNanos() > 0 && costs.readNanos() > 0 && costs.hopNanos() > 0);
      assertTrue(costs.byteNanos() < 1e9 && costs.readNanos() < 1e12);
    }
  }

  /** A client that reads nothing but what is lost finds out that its link is slow, not the hops. */
  @Test
  void treesAloneTellSlowLinksFromSlowHops() {
    ReadCosts costs = new ReadCosts();
    Shape shape = null;
    for (int i = 0; i < 200; i++) {
      shape = auto(6, 1 << 20, costs);
      assertFalse(shape.isDecoding(), "read " + i + ": six times the bytes over a slow link");
      costs.tree(shape.hops(), shape.bytesInTurn(),
          (long) (shape.hops() * MS + shape.bytesInTurn() * SLOW));
    }
    assertEquals(1, shape.chains(), "each chain more brings all bytes once more");
  }
}
