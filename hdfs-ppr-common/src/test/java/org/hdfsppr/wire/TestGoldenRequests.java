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

import static org.hdfsppr.golden.WireBytes.in;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.MessageFrame;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.Test;

/** The bytes of requests for partial sums, of their answers, and of words about inner targets. */
@InterfaceAudience.Private
class TestGoldenRequests {
  private static final GroupId GROUP = new GroupId("BP-7", -1024, 1001);
  private static final byte[] NONE = {};
  private static final int LENGTH = 10_001;

  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host-" + number, 9866, 9890,
        "/rack-" + number);
  }

  private static Token<BlockTokenIdentifier> token(int number) {
    return new Token<>(new byte[] {1, (byte) number}, new byte[] {2, (byte) number},
        new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0." + number + ":9866"));
  }

  private RepairSource source(int unit, BlockRef block, NodeRef holder, int subChunks, int lostRows,
      byte[] tail, int... coefficients) {
    byte[] bytes = new byte[coefficients.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) coefficients[i];
    }
    tokens.put(block, token(unit));
    return new RepairSource(unit, block, holder, bytes, subChunks, lostRows, tail);
  }

  private RepairSource own(int unit, int subChunks, int lostRows, byte[] tail,
      int... coefficients) {
    return source(unit, GROUP.block(unit, LENGTH - unit), node(unit), subChunks, lostRows, tail,
        coefficients);
  }

  private PartialSumRequest request(SliceGeometry geometry, int lostRows, int checkRows,
      PlanNode tree) {
    return new PartialSumRequest(PartialSumRequest.of("repair-1", lostRows, checkRows, 30_000),
        GROUP, geometry, tree, tokens);
  }

  private static SliceGeometry plain(int checkOneIn) {
    return new SliceGeometry(LENGTH, 512, checkOneIn, checkOneIn / 2);
  }

  private static byte[] written(PartialSumRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RequestFraming.write(out, request);
    return out.toByteArray();
  }

  private static void add(Golden golden, String sample, PartialSumRequest request)
      throws IOException {
    golden.written(sample, MessageFrame.request(PartialSumRequestProto.getDefaultInstance()),
        written(request), bytes -> written(RequestFraming.read(in(bytes))));
  }

  private PlanNode leaf(int unit, int subChunks, int lostRows, byte[] tail,
      int... coefficients) {
    return new PlanNode(node(unit),
        List.of(own(unit, subChunks, lostRows, tail, coefficients)), List.of());
  }

  @Test
  void requests() throws IOException {
    Golden golden = Golden.of("wire/requests");
    add(golden, "plain", request(plain(0), 1, 0, leaf(1, 1, 1, NONE, 7)));
    add(golden, "paced and urgent", request(plain(0), 1, 0, leaf(1, 1, 1, NONE, 7))
        .withRate(1 << 20).asUrgent());
    BlockRef other = new BlockRef("BP-8", 77, 1002, 5_000);
    add(golden, "a tree with a stock read and another block", request(plain(64), 1, 1,
        new PlanNode(node(1), List.of(own(1, 1, 1, NONE, 7, 200),
            source(8, GROUP.block(8, LENGTH), node(3), 1, 1, NONE, 0, 1)),
            List.of(new PlanNode(node(4), List.of(own(4, 1, 1, NONE, 9, 8),
                source(27, other, node(4), 1, 1, NONE, 5, 6)), List.of())))));
    add(golden, "a range for a reader", request(plain(0).withSlices(2, 5), 2, 0,
        leaf(1, 1, 2, NONE, 7, 8)).forReader());
    add(golden, "picked slices for a reader", request(plain(0).withPicked(2, 3, 4, 9, 11), 2, 0,
        leaf(1, 1, 2, NONE, 7, 8)).forReader());
    SliceGeometry split = new SliceGeometry(LENGTH, 4096, 2, 8192, 1, 0);
    add(golden, "sub-chunks with a tail", request(split, 2, 1,
        leaf(3, 2, 2, new byte[] {6, 7}, 1, 2, 3, 4, 5, 6)));
    SliceGeometry unchecked = new SliceGeometry(LENGTH, 4096, 2, 8192, 0, 0);
    add(golden, "narrow links", request(unchecked, 2, 0, new PlanNode(node(4),
        List.of(own(4, 2, 2, new byte[] {5}, 1, 2, 3, 4)), List.of(
            leaf(1, 2, 2, new byte[] {6}, 3, 0, 6, 0)
                .sending(new SentRows(new int[] {0}, new int[] {0}))))));
    SliceGeometry even = new SliceGeometry(8192, 4096, 2, 8192, 0, 0);
    add(golden, "narrow links without a tail", request(even, 2, 0, new PlanNode(node(4),
        List.of(own(4, 2, 2, NONE, 1, 2, 3, 4)), List.of(leaf(1, 2, 2, NONE, 3, 0, 6, 0)
            .sending(new SentRows(new int[] {0}, new int[0]))))));
    golden.check();
  }

  private static final PlanNode CHILD = new PlanNode(node(1), List.of(), List.of(
      new PlanNode(node(2), List.of(), List.of())));

  private static byte[] written(PartialSumResponseProto answer, OptionalLong features)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PartialSumResponse.write(out, features.isPresent()
        ? PartialSumResponse.withFeatures(answer, features.getAsLong()) : answer);
    return out.toByteArray();
  }

  private static byte[] answerAgain(byte[] arrived) throws IOException {
    byte[] message = in(arrived).readDelimited("answer", PartialSumResponse.RESPONSE_BYTES_MAX);
    OptionalLong features = PartialSumResponse.features(message);
    try {
      return written(PartialSumResponse.ready(PartialSumResponse.parse(message, CHILD)), features);
    } catch (RepairException e) {
      return written(e.failureCause == FailureCause.ACCESS_TOKEN
          ? PartialSumResponse.tokenRefused() : PartialSumResponse.failed(e), features);
    }
  }

  @Test
  void answers() throws IOException {
    Golden golden = Golden.of("wire/answers");
    MessageFrame frame = MessageFrame.delimited(PartialSumResponseProto.getDefaultInstance());
    OptionalLong known = OptionalLong.of(RequestFeatures.KNOWN);
    DataChecksum crc = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
    golden.written("ready", frame, written(PartialSumResponse.ready(crc), known),
        TestGoldenRequests::answerAgain);
    golden.written("ready, features of 0.1", frame, written(PartialSumResponse.ready(crc),
        OptionalLong.of(RequestFeatures.UNSAID)), TestGoldenRequests::answerAgain);
    golden.written("token refused", frame, written(PartialSumResponse.tokenRefused(),
        OptionalLong.empty()), TestGoldenRequests::answerAgain);
    for (FailureCause cause : FailureCause.values()) {
      byte[] bytes = written(PartialSumResponse.failed(
          new RepairException(cause, node(2), "a disk", null)), known);
      if (cause == FailureCause.ACCESS_TOKEN || !cause.excludesNode()) {
        golden.written("failed: " + cause, frame, bytes);
      } else {
        golden.written("failed: " + cause, frame, bytes, TestGoldenRequests::answerAgain);
      }
    }
    golden.check();
  }
}
