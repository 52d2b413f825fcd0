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

/** What the NameNode says about a unit that is updated. Immutable. */
@InterfaceAudience.Private
public final class UpdateTicket {
  /** The unit */
  public final UnitId unit;
  /** The unit's block in the committed version; no update goes past its length */
  public final BlockRef block;
  /** The term of the holders */
  public final long term;
  /** The term before, whose history goes on; 0 if the unit has no history */
  public final long previousTerm;
  /** The least commit to which updates may belong */
  public final long epoch;
  /** The nodes that hold the log; the first one leads */
  public final List<NodeRef> holders;
  /**
   * The last commit that is in the version to which the block belongs; 0 if there is none. A reader
   * of this version needs all updates of later epochs
   */
  public final long committed;
  private final boolean oldBytes;
  private final boolean deltas;
  /**
   * Whether the token that speaks for the ticket is of no block and has no access mode, so that its
   * bearer can do nothing with it but show the ticket. Only nodes that know {@link
   * org.hdfsppr.manage.CommandFeatures#SEALED_TICKETS} understand such tokens
   */
  public final boolean sealed;

  /**
   * Makes a ticket for a version that has no commit.
   *
   * @param unit the unit
   * @param block its block in the committed version
   * @param term the term of the holders, from 1
   * @param previousTerm the term before, whose history goes on; 0 if the unit has no history
   * @param epoch the least commit to which updates may belong, from 1
   * @param holders the nodes that hold the log, at least one; the first one leads
   * @throws IllegalArgumentException if this contradicts itself
   */
  public UpdateTicket(UnitId unit, BlockRef block, long term, long previousTerm, long epoch,
      List<NodeRef> holders) {
    this(unit, block, holders, TicketProto.newBuilder().setTerm(term)
        .setPreviousTerm(previousTerm).setEpoch(epoch));
  }

  /** @param rest all but the unit, the block and the holders */
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
   * Reads a ticket from a node that needs no token.
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
   * Reads a ticket.
   *
   * @throws MalformedRequestException naming what is wrong
   * @throws IllegalArgumentException naming what is wrong
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

  /** @return the bytes, for a message and for its token to speak for */
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

  /** Returns all but the unit, the block and the holders. */
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
   * @param commit the last commit that is in the version to which the block belongs
   * @return the same ticket for this version
   * @throws IllegalArgumentException if the commit is negative, or not before the epoch
   */
  public UpdateTicket ofVersion(long commit) {
    return new UpdateTicket(unit, block, holders, rest().setCommitted(commit));
  }

  /** @return the same ticket, whose leader sends {@link #hasOldBytes old bytes} */
  public UpdateTicket withOldBytes() {
    return new UpdateTicket(unit, block, holders, rest().setOldBytes(true));
  }

  /** @return the same ticket, whose leader sends {@link #hasDeltas deltas} */
  public UpdateTicket withDeltas() {
    return new UpdateTicket(unit, block, holders, rest().setDeltas(true));
  }

  /** @return the same ticket, which is {@link #sealed sealed} */
  public UpdateTicket withSeal() {
    return new UpdateTicket(unit, block, holders, rest().setSealed(true));
  }

  /** @return the block pool of the file */
  public String poolId() {
    return block.poolId;
  }

  /**
   * @return whether the leader sends the followers what updates overwrite, too, so that followers
   *     with parity units can calculate the changes of these. It is advice: a commit does without
   *     what a follower has not got
   */
  public boolean hasOldBytes() {
    return oldBytes;
  }

  /**
   * @return whether the leader sends the followers {@link NumberedUpdate deltas} instead of what
   *     updates write, as far as it can. It is advice, as old bytes are
   */
  public boolean hasDeltas() {
    return deltas;
  }

  /** @return the node that leads */
  public NodeRef leader() {
    return holders.get(0);
  }

  /** @return the nodes that follow the leader; may be empty */
  public List<NodeRef> followers() {
    return holders.subList(1, holders.size());
  }

  @Override
  public String toString() {
    return unit + ", term " + term;
  }
}
