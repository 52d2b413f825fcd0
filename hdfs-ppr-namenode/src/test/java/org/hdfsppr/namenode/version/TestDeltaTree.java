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
import org.hdfsppr.manage.PatchSource;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.ByteRanges;
import org.junit.jupiter.api.Test;

/** Changes go to parity units as the strategy says. */
class TestDeltaTree {
  private static final LinearCode CODE = ReedSolomon.hadoop(7, 3);
  /** Racks of data units 0 to 6, and of parity units 7 to 9. */
  private static final String[] RACKS =
      {"/a", "/b", "/a", "/p", "/b", "/a", "/p", "/p", "/p", "/q"};

  private static NodeRef node(int number) {
    return new NodeRef("n" + number, "10.0.0." + number, "host" + number, 9866, 9877,
        RACKS[number]);
  }

  private static DeltaTree tree(String strategy, int... changed) {
    Map<Integer, NodeRef> nodes = new HashMap<>();
    for (int unit = 0; unit < RACKS.length; unit++) {
      nodes.put(unit, node(unit));
    }
    Map<Integer, ByteRanges> ranges = new HashMap<>();
    for (int unit : changed) {
      ByteRanges own = new ByteRanges();
      own.add(0, 10);
      ranges.put(unit, own);
    }
    return new DeltaTree(strategy, CODE, nodes, ranges);
  }

  private static PatchSource summed(int unit, int via) {
    return PatchSource.changed(unit, node(unit), via, Map.of(0L, 10L), Map.of());
  }

  private static PatchSource forwarded(int unit, int via) {
    return PatchSource.changed(unit, node(unit), via, Map.of(), Map.of(0L, 10L));
  }

  @Test
  void aRackSendsOneSum() {
    DeltaTree tree = tree("parity-delta", 0, 2, 3, 4, 5, 6);
    assertEquals(List.of(summed(0, PatchSource.DIRECT),
        // It has no updates, so that it adds nothing up.
        PatchSource.unchanged(1, node(1)), summed(2, 0),
        summed(3, PatchSource.DIRECT), summed(4, PatchSource.DIRECT), summed(5, 0),
        // The parity unit is in this rack, so that it gets both changes directly.
        summed(6, PatchSource.DIRECT)).toString(), tree.sources(7).toString());
    assertEquals(Optional.empty(), tree.forwarder(7, List.of(7, 8, 9)));
  }

  @Test
  void fewChangesAreForwarded() {
    // Three of rack a are more than the two parity units of rack p; one of rack b is not.
    DeltaTree tree = tree("cau", 0, 2, 3, 4, 5);
    assertEquals(List.of(summed(0, PatchSource.DIRECT), PatchSource.unchanged(1, node(1)),
        summed(2, 0), summed(3, PatchSource.DIRECT), forwarded(4, PatchSource.DIRECT),
        summed(5, 0), PatchSource.unchanged(6, node(6))).toString(), tree.sources(8).toString());
    assertEquals(Optional.of(7), tree.forwarder(7, List.of(7, 8, 9)));
    assertEquals(Optional.of(7), tree.forwarder(8, List.of(7, 8, 9)));
    // The first one does not change.
    assertEquals(Optional.of(8), tree.forwarder(8, List.of(8, 9)));
    // Rack q has one parity unit, for which one change is a sum.
    assertEquals(Optional.empty(), tree.forwarder(9, List.of(7, 8, 9)));
    assertEquals(summed(2, 0).toString(), tree.sources(9).get(2).toString());
  }

  @Test
  void allChangesAreForwardedIfTheStrategySaysSo() {
    DeltaTree tree = tree("data-delta", 0, 2, 3, 5);
    assertEquals(forwarded(2, 0).toString(), tree.sources(7).get(2).toString());
    assertEquals(summed(3, PatchSource.DIRECT).toString(), tree.sources(7).get(3).toString());
    assertEquals(Optional.of(9), tree.forwarder(9, List.of(7, 8, 9)));
    assertEquals(forwarded(0, PatchSource.DIRECT).toString(), tree.sources(9).get(0).toString());
  }
}
