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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.SliceBuffer;
import org.junit.jupiter.api.Test;

/** A helper's own first slice, read while its children get ready: once, and the right one. */
class TestReadFirst {
  private static final GroupId GROUP = new GroupId("BP-1", -16, 1001);
  private static final int SLICE = 512;
  private static final int FIRST = 3;
  private static final int END = 6;

  /** A unit whose bytes say in which slice they are; remembers where it was read. */
  private static final class Unit implements UnitSource {
    private final List<Long> reads = new ArrayList<>();
    private final List<Long> announced = new ArrayList<>();

    @Override
    public long length() {
      return 100 * SLICE;
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      reads.add(offset);
      while (dst.hasRemaining()) {
        dst.put((byte) (offset / SLICE));
      }
    }

    @Override
    public void announce(long offset, long length) {
      announced.add(offset);
      announced.add(length);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private static List<Long> sumAll(Unit unit, boolean first) throws IOException {
    return sumAll(unit, first, new SliceGeometry(unit.length(), SLICE, 0, 0)
        .withSlices(FIRST, END));
  }

  private static List<Long> sumAll(Unit unit, boolean first, SliceGeometry geometry)
      throws IOException {
    NodeRef node = new NodeRef("uuid-1", "10.0.0.1", "host1", 9866, 9877, "/r");
    PlanNode leaf = new PlanNode(node, Collections.singletonList(
        new RepairSource(1, GROUP.block(1, unit.length()), node, new byte[] {1}, 1)),
        Collections.emptyList());
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of("test", 1, 0, 1000),
        GROUP, geometry, leaf, Collections.emptyMap());
    RegionKernel kernel = Kernels.select("java");
    try (BufferSource.Lease lease =
        new BufferPool(1 << 20).lease(PartialSum.pieces(request, kernel))) {
      PartialSum sum = new PartialSum(request, Collections.singletonList(unit),
          Collections.emptyList(), kernel, lease, new NodeStats(), System::nanoTime);
      if (first) {
        sum.readFirst();
        assertEquals(List.of(geometry.offset(geometry.firstSlice)), unit.reads,
            "read before any sum");
      }
      for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
        SliceBuffer rows = sum.sum(slice);
        ByteBuffer row = rows.row(0);
        for (int i = 0; i < SLICE; i++) {
          assertEquals(geometry.offset(slice) / SLICE, row.get(),
              "byte " + i + " of slice " + slice);
        }
      }
    }
    return unit.reads;
  }

  @Test
  void eachSliceIsReadOnceAndInItsPlace() throws IOException {
    List<Long> wanted = List.of(3L * SLICE, 4L * SLICE, 5L * SLICE);
    assertEquals(wanted, sumAll(new Unit(), false));
    assertEquals(wanted, sumAll(new Unit(), true));
  }

  /** A source learns of each stretch of picked slices how long it is, right before it is read. */
  @Test
  void onlyPickedSlicesAreReadAndAnnounced() throws IOException {
    for (boolean first : new boolean[] {false, true}) {
      Unit unit = new Unit();
      SliceGeometry picked = new SliceGeometry(unit.length(), SLICE, 0, 0)
          .withPicked(2, 3, 7, 98, 99);
      assertEquals(List.of(2L * SLICE, 3L * SLICE, 7L * SLICE, 98L * SLICE, 99L * SLICE),
          sumAll(unit, first, picked));
      assertEquals(List.of(2L * SLICE, 2L * SLICE, 7L * SLICE, (long) SLICE, 98L * SLICE,
          2L * SLICE), unit.announced);
    }
  }
}
