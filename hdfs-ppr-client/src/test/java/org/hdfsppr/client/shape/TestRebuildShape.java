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

import java.util.Random;
import java.util.function.Predicate;
import org.hdfsppr.client.shape.ShapeRule.MeasuredTimes;
import org.hdfsppr.client.shape.ShapeRule.ShapeTrials;
import org.junit.jupiter.api.Test;

/** Tests how a range is rebuilt, and what is learnt for that choice. */
class TestRebuildShape {
  /** 200 Mbit/s. */
  private static final double SLOW = 40;
  /** Nanoseconds per byte at 10 Gbit/s. */
  private static final double FAST = 0.8;
  private static final double MS = 1e6;

  /** Returns costs that were learnt with these times for a byte and for a node of a tree. */
  private static ReadCosts costs(double byteNanos, double hopNanos) {
    ReadCosts costs = new ReadCosts();
    for (int i = 0; i < 300; i++) {
      long bytes = (i % 6 + 1) * (64 << 10);
      costs.read(bytes, (long) (MS / 2 + bytes * byteNanos));
      costs.tree(3, 100_000, (long) (3 * hopNanos + 100_000 * byteNanos));
    }
    return costs;
  }

  private static RebuildShape auto(int helpers, int bytes, ReadCosts costs) {
    return new ShapeRule(costs).choose(helpers, bytes, Integer.MAX_VALUE);
  }

  @Test
  void longRangesComeThroughOneChain() {
    for (int helpers : new int[] {6, 10, 12}) {
      RebuildShape shape = auto(helpers, 1 << 20, costs(SLOW, MS));
      assertEquals(1, shape.chains, shape.toString());
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
    RebuildShape shape = auto(6, 64 << 10, costs(SLOW, MS));
    assertEquals(2, shape.chains, shape.toString());
    assertEquals(3, shape.hops());
    RebuildShape wide = auto(12, 64 << 10, costs(SLOW, MS));
    assertTrue(wide.chains >= 2 && wide.chains <= 4, wide.toString());
  }

  @Test
  void oneChainIsAllThereIsIfThatIsWished() {
    RebuildShape shape = new ShapeRule(costs(SLOW, MS)).choose(6, 64 << 10, 1);
    assertEquals(1, shape.chains);
    assertTrue(new ShapeRule(costs(SLOW, MS)).choose(6, 4 << 10, 1).isDecoding());
  }

  /** The chosen shape has the least predicted time of all possible shapes. */
  @Test
  void theChoiceIsTheLeastOfAll() {
    for (double hop : new double[] {0.1 * MS, MS, 5 * MS}) {
      for (double oneByte : new double[] {FAST, 8, SLOW, 400}) {
        ReadCosts costs = costs(oneByte, hop);
        for (int helpers = 1; helpers <= 15; helpers++) {
          for (int bytes = 512; bytes <= 8 << 20; bytes *= 4) {
            RebuildShape shape = auto(helpers, bytes, costs);
            double nanos = nanos(shape, helpers, bytes, costs);
            for (int chains = 1; chains <= helpers; chains++) {
              double hops = Math.ceil(helpers / (double) chains);
              double other = hops * costs.hopNanos()
                  + chains * (double) bytes * costs.byteNanos();
              if (chains <= (helpers + 1) / 2) {
                assertTrue(nanos <= other * 1.000001, shape + " for " + bytes + " of " + helpers);
              }
            }
          }
        }
      }
    }
  }

  private static double nanos(RebuildShape shape, int helpers, int bytes, ReadCosts costs) {
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

  /**
   * Reads of a single size say nothing about the cost of a byte. They must not erase the cost that
   * was learnt before.
   */
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

  /** One bad tree does not end the use of trees. Many end it, until some trees are good again. */
  @Test
  void oneBadTreeIsNoOpinion() {
    ReadCosts costs = costs(SLOW, MS);
    costs.tree(3, 100_000, (long) (1000 * MS));
    assertFalse(auto(6, 64 << 10, costs).isDecoding());
    int bad = 1;
    while (!auto(6, 64 << 10, costs).isDecoding()) {
      costs.tree(3, 100_000, (long) (1000 * MS));
      // Reads of units show that the link is as fast as before, so the hops must be slow.
      costs.read(64 << 10, (long) (MS / 2 + (64 << 10) * SLOW));
      assertTrue(bad++ < 10, "bad trees are not noticed");
    }
    int good = 0;
    while (auto(6, 64 << 10, costs).isDecoding()) {
      costs.tree(3, 100_000, (long) (7 * MS));
      assertTrue(good++ < 10, "good trees are not noticed");
    }
  }

  /** A tree that is given up counts with the time that it has taken so far. */
  @Test
  void treesThatWereEndedCount() {
    ReadCosts costs = costs(SLOW, MS);
    int late = 0;
    while (!auto(6, 64 << 10, costs).isDecoding()) {
      costs.lateTree(3, 100_000, (long) (1000 * MS));
      costs.read(64 << 10, (long) (MS / 2 + (64 << 10) * SLOW));
      assertTrue(late++ < 10, "late trees are not noticed");
    }
    double before = costs.hopNanos();
    costs.lateTree(3, 100_000, 0);
    assertEquals(before, costs.hopNanos(), "a tree that was ended early must not lower the cost");
  }

  @Test
  void whatCannotBeIsNoReasonToFail() {
    ReadCosts costs = new ReadCosts();
    for (int i = 0; i < 1000; i++) {
      // Extreme times: a clock that stands still, and short reads that take longer than long reads.
      costs.read(i % 2 == 0 ? 1 : 1 << 20, i % 2 == 0 ? (long) MS : 0);
      costs.read(0, 0);
      costs.tree(1, 1e9, 0);
      assertTrue(costs.byteNanos() > 0 && costs.readNanos() > 0 && costs.hopNanos() > 0);
      assertTrue(costs.byteNanos() < 1e9 && costs.readNanos() < 1e12);
    }
  }

  /**
   * A client that only reads lost units learns from trees alone that its link is slow and not the
   * hops.
   */
  @Test
  void treesAloneTellSlowLinksFromSlowHops() {
    ReadCosts costs = new ReadCosts();
    RebuildShape shape = null;
    for (int i = 0; i < 200; i++) {
      shape = auto(6, 1 << 20, costs);
      assertFalse(shape.isDecoding(), "read " + i + ": six times the bytes over a slow link");
      costs.tree(shape.hops(), shape.bytesInTurn(),
          (long) (shape.hops() * MS + shape.bytesInTurn() * SLOW));
    }
    assertEquals(1, shape.chains, "with each further chain all bytes come once more");
  }

  /** On a slow link the client begins with one chain, although it has measured nothing yet. */
  @Test
  void aClientThatHasReadNothingDoesNotDecodeLongRanges() {
    for (int helpers : new int[] {6, 10, 12}) {
      assertEquals(1, auto(helpers, 1 << 20, new ReadCosts()).chains);
      assertFalse(auto(helpers, 64 << 10, new ReadCosts()).isDecoding());
      assertTrue(auto(helpers, 1 << 10, new ReadCosts()).isDecoding());
    }
  }

  /**
   * Compares the rule with one that knows all times: links from 50 Mbit/s to 10 Gbit/s, hops from
   * 0.15 to 2 ms, ranges from 16 KiB to 1 MiB, clients that only read lost ranges and others.
   */
  @Test
  void theRuleIsNearlyAsGoodAsKnowingTheTimes() {
    double sum = 0;
    int cases = 0;
    for (int helpers : new int[] {6, 10, 12}) {
      for (double oneByte : new double[] {FAST, 8, SLOW, 160}) {
        for (double hop : new double[] {0.15 * MS, 0.6 * MS, 2 * MS}) {
          for (int bytes : new int[] {16 << 10, 64 << 10, 256 << 10, 1 << 20}) {
            for (boolean readsUnits : new boolean[] {false, true}) {
              double ratio = timeOverBest(helpers, oneByte, hop, bytes, readsUnits);
              assertTrue(ratio < 2, ratio + " times the best: " + helpers + " helpers, " + oneByte
                  + " ns a byte, " + hop + " ns a hop, " + bytes + " bytes, " + readsUnits);
              sum += ratio;
              cases++;
            }
          }
        }
      }
    }
    assertTrue(sum / cases < 1.1, sum / cases + " times the best on average");
  }

  /** Returns the time of the 300 ranges behind the first 100, over the time of the best shape. */
  private static double timeOverBest(int helpers, double oneByte, double hop, int bytes,
      boolean readsUnits) {
    Random random = new Random(5);
    ReadCosts costs = new ReadCosts();
    ShapeRule rule = new ShapeRule(costs);
    double sum = 0;
    for (int i = 0; i < 400; i++) {
      for (int unit = 1; readsUnits && unit < helpers; unit++) {
        costs.read(bytes, (long) (scatter(random) * (MS / 2 + bytes * oneByte)));
      }
      RebuildShape shape = rule.choose(helpers, bytes, Integer.MAX_VALUE);
      double nanos = scatter(random) * time(shape, helpers, bytes, oneByte, hop);
      if (shape.isDecoding()) {
        costs.read((long) helpers * bytes, (long) nanos);
      } else {
        costs.tree(shape.hops(), shape.bytesInTurn(), (long) nanos);
      }
      rule.took(shape, (long) nanos);
      sum += i < 100 ? 0 : nanos;
    }
    double best = RebuildShape.all(helpers, bytes, Integer.MAX_VALUE).stream()
        .mapToDouble(shape -> time(shape, helpers, bytes, oneByte, hop)).min().orElseThrow();
    return sum / 300 / best;
  }

  private static double scatter(Random random) {
    return 0.9 + 0.2 * random.nextDouble();
  }

  private static double time(RebuildShape shape, int helpers, int bytes, double oneByte,
      double hop) {
    return shape.isDecoding() ? MS / 2 + (double) helpers * bytes * oneByte
        : shape.hops() * hop + shape.bytesInTurn() * oneByte;
  }

  /** Returns how long a shape takes, ms. */
  private interface Millis {
    double of(RebuildShape shape);
  }

  /** Reads ranges, one after the other, and returns how many of the last ones are as asked. */
  private static int rebuilt(ShapeRule rule, ReadCosts costs, int helpers, int ranges, int counted,
      Millis millis, Predicate<RebuildShape> asked) {
    int found = 0;
    for (int i = 0; i < ranges; i++) {
      RebuildShape shape = rule.choose(helpers, 64 << 10, Integer.MAX_VALUE);
      long nanos = (long) (millis.of(shape) * MS);
      rule.took(shape, nanos);
      if (!shape.isDecoding()) {
        costs.tree(shape.hops(), shape.bytesInTurn(), nanos);
      }
      found += i >= ranges - counted && asked.test(shape) ? 1 : 0;
    }
    return found;
  }

  /** Trees that have become faster are noticed, although decoding was the better choice. */
  @Test
  void oneDecodedRangeInManyIsATree() {
    ReadCosts costs = costs(SLOW, 10 * MS);
    ShapeRule rule = new ShapeRule(costs);
    int ranges = 5 * ShapeTrials.AFTER_LEAST;
    int trees = rebuilt(rule, costs, 6, ranges, ranges,
        shape -> time(shape, 6, 64 << 10, SLOW, MS) / MS, shape -> !shape.isDecoding());
    assertTrue(trees >= 3, trees + " trees");
    assertFalse(rule.choose(6, 64 << 10, Integer.MAX_VALUE).isDecoding(), "trees are better now");
  }

  /**
   * Times of short ranges are no sums of hops and bytes. Here all links take 64 KiB at once, so
   * that one chain is fastest although the times of long ranges speak for several chains.
   */
  @Test
  void measuredTimesWinOverExpectedTimes() {
    ReadCosts costs = costs(SLOW, MS);
    assertTrue(auto(6, 64 << 10, costs).chains > 1, "expected from hops and bytes");
    ShapeRule rule = new ShapeRule(costs);
    int best = rebuilt(rule, costs, 6, 300, 200,
        shape -> shape.isDecoding() ? 16 : shape.chains == 1 ? 3 : 6,
        shape -> shape.chains == 1);
    assertTrue(best > 170, best + " of 200 ranges came through one chain");
  }

  /**
   * The connections of a shape that was not used for a while are idle, and its first range takes
   * longer. One chain is fastest here, but only from the second range in a row on.
   */
  @Test
  void aShapeIsTriedWithSeveralRangesInARow() {
    ReadCosts costs = costs(SLOW, MS);
    ShapeRule rule = new ShapeRule(costs);
    int[] before = {-1};
    int best = rebuilt(rule, costs, 10, 600, 300, shape -> {
      double oneChain = before[0] == 1 ? 5 : 7;
      before[0] = shape.chains;
      return shape.isDecoding() ? 27 : shape.chains == 1 ? oneChain : 3 * shape.chains;
    }, shape -> shape.chains == 1);
    assertTrue(best > 250, best + " of 300 ranges came through one chain");
  }

  /**
   * All shapes but one were measured while the DataNodes were slow. The client measures them again.
   */
  @Test
  void oldTimesAreForgotten() {
    ReadCosts costs = costs(SLOW, MS);
    ShapeRule rule = new ShapeRule(costs);
    for (RebuildShape shape : RebuildShape.all(10, 64 << 10, Integer.MAX_VALUE)) {
      for (int i = 0; i < 5; i++) {
        rule.took(shape, (long) ((shape.chains == 3 ? 8 : 80) * MS));
      }
    }
    int best = rebuilt(rule, costs, 10, 300, 150,
        shape -> shape.isDecoding() ? 27 : shape.chains <= 2 ? 5 : 8,
        shape -> !shape.isDecoding() && shape.chains <= 2);
    assertTrue(best > 120, best + " of 150 ranges were rebuilt in the best shape");
  }

  /**
   * One chain takes a little longer than two at first, and less if it is used for a while, as its
   * nodes get warm. The client finds that out.
   */
  @Test
  void aShapeWithFewerBytesMayBecomeFaster() {
    ReadCosts costs = costs(SLOW, MS);
    ShapeRule rule = new ShapeRule(costs);
    double[] warm = {0};
    int best = rebuilt(rule, costs, 10, 600, 300, shape -> {
      warm[0] = shape.chains == 1 ? Math.min(1, warm[0] + 0.01) : Math.max(0, warm[0] - 0.1);
      return shape.isDecoding() ? 27
          : shape.chains == 1 ? 6.2 - 2 * warm[0] : 2.9 * shape.chains;
    }, shape -> shape.chains == 1);
    assertTrue(best > 250, best + " of 300 ranges came through one chain");
  }

  /** A client forgets the lengths that it has not read for the longest time. */
  @Test
  void measuredTimesAreBounded() {
    MeasuredTimes times = new MeasuredTimes();
    RebuildShape first = RebuildShape.decoding(1, 1);
    times.took(first, MS);
    for (int helpers = 2; helpers <= MeasuredTimes.LENGTHS_MOST; helpers++) {
      times.took(RebuildShape.decoding(helpers, 1), MS);
    }
    assertTrue(times.ofLength(first).hasTimes(first));
    for (int helpers = 2; helpers <= MeasuredTimes.LENGTHS_MOST + 1; helpers++) {
      times.took(RebuildShape.decoding(helpers, 1), MS);
    }
    assertFalse(times.ofLength(first).hasTimes(first), "forgotten");
  }

  /** A client on a fast link that only reads lost ranges finds out that decoding is faster. */
  @Test
  void treesAloneDoNotHideAFastLink() {
    ReadCosts costs = new ReadCosts();
    ShapeRule rule = new ShapeRule(costs);
    int decoded = 0;
    for (int i = 0; i < 5000; i++) {
      RebuildShape shape = rule.choose(6, 128 << 10, Integer.MAX_VALUE);
      if (shape.isDecoding()) {
        decoded++;
        costs.read(6L * (128 << 10), (long) (MS / 2 + 6.0 * (128 << 10) * FAST));
      } else {
        costs.tree(shape.hops(), shape.bytesInTurn(),
            (long) (shape.hops() * 2 * MS + shape.bytesInTurn() * FAST));
      }
    }
    assertTrue(decoded > 4000, "decoding takes 1.1 ms and a chain 12.1 ms, decoded " + decoded
        + " of 5000; " + costs);
  }

  /** Where decoding would take far longer than a chain, it is not even tried. */
  @Test
  void longRangesAreNeverDecodedToLearn() {
    ReadCosts costs = new ReadCosts();
    ShapeRule rule = new ShapeRule(costs);
    for (int i = 0; i < 5000; i++) {
      RebuildShape shape = rule.choose(12, 1 << 20, Integer.MAX_VALUE);
      assertFalse(shape.isDecoding(), "range " + i);
      costs.tree(shape.hops(), shape.bytesInTurn(),
          (long) (shape.hops() * MS + shape.bytesInTurn() * 4 * SLOW));
    }
  }
}
