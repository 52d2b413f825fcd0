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
package org.hdfsppr.update.append;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestBounds;

/** Converts tickets into bytes and back, and checks the bytes that a node receives. */
@InterfaceAudience.Private
final class TicketCodec {
  /** What no id of a storage begins with. */
  private static final String MARK = "ppr-ticket-";
  /** As {@link #MARK}, before the right, whose name has no hyphen. */
  private static final String SEALED_MARK = "ppr-sealed-";

  private TicketCodec() {
  }

  static ByteString toBytes(Ticket ticket) {
    TicketProto.Builder proto = TicketProto.newBuilder()
        .setBlockPoolId(ticket.poolId())
        .setFileHigh(ticket.unit.file.getMostSignificantBits())
        .setFileLow(ticket.unit.file.getLeastSignificantBits())
        .setGroup(ticket.unit.group)
        .setUnit(ticket.unit.unit)
        .setBlock(Door.toProtoWithLength(ticket.block, ticket.poolId()))
        .setTerm(ticket.term)
        .setPreviousTerm(ticket.previousTerm)
        .setEpoch(ticket.epoch)
        .setCommitted(ticket.committed)
        .addAllHolders(ticket.holders.stream().map(Door::toProto).collect(Collectors.toList()));
    if (ticket.hasOldBytes()) {
      proto.setOldBytes(true);
    }
    if (ticket.hasDeltas()) {
      proto.setDeltas(true);
    }
    if (ticket.sealed) {
      proto.setSealed(true);
    }
    return proto.build().toByteString();
  }

  /**
   * Reads a ticket.
   *
   * @throws MalformedRequestException naming what is wrong
   * @throws IllegalArgumentException naming what is wrong
   */
  static Ticket convert(ByteString bytes) throws MalformedRequestException {
    TicketProto proto;
    try {
      proto = TicketProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The ticket is no TicketProto: " + e.getMessage(), e);
    }
    UnitId unit = new UnitId(new UUID(proto.getFileHigh(), proto.getFileLow()),
        Door.within("group", proto.getGroup(), 0, UpdateBounds.GROUP_MAX),
        Door.within("unit", proto.getUnit(), 0, RequestBounds.UNITS_MAX - 1));
    Door.within("holders", proto.getHoldersCount(), 1, UpdateBounds.HOLDERS_MAX);
    Ticket ticket = new Ticket(unit, Door.blockWithLength(proto.getBlock(),
        Door.name("block_pool_id", proto.getBlockPoolId())), proto.getTerm(),
        proto.getPreviousTerm(), proto.getEpoch(),
        proto.getHoldersList().stream().map(Door::node).collect(Collectors.toList()))
        .ofVersion(proto.getCommitted());
    if (!ticket.poolId().equals(proto.getBlockPoolId())) {
      throw new IllegalArgumentException("the block of the ticket is of another block pool");
    }
    ticket = proto.getDeltas() ? ticket.withDeltas() : ticket;
    ticket = proto.getSealed() ? ticket.withSeal() : ticket;
    return proto.getOldBytes() ? ticket.withOldBytes() : ticket;
  }

  static String mark(ByteString bytes) {
    return mark(MARK, bytes);
  }

  static String sealedMark(AccessMode right, ByteString bytes) {
    return mark(SEALED_MARK + right + "-", bytes);
  }

  private static String mark(String begin, ByteString bytes) {
    StringBuilder mark = new StringBuilder(begin);
    // Each request about a log is marked. Hadoop's method parses a format for each byte.
    for (byte one : sha256(bytes)) {
      mark.append(Character.forDigit(one >> 4 & 0xf, 16)).append(Character.forDigit(one & 0xf, 16));
    }
    return mark.toString();
  }

  /** Returns the SHA-256 of messages behind each other. */
  static ByteString sha256(ByteString... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ByteString part : parts) {
        digest.update(part.asReadOnlyByteBuffer());
      }
      return ByteString.copyFrom(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has SHA-256", e);
    }
  }
}
