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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Jobs share the places of DataNodes. The test moves the clock. */
class TestDigestSlots {
  private static final String NODE = "node-1";
  private static final int PLACES = DigestSlots.AT_A_TIME;
  private static final long HOUR_MS = 3_600_000;

  private long nowMs = 1_000;
  private final DigestSlots places = new DigestSlots(() -> nowMs);
  private final VersionNews news = () -> { };

  private DigestSlots.Place of(String job, long readMs, long paidMs) {
    return places.of(NODE, job, news, readMs, paidMs);
  }

  private List<DigestSlots.Place> ask(String job, int count, long readMs, long paidMs) {
    List<DigestSlots.Place> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(of(job, readMs, paidMs));
      all.get(i).take();
    }
    return all;
  }

  private static long taken(List<DigestSlots.Place> all) {
    return all.stream().filter(DigestSlots.Place::take).count();
  }

  @Test
  void aJobWithoutOthersHasAllPlaces() {
    assertEquals(PLACES, taken(ask("j1", 2 * PLACES, 10, 0)));
  }

  /** A job that has all places gets no further one before another job has one. */
  @Test
  void theFirstPlaceThatComesBackIsAnotherJobs() {
    List<DigestSlots.Place> first = ask("j1", 1_000, 10, 0);
    DigestSlots.Place second = of("j2", 10, 0);
    assertFalse(second.take());
    first.get(0).release();
    assertTrue(second.take());
    assertEquals(PLACES - 1, taken(first.subList(1, 1_000)));
    second.release();
    assertEquals(PLACES, taken(first.subList(1, 1_000)));
  }

  /** Each of ten slow jobs has hundreds of orders that would take half an hour each. */
  @Test
  void slowJobsLeaveTheNodeToOthers() {
    int slow = 0;
    for (int job = 0; job < 10; job++) {
      slow += taken(ask("slow " + job, 300, 30_000, HOUR_MS));
    }
    assertEquals(10, slow, "one order of each until an hour has paid for it");
    List<DigestSlots.Place> others = ask("j2", 2 * PLACES, 10, 0);
    assertEquals(PLACES - slow, taken(others));
  }

  @Test
  void aPaidOrderIsFollowedByTheNextOne() {
    List<DigestSlots.Place> all = ask("slow", 3, 30_000, HOUR_MS);
    assertEquals(1, taken(all));
    all.get(0).read(nowMs);
    all.get(0).release();
    nowMs += HOUR_MS - 1_001;
    assertEquals(0, taken(all.subList(1, 3)));
    nowMs++;
    assertFalse(all.get(2).take(), "another one is before it");
    assertTrue(all.get(1).take());
    assertEquals(1, taken(all.subList(1, 3)));
  }

  /** A node that starts again refuses all, and would hold a slow job up for hours. */
  @Test
  void anOrderThatIsNotReadIsNotPaidFor() {
    List<DigestSlots.Place> all = ask("slow", 3, 30_000, HOUR_MS);
    all.get(0).release();
    assertTrue(all.get(1).take());
    all.get(1).read(nowMs);
    all.get(1).release();
    assertFalse(all.get(2).take());
    nowMs += HOUR_MS - 1_000;
    assertTrue(all.get(2).take());
  }

  /** Its rate holds it up also if it has had no order there for a while. */
  @Test
  void aJobIsForgottenWhenItsOrdersArePaid() {
    DigestSlots.Place slow = of("slow", 30_000, HOUR_MS);
    DigestSlots.Place fast = places.of("node-2", "j2", news, 10, 0);
    assertTrue(slow.take());
    assertTrue(fast.take());
    slow.read(nowMs);
    slow.release();
    fast.release();
    nowMs += HOUR_MS / 2;
    DigestSlots.Place next = of("slow", 30_000, HOUR_MS);
    assertEquals(1, places.size());
    assertFalse(next.take());
    next.release();
    // The node has read of late.
    nowMs += 12 * HOUR_MS;
    of("slow", 30_000, HOUR_MS);
    assertEquals(0, places.size());
  }

  @Test
  void theMakingOfTheNextOrderIsWoken() {
    List<DigestSlots.Place> first = ask("j1", PLACES, 10, 0);
    AtomicInteger wakings = new AtomicInteger();
    DigestSlots.Place second = places.of(NODE, "j2", wakings::incrementAndGet, 10, 0);
    assertFalse(second.take());
    assertEquals(0, wakings.get());
    first.get(0).release();
    assertEquals(1, wakings.get());
  }

  /** A node that refuses all would otherwise be asked for the same ones again and again. */
  @Test
  void oneThatComesBackStandsBehindAllOthersOfItsJob() {
    List<DigestSlots.Place> all = ask("j1", PLACES + 2, 10, 0);
    all.get(0).release();
    assertFalse(all.get(0).take());
    assertTrue(all.get(PLACES).take());
    all.get(1).release();
    assertFalse(all.get(0).take());
    assertTrue(all.get(PLACES + 1).take());
    all.get(2).release();
    assertTrue(all.get(0).take());
  }

  /** The job's time has passed while the node had it. */
  @Test
  void anOrderThatIsLateForTheTimeThatItPaidIsNoCredit() {
    List<DigestSlots.Place> all = ask("slow", 4, 10_000, HOUR_MS);
    nowMs += HOUR_MS;
    assertTrue(all.get(1).take());
    all.get(0).release();
    assertFalse(all.get(2).take(), "the second one is not paid for yet");
    nowMs += HOUR_MS;
    assertTrue(all.get(2).take());
  }

  /** Its orders rest between two refusals, when a minute has passed. */
  @Test
  void aNodeWithoutOrdersIsKnownToHaveReadOfLate() {
    nowMs += 2 * HOUR_MS;
    DigestSlots.Place first = of("j1", 10, 0);
    assertTrue(first.take());
    first.read(nowMs);
    first.release();
    nowMs += 61_000;
    DigestSlots.Place second = of("j1", 10, 0);
    assertEquals(61_000, second.inVainMs(1_000, nowMs));
    nowMs += 13 * HOUR_MS;
    of("j1", 10, 0);
    assertEquals(0, places.size());
  }
}
