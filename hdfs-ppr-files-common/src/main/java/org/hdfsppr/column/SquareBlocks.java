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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
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

/**
 * The block groups that have the same index in the files of a CORE group, as they are now. Their
 * blocks form a square: each row is a block group, and each column has one unit of each row.
 * Immutable.
 */
@InterfaceAudience.Private
public final class SquareBlocks {
  /** How many blocks a column has at most. It is more than the files of any CORE group. */
  static final int BLOCKS_MAX = 64;

  /** A block group and its file. Immutable. */
  public static final class Row {
    /** Absolute path of the file */
    public final String path;
    /** The block group, with its locations and a block token for each unit */
    public final LocatedStripedBlock group;

    /**
     * @param path absolute path of the file
     * @param group the block group with its locations and a token for each unit
     */
    public Row(String path, LocatedStripedBlock group) {
      this.path = Objects.requireNonNull(path, "path");
      this.group = Objects.requireNonNull(group, "group");
    }
  }

  /** The inode id of the parity file, which is also the id of the CORE group */
  public final long coreGroup;
  /** The index that all these block groups have in their files */
  public final int index;
  /** The codec, the numbers of units and the cell size, which are the same for all rows */
  public final ErasureCodingPolicy policy;
  /**
   * The block groups: first those of the member files that have one at this index, in the order of
   * the group, then that of the parity file; empty if a file has changed since the parity file was
   * made
   */
  public final List<Row> rows;

  /**
   * @param coreGroup the inode id of the parity file, which is also the id of the CORE group
   * @param index index of the block groups in their files
   * @param policy codec, units and cell size of all rows
   * @param rows the block groups: first those of the member files that have one at this index, in
   *     the order of the group, then that of the parity file; empty if a file has changed since the
   *     parity file was made, so that there is nothing to check
   */
  public SquareBlocks(long coreGroup, int index, ErasureCodingPolicy policy, List<Row> rows) {
    this.coreGroup = coreGroup;
    this.index = index;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
  }

  static SquareResponseProto answer(Optional<SquareBlocks> square) {
    SquareResponseProto.Builder answer = SquareResponseProto.newBuilder();
    square.ifPresent(one -> answer.setSquare(one.toProto()));
    return answer.build();
  }

  private SquareProto toProto() {
    SquareProto.Builder builder = SquareProto.newBuilder().setCoreGroup(coreGroup)
        .setIndex(index).setCodec(policy.getCodecName())
        .setDataUnits(policy.getNumDataUnits()).setParityUnits(policy.getNumParityUnits())
        .setCellBytes(policy.getCellSize());
    for (Row row : rows) {
      builder.addRows(SquareRowProto.newBuilder().setPath(row.path).setGroup(
          ByteString.copyFrom(PBHelperClient.convertLocatedBlock((LocatedBlock) row.group)
              .toByteArray())));
    }
    return builder.build();
  }

  /** @throws MalformedRequestException whose message says what is wrong */
  static Optional<SquareBlocks> parse(SquareResponseProto answer) throws IOException {
    if (!answer.hasSquare()) {
      return Optional.empty();
    }
    SquareProto square = answer.getSquare();
    if (square.getRowsCount() > BLOCKS_MAX || square.getDataUnits() < 1
        || square.getParityUnits() < 1 || square.getCellBytes() < 1 || square.getIndex() < 0
        || square.getDataUnits() + square.getParityUnits() > LinearCode.MAX_UNITS) {
      throw new MalformedRequestException("The NameNode names " + square.getRowsCount()
          + " block groups with " + square.getDataUnits() + " + " + square.getParityUnits()
          + " units and cells of " + square.getCellBytes() + " bytes for a CORE group");
    }
    List<Row> rows = new ArrayList<>();
    for (SquareRowProto row : square.getRowsList()) {
      LocatedBlock group = PBHelperClient.convertLocatedBlockProto(
          LocatedBlockProto.parseFrom(row.getGroup().toByteArray()));
      if (!(group instanceof LocatedStripedBlock) || group.getBlockSize() < 1) {
        throw new MalformedRequestException("The NameNode names " + group
            + " for a CORE group, which is no block group with bytes");
      }
      rows.add(new Row(row.getPath(), (LocatedStripedBlock) group));
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
