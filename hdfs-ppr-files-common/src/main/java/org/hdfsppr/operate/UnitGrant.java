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
 * What the NameNode answers about a unit: a ticket, a refusal, that the caller has to ask again, or
 * that the unit has no log. Immutable.
 */
@InterfaceAudience.Private
public final class UnitGrant {
  /** The longest time for which a unit may have no log, ms; a writer waits for it. */
  private static final int VALID_MS_MAX = 60_000;

  /** The unit */
  public final int unit;
  /** Null if there is none. */
  private final SignedTicket ticket;
  /** Null if there is none. */
  private final String refusal;
  /** Null if there is none. */
  private final String later;
  /**
   * For how many ms the unit will have no update log. The client counts from the moment before it
   * asked.
   */
  public final int validMs;
  /** Which file it is, as far as the answer says so */
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
   * @param unit the unit
   * @param ticket its ticket
   * @return the grant
   */
  public static UnitGrant of(int unit, SignedTicket ticket) {
    return new UnitGrant(unit, ticket, null, null, 0,
        FileIdentity.of(ticket.ticket.unit.file, Set.of()));
  }

  /**
   * @param unit the unit
   * @param why why there is no ticket, as a sentence
   * @return the refusal
   */
  public static UnitGrant refused(int unit, String why) {
    return new UnitGrant(unit, null, why, null, 0, FileIdentity.UNKNOWN);
  }

  /**
   * @param unit the unit
   * @param why why the caller has to ask again after a pause, as a sentence
   * @return the answer
   */
  public static UnitGrant later(int unit, String why) {
    return new UnitGrant(unit, null, null, why, 0, FileIdentity.UNKNOWN);
  }

  /**
   * A unit that was never written: no update of it has been acknowledged by the time of the answer.
   *
   * @param unit the unit
   * @param validMs for how long none will be, counted from before the question, ms; after that the
   *     reader has to ask again
   * @return the answer to a reader
   */
  public static UnitGrant noLog(int unit, int validMs) {
    return new UnitGrant(unit, null, null, null, validMs, FileIdentity.UNKNOWN);
  }

  /**
   * @param identity which file it is, as far as the NameNode knows
   * @return this grant, which says so
   * @throws IllegalArgumentException if its ticket is of another file
   */
  public UnitGrant of(FileIdentity identity) {
    if (file.isOther(identity)) {
      throw new IllegalArgumentException("a ticket of " + file + " comes with " + identity);
    }
    return new UnitGrant(unit, ticket, refusal, later, validMs, file.and(identity));
  }

  /**
   * Reads an answer that this node receives.
   *
   * @throws MalformedRequestException naming what is wrong
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

  /** @throws IllegalArgumentException if no unit has this number */
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

  /** @return why the caller has to ask again; empty if it need not */
  public Optional<String> later() {
    return Optional.ofNullable(later);
  }

  /** @return why there will be no ticket; empty if this is no refusal */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }
}
