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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.InspectionQueue.Rounds;
import org.junit.jupiter.api.Test;

/** Tests that a round returns each element once, although elements come and go meanwhile. */
public class TestRounds {
  @Test
  public void aRoundMeetsWhatWasThereWhenItBegan() {
    Rounds<String> rounds = new Rounds<>();
    rounds.add("a");
    rounds.add("b");
    rounds.add("c");
    assertNull(rounds.next(), "no round has begun");
    rounds.begin();
    assertEquals("a", rounds.next());
    rounds.add("d");
    rounds.remove("b");
    rounds.add("c");
    assertEquals("c", rounds.next());
    assertNull(rounds.next());
    assertEquals(3, rounds.size());
    rounds.begin();
    assertEquals("a", rounds.next());
    rounds.begin();
    Set<String> met = new HashSet<>();
    for (String one = rounds.next(); one != null; one = rounds.next()) {
      assertTrue(met.add(one));
    }
    assertEquals(Set.of("a", "c", "d"), met);
    rounds.clear();
    rounds.begin();
    assertNull(rounds.next());
  }

  @Test
  public void asASetThatIsCopiedForEachRound() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Rounds<Integer> rounds = new Rounds<>();
    Set<Integer> all = new HashSet<>();
    Set<Integer> left = new HashSet<>();
    for (int step = 0; step < 20_000; step++) {
      int element = random.nextInt(50);
      int what = random.nextInt(100);
      if (what < 30) {
        rounds.add(element);
        all.add(element);
      } else if (what < 60) {
        rounds.remove(element);
        all.remove(element);
        left.remove(element);
      } else if (what < 97) {
        Integer next = rounds.next();
        if (next == null) {
          assertEquals(Set.of(), left);
        } else {
          assertTrue(left.remove(next), next + " is not due");
        }
      } else {
        rounds.begin();
        left.clear();
        left.addAll(all);
      }
      assertEquals(all.size(), rounds.size());
      assertFalse(left.size() > all.size());
    }
  }
}
