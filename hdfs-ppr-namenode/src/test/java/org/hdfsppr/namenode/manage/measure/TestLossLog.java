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
package org.hdfsppr.namenode.manage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests when the loss of a node begins and ends, and which groups count for it. */
@InterfaceAudience.Private
class TestLossLog {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final long UNIT = 1 << 20;

  private long now = 1_000_000;
  private final LossLog log = new LossLog(() -> now);

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  /** Lets a second pass, after which these nodes are not live. */
  private void look(Integer... dead) {
    now += 1_000;
    List<NodeRef> live = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      if (!List.of(dead).contains(i)) {
        live.add(node(i));
      }
    }
    log.look(live);
  }

  private static GroupId id(int number) {
    return new GroupId("BP", -16L * number - 16, 1);
  }

  private LostGroup group(int number, long sinceMs, Integer... lost) {
    return new LostGroup(id(number), 6 * UNIT, RS, List.of(), List.of(lost), 2, sinceMs);
  }

  private LossStatus only() {
    List<LossStatus> all = log.status();
    assertEquals(1, all.size());
    return all.get(0);
  }

  private static List<String> names(LossStatus loss) {
    return loss.nodes.stream().map(ref -> ref.uuid).collect(Collectors.toList());
  }

  @Test
  void aLossBeginsWithItsGroupsAndEndsWithThem() {
    look();
    look(3);
    assertEquals(List.of(), log.status(), "no group has come yet");
    long leftMs = now;
    now += 200_000;
    for (int i = 0; i < 5; i++) {
      log.lost(group(i, now, 4), null);
    }
    LossStatus loss = only();
    assertEquals(List.of("u3"), names(loss));
    assertEquals(leftMs, loss.sinceMs);
    assertEquals(5, loss.groups);
    assertEquals(5 * UNIT, loss.bytes);
    assertEquals(Optional.empty(), loss.endedMs());
    now += 10_000;
    for (int i = 0; i < 4; i++) {
      log.gone(id(i));
      log.gone(id(i));
    }
    assertEquals(1, only().groupsLeft);
    assertEquals(UNIT, only().bytesLeft);
    now += 10_000;
    log.gone(id(4));
    assertEquals(0, only().groupsLeft);
    assertEquals(5, only().groups);
    assertEquals(Optional.of(now), only().endedMs());
    assertEquals(5, loss.groupsLeft, "a status does not change after it was made");
  }

  @Test
  void aGroupThatStockHasDoesNotCountAsRebuilt() {
    look();
    look(3);
    log.lost(group(0, now, 4), null);
    log.lost(group(1, now, 4), null);
    log.uncount(id(1));
    log.gone(id(1));
    assertEquals(1, only().groups);
    assertEquals(1, only().groupsLeft);
    assertEquals(UNIT, only().bytes);
    log.gone(id(0));
    assertEquals(UNIT, only().bytes);
    assertEquals(0, only().bytesLeft);
    log.lost(group(1, now, 4), null);
    assertEquals(2, only().groups, "it has come back");
    assertEquals(1, only().groupsLeft);
    log.uncount(id(1));
    log.lost(group(1, now, 4), null);
    assertEquals(2, only().groups, "it counts once, however often it comes back");
    assertEquals(2 * UNIT, only().bytes);
  }

  /** The units of a node that comes and goes are lost, come back, and are lost again. */
  @Test
  void aUnitOfAFlappingNodeCountsOnce() {
    look();
    look(3);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 5; i++) {
        log.lost(group(i, now, 4), null);
      }
      assertEquals(5, only().groups, "in round " + round);
      assertEquals(5 * UNIT, only().bytes);
      assertEquals(5, only().groupsLeft);
      for (int i = 0; i < 4; i++) {
        log.uncount(id(i));
      }
      assertEquals(1, only().groups, "the others were not rebuilt");
      assertEquals(1, only().groupsLeft);
      assertEquals(Optional.empty(), only().endedMs());
    }
    log.gone(id(4));
    assertEquals(1, only().groups);
    assertTrue(only().endedMs().isPresent());
  }

  @Test
  void otherGroupsDoNotCount() {
    look();
    log.lost(group(0, now, 4), null);
    look(3);
    log.lost(group(1, now - 60_000, 4), null);
    log.lost(group(2, now, 4), group(2, now, 4));
    assertEquals(List.of(), log.status());
    now += LossLog.WINDOW_MS + 1;
    log.lost(group(3, now, 4), null);
    assertEquals(List.of(), log.status(), "the node left long before");
  }

  @Test
  void aGroupThatFailedAndWaitsAgainCountsOnce() {
    look();
    look(3);
    LostGroup group = group(1, now, 4);
    log.lost(group, null);
    log.lost(group, null);
    log.lost(group, group);
    assertEquals(1, only().groups);
  }

  @Test
  void aSecondUnitCountsForTheSecondNode() {
    look();
    look(3);
    LostGroup one = group(1, now, 4);
    log.lost(one, null);
    look(3);
    look(3, 5);
    LostGroup two = group(1, one.sinceMs, 4, 6);
    log.lost(two, one);
    log.lost(group(2, one.sinceMs, 4), null);
    List<LossStatus> all = log.status();
    assertEquals(2, all.size());
    assertEquals(List.of("u5"), names(all.get(0)), "the latest first");
    assertEquals(1, all.get(0).groups);
    assertEquals(UNIT, all.get(0).bytes);
    assertEquals(2, all.get(1).groups, "units that were lost before the second node left");
    log.gone(id(1));
    assertTrue(log.status().get(0).endedMs().isPresent());
    assertFalse(log.status().get(1).endedMs().isPresent());
  }

  @Test
  void nodesWhoseUnitsAreLostAtOnceAreOneLoss() {
    look();
    look(3, 4);
    look(3, 4, 5);
    log.lost(group(1, now, 4), null);
    log.lost(group(2, now, 4, 5), null);
    assertEquals(3, only().nodes.size());
    assertEquals(3 * UNIT, only().bytes);
  }

  @Test
  void aNodeThatComesBackInTimeIsNoLoss() {
    look();
    look(3);
    look();
    log.lost(group(1, now, 4), null);
    assertEquals(List.of(), log.status());
  }

  @Test
  void aNewQueueReportsTheSameGroups() {
    look();
    look(3);
    for (int i = 0; i < 5; i++) {
      log.lost(group(i, now, 4), null);
    }
    log.gone(id(0));
    log.reset();
    log.gone(id(1));
    for (int i = 1; i < 4; i++) {
      log.lost(group(i, now, 4), null);
    }
    assertEquals(4, only().groups, "one is repaired, three are lost, one is not any more");
    assertEquals(3, only().groupsLeft);
    assertEquals(Optional.empty(), only().endedMs());
    log.reset();
    look(3);
    assertEquals(Optional.empty(), only().endedMs(), "groups may still come back");
    now += LossLog.SETTLED_MS;
    look(3);
    assertTrue(only().endedMs().isPresent(), "no group is left");
  }

  @Test
  void theOldestLossesAreForgotten() {
    look();
    for (int round = 0; round < 2 * LossLog.LOSSES_MAX; round++) {
      look(3);
      log.lost(group(round, now, 4), null);
      look();
    }
    assertEquals(LossLog.LOSSES_MAX, log.status().size());
    for (int round = 0; round < 2 * LossLog.LOSSES_MAX; round++) {
      log.gone(id(round));
    }
    assertTrue(log.status().stream().allMatch(loss -> loss.endedMs().isPresent()));
  }
}
