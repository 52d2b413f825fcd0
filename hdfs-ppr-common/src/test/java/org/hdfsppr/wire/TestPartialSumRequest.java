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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.ShareProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A request comes out as it went in. Any bytes of a stranger give a
 * {@link MalformedRequestException} or a request that a node can serve within its limits, and never
 * another exception.
 */
@InterfaceAudience.Private
@Timeout(60)
class TestPartialSumRequest {
  private static final int FUZZED = 20_000;

  private static PartialSumRequestProto proto(long seed) {
    return new RandomRequests(new Random(seed)).next().toProto();
  }

  /** Decodes; if it succeeds, checks all that the rest of the code relies on. */
  private static boolean accepts(byte[] bytes) {
    PartialSumRequest request;
    try {
      request = PartialSumRequest.parse(bytes);
    } catch (MalformedRequestException e) {
      assertTrue(e.getMessage().length() < 3000, "an error of " + e.getMessage().length());
      return false;
    }
    assertTrue(request.lostRows >= 1 && request.lostRows
        < (request.geometry.subChunks() > 1 ? SliceGeometry.ROWS_MAX : RequestBounds.UNITS_MAX));
    assertTrue(request.checkRows == 0 || request.checkRows == 1);
    SliceGeometry geometry = request.geometry;
    assertTrue(geometry.slices() >= 1 && geometry.length(geometry.slices() - 1) >= 1);
    assertTrue(request.subtree.size() <= RequestBounds.UNITS_MAX);
    assertTrue(request.patienceMs() >= 1);
    Set<Integer> units = new HashSet<>();
    Set<NodeRef> nodes = new HashSet<>();
    request.subtree.forEach(node -> {
      assertTrue(nodes.add(node.node));
      assertTrue(request.stallTimeoutMs(node) >= 1);
      assertTrue(node.sources.stream().anyMatch(source -> !node.isRemote(source)));
      for (RepairSource source : node.sources) {
        assertTrue(units.add(source.unit));
        assertEquals(request.lostRows + request.checkRows, source.rows);
        assertTrue(geometry.lengthWithin(geometry.slices() - 1, source.length()) >= 0);
        assertEquals(source.length(), source.block.toExtendedBlock().getNumBytes());
        request.token(source).getIdentifier();
      }
    });
    // What was accepted can be passed on, and is accepted again.
    PartialSumRequestProto again = request.toProto();
    try {
      assertEquals(again, PartialSumRequest.parse(again.toByteArray()).toProto());
    } catch (MalformedRequestException e) {
      throw new AssertionError(e);
    }
    return true;
  }

  @Test
  void roundTrip() throws IOException {
    for (long seed = 0; seed < 2000; seed++) {
      PartialSumRequest request = new RandomRequests(new Random(seed)).next();
      PartialSumRequest back = PartialSumRequest.parse(request.toProto().toByteArray());
      assertEquals(request.repairId, back.repairId);
      assertEquals(request.group, back.group);
      assertEquals(request.geometry.streamBytes(), back.geometry.streamBytes());
      assertEquals(request.geometry.sliceBytes(), back.geometry.sliceBytes());
      assertEquals(request.geometry.checkOneIn, back.geometry.checkOneIn);
      assertEquals(request.geometry.checkPhase, back.geometry.checkPhase);
      assertEquals(request.geometry.isPicked(), back.geometry.isPicked());
      assertEquals(request.geometry.firstSlice, back.geometry.firstSlice);
      assertEquals(request.geometry.slices(), back.geometry.slices());
      for (int i = 0; request.geometry.isPicked() && i < request.geometry.slices(); i++) {
        assertEquals(request.geometry.offset(i), back.geometry.offset(i));
      }
      assertEquals(request.lostRows, back.lostRows);
      assertEquals(request.checkRows, back.checkRows);
      assertEquals(request.stallTimeoutMs, back.stallTimeoutMs);
      assertEquals(request.bytesPerSecond, back.bytesPerSecond);
      assertEquals(request.urgent, back.urgent);
      for (PlanNode child : back.subtree.children) {
        assertEquals(request.bytesPerSecond,
            back.withStallTimeoutWithin(1).forChild(child).bytesPerSecond);
        assertEquals(request.urgent,
            back.withStallTimeoutWithin(1).forChild(child).urgent);
      }
      assertSame(request, request.subtree, back, back.subtree);
    }
  }

  private static void assertSame(PartialSumRequest request, PlanNode node, PartialSumRequest back,
      PlanNode other) {
    assertSame(node.node, other.node);
    assertEquals(node.sources.size(), other.sources.size());
    for (int i = 0; i < node.sources.size(); i++) {
      RepairSource source = node.sources.get(i);
      RepairSource same = other.sources.get(i);
      assertEquals(source.unit, same.unit);
      assertEquals(source.block, same.block);
      assertSame(source.holder, same.holder);
      assertEquals(source.rows, same.rows);
      assertEquals(source.subChunks, same.subChunks);
      assertArrayEquals(source.coefficients(), same.coefficients());
      assertArrayEquals(source.tailCoefficients(), same.tailCoefficients());
      assertEquals(source.contributes(false), same.contributes(false));
      assertEquals(source.contributes(true), same.contributes(true));
      assertEquals(request.token(source), back.token(same));
    }
    assertEquals(node.children.size(), other.children.size());
    for (int i = 0; i < node.children.size(); i++) {
      assertSame(request, node.children.get(i), back, other.children.get(i));
    }
  }

  private static void assertSame(NodeRef node, NodeRef other) {
    assertEquals(node.uuid, other.uuid);
    assertEquals(node.ipAddr, other.ipAddr);
    assertEquals(node.hostName, other.hostName);
    assertEquals(node.xferPort, other.xferPort);
    assertEquals(node.repairPort, other.repairPort);
    assertEquals(node.rack, other.rack);
  }

  @Test
  void aChildGetsItsOwnPartOnly() {
    RandomRequests requests = new RandomRequests(new Random(5));
    for (int i = 0; i < 500; i++) {
      PartialSumRequest request = requests.next();
      for (PlanNode child : request.subtree.children) {
        PartialSumRequest below = request.forChild(child);
        assertEquals(request.toProto().getSubtree().getChildren(
            request.subtree.children.indexOf(child)), below.toProto().getSubtree());
        for (RepairSource source : request.subtree.sources) {
          assertEquals(null, below.token(source));
        }
      }
    }
  }

  private static PartialSumRequestProto.Builder ofOtherBlocks() {
    for (long seed = 0;; seed++) {
      PartialSumRequestProto proto = proto(seed);
      if ((proto.getMustUnderstand() & 4) != 0 && proto.getSubtree().getShares(0).hasBlock()) {
        return proto.toBuilder();
      }
    }
  }

  private static void assertRefused(String why, PartialSumRequestProto.Builder request) {
    String message = assertThrows(MalformedRequestException.class,
        () -> PartialSumRequest.parse(request.build().toByteArray())).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void blocksOfTheirOwnNeedTheirBit() throws IOException {
    PartialSumRequestProto.Builder request = ofOtherBlocks();
    PartialSumRequest.parse(request.build().toByteArray());
    assertRefused("name blocks of their own",
        ofOtherBlocks().setMustUnderstand(request.getMustUnderstand() & ~4L));
    for (long seed = 0; seed < 100; seed++) {
      PartialSumRequestProto.Builder usual = proto(seed).toBuilder();
      if ((usual.getMustUnderstand() & 4) == 0) {
        assertRefused("do not name blocks of their own",
            usual.setMustUnderstand(usual.getMustUnderstand() | 4));
      }
    }
  }

  /** What a node of the first version answers. */
  @Test
  void aNodeThatLacksAFeatureSaysSo() {
    byte[] bytes = ofOtherBlocks().build().toByteArray();
    assertThrows(UnsupportedRequestException.class,
        () -> PartialSumRequest.parse(bytes, RequestFeatures.UNSAID));
  }

  @Test
  void aBlockThatCannotBeIsRefused() {
    PartialSumRequestProto.Builder request = ofOtherBlocks();
    request.getSubtreeBuilder().getSharesBuilder(0).getBlockBuilder().setBlockId(0);
    assertRefused("block_id is 0", request);
    request = ofOtherBlocks();
    request.getSubtreeBuilder().getSharesBuilder(0).getBlockBuilder().setGenerationStamp(-1);
    assertRefused("generation_stamp -1 is out of range", request);
    request = ofOtherBlocks();
    request.getSubtreeBuilder().getSharesBuilder(0).getBlockBuilder().setBlockPoolId("");
    assertRefused("block_pool_id is empty", request);
    request = ofOtherBlocks();
    request.getSubtreeBuilder().getSharesBuilder(0).getBlockBuilder().setBlockPoolId("a\nb");
    assertRefused("control character", request);
    request = ofOtherBlocks();
    request.getSubtreeBuilder().getSharesBuilder(0).getBlockBuilder().setLength(7);
    assertRefused("says its length", request);
    for (long bytes : new long[] {0, -1, SliceGeometry.STREAM_BYTES_MAX + 1}) {
      request = ofOtherBlocks();
      request.getSubtreeBuilder().getSharesBuilder(0).setUnitBytes(bytes);
      assertRefused("length of a block " + bytes + " is out of range", request);
    }
  }

  private static PartialSumRequestProto.Builder ofPickedSlices() {
    for (long seed = 0;; seed++) {
      PartialSumRequestProto proto = proto(seed);
      if ((proto.getMustUnderstand() & (RequestFeatures.PICKED | RequestFeatures.SUB_CHUNKS))
          == RequestFeatures.PICKED) {
        return proto.toBuilder();
      }
    }
  }

  @Test
  void picksNeedTheirBit() throws IOException {
    PartialSumRequestProto.Builder request = ofPickedSlices();
    PartialSumRequest.parse(request.build().toByteArray());
    assertRefused("numbers of picked slices and must_understand", ofPickedSlices()
        .setMustUnderstand(request.getMustUnderstand() & ~RequestFeatures.PICKED));
    assertRefused("numbers of picked slices and must_understand", ofPickedSlices()
        .clearPickedSlices());
    assertRefused("numbers of picked slices and must_understand", ofPickedSlices()
        .setMustUnderstand(request.getMustUnderstand() | RequestFeatures.RANGE)
        .setFirstSlice(0).setEndSlice(1));
    assertThrows(UnsupportedRequestException.class, () -> PartialSumRequest.parse(
        request.build().toByteArray(), RequestFeatures.KNOWN & ~RequestFeatures.PICKED));
  }

  /** Numbers of a message that leave the stream are refused before they cost memory. */
  @Test
  void picksThatCannotBeAreRefused() {
    int[][] wrong = {
        // One stretch is a range, and two that touch are one.
        {0, 1}, {0, 1, 1}, {0, 1, 0, 1},
        {0, 1, 1, 0}, {0, 0, 1, 1}, {0, 1, -1, 1}, {0, 1, 1, -1}, {-1, 1, 1, 1},
        {0, 1, Integer.MAX_VALUE, 1, Integer.MAX_VALUE, 1, 1, 1}, {0, 1, 1 << 30, 1}};
    for (int[] numbers : wrong) {
      PartialSumRequestProto.Builder request = ofPickedSlices().clearPickedSlices();
      Arrays.stream(numbers).forEach(request::addPickedSlices);
      assertRefused(numbers.length % 2 == 0 && numbers.length > 2 ? "a stretch of "
          : "numbers of picked slices are not two", request);
    }
    // As many as there may be, and one more.
    for (int[] numbers : new int[][] {{0, 1, 1, SliceGeometry.PICKED_MAX - 1},
        {0, SliceGeometry.PICKED_MAX - 1, 1, 1}, {5, 1000, 1 << 20, 1000, 1, 48}}) {
      PartialSumRequestProto.Builder request = ofPickedSlices().clearPickedSlices()
          .setStreamBytes(1L << 40).setSliceBytes(1024);
      Arrays.stream(numbers).forEach(request::addPickedSlices);
      assertTrue(accepts(request.build().toByteArray()), Arrays.toString(numbers));
      int last = numbers.length - 1;
      assertRefused("a stretch of ", request.setPickedSlices(last, numbers[last] + 1));
    }
    PartialSumRequestProto.Builder many = ofPickedSlices();
    for (int i = 0; i <= SliceGeometry.PICKED_MAX; i++) {
      many.addPickedSlices(1).addPickedSlices(1);
    }
    assertRefused("numbers of picked slices are not two", many);
  }

  @Test
  void aBlockIsNotAskedForTwice() {
    PartialSumRequestProto.Builder request = ofOtherBlocks();
    SubtreeProto.Builder own = request.getSubtreeBuilder();
    int free = 0;
    Set<Integer> units = new HashSet<>();
    collectUnits(own.build(), units);
    while (units.contains(free)) {
      free++;
    }
    // Another unit and another generation stamp do not make another block of it.
    own.addShares(own.getShares(0).toBuilder().setUnit(free).setBlock(own.getShares(0).getBlock()
        .toBuilder().setGenerationStamp(5)));
    assertRefused("is asked for twice", request);
  }

  private static void collectUnits(SubtreeProto node, Set<Integer> units) {
    node.getSharesList().forEach(share -> units.add(share.getUnit()));
    node.getChildrenList().forEach(child -> collectUnits(child, units));
  }

  @Test
  void madeUpBytes() {
    Mutator mutator = new Mutator(new Random(6));
    for (int i = 0; i < FUZZED; i++) {
      accepts(mutator.bytes(300));
    }
  }

  @Test
  void changedBytes() {
    Random random = new Random(7);
    Mutator mutator = new Mutator(random);
    byte[] valid = null;
    int accepted = 0;
    for (int i = 0; i < FUZZED; i++) {
      valid = i % 20 == 0 ? proto(i).toByteArray() : valid;
      accepted += accepts(mutator.change(valid)) ? 1 : 0;
    }
    assertTrue(accepted > FUZZED / 100, "only " + accepted + " were accepted");
  }

  @Test
  void everyTruncation() {
    // The rate is the last field. A request without it is complete, too.
    byte[] valid = proto(8).toBuilder().clearBytesPerS().build().toByteArray();
    for (int length = 0; length < valid.length; length++) {
      assertTrue(!accepts(Arrays.copyOf(valid, length)), "length " + length);
    }
  }

  @Test
  void changedFields() {
    Random random = new Random(9);
    Mutator mutator = new Mutator(random);
    PartialSumRequestProto valid = null;
    int accepted = 0;
    for (int i = 0; i < FUZZED; i++) {
      valid = i % 20 == 0 ? proto(i) : valid;
      PartialSumRequestProto.Builder builder = valid.toBuilder();
      for (int times = 1 + random.nextInt(2); times > 0; times--) {
        mutator.change(builder);
      }
      accepted += accepts(builder.buildPartial().toByteArray()) ? 1 : 0;
    }
    assertTrue(accepted > FUZZED / 100, "only " + accepted + " were accepted");
  }

  /** As deep as a request can be long: neither protobuf nor the conversion may run out of stack. */
  @Test
  void deepNesting() throws IOException {
    // Only the levels, each of which is a length-delimited field 3; sizes grow from the inside.
    byte[] inner = new byte[0];
    ByteArrayOutputStream nested = new ByteArrayOutputStream();
    int levels = 0;
    ArrayDeque<byte[]> prefixes = new ArrayDeque<>();
    int size = inner.length;
    while (size < RequestBounds.REQUEST_BYTES_MAX - 100) {
      ByteArrayOutputStream prefix = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(prefix);
      out.writeUInt32NoTag(3 << 3 | 2);
      out.writeUInt32NoTag(size);
      out.flush();
      prefixes.push(prefix.toByteArray());
      size += prefix.size();
      levels++;
    }
    CodedOutputStream start = CodedOutputStream.newInstance(nested);
    start.writeUInt32NoTag(12 << 3 | 2);
    start.writeUInt32NoTag(size);
    start.flush();
    for (byte[] prefix : prefixes) {
      nested.write(prefix);
    }
    assertTrue(levels > 50_000);
    assertTrue(!accepts(nested.toByteArray()));
  }

  /** Valid but for its depth, which protobuf itself allows up to 100. */
  @Test
  void aTreeDeeperThanThereAreUnits() {
    PartialSumRequestProto valid = proto(10);
    ShareProto source = valid.getSubtree().getShares(0);
    SubtreeProto tree = null;
    for (int depth = 0; depth < 60; depth++) {
      SubtreeProto.Builder node = valid.getSubtree().toBuilder().clearChildren().clearShares();
      node.getNodeBuilder().setUuid("uuid-" + depth);
      node.addShares(source.toBuilder().setUnit(depth % 16).clearHolder());
      if (tree != null) {
        node.addChildren(tree);
      }
      tree = node.build();
    }
    byte[] bytes = valid.toBuilder().setSubtree(tree).build().toByteArray();
    assertTrue(assertThrows(MalformedRequestException.class, () -> PartialSumRequest.parse(bytes))
        .getMessage().contains("twice"));
  }

  /** As many nodes as a request has room for. */
  @Test
  void aTreeWiderThanThereAreUnits() {
    PartialSumRequestProto valid = proto(11);
    SubtreeProto.Builder root = valid.getSubtree().toBuilder().clearChildren();
    SubtreeProto.Builder child = SubtreeProto.newBuilder().setNode(root.getNode());
    for (int i = 0; i < 3000; i++) {
      child.getNodeBuilder().setUuid("uuid-x-" + i);
      root.addChildren(child);
    }
    byte[] bytes = valid.toBuilder().setSubtree(root).build().toByteArray();
    assertTrue(assertThrows(MalformedRequestException.class, () -> PartialSumRequest.parse(bytes))
        .getMessage().contains("no unit of its own"));
  }

  @Test
  void aBreakInATextCannotForgeALogLine() {
    byte[] bytes = proto(12).toBuilder().setRepairId("1\n2026-01-01 INFO all is well").build()
        .toByteArray();
    MalformedRequestException e =
        assertThrows(MalformedRequestException.class, () -> PartialSumRequest.parse(bytes));
    assertTrue(e.getMessage().indexOf('\n') < 0, e.getMessage());
  }

  @Test
  void checksWithoutACheckRowAreRefused() {
    PartialSumRequestProto valid = proto(13);
    byte[] bytes = valid.toBuilder().setCheckRows(0).setCheckOneIn(4).setCheckPhase(0).build()
        .toByteArray();
    assertThrows(MalformedRequestException.class, () -> PartialSumRequest.parse(bytes));
  }
}
