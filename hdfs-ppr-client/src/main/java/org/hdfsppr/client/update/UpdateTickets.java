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
package org.hdfsppr.client.update;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;

/** The tickets of one file that a reader or writer has got. Thread-safe. */
@InterfaceAudience.Private
final class UpdateTickets {
  /** The most groups whose tickets are kept, at a few KB each. */
  private static final int GROUPS_MOST = 1024;

  private final UpdateProtocol nameNode;
  private final String path;
  private final boolean isWrite;
  /** In the order of their last use. Guarded by this. */
  private final Map<GroupId, Map<Integer, SignedTicket>> known =
      new LinkedHashMap<GroupId, Map<Integer, SignedTicket>>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<GroupId, Map<Integer, SignedTicket>> eldest) {
          return size() > GROUPS_MOST;
        }
      };

  /**
   * @param nameNode gives tickets
   * @param path the file
   * @param isWrite whether they are for a writer
   */
  UpdateTickets(UpdateProtocol nameNode, String path, boolean isWrite) {
    this.nameNode = nameNode;
    this.path = path;
    this.isWrite = isWrite;
  }

  /**
   * Returns the ticket of a unit; empty if the unit has no log yet. The latter is true for the time
   * of the call only, and is not remembered.
   */
  Optional<SignedTicket> ticket(GroupId group, int unit) throws IOException {
    Optional<SignedTicket> kept = kept(group, unit);
    return kept.isPresent() ? kept : ask(group, unit, Map.of());
  }

  private synchronized Optional<SignedTicket> kept(GroupId group, int unit) {
    return Optional.ofNullable(known.getOrDefault(group, Map.of()).get(unit));
  }

  /**
   * Returns another ticket than one with which a caller could not go on.
   *
   * @param hasFailed whether the NameNode has to begin a later term; otherwise it may have a later
   *     one already, or a new token is enough
   */
  Optional<SignedTicket> another(GroupId group, int unit, SignedTicket old, boolean hasFailed)
      throws IOException {
    long term = old.ticket().term();
    Optional<SignedTicket> kept = kept(group, unit);
    if (kept.isPresent() && kept.get().ticket().term() > term) {
      // Another thread has got it.
      return kept;
    }
    return ask(group, unit, hasFailed ? Map.of(unit, term) : Map.of());
  }

  private Optional<SignedTicket> ask(GroupId group, int unit, Map<Integer, Long> failed)
      throws IOException {
    Optional<SignedTicket> found = Optional.empty();
    Map<Integer, SignedTicket> tickets = new HashMap<>();
    String refusal = null;
    String later = null;
    for (UnitGrant grant : nameNode.tickets(new TicketRequest(path, group, isWrite, failed))) {
      grant.ticket().ifPresent(ticket -> tickets.put(grant.unit(), ticket));
      if (grant.unit() == unit) {
        refusal = grant.refusal().orElse(null);
        later = grant.later().orElse(null);
      }
    }
    synchronized (this) {
      known.computeIfAbsent(group, id -> new HashMap<>()).putAll(tickets);
    }
    if (refusal != null) {
      throw new UpdateRefusedException(refusal);
    }
    if (later != null) {
      throw new RetriableException(later);
    }
    found = Optional.ofNullable(tickets.get(unit));
    if (found.isEmpty() && isWrite) {
      throw new IOException("The NameNode has no ticket for unit " + unit + " of " + group);
    }
    return found;
  }
}
