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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.ByteRanges;
import org.junit.jupiter.api.Test;

/** Changes go to parity units as the strategy says. */
class TestDeltaTree {
  private static final LinearCode CODE = ReedSolomon.hadoop(7, 3);
  /** Racks of data units 0 to 6, and of parity units 7 to 9. */
  private static final String[] RACKS =
      {"/a", "/b", "/a", "/p", "/b", "/a", "/p", "/p", "/p", "/q"};

  /** Data units 0 to 6 are in racks of their own; parity units 7 and 8 in one, 9 in another one. */
  private static final String[] SPREAD =
      {"/0", "/1", "/2", "/3", "/4", "/5", "/6", "/p", "/p", "/q"};

  private static NodeRef node(int number) {
    return node(number, RACKS[number]);
  }

  private static NodeRef node(int number, String rack) {
    return new NodeRef("n" + number, "10.0.0." + number, "host" + number, 9866, 9877, rack);
  }

  private static DeltaTree tree(String strategy, int... changed) {
    return tree(strategy, List.of(7, 8, 9), RACKS, changed);
  }

  private static DeltaTree tree(String strategy, List<Integer> made, String[] racks,
      int... changed) {
    return tree(strategy, made, racks, Map.of(), changed);
  }

  private static DeltaTree tree(String strategy, List<Integer> made, String[] racks,
      Map<Integer, List<NodeRef>> followers, int... changed) {
    Map<Integer, NodeRef> nodes = new HashMap<>();
    for (int unit = 0; unit < RACKS.length; unit++) {
      nodes.put(unit, node(unit, racks[unit]));
    }
    Map<Integer, ByteRanges> ranges = new HashMap<>();
    for (int unit : changed) {
      ByteRanges own = new ByteRanges();
      own.add(0, 10);
      ranges.put(unit, own);
    }
    return new DeltaTree(strategy, CODE, nodes, ranges, made, followers);
  }

  private static PatchSource summed(int unit, int via) {
    return PatchSource.changed(unit, node(unit), via, Map.of(0L, 10L), Map.of(), Map.of());
  }

  private static PatchSource forwarded(int unit, int via) {
    return PatchSource.changed(unit, node(unit), via, Map.of(), Map.of(0L, 10L), Map.of());
  }

  @Test
  void aRackSendsOneSum() {
    DeltaTree tree = tree("cau", 0, 2, 3, 5, 6);
    assertEquals(List.of(summed(0, PatchSource.DIRECT),
        // It has no updates, so that it adds nothing up.
        PatchSource.unchanged(1, node(1)), summed(2, 0),
        summed(3, PatchSource.DIRECT), PatchSource.unchanged(4, node(4)), summed(5, 0),
        // The parity unit is in this rack, so that it gets both changes directly.
        summed(6, PatchSource.DIRECT)).toString(), tree.sources(7).toString());
    assertEquals(Optional.empty(), tree.forwarder(7));
  }

  @Test
  void fewChangesAreForwarded() {
    // Three of rack a are more than the two parity units of rack p; one of rack b is not.
    DeltaTree tree = tree("cau", 0, 2, 3, 4, 5);
    assertEquals(List.of(summed(0, PatchSource.DIRECT), PatchSource.unchanged(1, node(1)),
        summed(2, 0), summed(3, PatchSource.DIRECT), forwarded(4, PatchSource.DIRECT),
        summed(5, 0), PatchSource.unchanged(6, node(6))).toString(), tree.sources(8).toString());
    assertEquals(Optional.of(7), tree.forwarder(7));
    assertEquals(Optional.of(7), tree.forwarder(8));
    // The first one does not change. For the other one, one change is a sum then.
    assertEquals(Optional.empty(),
        tree("cau", List.of(8, 9), RACKS, 0, 2, 3, 4, 5).forwarder(8));
    // Rack q has one parity unit, for which one change is a sum.
    assertEquals(Optional.empty(), tree.forwarder(9));
    assertEquals(summed(2, 0).toString(), tree.sources(9).get(2).toString());
  }

  @Test
  void asManyChangesAsParityUnitsAreForwarded() {
    DeltaTree tree = tree("cau", 0, 2, 3);
    assertEquals(forwarded(0, PatchSource.DIRECT).toString(), tree.sources(7).get(0).toString());
    assertEquals(forwarded(2, 0).toString(), tree.sources(7).get(2).toString());
    assertEquals(summed(3, PatchSource.DIRECT).toString(), tree.sources(7).get(3).toString());
    assertEquals(Optional.of(7), tree.forwarder(7));
    assertEquals(Optional.empty(), tree.forwarder(9));
    assertEquals(summed(2, 0).toString(), tree.sources(9).get(2).toString());
  }

  @Test
  void theCollectorHasAllChanges() {
    DeltaTree tree = tree("collect", List.of(7, 8, 9), SPREAD, 0, 1, 2, 3);
    for (int unit = 0; unit < 4; unit++) {
      NodeRef node = node(unit, SPREAD[unit]);
      String forwarded = PatchSource.changed(unit, node, PatchSource.DIRECT, Map.of(),
          Map.of(0L, 10L), Map.of()).toString();
      assertEquals(forwarded, tree.sources(7).get(unit).toString());
      assertEquals(forwarded, tree.sources(8).get(unit).toString());
      assertEquals(PatchSource.changed(unit, node, PatchSource.DIRECT, Map.of(), Map.of(),
          Map.of(0L, 10L)).toString(), tree.sources(9).get(unit).toString());
    }
    assertEquals(Optional.of(7), tree.forwarder(8));
    assertEquals(Optional.empty(), tree.collector(8));
    assertEquals(List.of(7), tree.before(8));
    assertEquals(List.of(), tree.before(7));
    assertEquals(Optional.empty(), tree.forwarder(9));
    assertEquals(Optional.of(7), tree.collector(9));
    assertEquals(List.of(7), tree.before(9));
  }

  private static List<NodeRef> follower(int number) {
    return List.of(node(number, SPREAD[number]));
  }

  private static String source(int unit, Map<Long, Long> summed, Map<Long, Long> forwarded,
      Map<Long, Long> collected) {
    return PatchSource.changed(unit, node(unit, SPREAD[unit]), PatchSource.DIRECT, summed,
        forwarded, collected).toString();
  }

  /** The node that has most deltas keeps the changes, also if it is not the first of its rack. */
  @Test
  void theNodeWithTheDeltasCollects() {
    Map<Long, Long> range = Map.of(0L, 10L);
    Map<Integer, List<NodeRef>> followers = Map.of(0, follower(8), 1, follower(8), 2, follower(7),
        3, follower(2));
    DeltaTree tree = tree("delta-log", List.of(7, 8, 9), SPREAD, followers, 0, 1, 2, 3);
    for (int unit = 0; unit < 4; unit++) {
      for (int parity : new int[] {7, 8}) {
        assertEquals(source(unit, Map.of(), range, Map.of()),
            tree.sources(parity).get(unit).toString());
      }
      assertEquals(source(unit, Map.of(), Map.of(), range),
          tree.sources(9).get(unit).toString());
    }
    assertEquals(Optional.of(8), tree.forwarder(7));
    assertEquals(Optional.of(8), tree.forwarder(8));
    assertEquals(Optional.of(8), tree.collector(9));
    assertEquals(List.of(8), tree.before(7));
    assertEquals(List.of(), tree.before(8));
    assertEquals(List.of(8), tree.before(9));
    // It stays. The first one of the rack is as good then.
    DeltaTree without = tree("delta-log", List.of(7, 9), SPREAD, followers, 0, 1, 2, 3);
    assertEquals(Optional.of(7), without.collector(9));
    // Other strategies have logs for other purposes.
    assertEquals(Optional.of(7),
        tree("collect", List.of(7, 8, 9), SPREAD, followers, 0, 1, 2, 3).collector(9));
  }

  /** What the rack of the logs has of its own is in another one, to which it does not cross. */
  @Test
  void whatAnotherRackHasLoggedIsNoReasonForASum() {
    String[] racks = SPREAD.clone();
    racks[1] = "/p";
    Map<Integer, List<NodeRef>> followers = Map.of(0, follower(7), 1, follower(9));
    DeltaTree tree = tree("delta-log", List.of(7, 8, 9), racks, followers, 0, 1);
    assertEquals(Optional.empty(), tree.collector(9));
    assertEquals(Optional.of(7), tree.forwarder(8));
    assertEquals(Map.of(0L, 10L), tree.sources(8).get(0).forwarded);
    // Its own change, it has in its rack.
    assertEquals(Map.of(0L, 10L), tree.sources(8).get(1).summed);
    assertEquals(Map.of(0L, 10L), tree.sources(9).get(0).summed);
    assertEquals(Map.of(0L, 10L), tree.sources(9).get(1).summed);
    assertEquals(Optional.of(7), tree("delta-log", List.of(7, 8, 9), racks, followers, 0, 1, 2)
        .collector(9));
  }

  /** A local parity unit of LRC changes only with its own data units. */
  @Test
  void aRackWhoseParityUnitsStayDoesNotCollect() {
    DeltaTree tree = tree("collect", List.of(9), SPREAD, 0, 1, 2, 3);
    assertEquals(Optional.empty(), tree.collector(9));
    assertEquals(List.of(), tree.before(9));
    assertEquals(tree("cau", List.of(9), SPREAD, 0, 1, 2, 3).sources(9).toString(),
        tree.sources(9).toString());
  }

  /** The rack of a parity unit that stays does not keep others from collecting. */
  @Test
  void aRackWhoseParityUnitsChangeCollectsInstead() {
    String[] racks = {"/0", "/1", "/2", "/3", "/4", "/5", "/6", "/p", "/q", "/r"};
    assertEquals(Optional.of(7),
        tree("collect", List.of(7, 8, 9), racks, 0, 1, 2).collector(9));
    DeltaTree tree = tree("collect", List.of(8, 9), racks, 0, 1, 2);
    assertEquals(Optional.of(8), tree.forwarder(8));
    assertEquals(Optional.of(8), tree.collector(9));
    assertEquals(List.of(8), tree.before(9));
    // Its link may fail, and needs nothing from the collector.
    assertEquals(List.of(), tree.before(7));
  }
}
