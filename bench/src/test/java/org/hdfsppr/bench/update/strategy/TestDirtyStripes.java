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
package org.hdfsppr.bench.update.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when stripes have to be committed. */
class TestDirtyStripes {
  @Test
  void commitComesBeforeTheStripeThatIsTooMuch() {
    DirtyStripes dirty = new DirtyStripes(2);
    assertFalse(dirty.commitsBefore(7));
    dirty.add(7, 0, 0, 10);
    assertFalse(dirty.commitsBefore(3));
    dirty.add(3, 1, 0, 10);
    assertFalse(dirty.commitsBefore(7), "a dirty stripe may change again");
    dirty.add(7, 2, 5, 6);
    assertTrue(dirty.commitsBefore(8));
    assertThrows(IllegalStateException.class, () -> dirty.add(8, 0, 0, 1));
    assertEquals(Set.of(3L, 7L), dirty.stripes().keySet());
    assertEquals(0b101, dirty.stripes().get(7L).units());
    dirty.committed();
    assertEquals(Set.of(), dirty.stripes().keySet());
    assertFalse(dirty.commitsBefore(8));
    dirty.add(8, 0, 0, 1);
  }

  @Test
  void oneStripeAtLeastMayBeDirty() {
    assertThrows(IllegalArgumentException.class, () -> new DirtyStripes(0));
    DirtyStripes dirty = new DirtyStripes(1);
    dirty.add(1, 0, 0, 1);
    assertTrue(dirty.commitsBefore(2));
    assertFalse(dirty.commitsBefore(1));
  }
}
