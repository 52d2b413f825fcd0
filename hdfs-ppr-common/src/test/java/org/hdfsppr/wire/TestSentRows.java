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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.SentRowsProto;
import org.junit.jupiter.api.Test;

/** The rows that nodes send, on the wire: they come through, or are refused with a clear error. */
@InterfaceAudience.Private
class TestSentRows {
  private static final GroupId GROUP = new GroupId("BP-7", -1024, 1001);

  /**
   * Two lost rows of two sub-chunks. The child reads one sub-chunk: row 1 is twice row 0. The root
   * reads both, so that its rows are independent.
   */
  private static PartialSumRequest request() {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    NodeRef above = node(1);
    NodeRef below = node(2);
    PlanNode child = new PlanNode(below, Collections.singletonList(
        source(tokens, 1, below, 3, 0, 6, 0)), Collections.emptyList())
        .sending(new SentRows(new int[] {0}, new int[0]));
    return new PartialSumRequest(PartialSumRequest.of("r", 2, 0, 1000), GROUP,
        new SliceGeometry(8192, 4096, 2, 8192, 0, 0),
        new PlanNode(above, Collections.singletonList(source(tokens, 4, above, 1, 2, 3, 4)),
            Collections.singletonList(child)), tokens);
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9890, "/r");
  }

  private static RepairSource source(Map<BlockRef, Token<BlockTokenIdentifier>> tokens, int unit,
      NodeRef holder, int... coefficients) {
    byte[] bytes = new byte[coefficients.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) coefficients[i];
    }
    BlockRef block = GROUP.block(unit, 8192);
    tokens.put(block, new Token<>(new byte[] {1}, new byte[] {2}, new Text("K"), new Text("")));
    return new RepairSource(unit, block, holder, bytes, 2, 2, new byte[0]);
  }

  private static PartialSumRequestProto withChild(Integer... rows) {
    return with(SentRowsProto.newBuilder().addAllRows(Arrays.asList(rows)).build());
  }

  private static PartialSumRequestProto with(SentRowsProto sent) {
    PartialSumRequestProto.Builder builder = request().toProto().toBuilder();
    builder.getSubtreeBuilder().getChildrenBuilder(0).setSentRows(sent);
    return builder.build();
  }

  private static void refused(PartialSumRequestProto proto, String why) {
    String message = assertThrows(MalformedRequestException.class,
        () -> PartialSumRequest.parse(proto.toByteArray())).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void theyComeThrough() throws MalformedRequestException {
    PartialSumRequestProto proto = request().toProto();
    assertEquals(RequestFeatures.SUB_CHUNKS | RequestFeatures.NARROW_LINKS,
        proto.getMustUnderstand());
    PartialSumRequest back = PartialSumRequest.parse(proto.toByteArray());
    PlanNode child = back.subtree.children.get(0);
    assertEquals(new SentRows(new int[] {0}, new int[0]), child.sentRows().get());
    assertFalse(back.subtree.sentRows().isPresent());
    PartialSumRequest below = back.forChild(child);
    assertEquals(1, below.rowsMost());
    assertEquals(2, back.rowsMost());
    assertEquals(proto, back.toProto());
    // Row 0 follows from row 1 just as well.
    PartialSumRequest.parse(withChild(1).toByteArray());
  }

  @Test
  void anOlderNodeRefusesThem() {
    assertThrows(UnsupportedRequestException.class, () -> PartialSumRequest.parse(
        request().toProto().toByteArray(),
        RequestFeatures.KNOWN & ~RequestFeatures.NARROW_LINKS));
  }

  @Test
  void rowsThatMakeNoSense() {
    refused(withChild(2), "sends row 2 of 2");
    refused(withChild(-1), "not ascending");
    refused(withChild(1, 0), "not ascending");
    refused(withChild(0, 0), "not ascending");
    refused(withChild(0, 1), "sends all of them");
    refused(with(SentRowsProto.newBuilder().addRows(0).addTailRows(0).build()),
        "sends row 0 of a tail of 0");
  }

  @Test
  void rowsOfANodeThatSendsAll() {
    PartialSumRequestProto.Builder builder = request().toProto().toBuilder();
    builder.getSubtreeBuilder().setSentRows(
        SentRowsProto.newBuilder().addAllRows(Arrays.asList(0, 1)));
    refused(builder.build(), "sends all of them");
  }

  /** A node checks it once it knows that the caller may ask it. */
  @Test
  void rowsThatAreNoBasis() throws MalformedRequestException {
    noBasis(withChild(), "not a basis of the 2 rows of its subtree, of rank 1");
    PartialSumRequestProto.Builder builder = request().toProto().toBuilder();
    builder.getSubtreeBuilder().setSentRows(SentRowsProto.newBuilder().addRows(0));
    noBasis(builder.build(), "of rank 2");
    NarrowLinks.checkBases(request().subtree);
  }

  private static void noBasis(PartialSumRequestProto proto, String why)
      throws MalformedRequestException {
    PlanNode tree = PartialSumRequest.parse(proto.toByteArray()).subtree;
    String message = assertThrows(IllegalArgumentException.class,
        () -> NarrowLinks.checkBases(tree)).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void theBitAndTheRowsBelongTogether() {
    PartialSumRequestProto proto = request().toProto();
    refused(proto.toBuilder().setMustUnderstand(RequestFeatures.SUB_CHUNKS).build(),
        "name the rows that they send");
    PartialSumRequestProto.Builder builder = proto.toBuilder();
    builder.getSubtreeBuilder().getChildrenBuilder(0).clearSentRows();
    refused(builder.build(), "do not name the rows that they send");
  }
}
