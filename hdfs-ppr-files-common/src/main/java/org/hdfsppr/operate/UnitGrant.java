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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.UnitTicketProto;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * The NameNode's answer about one unit to a {@link TicketRequest}: a ticket, a refusal, the advice
 * to ask again later, or the statement that the unit has no update log. Immutable.
 */
@InterfaceAudience.Private
public final class UnitGrant {
  /**
   * The greatest {@link #validMs} that a client accepts, ms. It is short, because the NameNode lets
   * no client write into the unit before this time is over.
   */
  private static final int VALID_MS_MAX = 60_000;

  /** The index of the unit in the block group */
  public final int unit;
  /** Null if this answer has none. */
  private final SignedTicket ticket;
  /** Null if this answer has none. */
  private final String refusal;
  /** Null if this answer has none. */
  private final String later;
  /**
   * For how many ms the unit has no update log, so that a reader needs only the unit's block. The
   * time begins when the client sends its request.
   */
  public final int validMs;
  /** The identity of the unit's file, as far as the answer says it */
  public final FileIdentity file;

  private UnitGrant(int unit, SignedTicket ticket, String refusal, String later, int validMs,
      FileIdentity file) {
    this.validMs = validMs;
    this.file = file;
    this.unit = unit;
    this.ticket = ticket;
    this.refusal = refusal;
    this.later = later;
  }

  /**
   * @param unit the index of the unit in the block group
   * @param ticket the ticket of the unit
   * @return the answer with the ticket
   */
  public static UnitGrant of(int unit, SignedTicket ticket) {
    return new UnitGrant(unit, ticket, null, null, 0,
        FileIdentity.of(ticket.ticket.unit.file, Set.of()));
  }

  /**
   * @param unit the index of the unit in the block group
   * @param why why the NameNode gives no ticket, as a sentence
   * @return the refusal
   */
  public static UnitGrant refused(int unit, String why) {
    return new UnitGrant(unit, null, why, null, 0, FileIdentity.UNKNOWN);
  }

  /**
   * @param unit the index of the unit in the block group
   * @param why why the caller has to ask again after a pause, as a sentence
   * @return the answer
   */
  public static UnitGrant later(int unit, String why) {
    return new UnitGrant(unit, null, null, why, 0, FileIdentity.UNKNOWN);
  }

  /**
   * Makes the answer about a unit that was never updated: when the NameNode answered, no update of
   * the unit had been acknowledged.
   *
   * @param unit the index of the unit in the block group
   * @param validMs for how long no update will be acknowledged, ms, counted from when the client
   *     sends its request; after that the reader has to ask again
   * @return the answer to a reader
   */
  public static UnitGrant noLog(int unit, int validMs) {
    return new UnitGrant(unit, null, null, null, validMs, FileIdentity.UNKNOWN);
  }

  /**
   * @param identity the identity of the unit's file, as far as the NameNode knows it
   * @return this answer with the identity
   * @throws IllegalArgumentException if the ticket in this answer is of another file
   */
  public UnitGrant of(FileIdentity identity) {
    if (file.isOther(identity)) {
      throw new IllegalArgumentException("a ticket of " + file + " comes with " + identity);
    }
    return new UnitGrant(unit, ticket, refusal, later, validMs, file.and(identity));
  }

  /**
   * Parses an answer that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   */
  static List<UnitGrant> parse(GroupTicketsResponseProto proto) throws MalformedRequestException {
    try {
      WireRules.within("units", proto.getUnitsCount(), 0, RequestBounds.UNITS_MAX);
      List<UnitGrant> grants = new ArrayList<>();
      for (UnitTicketProto one : proto.getUnitsList()) {
        UnitGrant grant = parse(one, checkedUnit(one.getUnit()));
        grants.add(one.hasFile() ? grant.of(FileIdentity.parse(one.getFile())) : grant);
      }
      return grants;
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The NameNode's tickets cannot be used: "
          + e.getMessage(), e);
    }
  }

  private static UnitGrant parse(UnitTicketProto proto, int unit)
      throws MalformedRequestException {
    if (proto.hasTicket()) {
      return of(unit, SignedTicket.parse(proto.getTicket(),
          WireRules.token(proto.getToken())));
    }
    if (proto.hasRefusal()) {
      return refused(unit, WireRules.text("refusal", proto.getRefusal()));
    }
    return proto.hasLater() ? later(unit, WireRules.text("later", proto.getLater()))
        : noLog(unit, WireRules.within("valid_ms", proto.getValidMs(), 0, VALID_MS_MAX));
  }

  /** @throws IllegalArgumentException if no unit has this index */
  static int checkedUnit(int unit) {
    return WireRules.within("unit", unit, 0, RequestBounds.UNITS_MAX - 1);
  }

  static GroupTicketsResponseProto toProto(List<UnitGrant> grants) {
    GroupTicketsResponseProto.Builder proto = GroupTicketsResponseProto.newBuilder();
    for (UnitGrant grant : grants) {
      UnitTicketProto.Builder one = proto.addUnitsBuilder().setUnit(grant.unit);
      grant.refusal().ifPresent(one::setRefusal);
      grant.later().ifPresent(one::setLater);
      if (grant.validMs > 0) {
        one.setValidMs(grant.validMs);
      }
      grant.ticket().ifPresent(ticket -> one.setTicket(ticket.bytes)
          .setToken(WireRules.toProto(ticket.token)));
      if (!grant.file.isUnknown()) {
        one.setFile(grant.file.toProto());
      }
    }
    return proto.build();
  }

  /** @return the ticket; empty if there is none */
  public Optional<SignedTicket> ticket() {
    return Optional.ofNullable(ticket);
  }

  /** @return why the caller has to ask again after a pause; empty if it need not */
  public Optional<String> later() {
    return Optional.ofNullable(later);
  }

  /** @return why the NameNode gives no ticket; empty if it does not refuse */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }
}
