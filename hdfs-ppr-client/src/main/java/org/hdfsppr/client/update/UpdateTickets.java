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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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

  /** What is known of one group. Guarded by the tickets. */
  private static final class Group {
    private final Map<Integer, SignedTicket> tickets = new HashMap<>();
    /** By unit, until when it has no log, by the clock. */
    private final Map<Integer, Long> noLogUntil = new HashMap<>();
  }

  private final UpdateProtocol nameNode;
  private final String path;
  private final boolean isWrite;
  private final LongSupplier nanoClock;
  /** In the order of their last use. Guarded by this. */
  private final Map<GroupId, Group> known = new LinkedHashMap<GroupId, Group>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<GroupId, Group> eldest) {
      return size() > GROUPS_MOST;
    }
  };

  /**
   * @param nameNode gives tickets
   * @param path the file
   * @param isWrite whether they are for a writer
   * @param nanoClock a monotonic clock, ns
   */
  UpdateTickets(UpdateProtocol nameNode, String path, boolean isWrite, LongSupplier nanoClock) {
    this.nameNode = nameNode;
    this.path = path;
    this.isWrite = isWrite;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns the ticket of a unit; empty if the unit has no log yet. The NameNode says for how long
   * that is so, if it knows, and the first writer of the unit waits as long.
   *
   * @throws RetriableException if the NameNode wants to be asked again after a pause
   */
  Optional<SignedTicket> ticket(GroupId group, int unit) throws IOException {
    synchronized (this) {
      Group kept = known.get(group);
      if (kept != null && kept.tickets.containsKey(unit)) {
        return Optional.of(kept.tickets.get(unit));
      }
      Long until = kept == null ? null : kept.noLogUntil.get(unit);
      if (until != null && nanoClock.getAsLong() - until < 0) {
        return Optional.empty();
      }
    }
    return ask(group, unit, Map.of());
  }

  /**
   * Returns another ticket than one with which a caller could not go on.
   *
   * @param hasFailed whether the NameNode has to begin a later term; otherwise it may have a later
   *     one already, or a new token is enough
   * @throws RetriableException if the NameNode wants to be asked again after a pause
   */
  Optional<SignedTicket> another(GroupId group, int unit, SignedTicket old, boolean hasFailed)
      throws IOException {
    long term = old.ticket().term();
    synchronized (this) {
      Group kept = known.get(group);
      SignedTicket ticket = kept == null ? null : kept.tickets.get(unit);
      if (ticket != null && ticket.ticket().term() > term) {
        // Another thread has got it.
        return Optional.of(ticket);
      }
    }
    return ask(group, unit, hasFailed ? Map.of(unit, term) : Map.of());
  }

  private Optional<SignedTicket> ask(GroupId group, int unit, Map<Integer, Long> failed)
      throws IOException {
    long asked = nanoClock.getAsLong();
    List<UnitGrant> grants =
        nameNode.tickets(new TicketRequest(path, group, isWrite, failed));
    UnitGrant own = UnitGrant.noLog(unit, 0);
    synchronized (this) {
      Group kept = known.computeIfAbsent(group, id -> new Group());
      for (UnitGrant grant : grants) {
        keep(kept, grant, asked);
        own = grant.unit() == unit ? grant : own;
      }
    }
    if (own.refusal().isPresent()) {
      throw new UpdateRefusedException(own.refusal().get());
    }
    if (own.later().isPresent()) {
      throw new RetriableException(own.later().get());
    }
    if (own.ticket().isEmpty() && isWrite) {
      throw new IOException("The NameNode has no ticket for unit " + unit + " of " + group);
    }
    return own.ticket();
  }

  private static void keep(Group kept, UnitGrant grant, long asked) {
    grant.ticket().ifPresent(ticket -> kept.tickets.put(grant.unit(), ticket));
    if (grant.validMs() > 0) {
      kept.noLogUntil.put(grant.unit(), asked + TimeUnit.MILLISECONDS.toNanos(grant.validMs()));
    }
  }
}
