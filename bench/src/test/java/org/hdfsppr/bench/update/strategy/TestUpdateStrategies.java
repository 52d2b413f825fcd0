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

import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.DATA_DELTA;
import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.DELTA_REPLICA;
import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.NEW_DATA;
import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.OLD_DATA;
import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.PARITY_DELTA;
import static org.hdfsppr.bench.update.strategy.CrossRackTransfer.Kind.REPLICA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.junit.jupiter.api.Test;

/** Tests what each strategy sends, on stripes that are small enough to count by hand. */
class TestUpdateStrategies {
  /** Racks 0 and 1 have two data units each; rack 1 has a parity unit as well, rack 2 the other. */
  private static final StripeRacks MIXED = new StripeRacks(4, 3, 0, 0, 1, 1, 1, 2);
  /** Three racks have a data unit each, two other racks a parity unit each. */
  private static final StripeRacks SPREAD = new StripeRacks(3, 5, 0, 1, 2, 3, 4);

  private static UpdateStrategy strategy(String label) {
    return UpdateStrategies.byName(label, 1);
  }

  private static CrossRackTransfer transfer(CrossRackTransfer.Kind kind, int unit, int from, int to,
      long length) {
    return new CrossRackTransfer(kind, unit, from, to, length);
  }

  /** Returns changes of the first byte of these units. */
  private static StripeUpdates changed(int... units) {
    StripeUpdates updates = new StripeUpdates();
    for (int unit : units) {
      updates.add(unit, 0, 1);
    }
    return updates;
  }

  private static long cost(String label, StripeRacks racks, StripeUpdates updates) {
    return CrossRackTransfer.bytes(strategy(label).commit(racks, updates));
  }

  @Test
  void baselineSendsADeltaToEachParityInAnotherRack() {
    UpdateStrategy baseline = strategy("baseline");
    assertEquals(List.of(transfer(DATA_DELTA, 0, 0, 1, 10), transfer(DATA_DELTA, 0, 0, 2, 10)),
        baseline.append(MIXED, new WrittenRange(0, 10, 10)));
    assertEquals(List.of(transfer(DATA_DELTA, 3, 1, 2, 10)),
        baseline.append(MIXED, new WrittenRange(3, 10, 0)));
    assertEquals(List.of(), baseline.commit(MIXED, changed(0, 1, 2)));
    assertFalse(baseline.logs());
  }

  @Test
  void parixSendsOldBytesBeforeTheFirstWriteOnly() {
    UpdateStrategy parix = strategy("parix");
    assertEquals(List.of(transfer(NEW_DATA, 3, 1, 2, 10), transfer(OLD_DATA, 3, 1, 2, 4)),
        parix.append(MIXED, new WrittenRange(3, 10, 4)));
    assertEquals(List.of(transfer(NEW_DATA, 3, 1, 2, 10)),
        parix.append(MIXED, new WrittenRange(3, 10, 0)));
    assertEquals(List.of(), parix.commit(MIXED, changed(0, 1, 2)));
    assertTrue(parix.logs());
    assertFalse(parix.groups());
  }

  @Test
  void replicasAreInOtherRacksThoseWithParitiesFirst() {
    WrittenRange first = new WrittenRange(0, 10, 10);
    assertEquals(List.of(), strategy("cau-0").append(MIXED, first));
    assertEquals(List.of(transfer(REPLICA, 0, 0, 1, 10)), strategy("cau-1").append(MIXED, first));
    assertEquals(List.of(transfer(REPLICA, 0, 0, 1, 10), transfer(REPLICA, 0, 0, 2, 10)),
        strategy("cau-2").append(MIXED, first));
    WrittenRange besideParity = new WrittenRange(2, 10, 10);
    assertEquals(List.of(transfer(REPLICA, 2, 1, 2, 10)),
        strategy("cau").append(MIXED, besideParity));
    assertEquals(List.of(transfer(REPLICA, 2, 1, 2, 10), transfer(REPLICA, 2, 1, 0, 10)),
        strategy("cau-2").append(MIXED, besideParity));
  }

  @Test
  void moreReplicasThanOtherRacksAreRefused() {
    StripeRacks two = new StripeRacks(1, 2, 0, 1);
    String message = assertThrows(IllegalArgumentException.class,
        () -> strategy("cau-2").append(two, new WrittenRange(0, 1, 1))).getMessage();
    assertTrue(message.contains("2 interim replicas need more than 2 racks"), message);
  }

  @Test
  void cauSendsTheFewerOfDataAndParityDeltas() {
    assertEquals(List.of(transfer(DATA_DELTA, 0, 0, 1, 1), transfer(DATA_DELTA, 0, 0, 2, 1)),
        strategy("cau").commit(MIXED, changed(0)));
    assertEquals(List.of(transfer(PARITY_DELTA, 4, 0, 1, 1), transfer(PARITY_DELTA, 5, 0, 2, 1)),
        strategy("cau").commit(MIXED, changed(0, 1)));
    assertEquals(List.of(transfer(PARITY_DELTA, 5, 1, 2, 1)),
        strategy("cau").commit(MIXED, changed(2, 3)));
    assertEquals(3, cost("cau", MIXED, changed(0, 1, 2, 3)));
    assertEquals(6, cost("data-delta", MIXED, changed(0, 1, 2, 3)));
    assertEquals(3, cost("parity-delta", MIXED, changed(0, 1, 2, 3)));
    StripeRacks together = new StripeRacks(2, 2, 0, 0, 1, 1, 1);
    assertEquals(List.of(transfer(DATA_DELTA, 1, 0, 1, 1)),
        strategy("cau").commit(together, changed(1)));
    assertEquals(3, cost("parity-delta", together, changed(1)));
    assertEquals(List.of(transfer(DATA_DELTA, 0, 0, 1, 1), transfer(DATA_DELTA, 1, 0, 1, 1)),
        strategy("cau").commit(together, changed(0, 1)));
  }

  @Test
  void eachSegmentIsDecidedForItself() {
    StripeUpdates updates = new StripeUpdates();
    updates.add(0, 0, 100);
    updates.add(1, 60, 80);
    assertEquals(200, cost("cau", MIXED, updates));
    assertEquals(240, cost("data-delta", MIXED, updates));
  }

  @Test
  void collectMergesRacksWhereThatIsCheaper() {
    assertEquals(6, cost("cau", SPREAD, changed(0, 1, 2)));
    assertEquals(List.of(transfer(DATA_DELTA, 1, 1, 0, 1), transfer(DATA_DELTA, 2, 2, 0, 1),
        transfer(PARITY_DELTA, 3, 0, 3, 1), transfer(PARITY_DELTA, 4, 0, 4, 1)),
        strategy("collect").commit(SPREAD, changed(0, 1, 2)));
    StripeRacks two = new StripeRacks(2, 2, 0, 1, 0, 0, 1, 1);
    assertEquals(List.of(transfer(DATA_DELTA, 0, 0, 1, 1), transfer(DATA_DELTA, 1, 1, 0, 1)),
        strategy("collect").commit(two, changed(0, 1)), "CAU: collecting would cost 3");
  }

  @Test
  void deltaLogsHaveNothingToCollect() {
    UpdateStrategy log = strategy("delta-log");
    assertEquals(List.of(transfer(DELTA_REPLICA, 1, 1, 3, 10)),
        log.append(SPREAD, new WrittenRange(1, 10, 10)));
    assertEquals(List.of(transfer(PARITY_DELTA, 4, 3, 4, 1)),
        log.commit(SPREAD, changed(0, 1, 2)));
    assertEquals(List.of(transfer(DATA_DELTA, 2, 3, 4, 1)), log.commit(SPREAD, changed(2)));
    assertEquals(List.of(), log.commit(new StripeRacks(2, 2, 0, 1, 0, 0), changed(0, 1)));
  }

  /** Deltas of units beside the first log are in the second one, which needs them no more. */
  @Test
  void deltasAreNotSentWhereTheyAreLogged() {
    StripeRacks racks = new StripeRacks(3, 3, 0, 0, 2, 0, 0, 1);
    UpdateStrategy log = strategy("delta-log");
    assertEquals(List.of(transfer(DELTA_REPLICA, 0, 0, 1, 1)),
        log.append(racks, new WrittenRange(0, 1, 1)));
    assertEquals(List.of(), log.commit(racks, changed(0, 1)));
    assertEquals(List.of(transfer(DATA_DELTA, 2, 0, 1, 1)), log.commit(racks, changed(0, 2)));
    UpdateStrategy twoLogs = UpdateStrategies.byName("delta-log", 2);
    assertEquals(List.of(transfer(DELTA_REPLICA, 2, 2, 0, 1), transfer(DELTA_REPLICA, 2, 2, 1, 1)),
        twoLogs.append(racks, new WrittenRange(2, 1, 1)));
    assertEquals(List.of(), twoLogs.commit(racks, changed(0, 1, 2)));
  }

  /** Compares random layouts with the sums over racks that papers give. */
  @Test
  void randomCommitsCostWhatTheSumsSay() {
    int collected = 0;
    for (long seed = 1; seed <= 3000; seed++) {
      Random random = new Random(seed);
      int k = 2 + random.nextInt(7);
      int m = 1 + random.nextInt(4);
      int racks = 2 + random.nextInt(4);
      int[] rackOf = random.ints(k + m, 0, racks).toArray();
      int[] updated = new int[racks];
      int[] parities = new int[racks];
      StripeUpdates updates = new StripeUpdates();
      for (int unit = 0; unit < k + m; unit++) {
        if (unit >= k) {
          parities[rackOf[unit]]++;
        } else if (random.nextBoolean()) {
          updated[rackOf[unit]]++;
          updates.add(unit, 0, 1);
        }
      }
      StripeRacks stripe = new StripeRacks(k, racks, rackOf);
      long cau = cauSum(updated, parities);
      long collect = collectSum(updated, parities);
      assertEquals(cau, cost("cau", stripe, updates), "seed " + seed);
      assertEquals(Math.min(cau, collect), cost("collect", stripe, updates), "seed " + seed);
      assertEquals(deltaLogSum(updated, parities), cost("delta-log", stripe, updates),
          "seed " + seed);
      collected += collect < cau ? 1 : 0;
    }
    assertTrue(collected > 300, "only " + collected);
  }

  private static long cauSum(int[] updated, int[] parities) {
    long sum = 0;
    for (int i = 0; i < updated.length; i++) {
      for (int j = 0; j < parities.length; j++) {
        sum += i == j ? 0 : Math.min(updated[i], parities[j]);
      }
    }
    return sum;
  }

  private static long collectSum(int[] updated, int[] parities) {
    int all = Arrays.stream(updated).sum();
    long least = Long.MAX_VALUE;
    for (int a = 0; a < updated.length; a++) {
      long sum = all - updated[a];
      for (int j = 0; j < parities.length; j++) {
        sum += j == a ? 0 : Math.min(all, parities[j]);
      }
      least = Math.min(least, sum);
    }
    return least;
  }

  private static long deltaLogSum(int[] updated, int[] parities) {
    int all = Arrays.stream(updated).sum();
    int a = 0;
    for (int rack = 1; rack < parities.length; rack++) {
      a = parities[rack] > parities[a] ? rack : a;
    }
    int b = a == 0 ? 1 : 0;
    for (int rack = 0; rack < parities.length; rack++) {
      b = rack != a && parities[rack] > parities[b] ? rack : b;
    }
    long sum = 0;
    for (int j = 0; j < parities.length; j++) {
      sum += j == a ? 0 : Math.min(all - (j == b ? updated[a] : 0), parities[j]);
    }
    return sum;
  }

  @Test
  void strategiesHaveTheirNames() {
    for (String label : UpdateStrategies.LABELS) {
      assertEquals(label, strategy(label).label());
    }
    assertEquals(3, UpdateStrategies.byName("cau", 3).replicas());
    assertEquals(1, UpdateStrategies.byName("cau-1", 3).replicas());
    assertEquals(3, UpdateStrategies.byName("collect", 3).replicas());
    assertThrows(IllegalArgumentException.class, () -> strategy("CAU"));
    assertThrows(IllegalArgumentException.class, () -> UpdateStrategies.byName("cau", -1));
    assertThrows(IllegalArgumentException.class, () -> UpdateStrategies.byName("delta-log", 0));
  }

  @Test
  void aWriteHasBytes() {
    assertThrows(IllegalArgumentException.class, () -> new WrittenRange(0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new WrittenRange(0, 5, 6));
    assertThrows(IllegalArgumentException.class, () -> new WrittenRange(0, 5, -1));
    assertThrows(IllegalArgumentException.class, () -> new WrittenRange(-1, 5, 5));
  }
}
