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
package org.hdfsppr.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.Test;

/** The bytes of slices, and of what comes between them. */
@InterfaceAudience.Private
class TestGoldenSlices {
  private static final NodeRef CHILD =
      new NodeRef("uuid-1", "10.0.0.1", "host-1", 9866, 9877, "/rack-1");
  private static final PlanNode TREE = new PlanNode(CHILD, List.of(), List.of());
  private static final ProgressProto PROGRESS = ProgressProto.newBuilder().addNodes(
      NodeProgressProto.newBuilder().setUuid("uuid-1").setSlicesDone(1).setChildWaitMs(2)
          .setParentWaitMs(3).setLocalMs(4)).build();
  private static final int ROWS = 2;

  private static SliceBuffer buffer(SliceGeometry geometry) {
    return new SliceBuffer(
        ByteBuffer.allocate(SliceBuffer.bytesFor(ROWS, geometry.sliceBytes())), ROWS);
  }

  private static void shape(SliceBuffer rows, SliceGeometry geometry, int slice) {
    rows.shape(geometry.checked(slice) ? ROWS : 1, geometry.length(slice));
  }

  private static byte[] sent(SliceGeometry geometry, RepairException failure)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SliceWriter writer = new SliceWriter(out, geometry);
    SliceBuffer rows = buffer(geometry);
    for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
      shape(rows, geometry, slice);
      for (int row = 0; row < rows.rows(); row++) {
        ByteBuffer bytes = rows.row(row);
        while (bytes.hasRemaining()) {
          bytes.put((byte) (slice * 31 + row * 7 + bytes.position()));
        }
      }
      if (slice == geometry.firstSlice + 1) {
        writer.progress(PROGRESS);
      }
      writer.send(slice, rows);
    }
    if (failure == null) {
      writer.end();
    } else {
      writer.fail(failure);
    }
    return out.toByteArray();
  }

  private static byte[] again(byte[] arrived, SliceGeometry geometry) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SliceWriter writer = new SliceWriter(out, geometry);
    SliceReader reader = new SliceReader(new ChannelInput(new ByteArrayInputStream(arrived)),
        geometry, TREE, progress -> {
          try {
            writer.progress(progress);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    SliceBuffer rows = buffer(geometry);
    try {
      for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
        shape(rows, geometry, slice);
        reader.receive(slice, rows);
        writer.send(slice, rows);
      }
      reader.receiveEnd();
      writer.end();
    } catch (RepairException e) {
      writer.fail(e);
    }
    return out.toByteArray();
  }

  private static void add(Golden golden, String sample, SliceGeometry geometry,
      RepairException failure) throws IOException {
    golden.stream(sample, sent(geometry, failure), bytes -> again(bytes, geometry));
  }

  @Test
  void streams() throws IOException {
    Golden golden = Golden.of("wire/slices");
    SliceGeometry whole = new SliceGeometry(2 * 512 + 33, 512, 2, 0);
    add(golden, "a checked and a plain slice, a progress, and the end", whole, null);
    add(golden, "a range", new SliceGeometry(9 * 512, 512, 0, 0).withSlices(3, 4), null);
    add(golden, "a failure", new SliceGeometry(60, 512, 0, 0),
        new RepairException(FailureCause.CORRUPT_REPLICA, CHILD, "bad disk", null));
    golden.check();
  }
}
