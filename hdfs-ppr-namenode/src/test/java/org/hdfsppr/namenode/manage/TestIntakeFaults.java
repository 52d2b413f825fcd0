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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An error at one group of a poll, and what becomes of the others. A poll reports them once. */
class TestIntakeFaults {
  private final PaperCluster cluster = new PaperCluster(new Configuration(false));
  private final AtomicBoolean isBroken = new AtomicBoolean(true);
  private final List<LostGroup> groups = new ArrayList<>();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private long counted() {
    return MetricsAsserts.getLongCounter("GroupLooksFailedTotal",
        MetricsAsserts.getMetrics(cluster.metrics));
  }

  private void lose(Error error) {
    cluster.step(14_000);
    for (int i = 1; i <= 5; i++) {
      groups.add(cluster.group(i, PaperCluster.RS, 15, 16, 17, 18, 19));
    }
    long bad = groups.get(1).id.groupId;
    cluster.manager.useColumns(blockGroup -> {
      if (isBroken.get() && blockGroup == bad) {
        throw error;
      }
      return Optional.empty();
    });
    groups.forEach(cluster.books::lose);
    cluster.step(2_000);
  }

  @Test
  void anErrorAtOneGroupCostsTheOthersNothing() {
    lose(new AssertionError("a test"));
    for (int i = 0; i < groups.size(); i++) {
      assertEquals(i != 1, cluster.isUnderWay(groups.get(i)), "group " + i);
    }
    assertEquals(1, counted());
    cluster.step(IntakeFaults.AGAIN_MS);
    assertEquals(2, counted(), "it is tried again, with a rest");
    assertFalse(cluster.isUnderWay(groups.get(1)));
    isBroken.set(false);
    cluster.step(IntakeFaults.AGAIN_MS);
    assertTrue(cluster.isUnderWay(groups.get(1)));
    assertEquals(2, counted());
  }

  @Test
  void anErrorAtOneEndCostsTheOthersNothing() {
    isBroken.set(false);
    lose(new AssertionError("a test"));
    groups.forEach(group -> assertTrue(cluster.isUnderWay(group)));
    // The first end of the poll has no outcome, which brings an error.
    cluster.books.end(groups.get(0).id, null);
    cluster.books.end(groups.get(1).id, RepairEnd.DONE);
    groups.add(cluster.group(6, PaperCluster.RS, 15, 16, 17, 18, 19));
    cluster.books.lose(groups.get(5));
    cluster.step(1_000);
    assertEquals(1, counted());
    assertFalse(cluster.isUnderWay(groups.get(1)), "the other end is taken in");
    assertTrue(cluster.isUnderWay(groups.get(5)), "and so is the loss");
  }

  @Test
  void whatIsWholeMeanwhileIsNotTakenIn() {
    lose(new StackOverflowError("a test"));
    cluster.books.end(groups.get(1).id);
    isBroken.set(false);
    cluster.step(2 * IntakeFaults.AGAIN_MS);
    assertFalse(cluster.isUnderWay(groups.get(1)));
    groups.remove(1);
    groups.forEach(group -> cluster.books.end(group.id, RepairEnd.DONE));
    cluster.step(1_000);
    assertEquals(0, cluster.manager.tracker.size());
  }
}
