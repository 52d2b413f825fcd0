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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What it costs to note a read when there is no place left, and what is kept then. */
class TestReadGroups {
  private static final int NODES = 5_000;
  private static final int NOTES = 100_000;

  private final ReadGroups groups = new ReadGroups(OldReadReports.LISTED_MAX,
      OldReadReports.PLACES_MAX);

  private void note(long group, int node) {
    groups.note(group, 1, "node-" + node, "host" + node);
  }

  private void assertRareScans() {
    int places = OldReadReports.LISTED_MAX / ReadGroups.EVICTED_PART;
    assertTrue(groups.scans() <= NOTES / places + 1, groups.scans() + " scans of all nodes");
  }

  /** Each heartbeat waits for the book meanwhile. */
  @Test
  void nodesAreLookedThroughRarelyWhenOneHasTakenAllPlaces() {
    for (int i = 0; i < OldReadReports.LISTED_MAX; i++) {
      note(-i, 0);
    }
    for (int i = 0; i < NOTES; i++) {
      note(i + 1, 1 + i % (NODES - 1));
    }
    assertRareScans();
    for (int i = 0; i < NOTES; i++) {
      assertNotNull(groups.get(i + 1), "read " + i);
    }
  }

  @Test
  void nodesAreLookedThroughRarelyWhenAllHaveTakenAsMany() {
    for (int i = 0; i < OldReadReports.LISTED_MAX; i++) {
      note(-i, i % NODES);
    }
    for (int i = 0; i < NOTES; i++) {
      note(i + 1, i % NODES);
      assertNotNull(groups.get(i + 1), "read " + i);
    }
    assertRareScans();
  }

  /** Several nodes list each group when files are read whole. */
  @Test
  void thereAreAsManyGroupsHoweverManyNodesListThem() {
    int nodes = OldReadReports.PLACES_MAX / OldReadReports.LISTED_MAX;
    for (int i = 0; i < OldReadReports.LISTED_MAX; i++) {
      for (int node = 0; node < nodes; node++) {
        note(i, node);
      }
    }
    assertNotNull(groups.get(0));
    assertEquals(0, groups.scans());
  }

  /** Nodes that list the same groups take no more places than there are. */
  @Test
  void placesHaveABoundOfTheirOwn() {
    ReadGroups few = new ReadGroups(64, 100);
    for (int node = 0; node < 10; node++) {
      for (int i = 0; i < 20; i++) {
        few.note(i, 1, "node-" + node, "host");
        assertTrue(few.places() <= 100, few.places() + " places");
        assertNotNull(few.get(i));
      }
    }
  }

  /** Those that have listed less lose nothing. */
  @Test
  void theNodesWithMostPlacesMakeRoom() {
    ReadGroups few = new ReadGroups(64, 64);
    for (int i = 0; i < 10; i++) {
      few.note(i, 1, "small", "host");
    }
    for (int i = 0; i < 200; i++) {
      few.note(1_000 + i, 1, "great", "host");
      few.note(2_000 + i, 1, "greater", "host");
      few.note(3_000 + i, 1, "greater", "host");
    }
    for (int i = 0; i < 10; i++) {
      assertNotNull(few.get(i), "read " + i);
    }
    assertNotNull(few.get(1_199));
    assertNotNull(few.get(3_199));
    assertNull(few.get(1_100));
  }
}
