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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hdfsppr.manage.PatchCommand.PatchSource;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** One node of each other rack adds up the changes of its rack. */
class TestDeltaTree {
  private static NodeRef node(int number, String rack) {
    return new NodeRef("n" + number, "10.0.0." + number, "host" + number, 9866, 9877, rack);
  }

  @Test
  void aRackSendsOneSum() {
    Map<Integer, NodeRef> data = new TreeMap<>(Map.of(0, node(0, "/a"), 1, node(1, "/b"),
        2, node(2, "/a"), 3, node(3, "/p"), 4, node(4, "/b"), 5, node(5, "/p")));
    List<PatchSource> sources =
        new DeltaTree().sources(node(9, "/p"), data, Set.of(0, 2, 3, 4, 5));
    assertEquals(List.of(new PatchSource(0, node(0, "/a"), true, PatchSource.DIRECT),
        // It has no updates, so that it adds nothing up.
        new PatchSource(1, node(1, "/b"), false, PatchSource.DIRECT),
        new PatchSource(2, node(2, "/a"), true, 0),
        // The parity unit is in this rack.
        new PatchSource(3, node(3, "/p"), true, PatchSource.DIRECT),
        new PatchSource(4, node(4, "/b"), true, PatchSource.DIRECT),
        new PatchSource(5, node(5, "/p"), true, PatchSource.DIRECT)).toString(),
        sources.toString());
  }
}
