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
import org.hdfsppr.client.patience.NodeHealth.SlowNodeDetector;
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

  private void pass(long seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void onceIsNotSlow() {
    health.noteSlow("a");
    assertFalse(health.isSlow("a"));
    pass(120);
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "the first slow read was too long ago");
    health.noteSlow("a");
    pass(1);
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "slow reads in the same pause count once");
    pass(2);
    noteReads("a", 3, 0);
    assertFalse(health.isSlow("a"), "reads have not been counted for long");
    pass(2);
    health.noteSlow("a");
    assertTrue(health.isSlow("a"));
  }

  /** Of few reads, half are late by chance. Of a node that hangs, all are. */
  @Test
  void fewReadsSufficeOnlyIfAllAreLate() {
    for (String uuid : List.of("a", "b", "c")) {
      health.noteSlow(uuid);
    }
    pass(5);
    noteReads("a", 3, 0);
    noteReads("b", 2, 0);
    noteReads("c", 0, 2);
    noteReads("c", 5, 0);
    assertTrue(health.isSlow("a"));
    assertFalse(health.isSlow("b"), "2 reads");
    assertFalse(health.isSlow("c"), "7 reads, of which 5 are late");
    health.noteSlow("c");
    assertTrue(health.isSlow("c"), "8 reads");
  }

  /** Readers that wait during a pause to collect garbage are all late. */
  @Test
  void onePauseIsOneHoweverManyReadsItDelays() {
    for (int pause = 0; pause < 4; pause++) {
      for (int reader = 0; reader < 16; reader++) {
        health.noteSlow("a");
      }
      assertFalse(health.isSlow("a"), "pause " + pause);
      pass(3);
      for (int read = 0; read < 14; read++) {
        health.noteInTime("a");
      }
      pass(3);
    }
  }

  /** Notes late reads of a node, and then reads that were in time. */
  private void noteReads(String uuid, int late, int inTime) {
    for (int read = 0; read < late; read++) {
      health.noteSlow(uuid);
    }
    for (int read = 0; read < inTime; read++) {
      health.noteInTime(uuid);
    }
  }

  /**
   * Some nodes of a busy cluster are late much more often than others. These numbers were counted
   * where fourteen nodes shared two processors. A client that left such nodes alone made all of
   * them four times slower.
   */
  @Test
  void aNodeThatIsLateInAFifthOfItsReadsIsNotSlow() {
    health.noteSlow("a");
    pass(3);
    noteReads("a", 78, 353);
    noteReads("b", 204, 13_382);
    pass(3);
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "79 of 432 reads are late");
  }

  @Test
  void halfOfTheReadsSuffice() {
    for (String uuid : List.of("a", "b")) {
      health.noteSlow(uuid);
    }
    pass(3);
    noteReads("a", 9, 10);
    noteReads("b", 9, 11);
    noteReads("c", 0, 100);
    pass(3);
    health.noteSlow("a");
    health.noteSlow("b");
    assertTrue(health.isSlow("a"), "10 of 20 reads are late");
    assertFalse(health.isSlow("b"), "10 of 21 reads are late");
    health.noteInTime("a");
    assertTrue(health.isSlow("a"), "it was read as a helper, too");
    health.noteAnswered("a");
    assertTrue(health.isSlow("a"), "it has answered late");
  }

  /** On an overloaded cluster, all nodes are late often. */
  @Test
  void aNodeThatIsNotWorseThanTheOthersIsNotSlow() {
    for (int pause = 0; pause < 20; pause++) {
      for (String uuid : List.of("a", "b", "c")) {
        noteReads(uuid, 8, 6);
        assertFalse(health.isSlow(uuid), uuid + " in pause " + pause);
      }
      pass(3);
    }
  }

  /** Late reads before a node was left alone say nothing about the node that is read again. */
  @Test
  void aNodeThatHasRecoveredIsNotSlowAgainAtOnce() {
    health.noteSlow("a");
    pass(3);
    noteReads("a", 40, 0);
    pass(2);
    health.noteSlow("a");
    assertTrue(health.isSlow("a"));
    pass(31);
    assertFalse(health.isSlow("a"));
    noteReads("a", 0, 30);
    health.noteSlow("a");
    assertFalse(health.isSlow("a"), "1 of 31 reads is late");
  }

  @Test
  void aLateAnswerIsAnAnswer() {
    health.noteLost("a");
    health.noteAnswered("a");
    assertFalse(health.isLost("a", 1));
  }

  @Test
  void theOldestSuspectGoesFirst() {
    SlowNodeDetector suspects = new SlowNodeDetector(2, clock::get);
    for (String uuid : List.of("a", "b", "c")) {
      assertFalse(suspects.late(uuid));
    }
    pass(5);
    for (int read = 0; read < 10; read++) {
      suspects.inTime("d");
    }
    assertTrue(lateThrice(suspects, "b"));
    assertTrue(lateThrice(suspects, "c"));
    assertFalse(lateThrice(suspects, "a"), "it was forgotten");
  }

  private static boolean lateThrice(SlowNodeDetector suspects, String uuid) {
    return suspects.late(uuid) | suspects.late(uuid) | suspects.late(uuid);
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
