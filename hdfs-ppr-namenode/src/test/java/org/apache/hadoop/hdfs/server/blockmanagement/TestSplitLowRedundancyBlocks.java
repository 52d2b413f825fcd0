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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.SplitLowRedundancyBlocks.PolicyClaims;
import org.apache.hadoop.hdfs.server.blockmanagement.SplitLowRedundancyBlocks.Rescue;
import org.junit.jupiter.api.Test;

/**
 * Compares the queue in two parts with stock's queue: for all questions that stock asks, both must
 * answer the same.
 */
public class TestSplitLowRedundancyBlocks {
  private static final ErasureCodingPolicy OURS = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_6_3_POLICY_ID);
  private static final ErasureCodingPolicy STOCKS = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_3_2_POLICY_ID);

  private long nowMs = 1000;
  private Predicate<BlockInfo> cannotBeCounted = block -> false;
  private Predicate<BlockInfo> isCopy = block -> false;
  private int rescueFailures;
  private long rescueNanos;
  /** By how much the clock of the rescue is later at each look, ns; here one group a hold. */
  private long lookNanos = NamesystemLock.HOLD_NANOS;

  private SplitLowRedundancyBlocks split(boolean leaving) {
    return new SplitLowRedundancyBlocks(new PolicyClaims() {
      @Override
      public boolean losses(ErasureCodingPolicy policy) {
        return policy.equals(OURS);
      }

      @Override
      public boolean leaving(ErasureCodingPolicy policy) {
        return leaving && policy.equals(OURS);
      }
    }, new Rescue() {
      @Override
      public void moveToStock(SplitLowRedundancyBlocks queue, BlockInfo block) {
        if (cannotBeCounted.test(block)) {
          throw new IllegalStateException("thrown on purpose");
        }
        queue.moveToStock(block, counts(6, 0), 9);
      }

      @Override
      public void failed() {
        rescueFailures++;
      }

      @Override
      public long nanoTime() {
        return rescueNanos += lookNanos;
      }
    }, group -> isCopy.test(group), () -> nowMs, 60_000);
  }

  private static NumberReplicas counts(int live, int decommissioning) {
    NumberReplicas counts = new NumberReplicas();
    counts.add(NumberReplicas.StoredReplicaState.LIVE, live);
    counts.add(NumberReplicas.StoredReplicaState.DECOMMISSIONING, decommissioning);
    return counts;
  }

  private static BlockInfo group(ErasureCodingPolicy policy, int number) {
    BlockInfoStriped block = new BlockInfoStriped(
        new Block(Long.MIN_VALUE + 16L * number, 64L << 20, 1001), policy);
    block.setBlockCollectionId(7);
    return block;
  }

  private static BlockInfo replicated(int number) {
    BlockInfo block = new BlockInfoContiguous(new Block(number, 1024, 1001), (short) 3);
    block.setBlockCollectionId(7);
    return block;
  }

  private static Set<BlockInfo> chosen(LowRedundancyBlocks queue, int count) {
    Set<BlockInfo> all = new HashSet<>();
    queue.chooseLowRedundancyBlocks(count).forEach(all::addAll);
    return all;
  }

  @Test
  public void countsFindsAndListsAsStock() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    LowRedundancyBlocks stock = new LowRedundancyBlocks();
    SplitLowRedundancyBlocks split = split(random.nextBoolean());
    List<BlockInfo> blocks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      blocks.add(group(OURS, i));
      blocks.add(group(STOCKS, 100 + i));
      blocks.add(replicated(i));
    }
    for (int step = 0; step < 5_000; step++) {
      BlockInfo block = blocks.get(random.nextInt(blocks.size()));
      int expected = block.isStriped()
          ? ((BlockInfoStriped) block).getRealTotalBlockNum() : 3;
      int current = random.nextInt(expected + 1);
      int out = random.nextInt(3);
      int what = random.nextInt(100);
      if (what < 30) {
        // Stock adds a block once, and afterwards updates it.
        if (!stock.contains(block)) {
          assertTrue(stock.add(block, current, 0, out, expected));
          assertTrue(split.add(block, current, 0, out, expected));
        }
      } else if (what < 60) {
        int delta = random.nextInt(3) - 1;
        stock.update(block, current, 0, out, expected, Math.min(delta, current), 0);
        split.update(block, current, 0, out, expected, Math.min(delta, current), 0);
      } else if (what < 90) {
        assertEquals(stock.remove(block, current, 0, out, expected),
            split.remove(block, current, 0, out, expected));
      } else if (what < 94) {
        if (split.isOwned(block)) {
          split.moveToStock(block, counts(5, 1), expected);
          stock.update(block, 5, 0, 1, expected, 0, 0);
        } else if (block.isStriped() && stock.contains(block)) {
          split.moveToOwned(block, counts(5, 1), expected);
          stock.update(block, 5, 0, 1, expected, 0, 0);
        }
      } else if (what < 99) {
        chosen(split, 10).forEach(
            block2 -> assertFalse(split.isOwned(block2), "chose " + block2));
      } else if (random.nextInt(10) == 0) {
        stock.clear();
        split.clear();
      }
      assertSame(stock, split, blocks);
    }
  }

  private static void assertSame(LowRedundancyBlocks stock, SplitLowRedundancyBlocks split,
      List<BlockInfo> blocks) {
    assertEquals(stock.size(), split.size());
    assertEquals(blocks.stream().filter(b -> b.isStriped() && stock.contains(b)).count(),
        split.groups());
    assertEquals(stock.getLowRedundancyBlockCount(), split.getLowRedundancyBlockCount());
    assertEquals(stock.getCorruptBlockSize(), split.getCorruptBlockSize());
    assertEquals(stock.getLowRedundancyBlocks(), split.getLowRedundancyBlocks());
    assertEquals(stock.getCorruptBlocks(), split.getCorruptBlocks());
    assertEquals(stock.getCorruptReplicationOneBlockSize(),
        split.getCorruptReplicationOneBlockSize());
    assertEquals(stock.getHighestPriorityReplicatedBlockCount(),
        split.getHighestPriorityReplicatedBlockCount());
    assertEquals(stock.getHighestPriorityECBlockCount(), split.getHighestPriorityECBlockCount());
    assertEquals(stock.getLowRedundancyECBlockGroups(), split.getLowRedundancyECBlockGroups());
    assertEquals(stock.getCorruptECBlockGroups(), split.getCorruptECBlockGroups());
    for (BlockInfo block : blocks) {
      assertEquals(stock.contains(block), split.contains(block));
    }
    for (int level = 0; level < LowRedundancyBlocks.LEVEL; level++) {
      assertEquals(set(stock.iterator(level)), set(split.iterator(level)));
    }
    assertEquals(set(stock.iterator()), set(split.iterator()));
  }

  private static Set<BlockInfo> set(java.util.Iterator<BlockInfo> blocks) {
    Set<BlockInfo> set = new HashSet<>();
    blocks.forEachRemaining(block -> assertTrue(set.add(block), "twice " + block));
    return set;
  }

  @Test
  public void knowsAllOfStocksMethods() {
    // If a Hadoop version has a new method, a developer must decide whether it has to look at both
    // parts of the queue.
    Set<String> known = new TreeSet<>(Arrays.asList("add", "update", "remove", "clear", "size",
        "getLowRedundancyBlockCount", "getCorruptBlockSize", "getCorruptReplicationOneBlockSize",
        "getLowRedundancyBlocks", "getCorruptBlocks", "getCorruptReplicationOneBlocks",
        "getHighestPriorityReplicatedBlockCount", "getHighestPriorityECBlockCount",
        "getLowRedundancyECBlockGroups", "getCorruptECBlockGroups", "contains",
        "chooseLowRedundancyBlocks", "iterator", "getBadlyDistributedBlocks"));
    for (Method method : LowRedundancyBlocks.class.getDeclaredMethods()) {
      if (!Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic()) {
        assertTrue(known.contains(method.getName()), method::toString);
      }
    }
  }

  @Test
  public void stockChoosesWhatIsNotOwnedAndIsNotSlowedByTheRest() {
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < 1000; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
    }
    Set<BlockInfo> others = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      others.add(replicated(i));
      others.add(group(STOCKS, 5000 + i));
    }
    others.forEach(block -> split.add(block, 3, 0, 0, 5));
    assertEquals(others, chosen(split, 20));
    assertEquals(1020, split.size());
    assertEquals(1000, split.counts().owned);
  }

  @Test
  public void leavesToStockWhatLacksNoUnitForCertain() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo leaving = group(OURS, 1);
    BlockInfo spread = group(OURS, 2);
    BlockInfo lost = group(OURS, 3);
    split.add(leaving, 8, 0, 1, 9);
    split.add(spread, 9, 0, 0, 9);
    split.add(lost, 7, 0, 1, 9);
    assertFalse(split.isOwned(leaving));
    assertFalse(split.isOwned(spread));
    assertTrue(split.isOwned(lost));
    assertEquals(3, split.takeTouched(10).size(), "all groups are still to be looked at");
    split.update(leaving, 7, 0, 1, 9, -1, 0);
    assertTrue(split.isOwned(leaving));
    split.update(lost, 8, 0, 1, 9, 1, 0);
    assertTrue(split.isOwned(lost), "the group is owned until it was looked at");
    split.update(lost, 9, 0, 0, 9, 1, 0);
    assertFalse(split.isOwned(lost));
    assertTrue(split.contains(lost));
  }

  @Test
  public void knowsWhatStockIsAtWorkOn() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo block = group(OURS, 1);
    split.add(block, 8, 0, 1, 9);
    chosen(split, 10);
    assertTrue(split.isInStocksHands(block));
    // Stock has chosen this group before it was claimed, and may still schedule it.
    split.update(block, 7, 0, 1, 9, -1, 0);
    assertTrue(split.isOwned(block));
    assertTrue(split.isInStocksHands(block));
    chosen(split, 10);
    assertFalse(split.isInStocksHands(block));
  }

  @Test
  public void claimsLeavingUnitsIfAskedTo() {
    SplitLowRedundancyBlocks split = split(true);
    split.add(group(OURS, 1), 8, 0, 1, 9);
    assertEquals(1, split.counts().owned);
  }

  @Test
  public void aSilentOwnerLosesItsGroupsUntilItSpeaks() {
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < 700; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
    }
    nowMs += 60_000;
    assertEquals(0, chosen(split, 10).size());
    nowMs += 1;
    assertEquals(10, chosen(split, 10).size());
    assertEquals(700 - 64, split.counts().owned, "a hold is over after each look at the time");
    lookNanos = 0;
    chosen(split, 10);
    assertEquals(0, split.counts().owned, "no time has passed");
    split.add(group(OURS, 700), 6, 0, 0, 9);
    assertEquals(0, split.counts().owned);
    split.speak();
    split.sortSome();
    assertEquals(701, split.counts().unsorted);
    split.add(group(OURS, 701), 6, 0, 0, 9);
    assertEquals(1, split.counts().owned);
  }

  /** Stock schedules two blocks for each DataNode every three seconds: 10,000 for 5,000 nodes. */
  @Test
  public void aSilentOwnerHoldsStockUpInNothing() {
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < 3_000; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
    }
    nowMs += 60_001;
    assertEquals(2_500, chosen(split, 2_500).size());
    lookNanos = NamesystemLock.HOLD_NANOS / 4;
    int owned = split.counts().owned;
    chosen(split, 1);
    assertEquals(owned - 4 * 64, split.counts().owned, "and it goes on for 2 ms");
  }

  /**
   * The call runs in a thread of the NameNode whose exceptions end the process. So an exception
   * must not get out.
   */
  @Test
  public void aRescueThatFailsHandsOverAllTheSame() {
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < 30; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
    }
    BlockInfo replicated = replicated(1);
    split.add(replicated, 1, 0, 0, 3);
    cannotBeCounted = block -> block.getBlockId() / 16 % 3 == 0;
    nowMs += 60_001;
    Set<BlockInfo> chosen = chosen(split, 100);
    assertTrue(chosen.contains(replicated));
    assertEquals(31, chosen.size());
    assertEquals(10, rescueFailures);
    assertEquals(0, split.counts().owned);
    assertEquals(31, split.size());
  }

  /**
   * Sorting goes on at its place however the queue changes meanwhile, and passes over replicated
   * blocks.
   */
  @Test
  public void whatWasQueuedBeforeIsSortedInPieces() {
    int groups = 3 * InspectionQueue.SORTED_MAX + 10;
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < groups; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
      split.add(replicated(i), 1, 0, 0, 3);
    }
    split.takeTouched(groups);
    split.forgetClaims();
    int calls = 0;
    Set<BlockInfo> removed = new HashSet<>();
    Set<BlockInfo> added = new HashSet<>();
    while (split.isSortAsked()) {
      int seen = split.sortSome();
      assertTrue(seen <= InspectionQueue.SORTED_MAX, seen + " in one hold");
      calls++;
      // Two groups are changed: sorting has passed the first and has yet to reach the second.
      // Another change is to a group that sorting does not meet.
      BlockInfo last = group(OURS, groups - calls);
      split.remove(last, 6, 0, 0, 9);
      removed.add(last);
      split.update(group(OURS, calls), 7, 0, 0, 9, 1, 0);
      added.add(group(OURS, groups + calls));
      split.add(group(OURS, groups + calls), 6, 0, 0, 9);
      split.remove(replicated(calls), 1, 0, 0, 3);
      split.add(replicated(groups + calls), 1, 0, 0, 3);
    }
    assertEquals(4, calls);
    Set<BlockInfo> taken = new HashSet<>(split.takeTouched(2 * groups));
    assertTrue(taken.containsAll(added));
    taken.removeIf(block -> !split.contains(block));
    assertEquals(split.groups(), taken.size());
    removed.forEach(block -> assertFalse(taken.contains(block)));
  }

  @Test
  public void claimsThatChangeWhileItIsSortedStartItAgain() {
    SplitLowRedundancyBlocks split = split(false);
    int groups = InspectionQueue.SORTED_MAX + 1;
    for (int i = 0; i < groups; i++) {
      split.add(group(OURS, i), 6, 0, 0, 9);
    }
    split.takeTouched(groups);
    split.forgetClaims();
    assertEquals(InspectionQueue.SORTED_MAX, split.sortSome());
    split.forgetClaims();
    assertEquals(InspectionQueue.SORTED_MAX, split.sortSome());
    assertEquals(1, split.sortSome());
    assertFalse(split.isSortAsked());
    assertEquals(0, split.sortSome());
    assertEquals(groups, split.takeTouched(2 * groups).stream().distinct().count());
  }

  @Test
  public void aReleaseEndsInTime() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo block = group(OURS, 1);
    split.release(block, nowMs + 100);
    split.add(block, 6, 0, 0, 9);
    assertFalse(split.isOwned(block));
    assertEquals(0, split.takeTouched(10).size());
    nowMs += 100;
    assertEquals(List.of(block), split.takeTouched(10));
    split.update(block, 6, 0, 0, 9, 0, 0);
    assertTrue(split.isOwned(block));
  }

  /**
   * A held group is not chosen by stock, whether it is unclaimed, released, or left by an owner
   * that is silent.
   */
  @Test
  public void whatIsHeldIsNeverChosen() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo notClaimed = group(STOCKS, 1);
    BlockInfo released = group(OURS, 2);
    BlockInfo owned = group(OURS, 3);
    BlockInfo other = group(OURS, 4);
    for (BlockInfo block : List.of(notClaimed, released, owned)) {
      assertTrue(split.hold(block));
    }
    split.release(released, Long.MAX_VALUE);
    split.add(notClaimed, 4, 0, 0, 5);
    split.add(released, 6, 0, 0, 9);
    split.add(owned, 6, 0, 0, 9);
    split.add(other, 6, 0, 0, 9);
    assertFalse(split.isOwned(released));
    assertEquals(Set.of(), chosen(split, 10));
    nowMs += 60_001;
    assertEquals(Set.of(other), chosen(split, 10));
    assertEquals(0, split.counts().owned);
    assertEquals(4, split.size(), "held groups still wait and are counted");
    // Stock has chosen all of them once, so the next choice starts at the beginning.
    isCopy = released::equals;
    assertTrue(chosenFromTheBeginning(split).contains(released));
    split.letGo(owned);
    assertEquals(Set.of(other, released, owned), chosenFromTheBeginning(split));
    assertEquals(2, split.counts().heldBack);
  }

  /** From now on stock does not see the group, so the other part must own it. */
  @Test
  public void whatIsHeldIsNotLeftToStockAnyMore() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo released = group(OURS, 1);
    split.release(released, nowMs + 300_000);
    split.add(released, 6, 0, 0, 9);
    split.takeTouched(10);
    assertTrue(split.hold(released));
    assertEquals(0, split.counts().released);
    assertEquals(List.of(released), new ArrayList<>(split.takeTouched(10)));
    split.hold(released);
    assertEquals(List.of(), new ArrayList<>(split.takeTouched(10)));
  }

  private static Set<BlockInfo> chosenFromTheBeginning(LowRedundancyBlocks queue) {
    queue.chooseLowRedundancyBlocks(0, true);
    return chosen(queue, 10);
  }

  /**
   * Stock looks at the units of a chosen group a moment after its choice, and may then decode them.
   * So a hold takes the choice back.
   */
  @Test
  public void whatHappensAfterTheChoiceTakesBackWhatIsHeld() {
    SplitLowRedundancyBlocks split = split(false);
    isCopy = block -> true;
    List<BlockInfo> blocks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocks.add(group(STOCKS, i));
      split.add(blocks.get(i), 4, 0, 1, 5);
    }
    split.hold(blocks.get(0));
    split.hold(blocks.get(1));
    List<List<BlockInfo>> given = split.chooseLowRedundancyBlocks(10);
    assertEquals(4, given.stream().mapToInt(List::size).sum());
    split.update(blocks.get(0), 3, 0, 1, 5, -1, 0);
    split.update(blocks.get(3), 3, 0, 1, 5, -1, 0);
    split.hold(blocks.get(2));
    Set<BlockInfo> left = new HashSet<>();
    given.forEach(left::addAll);
    assertEquals(Set.of(blocks.get(1), blocks.get(3)), left);
    assertEquals(4, split.size());
  }

  @Test
  public void inDoubtWhatIsHeldIsKept() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo block = group(STOCKS, 1);
    split.hold(block);
    split.add(block, 4, 0, 0, 5);
    isCopy = one -> {
      throw new IllegalStateException("thrown on purpose");
    };
    assertEquals(Set.of(), chosen(split, 10));
    assertEquals(1, rescueFailures);
    assertEquals(1, split.size());
  }

  /** Stock's thread would end the NameNode's process. */
  @Test
  public void noErrorOfAGroupGetsIntoStocksThread() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo block = group(STOCKS, 1);
    split.hold(block);
    split.add(block, 4, 0, 0, 5);
    List<Error> errors = List.of(new NoSuchMethodError("thrown on purpose"),
        new AssertionError("thrown on purpose"), new StackOverflowError("thrown on purpose"));
    for (Error error : errors) {
      isCopy = one -> {
        throw error;
      };
      assertEquals(Set.of(), chosen(split, 10));
    }
    assertEquals(errors.size(), rescueFailures);
    assertEquals(1, split.size());
  }

  /** After a failover, the same NameNode process still holds the same group. */
  @Test
  public void whatIsHeldIsHeldAfterAFailover() {
    SplitLowRedundancyBlocks split = split(false);
    BlockInfo block = group(STOCKS, 1);
    split.hold(block);
    split.add(block, 4, 0, 0, 5);
    split.clear();
    split.add(group(STOCKS, 1), 4, 0, 0, 5);
    assertEquals(Set.of(), chosen(split, 10));
  }

  @Test
  public void noMoreAreHeldThanTheBoundSays() {
    SplitLowRedundancyBlocks split = split(false);
    for (int i = 0; i < HeldGroups.HELD_MAX; i++) {
      assertTrue(split.hold(group(OURS, i)));
    }
    assertFalse(split.hold(group(OURS, HeldGroups.HELD_MAX)));
    assertTrue(split.hold(group(OURS, 0)));
    assertEquals(List.of(group(OURS, 0), group(OURS, 1)), split.takeHeld(2));
    assertEquals(List.of(group(OURS, 2)), split.takeHeld(1));
  }
}
