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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.UnsupportedRequestException;
import org.junit.jupiter.api.Test;

/** What codes and settings can ask for is served, and nothing beyond. */
@InterfaceAudience.Private
class TestRequestLimits {
  private static final int SLICE = 64 << 10;
  private static final int CELL = 1 << 20;
  private static final int STALL_MS = 10_000;
  private static final RegionKernel KERNEL = Kernels.select("java");

  private final RequestLimits limits = new RequestLimits(SLICE, STALL_MS, KERNEL);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  /** A request to a node with {@code units} units and two children. */
  private static PartialSumRequest request(int subChunks, int lostRows, int units, int sliceBytes,
      int stallMs) {
    GroupId group = new GroupId("BP-1", -16, 1001);
    byte[] coefficients = new byte[(lostRows + 1) * subChunks];
    coefficients[0] = 1;
    List<RepairSource> sources = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      sources.add(new RepairSource(unit, group.block(unit, CELL), node(0), coefficients, subChunks,
          lostRows, new byte[0]));
    }
    List<PlanNode> children = new ArrayList<>();
    for (int child = 1; child <= 2; child++) {
      children.add(new PlanNode(node(child),
          Collections.singletonList(new RepairSource(units + child,
          group.block(units + child, CELL), node(child), coefficients, subChunks, lostRows,
              new byte[0])), Collections.emptyList()));
    }
    return new PartialSumRequest(PartialSumRequest.of("test", lostRows, 1, stallMs), group,
        new SliceGeometry(CELL, sliceBytes, subChunks, subChunks == 1 ? 0 : CELL, 64, 0),
        new PlanNode(node(0), sources, children), Collections.emptyMap());
  }

  @Test
  void everyCodeIsServed() throws Exception {
    for (PprCodec codec : PprCodec.values()) {
      for (LinearCode code : codec.shippedCodes()) {
        PartialSumRequest request = request(code.subChunks(),
            code.parityUnits() * code.subChunks(), 3, SLICE, STALL_MS);
        assertSame(request, limits.admit(request), code.toString());
      }
    }
    // Any RS policy that HDFS takes.
    PartialSumRequest rs = request(1, 8, 7, SLICE, STALL_MS);
    assertSame(rs, limits.admit(rs));
  }

  @Test
  void theLargestShapeOfTheWireIsRefused() {
    PartialSumRequest request = request(8, 64, 1, 1 << 20, STALL_MS);
    String message = assertThrows(UnsupportedRequestException.class,
        () -> limits.admit(request)).getMessage();
    assertTrue(message.startsWith("The request needs 144715776 bytes of memory for 65 rows and 1"
        + " units of 8 sub-chunks in slices of 1048576 bytes"), message);
    assertTrue(message.endsWith("if dfs.ppr.slice.bytes is set there; take it out"), message);
    assertTrue(limits.bytesMost < 8 << 20, limits.bytesMost + " bytes");
  }

  @Test
  void largerSlicesWantTheSetting() throws Exception {
    PartialSumRequest request = request(4, 16, 1, 1 << 20, STALL_MS);
    assertThrows(UnsupportedRequestException.class, () -> limits.admit(request));
    assertSame(request, new RequestLimits(1 << 20, STALL_MS, KERNEL).admit(request));
    PartialSumRequest usual = request(4, 16, 1, SLICE, STALL_MS);
    assertSame(usual, new RequestLimits(4096, STALL_MS, KERNEL).admit(usual),
        "the default is taken");
  }

  @Test
  void aCallerIsNotMorePatientThanTheNode() throws Exception {
    PartialSumRequest request = request(1, 1, 1, SLICE, RequestBounds.STALL_TIMEOUT_MS_MAX);
    PartialSumRequest admitted = limits.admit(request);
    assertEquals(STALL_MS, admitted.stallTimeoutMs);
    assertTrue(admitted.patienceMs() < 60_000, admitted.patienceMs() + " ms");
    assertEquals(request.lostRows, admitted.lostRows);
    assertSame(request.geometry, admitted.geometry);
    PartialSumRequest hasty = request(1, 1, 1, SLICE, 500);
    assertEquals(500, limits.admit(hasty).stallTimeoutMs);
  }
}
