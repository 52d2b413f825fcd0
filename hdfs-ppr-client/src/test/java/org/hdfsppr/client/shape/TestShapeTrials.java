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
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** How many trees a trial has, and what it finds. */
class TestShapeTrials {
  private static final long MS = 1_000_000;
  private static final long LONG = 10_000 * MS;

  private long now = Long.MAX_VALUE - 5 * MS;
  private int trees;

  /** @param millis what the next tree takes, by how many there were before it */
  private double inARow(long nanosMost, IntToLongFunction millis) throws IOException {
    return ShapeTrials.inARow(() -> now, nanosMost, () -> {
      long nanos = millis.applyAsLong(trees++) * MS;
      now += nanos;
      return nanos;
    });
  }

  @Test
  void treesThatDoNotBecomeFasterAreFew() throws IOException {
    assertEquals(40 * MS, inARow(LONG, tree -> 40));
    assertEquals(1 + ShapeTrials.COUNTED, trees);
  }

  @Test
  void theOneThatConnectsDoesNotCount() throws IOException {
    assertEquals(10 * MS, inARow(LONG, tree -> tree == 0 ? 300 : 10));
    assertEquals(1 + 2 * ShapeTrials.COUNTED, trees, "three more, which are no faster");
  }

  @Test
  void theLastOnesCount() throws IOException {
    assertEquals(12 * MS, inARow(LONG, tree -> Math.max(12, 100 - 12 * tree)));
    assertEquals(1 + 4 * ShapeTrials.COUNTED, trees);
  }

  @Test
  void oneThatMetSomethingDoesNotMatter() throws IOException {
    assertEquals(10 * MS, inARow(LONG, tree -> tree == 3 ? 1000 : 10));
  }

  @Test
  void thereAreNeverMoreThanThat() throws IOException {
    inARow(Long.MAX_VALUE, tree -> 1 << (20 - Math.min(20, tree)));
    assertEquals(ShapeTrials.TREES_MOST, trees);
  }

  @Test
  void timeIsBounded() throws IOException {
    assertEquals(90 * MS, inARow(200 * MS, tree -> 100 - 10 * tree), "of 90, 80 and the first");
    assertEquals(3, trees);
    trees = 0;
    assertEquals(500 * MS, inARow(1, tree -> 500));
    assertEquals(1, trees);
  }

  @Test
  void aFailureEndsIt() {
    assertThrows(IOException.class, () -> ShapeTrials.inARow(() -> now, LONG, () -> {
      trees++;
      throw new IOException("no tree");
    }));
    assertEquals(1, trees);
  }
}
