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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.ReasonCountProto;
import org.hdfsppr.operate.proto.ClientProtos.SpreadMoveProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts a {@link SpreadPlace} and a {@link SpreadAnswer} into messages and back. */
@InterfaceAudience.Private
final class SpreadCodec {
  private SpreadCodec() {
  }

  static PlanSpreadRequestProto toProto(String path, SpreadPlace from) {
    PlanSpreadRequestProto.Builder request = PlanSpreadRequestProto.newBuilder()
        .setCoreGroup(from.coreGroup).setIndex(from.index);
    if (path != null) {
      request.setPath(path);
    }
    return request.build();
  }

  /** @throws MalformedRequestException naming what is wrong */
  static SpreadPlace place(PlanSpreadRequestProto request) throws MalformedRequestException {
    return place(request.getCoreGroup(), request.getIndex());
  }

  private static SpreadPlace place(long coreGroup, int index) throws MalformedRequestException {
    try {
      return new SpreadPlace(coreGroup, index);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The columns are refused: " + e.getMessage(), e);
    }
  }

  static PlanSpreadResponseProto toProto(SpreadAnswer answer) {
    PlanSpreadResponseProto.Builder builder = PlanSpreadResponseProto.newBuilder()
        .setColumns(answer.columns).setTogether(answer.together);
    answer.moves.forEach(move -> builder.addMoves(SpreadMoveProto.newBuilder()
        .setBlock(ByteString.copyFrom(
            PBHelperClient.convertLocatedBlock(move.located()).toByteArray()))
        .setCoreGroup(move.coreGroup).setIndex(move.index).setUnit(move.unit)));
    answer.staying.forEach((reason, columns) -> builder.addStaying(
        ReasonCountProto.newBuilder().setReason(reason).setFiles(columns)));
    answer.next().ifPresent(next ->
        builder.setNextCoreGroup(next.coreGroup).setNextIndex(next.index));
    return builder.build();
  }

  /**
   * @param from where the look began
   * @throws MalformedRequestException naming what is wrong
   */
  static SpreadAnswer parse(PlanSpreadResponseProto proto, SpreadPlace from) throws IOException {
    List<SpreadMove> moves = new ArrayList<>();
    for (SpreadMoveProto move : proto.getMovesList()) {
      try {
        moves.add(new SpreadMove(PBHelperClient.convertLocatedBlockProto(
            LocatedBlockProto.parseFrom(move.getBlock().toByteArray())), move.getCoreGroup(),
            move.getIndex(), move.getUnit()));
      } catch (IllegalArgumentException e) {
        throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
      }
    }
    Map<String, Long> staying = new HashMap<>();
    proto.getStayingList().forEach(one -> staying.put(one.getReason(), one.getFiles()));
    SpreadPlace next = proto.hasNextCoreGroup()
        ? place(proto.getNextCoreGroup(), proto.getNextIndex()) : null;
    if (next != null && !next.isBehind(from)) {
      // The caller would ask for ever.
      throw new MalformedRequestException("The answer is refused: the next columns are at " + next
          + ", which is not behind " + from);
    }
    return new SpreadAnswer(moves, proto.getColumns(), proto.getTogether(), staying, next);
  }
}
