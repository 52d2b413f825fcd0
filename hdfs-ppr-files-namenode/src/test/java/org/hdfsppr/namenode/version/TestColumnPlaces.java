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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.hdfsppr.namenode.version.ParityMaker.ColumnPlaces;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests where the units of a parity group are placed. */
class TestColumnPlaces {
  private static NodeRef node(int number, String rack) {
    return new NodeRef("u" + number, "10.0.0." + number, "n" + number, 9866, 9867, rack);
  }

  private static List<NodeRef> nodes(int count, int racks) {
    List<NodeRef> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(node(i, "/r" + i % racks));
    }
    return nodes;
  }

  @Test
  void aUnitGoesIntoARackWithoutABlockOfItsColumn() {
    List<NodeRef> nodes = nodes(6, 3);
    // Nodes 0 and 1 are in racks 0 and 1.
    Map<Integer, NodeRef> places = new ColumnPlaces(nodes,
        Map.of(4, List.of(nodes.get(0), nodes.get(1))), List.of()).choose().orElseThrow();
    assertEquals("/r2", places.get(4).rack);
  }

  @Test
  void unitsMakeRoomForEachOther() {
    List<NodeRef> nodes = nodes(3, 1);
    // Unit 0 could go anywhere and takes node 0, which is the only one for unit 2.
    Map<Integer, Collection<NodeRef>> columns = new HashMap<>();
    columns.put(0, List.of());
    columns.put(1, List.of(nodes.get(2)));
    columns.put(2, List.of(nodes.get(1), nodes.get(2)));
    Map<Integer, NodeRef> places =
        new ColumnPlaces(nodes, columns, List.of()).choose().orElseThrow();
    assertEquals(nodes.get(0), places.get(2));
    assertEquals(nodes.get(1), places.get(1));
    assertEquals(nodes.get(2), places.get(0));
  }

  @Test
  void tooFewNodesHaveNoPlaces() {
    List<NodeRef> nodes = nodes(3, 1);
    assertTrue(new ColumnPlaces(nodes, Map.of(0, List.of(), 1, List.of(), 2, List.of()),
        List.of(nodes.get(1))).choose().isEmpty());
  }

  @Test
  void placesOfRandomColumnsAreAllowed() {
    long seed = 20261125;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int chosen = 0;
    for (int round = 0; round < 2_000; round++) {
      List<NodeRef> nodes = nodes(6 + random.nextInt(14), 1 + random.nextInt(5));
      Map<Integer, Collection<NodeRef>> columns = new HashMap<>();
      for (int unit = 0; unit < 6; unit++) {
        Set<NodeRef> column = new HashSet<>();
        for (int i = random.nextInt(6); i > 0; i--) {
          column.add(nodes.get(random.nextInt(nodes.size())));
        }
        columns.put(unit, column);
      }
      List<NodeRef> taken = random.nextBoolean() ? List.of() : List.of(nodes.get(0));
      Optional<Map<Integer, NodeRef>> places =
          new ColumnPlaces(nodes, columns, taken).choose();
      if (places.isPresent()) {
        chosen++;
        assertEquals(6, new HashSet<>(places.get().values()).size());
        places.get().forEach((unit, node) -> {
          assertFalse(columns.get(unit).contains(node));
          assertFalse(taken.contains(node));
        });
      }
    }
    assertTrue(chosen > 1_000, chosen + " rounds had places");
  }
}
