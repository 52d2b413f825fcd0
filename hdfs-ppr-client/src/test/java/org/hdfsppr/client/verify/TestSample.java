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
package org.hdfsppr.client.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.client.verify.VerifySession.Sample;
import org.junit.jupiter.api.Test;

/** Which groups a sample chooses. */
class TestSample {
  private static List<Long> draw(int most, int groups, long seed) {
    Sample sample = new Sample(most, seed);
    for (int i = 0; i < groups; i++) {
      sample.accept(new GroupSpot("/f", 0, i));
    }
    assertEquals(groups, sample.seen());
    List<Long> drawn = new ArrayList<>();
    sample.drainTo(spot -> drawn.add(spot.groupId));
    return drawn;
  }

  @Test
  void aSeedChoosesTheSameGroupsInTheirOrder() {
    List<Long> first = draw(10, 1000, 7);
    assertEquals(10, first.size());
    assertEquals(first, draw(10, 1000, 7));
    assertNotEquals(first, draw(10, 1000, 8));
    List<Long> sorted = new ArrayList<>(first);
    sorted.sort(null);
    assertEquals(sorted, first);
    assertEquals(10, first.stream().distinct().count());
  }

  @Test
  void fewGroupsAreAllChosen() {
    assertEquals(3, draw(10, 3, 1).size());
    assertEquals(0, draw(10, 0, 1).size());
  }

  /** Each of 20 groups is chosen in about half of 4000 draws of ten. */
  @Test
  void allGroupsHaveTheSameChance() {
    int[] times = new int[20];
    for (int seed = 0; seed < 4000; seed++) {
      draw(10, 20, seed).forEach(id -> times[id.intValue()]++);
    }
    for (int i = 0; i < times.length; i++) {
      assertTrue(times[i] > 1800 && times[i] < 2200, "group " + i + ": " + times[i]);
    }
  }
}
