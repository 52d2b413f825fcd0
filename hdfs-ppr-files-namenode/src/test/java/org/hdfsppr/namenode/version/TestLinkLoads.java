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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bounds of links, and what is given back. */
class TestLinkLoads {
  private static final long LONG = 64 << 20;

  private final LinkLoads loads = new LinkLoads();

  private LinkLoads.Booking plan(String from, String to, long bytes) {
    return loads.plan(List.of(from), List.of(to), bytes);
  }

  private List<LinkLoads.Booking> fill(String from, String to) {
    List<LinkLoads.Booking> begun = new ArrayList<>();
    for (int i = 0; i < LinkLoads.STREAMS_MAX; i++) {
      begun.add(plan(from, to, LONG));
      assertTrue(begun.get(i).begin());
    }
    return begun;
  }

  @Test
  void bothDirectionsOfALinkAreBounded() {
    List<LinkLoads.Booking> begun = fill("a", "b");
    assertFalse(plan("a", "c", LONG).begin(), "a sends for as many as it may");
    assertFalse(plan("c", "b", LONG).begin(), "b receives for as many as it may");
    assertTrue(plan("b", "a", LONG).begin(), "the other directions are free");
    begun.get(3).end();
    assertTrue(plan("a", "c", LONG).begin());
    assertTrue(plan("c", "b", LONG).begin());
  }

  @Test
  void aMakingThatMayNotBeginTakesNoPlaceAnywhere() {
    fill("a", "b");
    for (int i = 0; i < 2 * LinkLoads.STREAMS_MAX; i++) {
      assertFalse(loads.plan(List.of("a", "x"), List.of("y"), LONG).begin());
      assertFalse(loads.plan(List.of("x"), List.of("y", "b"), LONG).begin());
    }
    assertTrue(plan("x", "y", LONG).begin());
  }

  /** Short units wait for heartbeats for longer than they take the link. */
  @Test
  void shortUnitsMayBeMore() {
    for (long mib = 0; mib < LinkLoads.SHORT_BYTES_MAX >> 20; mib++) {
      assertTrue(plan("a", "b", 1 << 20).begin(), mib + " are under way");
    }
    assertFalse(plan("a", "b", 1 << 20).begin());
  }

  @Test
  void whatIsPausedIsPlannedAndMayBeginLater() {
    LinkLoads.Booking booking = plan("a", "b", LONG);
    assertTrue(booking.begin());
    booking.pause();
    booking.pause();
    assertEquals(LONG, loads.planned("b"));
    fill("a", "b").forEach(LinkLoads.Booking::end);
    assertTrue(booking.begin());
    booking.end();
    booking.end();
    assertEquals(0, loads.planned("b"));
    assertEquals(0, loads.size(), "nothing is left behind");
  }

  @Test
  void plannedBytesAreThoseThatANodeReceives() {
    LinkLoads.Booking chain = loads.plan(List.of("a", "b"), List.of("b", "c"), LONG);
    LinkLoads.Booking other = plan("c", "b", 5);
    assertEquals(0, loads.planned("a"));
    assertEquals(LONG + 5, loads.planned("b"));
    assertEquals(LONG, loads.planned("c"));
    chain.end();
    assertEquals(5, loads.planned("b"));
    other.end();
    assertEquals(0, loads.size());
  }
}
