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
package org.hdfsppr.client.patience;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests what a client believes of DataNodes, and for how long. */
class TestNodeHealth {
  private final AtomicLong clock = new AtomicLong();
  private final NodeHealth health = new NodeHealth(clock::get);

  @Test
  void beliefsEnd() {
    health.noteLost("a");
    health.noteLost("b", 7);
    health.noteStalled("c");
    health.noteWithoutPort("d");
    assertTrue(health.isLost("a", 1));
    assertTrue(health.isLost("b", 7));
    assertFalse(health.isLost("b", 8), "another replica of the same node");
    assertTrue(health.isSlow("c"));
    assertFalse(health.hasPort("d"));
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    assertFalse(health.isLost("a", 1) || health.isLost("b", 7) || health.isSlow("c"));
    assertTrue(health.hasPort("d"));
  }

  @Test
  void aNodeThatAnswersIsWell() {
    health.noteLost("a");
    health.noteStalled("a");
    assertTrue(health.isSlow("a"));
    health.noteWell("a");
    assertFalse(health.isLost("a", 1) || health.isSlow("a"));
  }

  @Test
  void onceIsNotSlow() {
    health.noteSlow("a");
    assertFalse(health.isSlow("a"));
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "the first slow read was too long ago");
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "two slow reads in the same pause count once");
    clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    health.noteWell("a");
    health.noteSlow("a");
    assertTrue(health.isSlow("a"), "two slow reads in different pauses suffice");
  }

  /**
   * Some nodes of a busy cluster are late much more often than others. These numbers were counted
   * where fourteen nodes shared two processors. A client that left such nodes alone made all of
   * them four times slower.
   */
  @Test
  void aNodeThatIsLateInAFifthOfItsReadsIsNotSlow() {
    health.noteSlow("a");
    for (int read = 0; read < 13_586; read++) {
      boolean isLate = read % 67 == 0;
      if (isLate) {
        health.noteSlow("b");
      } else {
        health.noteInTime("b");
      }
      if (read < 353) {
        health.noteInTime("a");
      } else if (read < 432) {
        health.noteSlow("a");
      }
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    health.noteSlow("a");
    assertFalse(health.isSlow("a"));
  }

  /** All nodes of a busy cluster are late now and then. */
  @Test
  void aNodeThatServesMostReadsInTimeIsNotSlow() {
    for (int pause = 0; pause < 20; pause++) {
      health.noteSlow("a");
      for (int read = 0; read < 10; read++) {
        health.noteInTime("a");
        health.noteInTime("a");
        health.noteSlow("b");
        health.noteInTime("b");
      }
      assertFalse(health.isSlow("a"), "pause " + pause);
      clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    }
    assertTrue(health.isSlow("b"), "half of its reads are late");
  }

  /** The late read with which the count begins is not counted. */
  @Test
  void halfOfTheReadsSuffice() {
    for (String uuid : List.of("a", "b")) {
      health.noteSlow(uuid);
      health.noteInTime(uuid);
    }
    health.noteInTime("b");
    for (int read = 0; read < 100; read++) {
      health.noteInTime("c");
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    health.noteSlow("a");
    health.noteSlow("b");
    assertTrue(health.isSlow("a"), "1 of 2 reads is late");
    assertFalse(health.isSlow("b"), "1 of 3 reads is late");
    health.noteInTime("a");
    assertTrue(health.isSlow("a"), "it was read as a helper, too");
    health.noteAnswered("a");
    assertTrue(health.isSlow("a"), "it has answered late");
  }

  /** On an overloaded cluster, all nodes are late often. */
  @Test
  void aNodeThatIsNotWorseThanTheOthersIsNotSlow() {
    for (int pause = 0; pause < 10; pause++) {
      for (String uuid : List.of("a", "b", "c")) {
        for (int read = 0; read < 8; read++) {
          health.noteSlow(uuid);
          health.noteInTime(uuid);
        }
      }
      clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    }
    for (String uuid : List.of("a", "b", "c")) {
      assertFalse(health.isSlow(uuid), uuid + " is late in half of its reads, as others are");
    }
  }

  @Test
  void aLateAnswerIsAnAnswer() {
    health.noteLost("a");
    health.noteAnswered("a");
    assertFalse(health.isLost("a", 1));
  }

  @Test
  void theOldestSuspectGoesFirst() {
    Suspects suspects = new Suspects(2, clock::get);
    for (String uuid : List.of("a", "b", "c")) {
      assertFalse(suspects.late(uuid));
    }
    for (int read = 0; read < 10; read++) {
      suspects.inTime("d");
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
    assertTrue(suspects.late("b"));
    assertTrue(suspects.late("c"));
    assertFalse(suspects.late("a"), "it was forgotten");
  }

  @Test
  void theOldestBeliefGoesFirst() {
    ExpiringSet<Integer> set = new ExpiringSet<>(3, 1000, clock::get);
    for (int i = 0; i < 3; i++) {
      set.add(i);
    }
    set.add(0);
    set.add(3);
    assertFalse(set.contains(1));
    assertTrue(set.contains(0) && set.contains(2) && set.contains(3));
  }
}
