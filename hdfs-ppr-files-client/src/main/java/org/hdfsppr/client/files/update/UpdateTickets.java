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
package org.hdfsppr.client.files.update;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.FileIdentity;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the NameNode for the tickets of one file, for a reader or a writer, and keeps them.
 * Thread-safe.
 */
final class UpdateTickets {
  /** Finds the block group that has taken the place of another one in a commit. */
  interface Relocation {
    GroupId now(GroupId before) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(UpdateTickets.class);
  /** For how many groups tickets are kept at most; each group takes a few KB. */
  private static final int GROUPS_MOST = 1024;
  /**
   * How often a request is tried at most if commits replace the group meanwhile. A commit takes at
   * least a second.
   */
  private static final int VERSIONS_MOST = 8;

  /**
   * The tickets of one group, and the state of the requests for them. Guarded by the monitor of
   * {@link UpdateTickets}.
   */
  private static final class Group {
    private final Map<Integer, SignedTicket> tickets = new HashMap<>();
    /**
     * For each unit that has no log, until when the NameNode gives it none, on {@link #nanoClock}.
     */
    private final Map<Integer, Long> noLogUntil = new HashMap<>();
    /** How many requests for the tickets of all units of the group have begun. */
    private long begun;
    /** Which of these requests was the last that has ended. The next two fields are its outcome. */
    private long ended;
    private List<UnitGrant> answer;
    private IOException failure;
    private boolean isAsking;
  }

  private final UpdateProtocol nameNode;
  private final String path;
  private final boolean isWrite;
  private final LongSupplier nanoClock;
  private final Relocation relocation;
  /**
   * For each group that callers know and that a commit has replaced, the present group. Guarded by
   * this.
   */
  private final Map<GroupId, GroupId> replaced = new HashMap<>();
  /** The identity of the file, as the NameNode's answers have given it. Guarded by this. */
  private FileIdentity file = FileIdentity.UNKNOWN;
  /** Whether answers have to confirm the identity of the file. Guarded by this. */
  private boolean isPinned;
  /** The groups in the order of their last use. Guarded by this. */
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
   * @param isWrite whether the tickets are for a writer
   * @param nanoClock a monotonic clock, ns
   */
  UpdateTickets(UpdateProtocol nameNode, String path, boolean isWrite, LongSupplier nanoClock) {
    this(nameNode, path, isWrite, nanoClock, null);
  }

  /**
   * Like {@link #UpdateTickets(UpdateProtocol, String, boolean, LongSupplier)}, for a caller that
   * can go on with the groups of a later version.
   *
   * @param relocation finds these groups; null if requests have to fail with GroupReplacedException
   *     after a commit
   */
  UpdateTickets(UpdateProtocol nameNode, String path, boolean isWrite, LongSupplier nanoClock,
      Relocation relocation) {
    this.relocation = relocation;
    this.nameNode = nameNode;
    this.path = path;
    this.isWrite = isWrite;
    this.nanoClock = nanoClock;
  }

  private Group group(GroupId id) {
    return known.computeIfAbsent(id, any -> new Group());
  }

  /**
   * Returns the present moment, which is how many requests for the group have begun. A caller that
   * takes the moment first, and then asks for several units with it, causes one request to the
   * NameNode for all of them.
   */
  synchronized long moment(GroupId group) {
    return group(group).begun;
  }

  /**
   * Returns the ticket of a unit; empty if the unit has no log yet. A NameNode that answers that a
   * unit has no log may promise to give it none for some time; the first writer of the unit then
   * waits for that time. Threads that ask for units of a group at the same time share one request.
   *
   * @param moment a {@link #moment}; only the answer of a request that has begun after it is used
   * @throws RetriableException if the NameNode wants to be asked again after a pause
   */
  Optional<SignedTicket> ticket(GroupId group, int unit, long moment) throws IOException {
    Group asked;
    long number;
    synchronized (this) {
      asked = group(group);
      while (true) {
        if (asked.tickets.containsKey(unit)) {
          return Optional.of(asked.tickets.get(unit));
        }
        Long until = asked.noLogUntil.get(unit);
        if (until != null && nanoClock.getAsLong() - until < 0) {
          return Optional.empty();
        }
        if (asked.ended > moment) {
          return ended(asked, group, unit);
        }
        if (!asked.isAsking) {
          break;
        }
        await();
      }
      asked.isAsking = true;
      number = ++asked.begun;
    }
    return askForAll(asked, number, group, unit);
  }

  private Optional<SignedTicket> ended(Group asked, GroupId group, int unit) throws IOException {
    if (asked.failure != null) {
      throw asked.failure;
    }
    return own(asked.answer, group, unit);
  }

  /** Waits until another thread's request to the NameNode has ended, which has a time limit. */
  private void await() throws InterruptedIOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The caller does not wait for the NameNode any more");
    }
  }

  private Optional<SignedTicket> askForAll(Group asked, long number, GroupId group, int unit)
      throws IOException {
    List<UnitGrant> answer = null;
    IOException failure = null;
    try {
      answer = ask(asked, group, Map.of());
      return own(answer, group, unit);
    } catch (InterruptedIOException e) {
      // Only this thread was interrupted. One of the other waiting threads asks again.
      throw e;
    } catch (IOException e) {
      // If this thread was interrupted, the exception may be due to that, and the other threads
      // must not fail with it.
      failure = answer == null && !Thread.currentThread().isInterrupted() ? e : null;
      throw e;
    } finally {
      synchronized (this) {
        asked.isAsking = false;
        if (answer != null || failure != null) {
          asked.ended = number;
          asked.answer = answer;
          asked.failure = failure;
        }
        notifyAll();
      }
    }
  }

  /**
   * Returns a new ticket for a caller whose old one was refused or led to no answer.
   *
   * @param hasFailed whether the NameNode has to begin a later term than the old ticket's; if
   *     false, a new token for the same term is enough
   * @throws RetriableException if the NameNode wants to be asked again after a pause
   */
  Optional<SignedTicket> another(GroupId group, int unit, SignedTicket old, boolean hasFailed)
      throws IOException {
    long term = old.ticket.term;
    Group asked;
    synchronized (this) {
      asked = group(group);
      SignedTicket ticket = asked.tickets.get(unit);
      if (ticket != null && ticket.ticket.term > term) {
        // Another thread has got a ticket of a later term meanwhile.
        return Optional.of(ticket);
      }
    }
    return own(ask(asked, group, hasFailed ? Map.of(unit, term) : Map.of()), group, unit);
  }

  private List<UnitGrant> ask(Group asked, GroupId group, Map<Integer, Long> failed)
      throws IOException {
    long began = nanoClock.getAsLong();
    List<UnitGrant> grants = grants(group, failed);
    synchronized (this) {
      for (UnitGrant grant : grants) {
        if (grant.refusal().isEmpty() && grant.later().isEmpty()) {
          check(grant.file);
        }
      }
      grants.forEach(grant -> keep(asked, grant, began));
    }
    return grants;
  }

  private List<UnitGrant> grants(GroupId group, Map<Integer, Long> failed) throws IOException {
    GroupId asked = now(group);
    for (int versions = 1; true; versions++) {
      try {
        List<UnitGrant> grants =
            nameNode.tickets(new TicketRequest(path, asked, isWrite, failed));
        if (!asked.equals(group)) {
          take(group, asked);
        }
        return grants;
      } catch (GroupReplacedException e) {
        if (relocation == null || !knowsFile() || versions == VERSIONS_MOST) {
          throw e;
        }
        GroupId fresh = relocation.now(group);
        if (fresh.equals(asked)) {
          throw e;
        }
        // Before the NameNode is asked for the fresh group, a further commit may replace that one,
        // too. So this loops.
        asked = fresh;
      }
    }
  }

  private synchronized void take(GroupId group, GroupId fresh) {
    replaced.put(group, fresh);
  }

  private synchronized GroupId now(GroupId group) {
    return replaced.getOrDefault(group, group);
  }

  /** Returns whether any answer has said which file is at the path. */
  synchronized boolean knowsFile() {
    return !file.isUnknown();
  }

  /**
   * From now on, each answer has to confirm the identity of the file; before that, an answer
   * without an identity is accepted.
   */
  synchronized void pin() {
    isPinned = true;
  }

  synchronized boolean isPinned() {
    return isPinned;
  }

  /** Checks that an answer is about the same file as the answers before. */
  private synchronized void check(FileIdentity named) throws UpdateRefusedException {
    if (file.isOther(named)) {
      throw new UpdateRefusedException(path + " is another file by now; open it anew");
    }
    if (isPinned && !file.isSame(named)) {
      throw new UpdateRefusedException("The NameNode does not say whether " + path + " is still the"
          + " same file; open it anew");
    }
    file = file.and(named);
  }

  /**
   * Asks the NameNode to commit the file, so that the logs get room. A commit may be queued
   * already.
   */
  void wantCommit() {
    if (nameNode instanceof CommitProtocol) {
      try {
        LOG.debug("{}", ((CommitProtocol) nameNode).commit(path, CommitProtocol.FULL));
      } catch (IOException e) {
        // This failure need not end the caller's request: the caller tries again, and fails after
        // some minutes if the log is still full.
        LOG.debug("No commit of {} empties a full log now", path, e);
      }
    }
  }

  /**
   * Returns the ticket that an answer has for a unit; empty if the unit has no log. If the answer
   * refuses the ticket, or says to ask later, throws an exception.
   */
  private Optional<SignedTicket> own(List<UnitGrant> grants, GroupId group, int unit)
      throws IOException {
    Optional<UnitGrant> named = grants.stream().filter(grant -> grant.unit == unit).findFirst();
    if (named.isEmpty()) {
      check(FileIdentity.UNKNOWN);
    }
    UnitGrant own = named.orElse(UnitGrant.noLog(unit, 0));
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
    grant.ticket().ifPresent(ticket -> kept.tickets.merge(grant.unit, ticket,
        (old, late) -> late.ticket.term < old.ticket.term ? old : late));
    if (grant.validMs > 0) {
      kept.noLogUntil.put(grant.unit, asked + TimeUnit.MILLISECONDS.toNanos(grant.validMs));
    }
  }
}
