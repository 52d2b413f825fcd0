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

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.junit.jupiter.api.Test;

/**
 * Requests of one block group keep their bytes: DataNodes of the first version read them, and know
 * no fields but these. That version wrote the literals, except the one with picked slices, which it
 * does not know.
 */
@InterfaceAudience.Private
class TestRequestBytes {
  private static final GroupId GROUP = new GroupId("BP-7", -1024, 1001);

  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9890, "/r");
  }

  private RepairSource source(int unit, NodeRef holder, int subChunks, int lostRows, byte[] tail,
      int... coefficients) {
    byte[] bytes = new byte[coefficients.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) coefficients[i];
    }
    BlockRef block = GROUP.block(unit, 5000 + unit);
    tokens.put(block, new Token<>(new byte[] {1, (byte) unit}, new byte[] {2, (byte) unit},
        new Text("K"), new Text("")));
    return new RepairSource(unit, block, holder, bytes, subChunks, lostRows, tail);
  }

  private static String hex(PartialSumRequest request) {
    return StringUtils.byteToHexString(request.toProto().toByteArray());
  }

  @Test
  void aTreeWithAStockRead() {
    byte[] none = {};
    PlanNode leaf = new PlanNode(node(2), Collections.singletonList(
        source(4, node(2), 1, 1, none, 9, 8)), Collections.emptyList());
    PlanNode root = new PlanNode(node(1), Arrays.asList(source(1, node(1), 1, 1, none, 7, 200),
        source(8, node(3), 1, 1, none, 0, 1)), Collections.singletonList(leaf));
    assertEquals("0a0172120442502d371880f8ffffffffffffff0120e907288927308020384040034801500158b0ea"
        + "0162aa010a1c0a027531120831302e302e302e311a026831208a4d28a24d32022f72121808011089"
        + "271a0207c8220d0a020101120202011a014b2200123608081090271a020001220d0a020108120202"
        + "081a014b22002a1c0a027533120831302e302e302e331a026833208a4d28a24d32022f721a380a1c"
        + "0a027532120831302e302e302e321a026832208a4d28a24d32022f7212180804108c271a02090822"
        + "0d0a020104120202041a014b2200",
        hex(new PartialSumRequest(PartialSumRequest.of("r", 1, 1, 30_000), GROUP,
            new SliceGeometry(5001, 4096, 64, 3), root, tokens)));
  }

  @Test
  void aRangeForAReader() {
    PlanNode root = new PlanNode(node(1), Collections.singletonList(
        source(0, node(1), 1, 2, new byte[0], 1, 2)), Collections.emptyList());
    SliceGeometry range = new SliceGeometry(100_000, 4096, 0, 0).withSlices(2, 5);
    assertEquals("0a0172120442502d371880f8ffffffffffffff0120e90728a08d0630802038004000480250005801"
        + "62380a1c0a027531120831302e302e302e311a026831208a4d28a24d32022f72121808001088271a"
        + "020102220d0a020100120202001a014b22006802800102880105900101",
        hex(new PartialSumRequest(PartialSumRequest.of("r", 2, 0, 1), GROUP, range, root, tokens)));
  }

  @Test
  void picksForAReader() {
    PlanNode root = new PlanNode(node(1), Collections.singletonList(
        source(0, node(1), 1, 2, new byte[0], 1, 2)), Collections.emptyList());
    SliceGeometry picked = new SliceGeometry(100_000, 512, 0, 0).withPicked(2, 3, 4, 134, 193);
    assertEquals("0a0172120442502d371880f8ffffffffffffff0120e90728a08d0630800438004000480250005801"
        + "62380a1c0a027531120831302e302e302e311a026831208a4d28a24d32022f72121808001088271a"
        + "020102220d0a020100120202001a014b220068209001"
        + "01aa010702038101013a01",
        hex(new PartialSumRequest(PartialSumRequest.of("r", 2, 0, 1), GROUP, picked, root,
            tokens)));
  }

  @Test
  void subChunksWithATail() {
    PlanNode root = new PlanNode(node(1), Collections.singletonList(
        source(3, node(1), 2, 2, new byte[] {6, 7}, 1, 2, 3, 4, 5, 6)), Collections.emptyList());
    assertEquals("0a0172120442502d371880f8ffffffffffffff0120e90728914e3080203801400048025001580162"
        + "400a1c0a027531120831302e302e302e311a026831208a4d28a24d32022f7212200803108b271a06"
        + "010203040506220d0a020103120202031a014b22003202060768017002788040",
        hex(new PartialSumRequest(PartialSumRequest.of("r", 2, 1, 1), GROUP,
            new SliceGeometry(10_001, 4096, 2, 8192, 1, 0), root, tokens)));
  }
}
