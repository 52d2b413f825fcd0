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
package org.hdfsppr.namenode.commit;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.namenode.steps.NameNodeThreads;
import org.hdfsppr.namenode.update.CommitRecord;
import org.hdfsppr.namenode.update.RecordedFile;
import org.hdfsppr.namenode.update.TicketDecision;
import org.hdfsppr.namenode.update.TicketKeeper;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.UnitPatch;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.WaitingUpdates;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a commit of a file, and collects the updates that belong to it. First it replaces all
 * terms of the file by terms with a later epoch; the package's documentation says why. Thread-safe.
 */
final class UpdateCollector implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateCollector.class);
  /** How many terms may begin at the same time: those of a whole group, for one or two commits. */
  private static final int THREADS = 8;
  /**
   * How many terms may wait for a thread. Each running commit begins the terms of one group at a
   * time, and all these groups together have fewer units than this.
   */
  private static final int WAITING_MAX = 64;
  /**
   * How often a commit tries to begin the terms of a group. A try fails if a holder of a log fails.
   */
  private static final int TRIES_MAX = 5;
  private static final long PAUSE_MS = 500;
  /** How long a call to the ticket keeper may take, ms. The keeper may have to ask DataNodes. */
  private static final long KEEPER_MS_MAX = 60_000;
  /**
   * How long a look at all logs of a file may take, ms. Units that it has not come to by then count
   * as silent.
   */
  private static final long LOOK_MS_MAX = 60_000;
  /**
   * If a request to a DataNode failed only after this time, ms, the same look asks this DataNode
   * nothing more.
   */
  private static final long SILENT_MS = 2_000;

  private final TicketKeeper keeper;
  private final UpdateNamespace namespace;
  private final CommitLogs logs;
  private final VersionHook hook;
  private final LongSupplier clockMs;
  private final ThreadPoolExecutor pool = new ThreadPoolExecutor(THREADS, THREADS, 10,
      TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX),
      new NameNodeThreads("ppr-collect-"));

  /**
   * @param keeper has the terms of logs
   * @param namespace looks up files and their attributes
   * @param logs sends requests to the holders of logs
   * @param hook is called when a commit reaches a point; see {@code VersionPoint}
   * @param clockMs the time, monotonic, ms
   */
  UpdateCollector(TicketKeeper keeper, UpdateNamespace namespace,
      CommitLogs logs, VersionHook hook, LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.keeper = keeper;
    this.namespace = namespace;
    this.logs = logs;
    this.hook = hook;
    pool.allowCoreThreadTimeOut(true);
  }

  /** Interrupts the threads, which is safe because they only send requests, and write nothing. */
  @Override
  public void close() {
    for (Runnable waiting : pool.shutdownNow()) {
      // A commit waits for the result of this task, which will never run.
      ((Future<?>) waiting).cancel(false);
    }
  }

  /**
   * Begins a commit of a file, and collects the updates that belong to it.
   *
   * @param path the file
   * @param uuid the UUID of the file; the call fails if another file is at the path
   * @param inodeId the file's inode
   * @param groups the file's block groups
   * @param strategy the strategy of commits if no directory above the file sets one
   * @return the updates; null if no unit of the file ever had a term
   * @throws IOException if the updates of a unit cannot be found out now
   */
  Collected collect(String path, UUID uuid, long inodeId, List<FileGroup> groups,
      String strategy) throws IOException, InterruptedException {
    UpdatableFile file = namespace.file(path, null, true);
    if (file.inodeId != inodeId) {
      throw new IOException(path + " is another file by now");
    }
    if (file.tag == null) {
      return null;
    }
    UpdateTag tag = UpdateTag.parse(file.tag, path);
    if (!tag.file.equals(uuid)) {
      throw new IOException(path + " is another file by now");
    }
    String chosen = strategy(file, strategy);
    long commit = keeper.call(() -> keeper.beginCommit(file), KEEPER_MS_MAX);
    if (commit == 0) {
      return null;
    }
    List<SignedTicket> tickets = new ArrayList<>();
    boolean isFenced = false;
    try {
      hook.reached(VersionPoint.COMMIT_BEGUN, path);
      for (FileGroup group : groups) {
        tickets.addAll(renew(group(path, inodeId, group), commit));
      }
      hook.reached(VersionPoint.TERMS_BEGUN, path);
    } finally {
      isFenced = keeper.call(() -> keeper.endFence(tag.file), KEEPER_MS_MAX);
    }
    if (!isFenced) {
      throw new IOException("The terms of " + path + " took too long to begin, so that writers did"
          + " not wait for all of them");
    }
    RecordedFile record = keeper.call(() -> keeper.recorded(tag.file), KEEPER_MS_MAX)
        .orElseThrow(() -> new IOException("The namespace has no record of " + path
            + " among those of updated files"));
    long trimmed = keeper.call(() -> keeper.commits(tag), KEEPER_MS_MAX).trimmed;
    Collected collected =
        new Collected(path, tag, commit, record, chosen, trimmed < tag.committed);
    for (SignedTicket ticket : tickets) {
      collect(ticket, tag.committed, commit, collected);
    }
    hook.reached(VersionPoint.COLLECTED, path);
    return collected;
  }

  private static String strategy(UpdatableFile file, String otherwise) throws IOException {
    String chosen = file.strategy().orElse(otherwise);
    try {
      CommitWays.check(chosen);
    } catch (IllegalArgumentException e) {
      throw new IOException("A directory of " + file.path + " names the strategy of its commits: "
          + e.getMessage() + "; 'hdfs ppr -updatable DIR -strategy NAME' names another one", e);
    }
    return chosen;
  }

  private UpdatableFile group(String path, long inodeId, FileGroup group) throws IOException {
    UpdatableFile file = namespace.file(path, group.id, true);
    if (file.inodeId != inodeId || file.group == null) {
      throw new IOException(path + " has changed meanwhile");
    }
    return file;
  }

  /**
   * For each unit of a group that has a term, begins a term with a later epoch. Returns their
   * tickets.
   */
  private List<SignedTicket> renew(UpdatableFile file, long commit)
      throws IOException, InterruptedException {
    Map<Integer, Long> failed = new HashMap<>();
    Map<Integer, SignedTicket> begun = new HashMap<>();
    for (int tries = 1; true; tries++) {
      IOException failure = null;
      try {
        failure = begin(keeper.call(() -> keeper.renew(file, failed, commit), KEEPER_MS_MAX),
            begun, failed);
      } catch (RetriableException e) {
        failure = e;
      }
      if (failure == null) {
        return new ArrayList<>(begun.values());
      }
      if (tries == TRIES_MAX) {
        throw new IOException("The terms of group " + file.ordinal + " of " + file.path
            + " did not begin at all holders of its logs: " + failure.getMessage(), failure);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /**
   * Begins the terms of several units at the same time. Returns one of the failures; null if all
   * terms have begun.
   */
  private IOException begin(List<TicketDecision> all, Map<Integer, SignedTicket> begun,
      Map<Integer, Long> failed) throws IOException, InterruptedException {
    Map<SignedTicket, Future<?>> underWay = new LinkedHashMap<>();
    for (TicketDecision given : all) {
      if (given.refusal().isPresent()) {
        throw new IOException(given.refusal().get());
      }
      if (given.later().isPresent()) {
        throw new RetriableException(given.later().get());
      }
      UpdateTicket ticket = given.ticket().orElseThrow();
      SignedTicket known = begun.get(given.unit);
      if (known == null || known.ticket.term != ticket.term) {
        SignedTicket signed = namespace.sign(ticket, AccessMode.COPY);
        begun.remove(given.unit);
        underWay.put(signed, pool.submit(() -> {
          logs.begin(signed);
          return null;
        }));
      }
    }
    IOException failure = null;
    for (Map.Entry<SignedTicket, Future<?>> one : underWay.entrySet()) {
      UpdateTicket ticket = one.getKey().ticket;
      try {
        one.getValue().get();
        begun.put(ticket.unit.unit, one.getKey());
      } catch (ExecutionException e) {
        failed.put(ticket.unit.unit, ticket.term);
        failure = e.getCause() instanceof IOException ? (IOException) e.getCause()
            : new IOException(e.getCause());
      }
    }
    return failure;
  }

  private void collect(SignedTicket ticket, long committed, long commit, Collected collected)
      throws IOException {
    UnitScan scan = UnitScan.of(logs, ticket, committed, commit, () -> { });
    if (scan.updates() > 0) {
      scan.ranges.joinTo(PatchCommand.RANGES_MAX);
      collected.add(new UnitPatch(ticket.ticket, scan.first(), scan.last(),
          scan.ranges.ranges()), scan.updates(), scan.bytes());
    }
  }

  private void checkTime(long untilMs) throws IOException {
    if (clockMs.getAsLong() - untilMs >= 0) {
      throw new IOException("A look at logs has taken " + LOOK_MS_MAX + " ms");
    }
  }

  /**
   * Counts the updates in the logs of a file that its version does not have. Changes nothing.
   *
   * @param path the file
   * @param groups the file's block groups
   */
  WaitingUpdates pending(String path, List<FileGroup> groups) throws IOException {
    UpdatableFile file = namespace.file(path, null, false);
    WaitingUpdates.Numbers numbers = new WaitingUpdates.Numbers();
    if (file.tag == null) {
      return new WaitingUpdates(path, 0, 1, 0, numbers);
    }
    UpdateTag tag = UpdateTag.parse(file.tag, path);
    long untilMs = clockMs.getAsLong() + LOOK_MS_MAX;
    Set<NodeRef> silent = new HashSet<>();
    for (int ordinal = 0; ordinal < groups.size(); ordinal++) {
      if (clockMs.getAsLong() - untilMs >= 0) {
        // The time is up. Each group that was not looked at counts as one silent unit, although it
        // may have more units.
        numbers.units += groups.size() - ordinal;
        numbers.silentUnits += groups.size() - ordinal;
        break;
      }
      UpdatableFile facts = namespace.file(file.inodeId, ordinal);
      Set<Long> stripes = new HashSet<>();
      // Since the caller looked at the file, another block group may have taken this one's place.
      if (facts.group != null && facts.group.equals(groups.get(ordinal).id)) {
        for (UpdateTicket ticket : keeper.call(() -> keeper.latest(facts), KEEPER_MS_MAX)) {
          numbers.units++;
          if (silent.contains(ticket.leader()) || clockMs.getAsLong() - untilMs >= 0) {
            numbers.silentUnits++;
          } else if (!count(ticket, tag.committed, untilMs, facts.policy.cellBytes, numbers,
              stripes)) {
            silent.add(ticket.leader());
          }
        }
      }
      numbers.stripes += stripes.size();
    }
    CommitRecord record =
        keeper.call(() -> keeper.commits(tag), KEEPER_MS_MAX);
    return new WaitingUpdates(path, tag.committed, Math.max(record.next, tag.committed + 1),
        record.trimmed, numbers);
  }

  /**
   * Adds the updates in a unit's log to the counts. If its leader does not answer, the unit counts
   * as silent. Returns false if that took so long that the leader should not be asked again.
   */
  private boolean count(UpdateTicket ticket, long committed, long untilMs, int cellBytes,
      WaitingUpdates.Numbers numbers, Set<Long> stripes) {
    long beginMs = clockMs.getAsLong();
    UnitScan scan;
    try {
      SignedTicket signed = namespace.sign(ticket, AccessMode.COPY);
      if (ticket.previousTerm == 0 && !logs.hasBegun(signed)) {
        return true;
      }
      scan = UnitScan.of(logs, signed, committed, Long.MAX_VALUE, () -> checkTime(untilMs));
    } catch (IOException e) {
      // Looks also fail while the latest term has not begun, because its leader then answers for
      // another term.
      LOG.debug("The log of {} cannot be looked at now", ticket, e);
      numbers.silentUnits++;
      return clockMs.getAsLong() - beginMs < SILENT_MS;
    }
    numbers.updates += scan.updates();
    numbers.loggedBytes += scan.bytes();
    numbers.changedBytes += scan.ranges.bytes();
    scan.ranges.ranges().forEach((from, to) -> {
      for (long stripe = from / cellBytes; stripe <= (to - 1) / cellBytes; stripe++) {
        stripes.add(stripe);
      }
    });
    return true;
  }

  /**
   * Reads the list of a unit's log, and sums up the updates of some commits in it. Used by one
   * thread.
   */
  static final class UnitScan {
    /**
     * If there are more ranges than this after a page, near ones are joined to save memory. A log
     * may have many small updates that do not touch each other. A command to a DataNode takes fewer
     * ranges than this, so they would be joined later anyway.
     */
    static final int RANGES_MAX = 4 * PatchCommand.RANGES_MAX;

    /** Throws an exception if a scan has taken too long. */
    interface Check {
      void run() throws IOException;
    }

    /**
     * The ranges that the updates write. If near ranges were joined, they also have the bytes
     * between.
     */
    final ByteRanges ranges = new ByteRanges();
    private long first;
    private long last;
    private long bytes;

    private UnitScan() {
    }

    /**
     * Reads the list of a log, page by page.
     *
     * @param logs sends the requests to the log's leader
     * @param ticket a ticket of the unit, with a token that has COPY
     * @param committed only updates with a later epoch than this commit count
     * @param commit only updates with this epoch or an earlier one count
     * @param check is called after each page but the last
     * @throws IOException if the leader does not answer, or if the numbers of the updates have a
     *     gap
     */
    static UnitScan of(CommitLogs logs, SignedTicket ticket, long committed, long commit,
        Check check) throws IOException {
      UnitScan scan = new UnitScan();
      long after = 0;
      while (true) {
        LogPage page = logs.list(ticket, after);
        for (NumberedUpdate update : page.updates) {
          if (update.epoch > commit) {
            return scan;
          }
          if (update.epoch > committed) {
            scan.add(ticket, update);
          }
          after = update.sequence;
        }
        if (page.isLast) {
          return scan;
        }
        if (scan.ranges.ranges().size() > RANGES_MAX) {
          scan.ranges.joinTo(RANGES_MAX / 2);
        }
        check.run();
      }
    }

    private void add(SignedTicket ticket, NumberedUpdate update) throws IOException {
      if (last != 0 && update.sequence != last + 1) {
        throw new IOException("The log of " + ticket.ticket + " has update " + update.sequence
            + " after update " + last);
      }
      first = first == 0 ? update.sequence : first;
      last = update.sequence;
      bytes += update.length;
      ranges.add(update.offset, update.offset + update.length);
    }

    /** Returns the number of the first update that counts; 0 if there is none. */
    long first() {
      return first;
    }

    /** Returns the number of the last update that counts; 0 if there is none. */
    long last() {
      return last;
    }

    /** Returns how many updates count. */
    long updates() {
      return first == 0 ? 0 : last - first + 1;
    }

    /** Returns how many bytes the updates that count write, with repetitions. */
    long bytes() {
      return bytes;
    }
  }
}
