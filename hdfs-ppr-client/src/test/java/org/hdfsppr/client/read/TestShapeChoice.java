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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is measured of shapes decides, and what is not known is found out. */
class TestShapeChoice {
  private static final int SLICE = 8 << 10;
  private static final int RANGE = 64 << 10;
  private static final int HELPERS = 6;
  private static final double MS = 1e6;
  private static final int DECODING = 0;

  /** 200 Mbit/s, on which two chains of three are expected to be best. */
  private ShapeChoice shapes = new ShapeChoice(costs(40));

  /** 1 ms a hop. */
  private static ReadCosts costs(int byteNanos) {
    ReadCosts costs = new ReadCosts();
    for (int i = 0; i < 300; i++) {
      long bytes = (i % 6 + 1) * (long) RANGE;
      costs.read(bytes, (long) (MS / 2 + bytes * byteNanos));
      costs.tree(3, 100_000, (long) (3 * MS + 100_000 * byteNanos));
    }
    return costs;
  }

  private Shape choose(int bytes) {
    return shapes.choose(HELPERS, bytes, SLICE, Integer.MAX_VALUE, 0);
  }

  /**
   * Reads ranges, each as it is chosen.
   *
   * @param millis what a shape takes, by its chains
   * @return how many were read in each shape, by its chains
   */
  private int[] read(int ranges, IntToDoubleFunction millis) {
    int[] chosen = new int[Shape.chainsMost(HELPERS) + 1];
    for (int i = 0; i < ranges; i++) {
      Shape shape = choose(RANGE);
      chosen[shape.chains()]++;
      shapes.took(shape, (long) (millis.applyAsDouble(shape.chains()) * MS));
    }
    return chosen;
  }

  @Test
  void whatIsExpectedIsTriedFirst() {
    assertEquals(2, choose(RANGE).chains());
    assertEquals(1, choose(1 << 20).chains());
    assertEquals(DECODING, choose(1000).chains());
  }

  /** One chain is expected to take 10 ms, and takes 4 on a link that lets bursts pass; two, 6. */
  @Test
  void aShapeThatIsBetterThanExpectedIsFound() {
    double[] millis = {20, 4, 6, 9};
    read(200, chains -> millis[chains]);
    int[] chosen = read(320, chains -> millis[chains]);
    assertEquals(320, chosen[1], "the bytes of all others alone take longer");
  }

  @Test
  void findingOutIsBounded() {
    // 1 Gbit/s, where nobody knows.
    shapes = new ShapeChoice(costs(8));
    double[] millis = {5.5, 6, 4, 6};
    int[] chosen = read(3200, chains -> millis[chains]);
    assertTrue(chosen[2] >= 3200 - 3200 / ShapeChoice.TRY_ONE_IN, chosen[2] + " of 3200");
    assertTrue(chosen[DECODING] > 10 && chosen[1] > 10 && chosen[3] > 10,
        () -> Arrays.toString(chosen));
    double best = 3200 * millis[2];
    double all = 0;
    for (int chains = 0; chains < chosen.length; chains++) {
      all += chosen[chains] * millis[chains];
    }
    assertTrue(all <= (1 + 1.5 * ShapeChoice.TRY_SHARE) * best, all + " instead of " + best);
  }

  /** Long ranges are a matter of bytes, about which there is nothing to find out. */
  @Test
  void whatCannotBeBetterIsNotTried() {
    for (int i = 0; i < 2000; i++) {
      Shape shape = choose(1 << 20);
      assertEquals(1, shape.chains());
      shapes.took(shape, (long) (48 * MS));
    }
  }

  @Test
  void aShapeThatBecomesSlowIsLeft() {
    double[] before = {16, 9, 6, 9};
    read(100, chains -> before[chains]);
    double[] after = {16, 9, 60, 9};
    int[] chosen = read(20, chains -> after[chains]);
    assertTrue(chosen[2] <= 4, chosen[2] + " more");
  }

  @Test
  void twoThatMetSomethingDoNotMatter() {
    double[] millis = {16, 9, 6, 9};
    read(20, chains -> millis[chains]);
    for (int i = 0; i < 2; i++) {
      Shape shape = choose(RANGE);
      assertEquals(2, shape.chains());
      shapes.took(shape, (long) (1000 * MS));
    }
    assertEquals(2, choose(RANGE).chains());
  }

  /** What nodes took while they were cold says nothing about them for ever. */
  @Test
  void oldTimesAreForgotten() {
    double[] cold = {16, 90, 60, 90};
    int[] first = read(ShapeChoice.FORGET_AFTER - 10, chains -> cold[chains]);
    assertTrue(first[1] + first[2] + first[3] <= 9, "three of each shape at most");
    double[] warm = {16, 9, 6, 9};
    int[] second = read(ShapeChoice.FORGET_AFTER, chains -> warm[chains]);
    assertTrue(second[2] > ShapeChoice.FORGET_AFTER / 2, second[2] + " as two chains");
  }

  /** The times of short ranges say nothing about long ones, nor those of other codes. */
  @Test
  void sizesAreApart() {
    double[] millis = {20, 4, 6, 9};
    read(200, chains -> millis[chains]);
    assertEquals(1, choose(RANGE).chains());
    assertEquals(1, choose(RANGE / 2 + 1).chains(), "about the same length");
    assertNotEquals(1, choose(RANGE / 2).chains());
    assertNotEquals(1, shapes.choose(12, RANGE, SLICE, 8, 0).chains());
    assertNotEquals(1, shapes.choose(HELPERS, RANGE, SLICE, 8, 1).chains(), "beside another one");
  }

  @Test
  void onlySoManySizesAreKept() {
    double[] millis = {20, 4, 6, 9};
    read(200, chains -> millis[chains]);
    assertEquals(1, choose(RANGE).chains());
    for (int helpers = 20; helpers < 20 + ShapeChoice.SIZES_MOST; helpers++) {
      shapes.choose(helpers, RANGE, SLICE, 8, 0);
      assertTrue(shapes.sizes() <= ShapeChoice.SIZES_MOST);
    }
    assertEquals(2, choose(RANGE).chains(), "forgotten");
  }

  /** A tree that is given up costs what was waited for it, and the decoding that follows. */
  @Test
  void aTreeThatIsAlwaysTooLateIsNotTheBestShape() {
    ReadCosts learnt = new ReadCosts();
    shapes = new ShapeChoice(learnt);
    int trees = 0;
    for (int i = 0; i < 3000; i++) {
      boolean slow = i >= 1000;
      long decoding = (long) ((slow ? 200 : 120) * MS);
      long patience = (long) (80 * MS);
      Shape shape = choose(1 << 20);
      if (shape.isDecoding()) {
        shapes.took(shape, decoding);
        learnt.read(6 << 20, decoding);
      } else if (slow) {
        trees++;
        learnt.lateTree(shape.hops(), shape.bytesInTurn(), patience);
        shapes.took(shape, patience + decoding);
        learnt.read(6 << 20, decoding);
      } else {
        shapes.took(shape, (long) (40 * MS));
        learnt.tree(shape.hops(), shape.bytesInTurn(), (long) (40 * MS));
      }
    }
    assertTrue(trees < 400, trees + " of 2000 reads began with a tree that never comes in time");
  }

  /** Decoding takes 31 ms, and one chain of six 90 the first times and 10 from then on. */
  private ShapeChoice slowLinkWithColdTrees() {
    ShapeChoice choice = new ShapeChoice(costs(80));
    for (int i = 0; i < 5; i++) {
      Shape shape = choice.choose(HELPERS, RANGE, SLICE, 1, 0);
      choice.took(shape, (long) ((shape.isDecoding() ? 31 : 90) * MS));
    }
    for (int i = 0; i < 5; i++) {
      Shape shape = choice.choose(HELPERS, RANGE, SLICE, 1, 0);
      assertTrue(shape.isDecoding(), "as long as nothing else is known");
      choice.took(shape, (long) (31 * MS));
    }
    return choice;
  }

  @Test
  void aShapeThatWasColdIsTriedBehindTheReads() {
    ShapeChoice choice = slowLinkWithColdTrees();
    Optional<Shape> tried = Optional.empty();
    for (int i = 0; i < ShapeChoice.TRIAL_FIRST; i++) {
      assertEquals(Optional.empty(), tried, "not at once, it was the better one before");
      tried = choice.nextTrial(choice.choose(HELPERS, RANGE, SLICE, 1, 0), 1);
    }
    assertEquals(1, tried.orElseThrow().chains());
    choice.tried(tried.get(), new double[] {10 * MS, 10 * MS, 10 * MS});
    assertEquals(1, choice.choose(HELPERS, RANGE, SLICE, 1, 0).chains(),
        "what was before is not believed any more");
  }

  @Test
  void trialsBecomeRareWhereTheyChangeNothing() {
    ShapeChoice choice = slowLinkWithColdTrees();
    int ranges = 20 * ShapeChoice.TRIAL_MOST;
    int trials = 0;
    int[] at = new int[ranges];
    for (int i = 0; i < ranges; i++) {
      Shape shape = choice.choose(HELPERS, RANGE, SLICE, 1, 0);
      if (!shape.isDecoding()) {
        // Where all is forgotten, what is expected counts.
        choice.took(shape, (long) (90 * MS));
        continue;
      }
      choice.took(shape, (long) (31 * MS));
      Optional<Shape> trial = choice.nextTrial(shape, 1);
      if (trial.isPresent()) {
        at[trials++] = i;
        choice.tried(trial.get(), new double[] {60 * MS, 60 * MS, 60 * MS});
      }
    }
    assertTrue(at[1] < 3 * ShapeChoice.TRIAL_FIRST, "soon, not after " + at[1]);
    assertTrue(trials >= 20 && trials <= 40, trials + " trials behind " + ranges + " ranges");
  }

  /** In turns the most promising one and who was not tried for longest, so that all are tried. */
  @Test
  void allShapesAreTriedBehindTheReads() {
    ShapeChoice choice = new ShapeChoice(costs(40));
    double[] millis = {10, 50, 40, 30};
    int[] trials = new int[millis.length];
    for (int i = 0; i < 400; i++) {
      Shape shape = choice.choose(HELPERS, RANGE, SLICE, 3, 0);
      choice.took(shape, (long) (millis[shape.chains()] * MS));
      if (shape.isDecoding()) {
        choice.nextTrial(shape, 3).ifPresent(trial -> {
          trials[trial.chains()]++;
          double nanos = millis[trial.chains()] * MS;
          choice.tried(trial, new double[] {nanos, nanos, nanos});
        });
      }
    }
    assertEquals(0, trials[DECODING]);
    assertTrue(trials[1] > 0 && trials[2] > 0 && trials[3] > 0, () -> Arrays.toString(trials));
  }

  /** Nodes that get warm are tried on, however long they had been cold. */
  @Test
  void whatBecomesBetterIsTriedAgainSoon() {
    ShapeChoice choice = slowLinkWithColdTrees();
    double tree = 90 * MS;
    int ranges = 0;
    Shape shape = choice.choose(HELPERS, RANGE, SLICE, 1, 0);
    while (shape.isDecoding()) {
      assertTrue(ranges++ < 60, "never");
      choice.took(shape, (long) (31 * MS));
      Optional<Shape> trial = choice.nextTrial(shape, 1);
      if (trial.isPresent()) {
        tree *= 0.85;
        choice.tried(trial.get(), new double[] {tree, tree, tree});
      }
      shape = choice.choose(HELPERS, RANGE, SLICE, 1, 0);
    }
    assertTrue(tree < 31 * MS, tree + " ns");
  }

  @Test
  void whatCannotBeBetterIsNotTriedBehindTheReads() {
    ShapeChoice choice = new ShapeChoice(costs(40));
    Shape decoding = choice.choose(HELPERS, 1000, SLICE, 3, 0);
    assertTrue(decoding.isDecoding());
    // Faster than the bytes of a single chain alone.
    for (int i = 0; i < 5; i++) {
      choice.took(decoding, 1000);
    }
    assertEquals(Optional.empty(), choice.nextTrial(decoding, 3));
  }
}
