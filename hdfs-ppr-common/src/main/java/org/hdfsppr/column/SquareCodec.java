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
package org.hdfsppr.column;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.column.proto.ColumnProtos.SquareProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareResponseProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareRowProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts {@link SquareBlocks} into a message and back. */
@InterfaceAudience.Private
final class SquareCodec {
  private SquareCodec() {
  }

  static SquareResponseProto toProto(Optional<SquareBlocks> square) {
    SquareResponseProto.Builder answer = SquareResponseProto.newBuilder();
    square.ifPresent(one -> answer.setSquare(toProto(one)));
    return answer.build();
  }

  private static SquareProto toProto(SquareBlocks square) {
    ErasureCodingPolicy policy = square.policy;
    SquareProto.Builder builder = SquareProto.newBuilder().setCoreGroup(square.coreGroup)
        .setIndex(square.index).setCodec(policy.getCodecName())
        .setDataUnits(policy.getNumDataUnits()).setParityUnits(policy.getNumParityUnits())
        .setCellBytes(policy.getCellSize());
    for (SquareBlocks.Row row : square.rows) {
      builder.addRows(SquareRowProto.newBuilder().setPath(row.path).setGroup(
          ByteString.copyFrom(PBHelperClient.convertLocatedBlock((LocatedBlock) row.group)
              .toByteArray())));
    }
    return builder.build();
  }

  /** @throws MalformedRequestException naming what is wrong */
  static Optional<SquareBlocks> parse(SquareResponseProto answer) throws IOException {
    if (!answer.hasSquare()) {
      return Optional.empty();
    }
    SquareProto square = answer.getSquare();
    if (square.getRowsCount() > ColumnProtocol.BLOCKS_MAX || square.getDataUnits() < 1
        || square.getParityUnits() < 1 || square.getCellBytes() < 1 || square.getIndex() < 0
        || square.getDataUnits() + square.getParityUnits() > LinearCode.MAX_UNITS) {
      throw new MalformedRequestException("The NameNode names " + square.getRowsCount()
          + " block groups with " + square.getDataUnits() + " + " + square.getParityUnits()
          + " units and cells of " + square.getCellBytes() + " bytes for a CORE group");
    }
    List<SquareBlocks.Row> rows = new ArrayList<>();
    for (SquareRowProto row : square.getRowsList()) {
      LocatedBlock group = PBHelperClient.convertLocatedBlockProto(
          LocatedBlockProto.parseFrom(row.getGroup().toByteArray()));
      if (!(group instanceof LocatedStripedBlock) || group.getBlockSize() < 1) {
        throw new MalformedRequestException("The NameNode names " + group
            + " for a CORE group, which is no block group with bytes");
      }
      rows.add(new SquareBlocks.Row(row.getPath(), (LocatedStripedBlock) group));
    }
    try {
      return Optional.of(new SquareBlocks(square.getCoreGroup(), square.getIndex(),
          new ErasureCodingPolicy(new ECSchema(square.getCodec(), square.getDataUnits(),
              square.getParityUnits()), square.getCellBytes()), rows));
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The NameNode names no policy for a CORE group: "
          + e.getMessage(), e);
    }
  }
}
