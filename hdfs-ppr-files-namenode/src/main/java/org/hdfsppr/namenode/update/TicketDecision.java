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
package org.hdfsppr.namenode.update;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.FileIdentity;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * The answer for one unit in a call for tickets: a ticket, a refusal, the advice to ask again
 * later, or that the unit has no log. Immutable.
 */
@InterfaceAudience.Private
public final class TicketDecision {
  public final int unit;
  private final UpdateTicket ticket;
  private final String refusal;
  private final String later;
  /** For how long the caller may assume that the unit has no log, ms; see {@link NoLogLeases}. */
  final int validMs;
  /**
   * The identity of the file, for readers; unknown in answers to writers, which identify the file
   * by their tickets.
   */
  final FileIdentity file;

  private TicketDecision(int unit, UpdateTicket ticket, String refusal, String later, int validMs,
      FileIdentity file) {
    this.validMs = validMs;
    this.file = file;
    this.unit = unit;
    this.ticket = ticket;
    this.refusal = refusal;
    this.later = later;
  }

  static TicketDecision of(int unit, UpdateTicket ticket) {
    return new TicketDecision(unit, ticket, null, null, 0, FileIdentity.UNKNOWN);
  }

  static TicketDecision refused(int unit, String why) {
    return new TicketDecision(unit, null, why, null, 0, FileIdentity.UNKNOWN);
  }

  static TicketDecision later(int unit, String why) {
    return new TicketDecision(unit, null, null, why, 0, FileIdentity.UNKNOWN);
  }

  static TicketDecision noLog(int unit, int validMs) {
    return new TicketDecision(unit, null, null, null, validMs, FileIdentity.UNKNOWN);
  }

  /** Returns a copy of this answer that also has the identity of the file. */
  TicketDecision of(FileIdentity identity) {
    return new TicketDecision(unit, ticket, refusal, later, validMs, identity);
  }

  /** @return the ticket; empty if the unit gets none */
  public Optional<UpdateTicket> ticket() {
    return Optional.ofNullable(ticket);
  }

  /**
   * @return why the unit gets no ticket, and would get none if the caller asked again; empty if it
   *     is not refused
   */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** @return why the caller should ask again for this unit; empty if it need not */
  public Optional<String> later() {
    return Optional.ofNullable(later);
  }
}
