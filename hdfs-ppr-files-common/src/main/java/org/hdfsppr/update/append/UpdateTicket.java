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

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProtoOrBuilder;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * A statement of the NameNode about a unit: which DataNodes hold the unit's log in a term, and
 * which updates they may take. Immutable.
 */
@InterfaceAudience.Private
public final class UpdateTicket {
  /** The unit */
  public final UnitId unit;
  /** The unit's block in the latest committed version; no update goes past its length */
  public final BlockRef block;
  /** The term in which the first of the holders leads */
  public final long term;
  /**
   * The unit's previous term, whose history the new term continues; 0 if the unit has no history
   */
  public final long previousTerm;
  /** The least epoch that updates under this ticket may have */
  public final long epoch;
  /** The DataNodes that hold the log; the first one leads */
  public final List<NodeRef> holders;
  /**
   * The number of the last commit that is in the version to which the block belongs; 0 if no commit
   * is. A reader of this version needs all updates of later epochs
   */
  public final long committed;
  private final boolean oldBytes;
  private final boolean deltas;
  /**
   * Whether the ticket's token names no block and has no access mode, so that its bearer can use
   * the token only together with the ticket. Only nodes with {@link
   * org.hdfsppr.manage.CommandFeatures#SEALED_TICKETS} understand such tokens
   */
  public final boolean sealed;

  /**
   * Makes a ticket whose block belongs to a version without any commit.
   *
   * @param unit the unit
   * @param block the unit's block in the latest committed version
   * @param term the term in which the first of the holders leads, from 1
   * @param previousTerm the unit's previous term, whose history the new term continues; 0 if the
   *     unit has no history
   * @param epoch the least epoch that updates under this ticket may have, from 1
   * @param holders the DataNodes that hold the log, 1 to {@link UpdateBounds#HOLDERS_MAX}; the
   *     first one leads
   * @throws IllegalArgumentException if a number is out of its bounds, or the holders are none, too
   *     many or not different
   */
  public UpdateTicket(UnitId unit, BlockRef block, long term, long previousTerm, long epoch,
      List<NodeRef> holders) {
    this(unit, block, holders, TicketProto.newBuilder().setTerm(term)
        .setPreviousTerm(previousTerm).setEpoch(epoch));
  }

  /** @param rest a message with all fields except the unit, the block and the holders */
  private UpdateTicket(UnitId unit, BlockRef block, List<NodeRef> holders,
      TicketProtoOrBuilder rest) {
    term = rest.getTerm();
    previousTerm = rest.getPreviousTerm();
    epoch = rest.getEpoch();
    committed = rest.getCommitted();
    oldBytes = rest.getOldBytes();
    deltas = rest.getDeltas();
    sealed = rest.getSealed();
    if (committed < 0 || committed >= epoch) {
      throw new IllegalArgumentException("epoch " + epoch + " of a version with commit "
          + committed);
    }
    if (term < 1 || previousTerm < 0 || previousTerm >= term || epoch < 1) {
      throw new IllegalArgumentException("term " + term + " after term " + previousTerm
          + ", epoch " + epoch);
    }
    if (holders.isEmpty() || holders.size() > UpdateBounds.HOLDERS_MAX
        || holders.stream().distinct().count() < holders.size()) {
      throw new IllegalArgumentException("1 to " + UpdateBounds.HOLDERS_MAX
          + " different nodes hold a log, not " + holders);
    }
    this.unit = Objects.requireNonNull(unit, "unit");
    this.block = Objects.requireNonNull(block, "block");
    this.holders = List.copyOf(holders);
  }

  /**
   * Parses a ticket that comes from a NameNode or a DataNode, so that no token has to prove it.
   *
   * @param bytes the bytes of a ticket
   * @return the ticket
   * @throws IllegalArgumentException if the bytes are no ticket
   */
  public static UpdateTicket parse(ByteString bytes) {
    try {
      return convert(bytes);
    } catch (MalformedRequestException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Parses a ticket that may come from any process.
   *
   * @throws MalformedRequestException if the bytes are no {@code TicketProto}
   * @throws IllegalArgumentException if a field is out of its bounds, or fields contradict each
   *     other
   */
  static UpdateTicket convert(ByteString bytes) throws MalformedRequestException {
    TicketProto proto;
    try {
      proto = TicketProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The ticket is no TicketProto: " + e.getMessage(), e);
    }
    UnitId unit = new UnitId(new UUID(proto.getFileHigh(), proto.getFileLow()),
        WireRules.within("group", proto.getGroup(), 0, UpdateBounds.GROUP_MAX),
        WireRules.within("unit", proto.getUnit(), 0, RequestBounds.UNITS_MAX - 1));
    WireRules.within("holders", proto.getHoldersCount(), 1, UpdateBounds.HOLDERS_MAX);
    UpdateTicket ticket = new UpdateTicket(unit, WireRules.blockWithLength(proto.getBlock(),
        WireRules.name("block_pool_id", proto.getBlockPoolId())),
        proto.getHoldersList().stream().map(WireRules::node).collect(Collectors.toList()), proto);
    if (!ticket.poolId().equals(proto.getBlockPoolId())) {
      throw new IllegalArgumentException("the block of the ticket is of another block pool");
    }
    return ticket;
  }

  /** @return the bytes of the ticket, for messages and for the digest in the mark of its token */
  public ByteString toBytes() {
    return rest()
        .setBlockPoolId(poolId())
        .setFileHigh(unit.file.getMostSignificantBits())
        .setFileLow(unit.file.getLeastSignificantBits())
        .setGroup(unit.group)
        .setUnit(unit.unit)
        .setBlock(WireRules.toProtoWithLength(block, poolId()))
        .addAllHolders(holders.stream().map(WireRules::toProto).collect(Collectors.toList()))
        .build().toByteString();
  }

  /** Returns a message with all fields except the unit, the block and the holders. */
  private TicketProto.Builder rest() {
    TicketProto.Builder rest = TicketProto.newBuilder().setTerm(term)
        .setPreviousTerm(previousTerm).setEpoch(epoch).setCommitted(committed);
    if (oldBytes) {
      rest.setOldBytes(true);
    }
    if (deltas) {
      rest.setDeltas(true);
    }
    return sealed ? rest.setSealed(true) : rest;
  }

  /**
   * @param commit the number of the last commit that is in the version to which the block belongs
   * @return the same ticket for this version
   * @throws IllegalArgumentException if the number is negative, or not less than the epoch
   */
  public UpdateTicket ofVersion(long commit) {
    return new UpdateTicket(unit, block, holders, rest().setCommitted(commit));
  }

  /**
   * @return the same ticket, but with the request that the leader sends {@link #hasOldBytes old
   *     bytes}
   */
  public UpdateTicket withOldBytes() {
    return new UpdateTicket(unit, block, holders, rest().setOldBytes(true));
  }

  /**
   * @return the same ticket, but with the request that the leader sends {@link #hasDeltas deltas}
   */
  public UpdateTicket withDeltas() {
    return new UpdateTicket(unit, block, holders, rest().setDeltas(true));
  }

  /** @return the same ticket, but {@link #sealed sealed} */
  public UpdateTicket withSeal() {
    return new UpdateTicket(unit, block, holders, rest().setSealed(true));
  }

  /** @return the block pool of the file */
  public String poolId() {
    return block.poolId;
  }

  /**
   * @return whether the leader also sends the followers the bytes that updates overwrite. Followers
   *     with parity units then calculate the changes of their units from them. A commit also works
   *     without old bytes, if a follower did not get them
   */
  public boolean hasOldBytes() {
    return oldBytes;
  }

  /**
   * @return whether the leader, where it can, sends the followers {@link NumberedUpdate deltas}
   *     instead of the bytes that updates write. A commit also works without deltas
   */
  public boolean hasDeltas() {
    return deltas;
  }

  /** @return the node that leads */
  public NodeRef leader() {
    return holders.get(0);
  }

  /** @return the DataNodes that follow the leader; may be empty */
  public List<NodeRef> followers() {
    return holders.subList(1, holders.size());
  }

  @Override
  public String toString() {
    return unit + ", term " + term;
  }
}
