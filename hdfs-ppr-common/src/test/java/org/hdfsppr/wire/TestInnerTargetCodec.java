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

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.InnerTarget;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Source;
import org.hdfsppr.wire.proto.PprProtos.InnerTargetProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;
import org.junit.jupiter.api.Test;

/** Requests whose trees have inner targets: they arrive, and hostile ones are refused. */
@InterfaceAudience.Private
class TestInnerTargetCodec {
  private static final GroupId GROUP = new GroupId("BP-7", -1024, 1001);
  private static final int STREAM_BYTES = 5001;

  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
  private final Map<BlockRef, WriteGrant> grants = new HashMap<>();

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9890, "/r");
  }

  private static Token<BlockTokenIdentifier> token(int number) {
    return new Token<>(new byte[] {1, (byte) number}, new byte[] {2, (byte) number},
        new Text("K"), new Text(""));
  }

  private PlanNode helper(int unit, PlanNode... children) {
    BlockRef block = GROUP.block(unit, STREAM_BYTES);
    tokens.put(block, token(unit));
    return new PlanNode(node(unit), Collections.singletonList(new Source(unit, block, node(unit),
        new byte[] {3, 4, 5}, 2)), List.of(children));
  }

  private PlanNode target(int number, int index, PlanNode... children) {
    BlockRef block = GROUP.block(index, STREAM_BYTES - index);
    grants.put(block, new WriteGrant(token(index), StorageType.DISK, "DS-1"));
    return new PlanNode(node(number), Collections.emptyList(), List.of(children),
        new InnerTarget(index, index, block, new byte[] {7}, new byte[0]));
  }

  private PartialSumRequest request() {
    PlanNode tree = target(14, 1, helper(3, helper(4)));
    return new PartialSumRequest("r", GROUP, new SliceGeometry(STREAM_BYTES, 4096, 64, 3), 2, 1,
        30_000, tree, tokens).withGrants(grants);
  }

  private PartialSumRequestProto.Builder proto() {
    return RequestCodec.toProto(request()).toBuilder();
  }

  @Test
  void roundTrip() throws MalformedRequestException {
    PartialSumRequestProto proto = proto().build();
    PartialSumRequest back = RequestCodec.parse(proto.toByteArray());
    assertEquals(proto, RequestCodec.toProto(back));
    InnerTarget target = back.subtree().innerTarget().get();
    assertEquals(1, target.index());
    assertEquals(GROUP.block(1, STREAM_BYTES - 1), target.block());
    assertArrayEquals(new byte[] {7}, target.weights());
    assertEquals(StorageType.DISK, back.grant(target).storageType());
    assertEquals("DS-1", back.grant(target).storageId());
    assertEquals(token(1), back.grant(target).token());
    assertEquals(0, back.forChild(back.subtree().children().get(0)).endingMs());
    assertTrue(back.endingMs() > back.patienceMs());
  }

  @Test
  void theBytesStay() {
    assertEquals("0a0172120442502d371880f8ffffffffffffff0120e907288927308020384040034802500158b0ea"
        + "0162ce010a1f0a03753134120931302e302e302e31341a03683134208a4d28a24d32022f721a740a"
        + "1c0a027533120831302e302e302e331a026833208a4d28a24d32022f72121908031089271a030304"
        + "05220d0a020103120202031a014b22001a390a1c0a027534120831302e302e302e341a026834208a"
        + "4d28a24d32022f72121908041089271a03030405220d0a020104120202041a014b22002235080110"
        + "011a111081f8ffffffffffffff0118e907208827220d0a020101120202011a014b22002a01073a04"
        + "4449534b420444532d316808",
        StringUtils.byteToHexString(proto().build().toByteArray()));
  }

  @Test
  void anOlderNodeRefusesTheRequest() {
    assertThrows(UnsupportedRequestException.class, () -> RequestCodec.parse(
        proto().build().toByteArray(), RequestFeatures.KNOWN & ~RequestFeatures.INNER_TARGETS));
  }

  private void refused(String why, PartialSumRequestProto proto) {
    String message = assertThrows(MalformedRequestException.class,
        () -> RequestCodec.parse(proto.toByteArray())).getMessage();
    assertTrue(message.contains(why), message);
  }

  private void refusedTarget(String why, Consumer<InnerTargetProto.Builder> change) {
    PartialSumRequestProto.Builder builder = proto();
    change.accept(builder.getSubtreeBuilder().getInnerTargetBuilder());
    refused(why, builder.buildPartial());
  }

  @Test
  void hostileFieldsOfATarget() {
    refusedTarget("ends lost unit 2 of 2", target -> target.setIndex(2));
    refusedTarget("index", target -> target.setIndex(16));
    refusedTarget("index", target -> target.setIndex(-1));
    refusedTarget("unit", target -> target.setUnit(31));
    refusedTarget("unit 3 is asked for twice", target -> target.setUnit(3));
    refusedTarget("is asked for twice",
        target -> target.getBlockBuilder().setBlockId(GROUP.block(4, 1).blockId()));
    refusedTarget("length", target -> target.getBlockBuilder().clearLength());
    refusedTarget("length", target -> target.getBlockBuilder().setLength(0));
    refusedTarget("length", target -> target.getBlockBuilder().setLength(STREAM_BYTES + 1));
    refusedTarget("weights", target -> target.clearCheckWeights());
    refusedTarget("weights", target -> target.setCheckWeights(
        ByteString.copyFrom(new byte[] {1, 2})));
    refusedTarget("weight of zero", target -> target.setCheckWeights(
        ByteString.copyFrom(new byte[1])));
    refusedTarget("tail", target -> target.setTailCheckWeights(
        ByteString.copyFrom(new byte[] {1})));
    refusedTarget("", target -> target.clearToken());
    refusedTarget("", target -> target.clearBlock());
    refusedTarget("NO_SUCH_KIND", target -> target.setStorageType("NO_SUCH_KIND"));
    refusedTarget("storage_type", target -> target.setStorageType(""));
    refusedTarget("storage_id", target -> target.setStorageId("a\nb"));
  }

  @Test
  void hostileTrees() {
    InnerTargetProto target = proto().getSubtree().getInnerTarget();
    PartialSumRequestProto.Builder two = proto();
    two.getSubtreeBuilder().getChildrenBuilder(0).setInnerTarget(target.toBuilder().setUnit(9)
        .setBlock(target.getBlock().toBuilder().setBlockId(77)));
    refused("two nodes end", two.build());
    PartialSumRequestProto.Builder all = proto();
    all.getSubtreeBuilder().getChildrenBuilder(0).setInnerTarget(target.toBuilder().setIndex(0)
        .setUnit(9).setBlock(target.getBlock().toBuilder().setBlockId(77)));
    refused("end below the root", all.build());
    PartialSumRequestProto.Builder leaf = proto();
    SubtreeProto top = leaf.getSubtree();
    leaf.setSubtree(top.getChildren(0).toBuilder().addChildren(
        top.toBuilder().clearChildren()));
    refused("does not get", leaf.build());
    PartialSumRequestProto.Builder beside = proto();
    SubtreeProto helper = top.getChildren(0);
    beside.setSubtree(helper.toBuilder().clearChildren().addChildren(
        top.toBuilder().clearChildren().addChildren(helper.getChildren(0))));
    refused("not all of their sums pass", beside.build());
    PartialSumRequestProto.Builder bare = proto();
    bare.getSubtreeBuilder().clearInnerTarget();
    refused("no unit of its own", bare.build());
  }

  @Test
  void treesWithTooManyTargets() {
    PlanNode tree = new PlanNode(node(9), Collections.singletonList(new Source(9,
        GROUP.block(9, STREAM_BYTES), node(9), new byte[] {1, 1, 1, 1, 1, 1, 1}, 6)),
        Collections.emptyList());
    tokens.put(GROUP.block(9, STREAM_BYTES), token(9));
    for (int index = 5; index > 0; index--) {
      tree = target(20 + index, index, tree);
    }
    refused("5 nodes end", RequestCodec.toProto(new PartialSumRequest("r", GROUP,
        new SliceGeometry(STREAM_BYTES, 4096, 64, 3), 6, 1, 30_000, tree, tokens)
        .withGrants(grants)));
  }

  /**
   * A target begins to wait for the target below it when its own replica is finalised. The node
   * above waits for both.
   */
  @Test
  void eachNodeWaitsLongerThanTheTargetsBelowIt() {
    int finaliseMs = TargetWords.ENDING_MS_MOST;
    PlanNode lower = target(15, 2, helper(3, helper(4)));
    PlanNode upper = target(14, 1, lower);
    PartialSumRequest root = new PartialSumRequest("r", GROUP,
        new SliceGeometry(STREAM_BYTES, 4096, 64, 3), 3, 1, 30_000,
        new PlanNode(node(9), Collections.emptyList(), List.of(upper)), tokens)
        .withGrants(grants);
    PartialSumRequest above = root.forChild(upper);
    int lowerMs = above.endingTimeoutMs(lower);
    assertTrue(lowerMs > finaliseMs, lowerMs + " ms");
    assertTrue(root.endingTimeoutMs(upper) >= finaliseMs + lowerMs,
        root.endingTimeoutMs(upper) + " ms, and the target below waits " + lowerMs);
    assertTrue(above.endingMs() >= finaliseMs + lowerMs, above.endingMs() + " ms");
    assertTrue(root.endingMs() >= finaliseMs + root.endingTimeoutMs(upper),
        root.endingMs() + " ms");
  }

  @Test
  void bitAndTargetsComeTogether() {
    refused("must_understand", proto().clearMustUnderstand().build());
    PartialSumRequestProto.Builder none = proto();
    none.setSubtree(none.getSubtree().getChildren(0));
    refused("must_understand", none.build());
    refused("reader", proto().setForReader(true).build());
    refused("reader", proto().setFirstSlice(0).setEndSlice(1).setMustUnderstand(
        RequestFeatures.INNER_TARGETS | RequestFeatures.RANGE).build());
    refused("reader", proto().setSliceBytes(512).addAllPickedSlices(List.of(0, 1, 1, 1))
        .setMustUnderstand(RequestFeatures.INNER_TARGETS | RequestFeatures.PICKED).build());
  }

  @Test
  void damagedRequestsAreRefusedOrServable() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] good = proto().build().toByteArray();
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        PartialSumRequest request = RequestCodec.parse(bytes);
        assertTrue(request.rowsMost() >= 1);
        request.subtree().innerTargets().forEach(target -> {
          assertTrue(target.index() < request.lostRows() / request.geometry().subChunks());
          request.grant(target).token().getIdentifier();
        });
        RequestCodec.toProto(request);
      } catch (MalformedRequestException e) {
        assertTrue(e.getMessage().length() < 3000);
      }
    }
  }
}
