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
package org.hdfsppr.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadResponseProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Tests the messages about moves of blocks. */
class TestSpreadMessages {
  private static final SpreadPlace FROM = new SpreadPlace(17, 3);

  private static DatanodeInfo node(String name) {
    return new DatanodeInfoBuilder().setNodeID(new DatanodeID("10.0.0.1", name, name,
        9866, 9864, 9865, 9867)).setNetworkLocation("/r").build();
  }

  private static LocatedBlock block(String... nodes) {
    DatanodeInfo[] places = new DatanodeInfo[nodes.length];
    StorageType[] types = new StorageType[nodes.length];
    String[] ids = new String[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      places[i] = node(nodes[i]);
      types[i] = StorageType.ARCHIVE;
      ids[i] = "";
    }
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("BP-1", -1_007, 4_321, 1_001), places, ids, types);
    block.setBlockToken(new Token<BlockTokenIdentifier>(new byte[] {1}, new byte[] {2, 3},
        new Text("kind"), new Text("service")));
    return block;
  }

  private static SpreadAnswer answer(SpreadPlace next) {
    return new SpreadAnswer(List.of(new SpreadMove(block("a", "b"), 17, 4, 7)), 90, 2,
        Map.of("no_node", 1L), next);
  }

  @Test
  void placesThatMakeNoSenseAreRefused() throws Exception {
    assertEquals(FROM, SpreadPlace.parse(17, 3));
    assertEquals(SpreadPlace.START, SpreadPlace.parse(0, 0));
    assertThrows(MalformedRequestException.class, () -> SpreadPlace.parse(-1, 3));
    assertThrows(MalformedRequestException.class, () -> SpreadPlace.parse(17, -1));
  }

  @Test
  void answersKeepAllTheyCarry() throws Exception {
    SpreadAnswer read =
        SpreadAnswer.parse(answer(new SpreadPlace(18, 0)).toProto(), FROM);
    assertEquals(90, read.columns);
    assertEquals(2, read.together);
    assertEquals(Map.of("no_node", 1L), read.staying);
    assertEquals(Optional.of(new SpreadPlace(18, 0)), read.next());
    SpreadMove move = read.moves.get(0);
    assertEquals(new ExtendedBlock("BP-1", -1_007, 4_321, 1_001), move.block());
    assertEquals(4_321, move.block().getNumBytes());
    assertEquals("a", move.from().getDatanodeUuid());
    assertEquals("b", move.to().getDatanodeUuid());
    assertEquals(StorageType.ARCHIVE, move.type());
    assertEquals(new Text("kind"), move.token().getKind());
    assertEquals(List.of(17L, 4L, 7L),
        List.of(move.coreGroup, (long) move.index, (long) move.unit));
    assertTrue(SpreadAnswer.parse(answer(null).toProto(), FROM).next().isEmpty());
  }

  @Test
  void answersThatMakeNoSenseAreRefused() {
    PlanSpreadResponseProto good = answer(null).toProto();
    for (LocatedBlock wrong : List.of(block("a"), block("a", "a"), block("a", "b", "c"))) {
      assertThrows(IllegalArgumentException.class, () -> new SpreadMove(wrong, 17, 4, 7));
      PlanSpreadResponseProto.Builder answer = good.toBuilder();
      answer.getMovesBuilder(0).setBlock(ByteString.copyFrom(
          PBHelperClient.convertLocatedBlock(wrong).toByteArray()));
      assertThrows(MalformedRequestException.class, () ->
          SpreadAnswer.parse(answer.build(), FROM), wrong::toString);
    }
    PlanSpreadResponseProto.Builder noBlock = good.toBuilder();
    noBlock.getMovesBuilder(0).setBlock(ByteString.copyFrom(new byte[] {1, 2, 3}));
    assertThrows(IOException.class, () -> SpreadAnswer.parse(noBlock.build(), FROM));
  }

  /** A caller that is sent back would ask for ever. */
  @Test
  void theNextColumnsComeBehind() throws Exception {
    for (SpreadPlace next : List.of(FROM, new SpreadPlace(17, 2), new SpreadPlace(16, 9))) {
      assertThrows(MalformedRequestException.class, () ->
          SpreadAnswer.parse(answer(next).toProto(), FROM), next::toString);
    }
    SpreadPlace behind = new SpreadPlace(17, 4);
    assertEquals(Optional.of(behind),
        SpreadAnswer.parse(answer(behind).toProto(), FROM).next());
  }
}
