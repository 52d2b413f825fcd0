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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scenarios on a clock that the test winds: 100 MB/s have been seen, slow is below a tenth of that,
 * measured over 3 seconds.
 */
@InterfaceAudience.Private
class TestSlowLinkDetector {
  private static final long MB = 1_000_000;
  private static final int WINDOW_MS = 3_000;

  private final RateMemory memory = new RateMemory();
  private final NodeStats own = new NodeStats();
  private long nowMs = 50_000;
  private ProgressBoard board;

  @BeforeEach
  void remember() {
    memory.saw(100 * MB, 1_000_000_000);
    board = new ProgressBoard(this::nanos);
  }

  private long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(nowMs);
  }

  private static PlanNode node(int number, PlanNode... children) {
    return new PlanNode(new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        9877, "/rack"), Collections.emptyList(), Arrays.asList(children));
  }

  /** 0, the destination, and below it 1 to {@code length} in a row. */
  private static PlanNode chain(int length) {
    PlanNode below = node(length);
    for (int number = length - 1; number >= 0; number--) {
      below = node(number, below);
    }
    return below;
  }

  private SlowLinkDetector detector(PlanNode root) {
    return new SlowLinkDetector(root, memory, board, own, WINDOW_MS, 10, nanos());
  }

  /** What a node says of its time so far, in milliseconds. */
  private static NodeProgressProto says(int number, long childWait, long parentWait, long local,
      long... ofChildren) {
    NodeProgressProto.Builder builder = NodeProgressProto.newBuilder().setUuid("uuid-" + number)
        .setSlicesDone(1).setChildWaitMs(childWait).setParentWaitMs(parentWait)
        .setLocalMs(local);
    for (long wait : ofChildren) {
      builder.addWaitMsOfChild(wait);
    }
    return builder.build();
  }

  private static NodeProgressProto aged(long ageMs, NodeProgressProto word) {
    return word.toBuilder().setAgeMs(ageMs).build();
  }

  private void hear(NodeProgressProto... nodes) {
    board.note(ProgressProto.newBuilder().addAllNodes(Arrays.asList(nodes)).build());
  }

  /** The destination waits for its only child, and takes bytes at the end of it. */
  private void pass(SlowLinkDetector detector, long ms, long bytes) throws RepairException {
    pass(detector, ms, ms, bytes);
  }

  private void pass(SlowLinkDetector detector, long ms, long waitedMs, long bytes)
      throws RepairException {
    nowMs += ms;
    own.addChildWait(0, TimeUnit.MILLISECONDS.toNanos(waitedMs));
    detector.received(bytes, nanos());
  }

  private static List<String> ends(RepairException e) {
    assertSame(FailureCause.SLOW, e.failureCause);
    List<String> ends = new ArrayList<>();
    ends.add(e.node.uuid);
    ends.add(e.otherSuspect == null ? null : e.otherSuspect.uuid);
    return ends;
  }

  @Test
  void fastEnoughIsFine() throws RepairException {
    SlowLinkDetector detector = detector(chain(3));
    for (int second = 0; second < 100; second++) {
      pass(detector, 1_000, 11 * MB);
    }
  }

  @Test
  void repairsAtATimeShareTheLinks() throws RepairException {
    double before = memory.best();
    SlowLinkDetector detector = detector(chain(3));
    // A tenth of the best rate for a repair that has the links to itself is fine, and so is a
    // fiftieth for one of five.
    List<RateMemory.Transfer> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(memory.begin());
    }
    assertEquals(5, memory.transfers());
    // Three of the five end in the middle of the window. They had their shares until then.
    pass(detector, 1_500, (long) (1.5 * before / 45));
    others.subList(0, 3).forEach(RateMemory.Transfer::close);
    pass(detector, 1_500, (long) (1.5 * before / 45));
    others.subList(3, 5).forEach(RateMemory.Transfer::close);
    assertEquals(0, memory.transfers());
    // The next window has this repair alone.
    RepairException e =
        assertThrows(RepairException.class, () -> pass(detector, 3_000, (long) (3 * before / 45)));
    assertSame(FailureCause.SLOW, e.failureCause);
    assertTrue(e.getMessage().contains("with 1 repairs"), e.getMessage());
  }

  @Test
  void nothingIsSaidBeforeTheWindowHasPassed() throws RepairException {
    SlowLinkDetector detector = detector(chain(3));
    for (int i = 0; i < 29; i++) {
      pass(detector, 100, 1);
    }
    assertThrows(RepairException.class, () -> pass(detector, 100, 1));
  }

  @Test
  void withoutAMemoryNothingIsSlow() throws RepairException {
    SlowLinkDetector detector =
        new SlowLinkDetector(chain(3), new RateMemory(), board, own, WINDOW_MS, 10, nanos());
    pass(detector, 60_000, 1);
  }

  /** Requests that list blocks may name more units than a stored code has. */
  @Test
  void eachUnitOfARequestMayHaveAChildOfItsOwn() {
    int last = RequestBounds.LISTED_UNITS_MAX - 1;
    own.addChildWait(last, 5_000_000);
    NodeProgressProto said = own.toProto("uuid", RequestBounds.LISTED_UNITS_MAX, 1);
    assertEquals(5, said.getWaitMsOfChild(last));
  }

  @Test
  void zeroPercentSwitchesItOff() throws RepairException {
    SlowLinkDetector detector =
        new SlowLinkDetector(chain(3), memory, board, own, WINDOW_MS, 0, nanos());
    for (int i = 0; i < 100; i++) {
      pass(detector, WINDOW_MS, 1);
    }
  }

  @Test
  void theBestRateIsRemembered() throws RepairException {
    pass(detector(chain(3)), WINDOW_MS, 3 * 200 * MB);
    assertEquals(200e6, memory.best(), 1);
  }

  /** The destination's disk or a limit held it back, not its children. */
  @Test
  void theDestinationsOwnTimeIsNotItsChildrens() throws RepairException {
    SlowLinkDetector detector = detector(chain(3));
    for (int i = 0; i < 100; i++) {
      // One megabyte per second, but a hundredth of the time was spent waiting.
      pass(detector, 1_000, 10, MB);
    }
    assertEquals(100e6, memory.best(), 1);
  }

  @Test
  void withoutReportsTheLinkToTheDestinationIsSlow() {
    SlowLinkDetector detector = detector(chain(3));
    assertEquals(Arrays.asList("uuid-1", null),
        ends(assertThrows(RepairException.class, () -> pass(detector, WINDOW_MS, MB))));
  }

  /** 0 and 1 and 2 wait for children; 3 waits for its parent: the link between 3 and 2. */
  @Test
  void aSlowLinkMidChain() throws RepairException {
    SlowLinkDetector detector = detector(chain(5));
    nowMs += 2_900;
    hear(says(1, 2_800, 10, 90), says(2, 2_800, 10, 90), says(3, 10, 2_800, 90),
        says(4, 10, 2_700, 190), says(5, 0, 2_700, 200));
    assertEquals(Arrays.asList("uuid-3", "uuid-2"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** Word from below a slow link is stuck behind the slices that it carries. */
  @Test
  void aSlowLinkThatHoldsTheWordOfThoseBelow() {
    SlowLinkDetector detector = detector(chain(5));
    hear(says(3, 10, 5, 90), says(4, 10, 5, 90), says(5, 0, 5, 90));
    nowMs += 2_900;
    hear(says(1, 2_800, 10, 90), says(2, 2_800, 10, 90));
    assertEquals(Arrays.asList("uuid-3", "uuid-2"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** 3's words keep coming, but each has waited long in the queue of the slow link. */
  @Test
  void aSlowLinkThatDelaysTheWordOfThoseBelow() {
    SlowLinkDetector detector = detector(chain(5));
    hear(aged(0, says(1, 0, 0, 0)), aged(0, says(2, 0, 0, 0)), aged(0, says(3, 0, 0, 0)),
        aged(0, says(4, 0, 0, 0)), aged(0, says(5, 0, 0, 0)));
    nowMs += 2_900;
    hear(aged(2_900, says(1, 2_800, 10, 90)), aged(2_900, says(2, 2_800, 10, 90)),
        aged(600, says(3, 500, 10, 90)), aged(600, says(4, 500, 10, 90)),
        aged(600, says(5, 0, 10, 590)));
    assertEquals(Arrays.asList("uuid-3", "uuid-2"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** What 2 passes on of 3 is what it has last heard, over and over. */
  @Test
  void repeatedWordsAreNotNews() {
    SlowLinkDetector detector = detector(chain(5));
    for (int ms = 0; ms < 2_900; ms += 100) {
      hear(says(1, ms, 10, 90), says(2, ms, 10, 90), says(3, 80, 5, 10), says(4, 80, 5, 10));
      nowMs += 100;
    }
    assertEquals(Arrays.asList("uuid-3", "uuid-2"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  @Test
  void aSlowDiskMidChain() {
    SlowLinkDetector detector = detector(chain(4));
    nowMs += 2_900;
    hear(says(1, 2_800, 10, 90), says(2, 100, 10, 2_790), says(3, 10, 2_800, 90),
        says(4, 0, 2_800, 90));
    assertEquals(Arrays.asList("uuid-2", "uuid-1"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  private static NodeProgressProto throttled(long throttleMs, NodeProgressProto word) {
    return word.toBuilder().setThrottleMs(throttleMs).build();
  }

  /** 2 keeps to an operator's limit; 1 waits for it, and 3 for it to take slices. */
  @Test
  void aThrottledNodeIsNotSlow() throws RepairException {
    SlowLinkDetector detector = detector(chain(4));
    for (int window = 1; window < 10; window++) {
      nowMs += 2_900;
      hear(says(1, window * 2_800, 10, 90), throttled(window * 2_500, says(2, 100, 10, 290)),
          says(3, 10, window * 2_800, 90), says(4, 0, window * 2_800, 90));
      pass(detector, 100, 2_990, MB);
    }
    assertEquals(100e6, memory.best(), 1);
  }

  /** All nodes of a cluster have the same limit, and wait for each other a little. */
  @Test
  void ofThrottledNodesNoneIsSlow() throws RepairException {
    SlowLinkDetector detector = detector(chain(3));
    nowMs += 2_900;
    hear(throttled(1_200, says(1, 1_600, 10, 90)), throttled(1_500, says(2, 1_300, 10, 90)),
        throttled(2_800, says(3, 0, 10, 90)));
    pass(detector, 100, 2_990, MB);
  }

  /** The limit of 1 holds back little; below it is a slow disk. */
  @Test
  void aSlowDiskBesideAThrottledNodeIsNamed() {
    SlowLinkDetector detector = detector(chain(3));
    nowMs += 2_900;
    hear(throttled(900, says(1, 1_900, 10, 90)), throttled(100, says(2, 100, 10, 2_690)),
        says(3, 0, 2_800, 90));
    assertEquals(Arrays.asList("uuid-2", "uuid-1"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** That a node has kept to a limit before this window says nothing of this one. */
  @Test
  void aLimitThatIsLiftedDoesNotExcuse() throws RepairException {
    SlowLinkDetector detector = detector(chain(2));
    nowMs += 2_900;
    hear(says(1, 2_800, 10, 90), throttled(2_800, says(2, 0, 10, 90)));
    pass(detector, 100, 2_990, MB);
    nowMs += 2_900;
    hear(says(1, 5_600, 10, 180), throttled(2_800, says(2, 0, 10, 2_980)));
    assertEquals(Arrays.asList("uuid-2", "uuid-1"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  @Test
  void aSlowLeaf() {
    SlowLinkDetector detector = detector(chain(2));
    nowMs += 2_900;
    hear(says(1, 2_800, 10, 90), says(2, 0, 10, 2_890));
    assertEquals(Arrays.asList("uuid-2", "uuid-1"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** Only what happened in this window counts, not how the repair began. */
  @Test
  void whatWasBeforeTheWindowDoesNotCount() throws RepairException {
    SlowLinkDetector detector = detector(chain(3));
    hear(says(1, 10, 90_000, 10), says(2, 10, 90_000, 10), says(3, 0, 90_000, 10));
    pass(detector, WINDOW_MS, 300 * MB);
    nowMs += 2_900;
    hear(says(1, 2_800, 90_010, 100), says(2, 2_800, 90_010, 100), says(3, 0, 90_010, 2_900));
    assertEquals(Arrays.asList("uuid-3", "uuid-2"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 100, 2_990, MB))));
  }

  /** All children are read in step, so the words of all of them look alike. */
  @Test
  void ofSeveralChildrenTheOneWaitedForIsNamed() {
    PlanNode root = node(0, node(1), node(2), node(3));
    for (int slow = 0; slow < 3; slow++) {
      int child = slow;
      SlowLinkDetector detector = detector(root);
      assertEquals(Arrays.asList("uuid-" + (slow + 1), null),
          ends(assertThrows(RepairException.class, () -> {
            nowMs += WINDOW_MS;
            own.addChildWait(child, TimeUnit.MILLISECONDS.toNanos(2_500));
            own.addChildWait((child + 1) % 3, TimeUnit.MILLISECONDS.toNanos(400));
            detector.received(MB, nanos());
          })));
    }
  }

  @Test
  void ofSeveralGrandchildrenTheOneWaitedForIsNamed() {
    PlanNode root = node(0, node(1), node(2, node(3), node(4), node(5)));
    for (int slow = 0; slow < 3; slow++) {
      board = new ProgressBoard(this::nanos);
      SlowLinkDetector detector = detector(root);
      long[] ofChildren = new long[3];
      ofChildren[slow] = 2_600;
      ofChildren[(slow + 2) % 3] = 200;
      nowMs += WINDOW_MS - 10;
      hear(says(2, 2_800, 10, 90, ofChildren), says(1, 0, 2_800, 10), says(3, 0, 2_800, 10),
          says(4, 0, 2_800, 10), says(5, 0, 2_800, 10));
      assertEquals(Arrays.asList("uuid-" + (slow + 3), "uuid-2"),
          ends(assertThrows(RepairException.class, () -> {
            nowMs += 10;
            own.addChildWait(1, TimeUnit.MILLISECONDS.toNanos(2_900));
            detector.received(MB, nanos());
          })));
    }
  }

  /** A node of another version may say nothing of its children, or too much. */
  @Test
  void oddWordsOfOtherVersionsDoNoHarm() {
    PlanNode root = node(0, node(1, node(2), node(3)));
    SlowLinkDetector detector = detector(root);
    nowMs += WINDOW_MS - 10;
    hear(says(1, 2_800, 10, 90), says(2, -1, -1, -1, 1, 2, 3, 4, 5), says(3, 0, 0, 0));
    assertEquals(Arrays.asList("uuid-2", "uuid-1"),
        ends(assertThrows(RepairException.class, () -> pass(detector, 10, 2_990, MB))));
  }
}
