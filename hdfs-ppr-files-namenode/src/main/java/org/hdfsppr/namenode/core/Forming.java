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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hdfsppr.core.formation.NewGroup;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that are planned, and those that are being made. When the parity file of a group is
 * complete, the group is added to the {@link CoreGroupRegistry}, and then its record is written.
 * Used by one thread.
 */
final class Forming {
  private static final Logger LOG = LoggerFactory.getLogger(Forming.class);
  /**
   * How many groups that this NameNode has planned itself may wait. Walks plan no further groups
   * until more than half of this is free.
   */
  static final int QUEUE_MAX = 1_000;

  /**
   * After this many failures in a row, no groups of the directory are made for {@link #REST_MS}. In
   * a cluster with too few nodes, or with a disabled policy, each group fails. The NameNode would
   * try millions of files one after the other, and each try writes to the edit log.
   */
  static final int FAILURES_MAX = 100;
  /** For how long no groups of such a directory are made, ms. */
  static final long REST_MS = 60_000;
  /** After this pause, this many further failures are enough for the next pause. */
  private static final int PROBES = 4;

  /**
   * The failures of a directory since the last group of it was made, and until when its pause
   * lasts.
   */
  private static final class Streak {
    private int failures;
    private long untilMs;
  }

  private final CoreDoors doors;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Dissolver dissolver;
  private final CoreGroupRegistry shelf;
  private final CoreGroupRules judge;
  private final CoreTally tally;
  private final Runnable wake;
  private final int concurrent;
  private final FileTries tries = new FileTries();
  private final FormingQueue queue = new FormingQueue();
  private final List<FormingQueue.Item> running = new ArrayList<>();
  private final Set<Long> files = new HashSet<>();
  private final Map<Long, String> failures = new HashMap<>();
  private final Map<Long, Streak> streaks = new HashMap<>();
  private long formed;
  private long failed;

  /**
   * @param dissolver deletes the parity files that no group gets
   * @param tally counts the groups that are formed, or fail
   * @param concurrent how many groups are made at the same time at most; 0 for none
   * @param wake is called when the making of a group has ended, on any thread
   */
  Forming(CoreDoors doors, CoreGroupRegistry shelf, CoreGroupRules judge, Dissolver dissolver,
      CoreTally tally, int concurrent, Runnable wake) {
    this.doors = doors;
    this.shelf = shelf;
    this.judge = judge;
    this.dissolver = dissolver;
    this.tally = tally;
    this.concurrent = concurrent;
    this.wake = wake;
  }

  /** Returns how many further groups this NameNode may plan itself. */
  int room() {
    return concurrent == 0 ? 0 : QUEUE_MAX - queue.size(FormingQueue.OWN);
  }

  /** Returns whether one more group of a user may wait. */
  boolean hasRoom(String user) {
    return concurrent > 0 && queue.hasRoom(user);
  }

  boolean hasFile(long fileId) {
    return files.contains(fileId);
  }

  /** Returns whether no group with this file should be made now, because the last one failed. */
  boolean rests(long fileId, long nowMs) {
    return tries.rests(fileId, nowMs);
  }

  /**
   * Returns whether no group of this directory should be made now, because many have failed in a
   * row.
   */
  boolean isResting(long directory, long nowMs) {
    Streak streak = streaks.get(directory);
    long leftMs = streak == null ? 0 : streak.untilMs - nowMs;
    // If the clock was set back, the pause must not get longer.
    return leftMs > 0 && leftMs <= REST_MS;
  }

  /**
   * Adds a group to those that wait.
   *
   * @param user short name of the user that has submitted the group, or {@link FormingQueue#OWN}
   */
  void add(ProtectedDirectory directory, NewGroup group, String user) {
    FormingQueue.Item item = new FormingQueue.Item(directory.inodeId, group);
    queue.add(user, item);
    files.addAll(item.files);
  }

  /** Drops the groups of a directory that wait to be made. */
  private void drop(long directory) {
    queue.removeDirectory(directory).forEach(item -> files.removeAll(item.files));
  }

  /** Returns the name of the job under which the engine makes the parity files of a directory. */
  private static String job(long directory) {
    return "core-" + directory;
  }

  /**
   * Drops the groups of a directory that wait, and has the engine stop those that are being made.
   */
  void cancel(long directory) {
    drop(directory);
    doors.engine.cancel(job(directory));
    failures.remove(directory);
    streaks.remove(directory);
  }

  /**
   * Has the engine make the next groups, until {@link #concurrent} are being made.
   *
   * @param protections the protected directories now, which may have changed since the groups were
   *     planned
   * @throws IOException if the NameNode does not answer; the group then still waits
   */
  void submit(Protections protections) throws IOException {
    int dropped = 0;
    while (!queue.isEmpty() && dropped < QUEUE_MAX && running.size() < concurrent
        && doors.engine.isActive()) {
      FormingQueue.Item item = queue.peek();
      Optional<ParityRequest> request = request(item, protections);
      if (request.isEmpty()) {
        // A file has changed since the group was planned. The next walk through the directory plans
        // its files anew.
        queue.remove();
        files.removeAll(item.files);
        dropped++;
        continue;
      }
      Optional<CompletableFuture<ParityOutcome>> future = doors.engine.submit(request.get());
      if (future.isEmpty()) {
        return;
      }
      queue.remove();
      item.begin(request.get(), future.get());
      running.add(item);
      item.future().whenComplete((outcome, error) -> wake.run());
    }
  }

  /** Returns the request to the engine; empty if the files cannot form a group any more. */
  private Optional<ParityRequest> request(FormingQueue.Item item, Protections protections)
      throws IOException {
    for (Optional<MemberState> member : doors.namespace.members(item.files)) {
      if (member.isEmpty() || protections.of(member.get())
          .filter(ProtectedDirectory::isReadable).map(by -> Protections.filesPerGroup(
              member.get().policy, by)).orElse(0) != item.files.size()) {
        return Optional.empty();
      }
    }
    List<TargetFile> members = new ArrayList<>();
    for (Optional<TargetFile> file : doors.namespace.files(item.files)) {
      if (file.isEmpty() || shelf.hasFile(file.get().inodeId())
          || FilePlanner.obstacle(file.get().facts).isPresent()) {
        return Optional.empty();
      }
      members.add(file.get());
    }
    try {
      return Optional.of(new ParityRequest(job(item.directory), doors.place,
          members.get(0).facts.policy, members));
    } catch (IllegalArgumentException e) {
      LOG.debug("Planned files do not fit together any more", e);
      return Optional.empty();
    }
  }

  /**
   * Makes groups of the parity files that the engine has completed, and notes the failures.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   */
  void takeEnded(Protections protections, long nowMs) {
    for (FormingQueue.Item item : new ArrayList<>(running)) {
      if (item.future().isDone()) {
        running.remove(item);
        files.removeAll(item.files);
        take(item, protections, nowMs);
      }
    }
  }

  private void take(FormingQueue.Item item, Protections protections, long nowMs) {
    ParityOutcome outcome = item.future().join();
    if (!outcome.isMade()) {
      outcome.left.ifPresent(dissolver::left);
      if (outcome.outcome.end != VersionEnd.STOPPED
          && outcome.outcome.end != VersionEnd.CANCELLED) {
        failed(item, outcome.outcome.sentence, nowMs);
      }
      return;
    }
    boolean isPublished = false;
    CoreGroup shelved = null;
    try {
      CoreGroup group = GroupRecords.made(item.request(), outcome);
      CoreGroupRules.Verdict verdict =
          judge.judge(group, doors.namespace.members(group.inodeIds()), protections, nowMs);
      if (verdict.reason == null && shelf.besides(group).isEmpty()) {
        // From here on, repairs know the columns of the group, and put no rebuilt unit beside
        // another block of the same column. Earlier repairs did not know them, so this is checked
        // now.
        shelf.add(group, verdict.directory).found(verdict);
        shelved = group;
        if (doors.spread.isParityBeside(group)) {
          throw new IOException("a unit of a member was repaired onto a DataNode with another"
              + " block of the same column while the group was made; it is made anew");
        }
        doors.folder.publish(group.id(), group.record().toBytes());
        isPublished = true;
        group.members().forEach(member -> tries.succeeded(member.fileId));
        failures.remove(item.directory);
        streaks.remove(item.directory);
        formed++;
        tally.formed(group.memberBytes, outcome.outcome.bytes.moved);
        LOG.debug("{} is formed: {}", group, outcome);
      } else {
        LOG.debug("{} is not formed: its files have changed ({})", group, verdict.reason);
      }
    } catch (IOException | RuntimeException e) {
      failed(item, e.toString().split("\n")[0], nowMs);
    }
    if (!isPublished) {
      if (shelved != null) {
        shelf.remove(shelved);
      }
      dissolver.discard(outcome.inodeId);
    }
  }

  private void failed(FormingQueue.Item item, String sentence, long nowMs) {
    failed++;
    tally.failed();
    failures.put(item.directory, sentence);
    item.files.forEach(file -> tries.failed(file, nowMs));
    Streak streak = streaks.computeIfAbsent(item.directory, none -> new Streak());
    if (++streak.failures >= FAILURES_MAX) {
      streak.failures = FAILURES_MAX - PROBES;
      streak.untilMs = nowMs + REST_MS;
      drop(item.directory);
    }
    peerLog.warn("formation", "A CORE group of {} files below the directory with inode {} cannot"
        + " be formed now: {}", item.files.size(), item.directory, sentence);
  }

  /** Returns how many groups of a directory are being made now. */
  long running(long directory) {
    return running.stream().filter(item -> item.directory == directory).count();
  }

  /** Returns how many groups of a directory wait to be made. */
  long queued(long directory) {
    return queue.ofDirectory(directory);
  }

  /** Returns why the last group of a directory could not be made; empty if it was made. */
  String failure(long directory) {
    return failures.getOrDefault(directory, "");
  }

  long formed() {
    return formed;
  }

  long failed() {
    return failed;
  }

  void clear() {
    queue.clear();
    running.forEach(item -> dissolver.orphan(item.future()));
    running.clear();
    files.clear();
    failures.clear();
    streaks.clear();
    tries.clear();
    formed = 0;
    failed = 0;
  }

  /**
   * The files with which a group could not be made lately. They are left out for a pause, so that
   * the same group is not tried again at once. Not thread-safe.
   */
  static final class FileTries {
    /**
     * The pause after the first failure, ms. It doubles with each further failure, up to
     * {@link #PAUSE_MS_MAX}.
     */
    static final long PAUSE_MS = 60_000;
    static final long PAUSE_MS_MAX = 3_600_000;
    /**
     * How many files are remembered at most. One more replaces the file whose last failure is the
     * oldest.
     */
    static final int FILES_MAX = 10_000;

    /** How often a file has failed, and until when its pause lasts. */
    private static final class Failures {
      private int count;
      private long untilMs;
    }

    private final Map<Long, Failures> files = new LinkedHashMap<>();

    /** Notes that a group with this file could not be made, and begins the file's next pause. */
    void failed(long fileId, long nowMs) {
      Failures failures = files.remove(fileId);
      failures = failures == null ? new Failures() : failures;
      failures.count++;
      long pause = PAUSE_MS << Math.min(failures.count - 1, Long.numberOfTrailingZeros(64));
      failures.untilMs = nowMs + Math.min(PAUSE_MS_MAX, pause);
      files.put(fileId, failures);
      if (files.size() > FILES_MAX) {
        files.remove(files.keySet().iterator().next());
      }
    }

    void succeeded(long fileId) {
      files.remove(fileId);
    }

    /** Returns whether the pause of a file still lasts. */
    boolean rests(long fileId, long nowMs) {
      Failures failures = files.get(fileId);
      long leftMs = failures == null ? 0 : failures.untilMs - nowMs;
      // If the clock was set back, the pause must not get longer.
      return leftMs > 0 && leftMs <= PAUSE_MS_MAX;
    }

    void clear() {
      files.clear();
    }
  }
}
