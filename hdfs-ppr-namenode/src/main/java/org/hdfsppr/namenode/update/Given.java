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
import org.hdfsppr.update.append.Ticket;

/**
 * What a unit gets: a ticket, a refusal, the advice to ask again later, or none of these if it has
 * no log. Immutable.
 */
@InterfaceAudience.Private
public final class Given {
  /** The unit */
  public final int unit;
  private final Ticket ticket;
  private final String refusal;
  private final String later;
  /** For how long the caller knows that the unit has no log, ms. */
  final int validMs;
  /** Which file it is; unknown if the caller does not hear of it. */
  final FileIdentity file;

  private Given(int unit, Ticket ticket, String refusal, String later, int validMs,
      FileIdentity file) {
    this.validMs = validMs;
    this.file = file;
    this.unit = unit;
    this.ticket = ticket;
    this.refusal = refusal;
    this.later = later;
  }

  static Given of(int unit, Ticket ticket) {
    return new Given(unit, ticket, null, null, 0, FileIdentity.UNKNOWN);
  }

  static Given refused(int unit, String why) {
    return new Given(unit, null, why, null, 0, FileIdentity.UNKNOWN);
  }

  static Given later(int unit, String why) {
    return new Given(unit, null, null, why, 0, FileIdentity.UNKNOWN);
  }

  static Given noLog(int unit, int validMs) {
    return new Given(unit, null, null, null, validMs, FileIdentity.UNKNOWN);
  }

  /** Returns the same for a caller that also hears which file it is. */
  Given of(FileIdentity identity) {
    return new Given(unit, ticket, refusal, later, validMs, identity);
  }

  /** @return the ticket; empty if the unit gets none */
  public Optional<Ticket> ticket() {
    return Optional.ofNullable(ticket);
  }

  /** @return why the unit gets no ticket; empty if that is not so for good */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** @return why the caller has to ask again; the other units get what they get */
  public Optional<String> later() {
    return Optional.ofNullable(later);
  }
}
