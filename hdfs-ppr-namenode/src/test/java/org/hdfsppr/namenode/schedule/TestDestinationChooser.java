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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** The nodes of lost units, some of which suit only some of the units. */
class TestDestinationChooser {
  private static final GroupPolicy RS = new GroupPolicy("rs", 3, 2, Clusters.MIB);
  /** The nodes of the group's units; those of lost units are gone. */
  private static final int UNITS = 5;

  /** A filter by the numbers of nodes that each unit must not go to. */
  private static final class Columns implements DestinationFilter {
    private final Map<Integer, Set<String>> refused = new HashMap<>();
    private boolean yields;

    Columns refuse(int unit, Integer... nodes) {
      Arrays.stream(nodes).forEach(node ->
          refused.computeIfAbsent(unit, none -> new HashSet<>()).add("n" + node));
      return this;
    }

    @Override
    public boolean accepts(LostGroup group, NodeRef node) {
      return true;
    }

    @Override
    public boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
      return !refused.getOrDefault(unit, Set.of()).contains(node.uuid);
    }

    @Override
    public boolean yields(LostGroup group) {
      return yields;
    }
  }

  /**
   * Returns the numbers of the nodes chosen for the lost units. The group's live units are on the
   * last nodes.
   */
  private static int[] choose(int free, List<Integer> lost, DestinationFilter filter)
      throws IOException {
    RepairScheduler scheduler = Clusters.scheduler("balanced");
    List<NodeRef> nodes = Clusters.nodes(free + UNITS, 1);
    Fleet fleet = Clusters.fleet(scheduler, nodes.subList(0, free));
    LostGroup group = Clusters.group(1, RS, nodes.subList(free, free + UNITS), lost, 0);
    int[] chosen = new DestinationChooser(fleet,
        new GroupView(fleet, group, new CodeReads(Clusters::code)), filter).choose(-1);
    return Arrays.stream(chosen)
        .map(node -> Integer.parseInt(fleet.node(node).ref().uuid.substring(1))).toArray();
  }

  /** Each of the two nodes suits only one of the two lost units. */
  @Test
  void eachUnitGetsANodeThatSuitsIt() throws IOException {
    assertArrayEquals(new int[] {1, 0},
        choose(2, List.of(1, 4), new Columns().refuse(1, 0).refuse(4, 1)));
    assertArrayEquals(new int[] {0, 1},
        choose(2, List.of(1, 4), new Columns().refuse(1, 1).refuse(4, 0)));
  }

  /** The ranking prefers node 0 for all units, and the last one has no other choice. */
  @Test
  void unitsMakeRoomForEachOther() throws IOException {
    assertArrayEquals(new int[] {1, 2, 0}, choose(3, List.of(0, 2, 3),
        new Columns().refuse(0, 2).refuse(3, 1, 2)));
  }

  @Test
  void withoutANodeThatSuitsThereIsNone() throws IOException {
    Columns columns = new Columns().refuse(2, 0, 1, 2).refuse(3, 2);
    assertEquals(0, choose(3, List.of(2, 3), columns).length);
    columns.yields = true;
    int[] chosen = choose(3, List.of(2, 3), columns);
    assertEquals(2, chosen.length);
    assertTrue(chosen[1] != 2, "only the unit without a choice breaks the rule");
    assertEquals(0, choose(1, List.of(2, 3), columns).length, "there are two units for one node");
  }

  /** Units get nodes that suit them if and only if trying all ways finds such nodes. */
  @Test
  void thereAreNodesIfTryingAllWaysFindsThem() throws IOException {
    long seed = Long.getLong("seed", 20261127);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Integer> lost = List.of(0, 1, 3, 4);
    for (int round = 0; round < 300; round++) {
      int free = 3 + random.nextInt(4);
      Columns columns = new Columns();
      for (int unit : lost) {
        for (int node = 0; node < free; node++) {
          if (random.nextInt(3) > 0) {
            columns.refuse(unit, node);
          }
        }
      }
      String text = "seed " + seed + " round " + round + ": " + columns.refused;
      int[] chosen = choose(free, lost, columns);
      assertEquals(isPossible(columns, lost, free, new ArrayList<>()), chosen.length > 0, text);
      for (int i = 0; i < chosen.length; i++) {
        assertFalse(columns.refused.getOrDefault(lost.get(i), Set.of()).contains("n" + chosen[i]),
            text);
      }
      assertEquals(chosen.length, Arrays.stream(chosen).distinct().count(), text);
    }
  }

  private static boolean isPossible(Columns columns, List<Integer> lost, int free,
      List<Integer> taken) {
    if (taken.size() == lost.size()) {
      return true;
    }
    for (int node = 0; node < free; node++) {
      if (!taken.contains(node) && !columns.refused
          .getOrDefault(lost.get(taken.size()), Set.of()).contains("n" + node)) {
        List<Integer> more = new ArrayList<>(taken);
        more.add(node);
        if (isPossible(columns, lost, free, more)) {
          return true;
        }
      }
    }
    return false;
  }
}
