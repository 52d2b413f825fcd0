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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests that the tree finds the same slots as a search through all slots, and looks at few of them.
 */
class TestLoadTree {
  @Test
  void findsTheLeastThatIsAccepted() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LoadTree tree = new LoadTree();
    double[] keys = new double[300];
    for (int slot = 0; slot < keys.length; slot++) {
      assertEquals(slot, tree.add());
      keys[slot] = LoadTree.NEVER;
      for (int change = 0; change < 5; change++) {
        int changed = random.nextInt(slot + 1);
        keys[changed] = random.nextInt(8) == 0 ? LoadTree.NEVER : random.nextInt(20);
        tree.set(changed, keys[changed]);
      }
      int refused = random.nextInt(4);
      int found = tree.find(s -> s % 4 != refused);
      double least = LoadTree.NEVER;
      for (int other = 0; other <= slot; other++) {
        if (other % 4 != refused) {
          least = Math.min(least, keys[other]);
        }
      }
      assertEquals(least, found < 0 ? LoadTree.NEVER : keys[found]);
      assertTrue(found < 0 || found % 4 != refused);
    }
  }

  @Test
  void asksAboutFewerThanItHas() {
    LoadTree tree = new LoadTree();
    for (int slot = 0; slot < 10_000; slot++) {
      tree.add();
      tree.set(slot, LoadTree.mix(slot) & 0xffff);
    }
    int[] asked = {0};
    tree.find(slot -> ++asked[0] > 10);
    assertTrue(asked[0] < 100, "asked " + asked[0]);
  }
}
