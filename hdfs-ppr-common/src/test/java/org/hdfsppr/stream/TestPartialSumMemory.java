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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.Test;

/** What a node of a tree needs of memory: slices, however long the units are. */
class TestPartialSumMemory {
  private static final int SLICE = 64 << 10;

  private static int bytesFor(long streamBytes, int children) {
    GroupId group = new GroupId("BP-1", -16, 1001);
    NodeRef node = new NodeRef("uuid-1", "10.0.0.1", "host1", 9866, 9877, "/r");
    NodeRef below = new NodeRef("uuid-2", "10.0.0.2", "host2", 9866, 9877, "/r");
    RepairSource source = new RepairSource(1, group.block(1, streamBytes), node,
        new byte[] {1, 2, 3}, 2);
    PlanNode child = new PlanNode(below, Arrays.asList(
        new RepairSource(2, group.block(2, streamBytes), below, new byte[] {1, 2, 3}, 2)),
        Collections.emptyList());
    PlanNode tree = new PlanNode(node, Collections.singletonList(source),
        Collections.nCopies(children, child));
    return Arrays.stream(PartialSum.pieces(new PartialSumRequest(
        PartialSumRequest.of("test", 2, 1, 1000), group,
        new SliceGeometry(streamBytes, SLICE, 64, 0), tree, Collections.emptyMap()),
        Kernels.select("java"))).sum();
  }

  @Test
  void memoryDoesNotGrowWithTheBlock() {
    int mostRows = 3;
    int small = bytesFor(SLICE, 1);
    assertEquals(small, bytesFor(64L << 20, 1));
    assertEquals(small, bytesFor(1L << 40, 1));
    assertEquals((mostRows + 1) * SLICE, small / SLICE * SLICE, "a slice of rows, and one read");
    // Sums of several children are added up one by one.
    assertEquals(bytesFor(SLICE, 2), bytesFor(1L << 40, 5));
  }
}
