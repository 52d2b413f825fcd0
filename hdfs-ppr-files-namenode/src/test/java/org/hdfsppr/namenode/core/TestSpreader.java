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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.namenode.core.SpreadRpcHandler.Spreader;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.namenode.spread.SpreadNode;
import org.hdfsppr.namenode.spread.SpreadRow;
import org.hdfsppr.namenode.spread.SpreadView;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests in which order, and in which steps, columns are looked at. */
class TestSpreader {
  private static final long ONE = 501;
  private static final long OTHER = 502;
  private static final int UNITS = 5;

  private final CoreGroupRegistry shelf =
      new CoreGroupRegistry(new CoreGroupIndex(ids -> Collections.nCopies(ids.size(), null)));
  private final List<Collection<GroupId>> looks = new ArrayList<>();
  private boolean isTogether;
  private int nodeLooks;

  /** All first units are on one node, or each is on a node of its own. */
  private final SpreadView view = new SpreadView() {
    @Override
    public List<SpreadRow> rows(Collection<GroupId> groups) {
      looks.add(groups);
      List<SpreadRow> rows = new ArrayList<>();
      for (GroupId id : groups) {
        String node = isTogether ? "a" : "n" + id.groupId;
        rows.add(new SpreadRow(id, Map.of(0, Set.of(node)), Map.of(0, Set.of(node)),
            Map.of(0, new SpreadRow.Replica(node, StorageType.DISK, 10))));
      }
      return rows;
    }

    @Override
    public List<SpreadNode> nodes() {
      nodeLooks++;
      List<SpreadNode> nodes = new ArrayList<>();
      for (String uuid : List.of("a", "b", "c", "d")) {
        nodes.add(new SpreadNode(uuid, "/r", true,
            Map.of(StorageType.DISK, new SpreadNode.Room(1_000_000, 1_000_000, 0))));
      }
      return nodes;
    }

    @Override
    public LocatedBlock grant(BlockMove move, String user) {
      throw new AssertionError("nothing is granted here");
    }
  };

  private void add(long id, long directory, int groups) {
    shelf.add(PaperGroups.group(id, groups), directory);
  }

  private Spreader.Step step(SpreadPlace from, OptionalLong directory) {
    return new Spreader(view).step(shelf, directory, from);
  }

  @Test
  void groupsAreLookedAtInOrderWithTheRowsThatTheyHave() {
    add(30, ONE, 2);
    add(10, ONE, 1);
    Spreader.Step step = step(SpreadPlace.START, OptionalLong.empty());
    assertNull(step.next());
    assertEquals(3 * UNITS, step.columns());
    assertEquals(0, step.together());
    assertEquals(List.of(3, 3, 2),
        List.of(looks.get(0).size(), looks.get(1).size(), looks.get(2).size()));
    assertEquals(PaperGroups.FIRST + 11_000, looks.get(0).iterator().next().groupId);
    assertEquals(PaperGroups.FIRST + 31_016, looks.get(2).iterator().next().groupId);
    assertEquals(0, nodeLooks);
  }

  @Test
  void aStepBeginsWhereTheLastOneHasEndedAlsoIfTheGroupIsGone() {
    add(10, ONE, 1);
    add(30, ONE, 3);
    Spreader.Step step = step(new SpreadPlace(30, 1), OptionalLong.empty());
    assertEquals(2 * UNITS, step.columns());
    assertEquals(3 * UNITS, step(new SpreadPlace(20, 7), OptionalLong.empty()).columns());
    assertEquals(0, step(new SpreadPlace(31, 0), OptionalLong.empty()).columns());
    // The group is another one than the caller has seen, and has fewer block groups.
    assertEquals(0, step(new SpreadPlace(30, 5), OptionalLong.empty()).columns());
  }

  @Test
  void groupsOfOtherDirectoriesArePassed() {
    add(10, ONE, 1);
    add(20, OTHER, 4);
    add(30, ONE, 2);
    assertEquals(3 * UNITS, step(SpreadPlace.START, OptionalLong.of(ONE)).columns());
    assertEquals(4 * UNITS, step(SpreadPlace.START, OptionalLong.of(OTHER)).columns());
    assertEquals(0, step(SpreadPlace.START, OptionalLong.of(503)).columns());
  }

  @Test
  void aStepPassesOverABoundedNumberOfGroups() {
    long id = 10;
    for (int i = 0; i <= Spreader.PASSED_MAX; i++) {
      add(id, OTHER, 1);
      id += 10;
    }
    add(id, ONE, 1);
    Spreader.Step first = step(SpreadPlace.START, OptionalLong.of(ONE));
    assertEquals(0, first.columns());
    assertEquals(new SpreadPlace(id - 10, 0), first.next());
    Spreader.Step second = step(first.next(), OptionalLong.of(ONE));
    assertEquals(UNITS, second.columns());
    assertNull(second.next());
  }

  @Test
  void stepsAreBoundedAndSeeAllColumnsOnce() {
    add(10, ONE, 70);
    add(20, OTHER, 50);
    add(30, ONE, 130);
    long columns = 0;
    int steps = 0;
    SpreadPlace place = SpreadPlace.START;
    while (place != null) {
      Spreader.Step step = step(place, OptionalLong.of(ONE));
      assertTrue(step.columns() <= (long) Spreader.LOOKS_MAX * UNITS);
      columns += step.columns();
      assertTrue(step.next() == null || step.next().isBehind(place));
      place = step.next();
      steps++;
    }
    assertEquals(200 * UNITS, columns);
    assertEquals(2, steps);
    assertEquals(200, looks.stream().distinct().count());
  }

  @Test
  void aStepEndsWithEnoughMoves() {
    isTogether = true;
    add(10, ONE, 90);
    Spreader.Step step = step(SpreadPlace.START, OptionalLong.empty());
    // The first block groups have three blocks together, so two moves, and the others two blocks.
    assertEquals(Spreader.MOVES_MAX, step.found.size());
    assertEquals(Spreader.MOVES_MAX - 1, step.together());
    assertEquals(new SpreadPlace(10, Spreader.MOVES_MAX - 1), step.next());
    assertEquals(new SpreadPlace(10, 0), step.found.get(1).place);
    assertEquals(new SpreadPlace(10, 1), step.found.get(2).place);
    assertEquals(1, nodeLooks);
    Map<String, Integer> targets = new HashMap<>();
    step.found.forEach(found -> targets.merge(found.move.to, 1, Integer::sum));
    assertEquals(Set.of("b", "c", "d"), targets.keySet());
    targets.values().forEach(moves -> assertTrue(moves >= 21, targets.toString()));
  }
}
