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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.hdfsppr.update.StripeRacks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests where the chunks of stripes are, and what is said about wrong files. */
class TestPlacements {
  private static final String HEADING = "stripe,chunk0,chunk1,chunk2,chunk3\n";

  @TempDir
  private Path folder;

  private static Placements drawn(long seed) {
    return Placements.drawn(2, 4, 6, 3, seed);
  }

  private Placements with(String text) throws IOException {
    return drawn(1).with(Files.writeString(folder.resolve("p.csv"), text));
  }

  private void assertWrong(String text, String... words) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> with(text)).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  @Test
  void aFilePlacesStripesByNodes() throws IOException {
    Placements placements = with(HEADING + "7,5,0,3,1\n12,2,3,4,5\n");
    assertEquals(2, placements.given());
    assertEquals(new StripeRacks(2, 3, 2, 0, 1, 0), placements.of(7));
    assertEquals(new StripeRacks(2, 3, 1, 1, 2, 2), placements.of(12));
    assertEquals(drawn(1).of(8), placements.of(8), "others are drawn");
  }

  @Test
  void drawnPlacesDependOnSeedAndStripe() {
    int differentSeeds = 0;
    int differentStripes = 0;
    for (long stripe = 0; stripe < 200; stripe++) {
      StripeRacks racks = drawn(1).of(stripe);
      assertEquals(racks, drawn(1).of(stripe));
      for (int rack = 0; rack < 3; rack++) {
        int units = Long.bitCount(racks.dataUnitsIn(rack)) + racks.parities(rack);
        assertTrue(units <= 2, "a rack has two nodes, and a node one chunk: " + racks);
      }
      differentSeeds += racks.equals(drawn(2).of(stripe)) ? 0 : 1;
      differentStripes += racks.equals(drawn(1).of(stripe + 1)) ? 0 : 1;
    }
    assertTrue(differentSeeds > 100 && differentStripes > 100,
        differentSeeds + ", " + differentStripes);
  }

  @Test
  void wrongLinesAreNamed() {
    assertWrong("", "line 1: '' is no heading", "stripe,chunk0,...,chunk3");
    assertWrong("7,5,0,3,1\n", "line 1: '7,5,0,3,1' is no heading");
    assertWrong(HEADING + "7,5,0,3\n", "line 2: '7,5,0,3' has 4 columns, not 5");
    assertWrong(HEADING + "7,5,0,3,1\n8,6,0,3,1\n", "line 3: chunk0 is '6'", "from 0 to 5");
    assertWrong(HEADING + "x,5,0,3,1\n", "line 2: stripe is 'x'");
    assertWrong(HEADING + "7,5,0,-3,1\n", "chunk2 is '-3'");
    assertWrong(HEADING + "7,5,0,5,1\n", "line 2: node 5 has two chunks of the stripe");
    assertWrong(HEADING + "7,5,0,3,1\n7,0,1,2,3\n", "line 3: stripe 7 stands in an earlier line");
  }

  @Test
  void clustersThatAreTooSmallAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Placements.drawn(2, 4, 3, 3, 1));
    assertThrows(IllegalArgumentException.class, () -> Placements.drawn(2, 4, 4, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> Placements.drawn(2, 4, 4, 5, 1));
  }
}
