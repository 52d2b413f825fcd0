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

  /** Decoding takes 31 ms, and one chain of six some 90, as far as is known. */
  private ShapeChoice slowLinkWithColdTrees() {
    ReadCosts cold = costs(80);
    for (int i = 0; i < 5; i++) {
      cold.tree(6, 100_000, (long) (6 * 14 * MS + 100_000 * 80));
    }
    ShapeChoice choice = new ShapeChoice(cold);
    for (int i = 0; i < 8; i++) {
      assertTrue(choose(choice, 1, 31, 90).isDecoding(), "the expected one");
    }
    return choice;
  }

  /** Reads a range as is chosen, where decoding and all trees take so many milliseconds. */
  private static Shape choose(ShapeChoice choice, int chainsMost, double decoding, double trees) {
    Shape shape = choice.choose(HELPERS, RANGE, SLICE, chainsMost, 0);
    choice.took(shape, (long) ((shape.isDecoding() ? decoding : trees) * MS));
    return shape;
  }

  @Test
  void aShapeThatWasColdIsTriedBehindTheReads() {
    ShapeChoice choice = slowLinkWithColdTrees();
    Shape shape = choose(choice, 1, 31, 10);
    int decoded = 1;
    while (!choice.isTrialDue(shape)) {
      shape = choose(choice, 1, 31, 10);
      decoded++;
      assertTrue(shape.isDecoding(), "nothing new is known");
    }
    assertTrue(decoded <= ShapeChoice.TRIAL_FIRST, decoded + " ranges");
    Shape tree = choice.nextTrial(shape, 1).orElseThrow();
    assertEquals(1, tree.chains());
    choice.tried(shape, tree, 40 * MS);
    for (int i = 0; i < 20; i++) {
      assertEquals(1, choose(choice, 1, 31, 10).chains(), "three decide, and for good");
    }
  }

  @Test
  void aTrialThatReadsDoNotConfirmChangesLittle() {
    ShapeChoice choice = slowLinkWithColdTrees();
    int trees = 0;
    for (int i = 0; i < 20 * ShapeChoice.TRIAL_MOST; i++) {
      Shape shape = choose(choice, 1, 31, 90);
      trees += shape.isDecoding() ? 0 : 1;
      if (shape.isDecoding() && choice.isTrialDue(shape)) {
        choice.tried(shape, choice.nextTrial(shape, 1).orElseThrow(), 10 * MS);
      }
    }
    assertTrue(trees > 3 * ShapeChoice.DECIDING, trees + " trees");
    assertTrue(trees < 40 * ShapeChoice.DECIDING, trees + " slow trees of 2560 ranges");
  }

  /** As where nodes are warm only for as long as somebody has just warmed them up. */
  @Test
  void treesThatAreBetterForAMomentChangeLittle() {
    ShapeChoice choice = slowLinkWithColdTrees();
    int trials = 0;
    int warm = 0;
    for (int i = 0; i < 20 * ShapeChoice.TRIAL_MOST; i++) {
      Shape shape = choose(choice, 1, 31, warm > 0 ? 20 : 90);
      warm--;
      if (shape.isDecoding() && choice.isTrialDue(shape)) {
        trials++;
        warm = 5;
        choice.tried(shape, choice.nextTrial(shape, 1).orElseThrow(), 20 * MS);
      }
    }
    assertTrue(trials >= 20 && trials <= 60, trials + " trials behind 2560 ranges");
  }

  @Test
  void whatIsMuchSlowerInATrialIsNotRead() {
    ShapeChoice choice = slowLinkWithColdTrees();
    int trials = 0;
    for (int i = 0; i < 500; i++) {
      Shape shape = choose(choice, 1, 31, 90);
      assertTrue(shape.isDecoding(), "range " + i);
      if (choice.isTrialDue(shape)) {
        trials++;
        choice.tried(shape, choice.nextTrial(shape, 1).orElseThrow(),
            1.1 * ShapeChoice.MAYBE_FACTOR * 31 * MS);
      }
    }
    assertTrue(trials >= 8 && trials <= 16, trials + " trials behind 500 ranges");
  }

  @Test
  void theFirstRangesHaveNoTrials() {
    ShapeChoice choice = new ShapeChoice(costs(8));
    for (int i = 1; i < ShapeChoice.TRIAL_FIRST; i++) {
      assertFalse(choice.isTrialDue(choose(choice, 3, 5, 5)), "a client may read no more");
    }
  }

  /** In turns the most promising one and who was not tried for longest, so that all are tried. */
  @Test
  void allShapesAreTriedBehindTheReads() {
    ShapeChoice choice = new ShapeChoice(costs(40));
    int[] trials = new int[4];
    for (int i = 0; i < 400; i++) {
      Shape shape = choose(choice, 3, 10, 50);
      if (shape.isDecoding() && choice.isTrialDue(shape)) {
        Shape tree = choice.nextTrial(shape, 3).orElseThrow();
        trials[tree.chains()]++;
        choice.tried(shape, tree, 50 * MS);
      }
    }
    assertEquals(0, trials[DECODING]);
    assertTrue(trials[1] > 0 && trials[2] > 0 && trials[3] > 0, () -> Arrays.toString(trials));
  }

  /** Nodes that get warm are tried on, however long they had been cold. */
  @Test
  void whatBecomesBetterIsTriedAgainSoon() {
    ShapeChoice choice = slowLinkWithColdTrees();
    double tree = 200;
    int ranges = 0;
    for (int good = 0; good < 20; ranges++) {
      assertTrue(ranges < 100, "never");
      Shape shape = choose(choice, 1, 31, tree);
      good = shape.isDecoding() ? 0 : good + 1;
      if (shape.isDecoding() && choice.isTrialDue(shape)) {
        tree *= 0.85;
        choice.tried(shape, choice.nextTrial(shape, 1).orElseThrow(), tree * MS);
      }
    }
    assertTrue(tree < 31, tree + " ms");
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
