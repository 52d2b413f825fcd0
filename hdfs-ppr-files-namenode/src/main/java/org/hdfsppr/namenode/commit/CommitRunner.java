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

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.namenode.steps.NameNodeThreads;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.PowerCutDurability;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.namenode.version.VersionRequest;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.operate.WaitingUpdates;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the updates of files, a few files at a time. Commits are kept in memory only. If a
 * restart or a failover ends one, the file has either the old version and all logs, or the new
 * version and logs that still have updates of it. The next commit of the file can begin from either
 * state. Thread-safe.
 */
@InterfaceAudience.Private
public final class CommitRunner extends ActiveService {
  private static final Logger LOG = LoggerFactory.getLogger(CommitRunner.class);
  /** How many commits run at the same time at most. */
  private static final int THREADS = VersionEngine.COMMITS_MAX;
  /** How many commits may wait for a thread. */
  private static final int WAITING_MAX = 256;
  /**
   * How long the status of a commit that has ended is kept for its caller, ms. {@link #KEPT_MAX}
   * bounds how many commits are kept.
   */
  private static final long KEPT_MS = 600_000;
  static final int KEPT_MAX = 4_096;
  /**
   * How long a commit waits until the engine takes its version, ms, and the pause between two
   * tries, ms.
   */
  private static final long ENGINE_MS_MAX = 600_000;
  private static final long ENGINE_PAUSE_MS = 250;
  private static final long STOP_MS = 5_000;
  /**
   * How many files may wait for a trim of their logs, how often a trim is tried, and the pause
   * between two tries, ms.
   */
  private static final int TRIMS_MAX = 1_000;
  static final int TRIM_TRIES_MAX = 20;
  private static final long TRIM_PAUSE_MS = 15_000;
  /** The name of the job under which the engine makes the versions of all commits. */
  private static final String JOB = VersionEngine.COMMITS_JOB;

  /** Trims the logs of a file, see {@link LogTrimmer#trim}. */
  interface Trimmer {
    Optional<String> trim(String path, UUID file);
  }

  private final UpdateCollector collector;
  private final Trimmer trimmer;
  private final VersionEngine engine;
  private final CommitSettings settings;
  private final VersionHook hook;
  private final LongSupplier clockMs;
  private final Consumer<CommitStatus> ended;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final ThreadPoolExecutor pool;
  /**
   * The known commits by their ids, in the order in which they were requested. Guarded by this.
   */
  private final Map<String, CommitJob> jobs = new LinkedHashMap<>();
  /** The UUIDs of the files of which a commit is running. Guarded by this. */
  private final Set<UUID> underWay = new HashSet<>();
  /** The UUIDs of the files whose logs wait for a trim. Guarded by this. */
  private final Set<UUID> trimming = new HashSet<>();
  private final TrimWaits trimWaits;
  /** Runs the trims, which may wait for answers of DataNodes. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(2, new NameNodeThreads("ppr-commit-trim-"));
  private final CommitTriggers triggers;

  CommitRunner(UpdateCollector collector, Trimmer trimmer, VersionEngine engine,
      CommitSettings settings, VersionHook hook, LongSupplier clockMs,
      Consumer<CommitStatus> ended) {
    super("ppr-commits", "commits", settings.lookMs);
    this.collector = collector;
    this.trimmer = trimmer;
    this.engine = engine;
    this.settings = settings;
    this.hook = hook;
    this.clockMs = clockMs;
    this.trimWaits = new TrimWaits(clockMs);
    this.ended = ended;
    this.pool = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(WAITING_MAX), new NameNodeThreads("ppr-commit-"));
    pool.allowCoreThreadTimeOut(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timer.setRemoveOnCancelPolicy(true);
    this.triggers = new CommitTriggers(settings, new CommitTriggers.Door() {
      @Override
      public WaitingUpdates pending(String path) throws IOException {
        return CommitRunner.this.pending(path);
      }

      @Override
      public void commit(String path, UUID file) throws IOException {
        if (!isUnderWay(file)) {
          begin(path, file);
        }
      }

      @Override
      public void trim(String path, UUID file) {
        wantTrim(path, file);
      }
    }, clockMs);
  }

  @Override
  protected OptionalLong term() {
    return engine.isActive() && engine.whyNoCommit().isEmpty() ? OptionalLong.of(0)
        : OptionalLong.empty();
  }

  /** Begins commits that no user has called for; see {@link CommitTriggers}. */
  @Override
  protected boolean work() {
    triggers.step(this::isStopped);
    return false;
  }

  @Override
  protected void say(Throwable e) {
    peerLog.error(e.getClass().getName(), "A look at the logs of files has failed", e);
  }

  /** Notes that a client has got tickets of a file, so that it may soon have updates. */
  void seen(String path, UUID file) {
    triggers.seen(path, file);
  }

  /** Notes a file that has terms in the namespace, so that it may have updates. */
  void recorded(String path, UUID file) {
    triggers.recorded(path, file);
  }

  /** Has all files with updates committed soon, because some log is full. */
  void full() {
    triggers.full();
  }

  /**
   * Begins a commit of a file. If one of this file waits for a thread, returns that one instead.
   *
   * @throws RetriableException if too many commits wait
   */
  synchronized CommitStatus begin(String path, UUID file) throws RetriableException {
    long now = clockMs.getAsLong();
    jobs.values().removeIf(job -> job.hasEndedBefore(now - KEPT_MS));
    Optional<CommitJob> waiting = jobs.values().stream()
        .filter(job -> job.file.equals(file) && job.isWaiting()).findFirst();
    if (waiting.isPresent()) {
      return waiting.get().status();
    }
    CommitJob job = new CommitJob(UUID.randomUUID().toString(), path, file);
    try {
      pool.execute(() -> run(job));
    } catch (RejectedExecutionException e) {
      throw new RetriableException(WAITING_MAX + " commits wait already; try again");
    }
    jobs.put(job.id, job);
    if (jobs.size() > KEPT_MAX) {
      jobs.values().stream().filter(CommitJob::hasEnded).findFirst()
          .ifPresent(oldest -> jobs.remove(oldest.id));
    }
    return job.status();
  }

  /**
   * Like {@link #begin}, for a writer that asks again and again until a log has room. After a
   * failed commit, the next one begins only after a pause: it would probably fail again, and each
   * commit makes all writers of the file wait for new terms. After a published commit the pause is
   * short, because writers may have filled the log again.
   */
  synchronized CommitStatus beginForRoom(String path, UUID file) throws RetriableException {
    long now = clockMs.getAsLong();
    CommitJob last = null;
    for (CommitJob job : jobs.values()) {
      last = job.file.equals(file) ? job : last;
    }
    return last != null && !last.makesWayForAnother(now) ? last.status()
        : begin(path, file);
  }

  private synchronized boolean isUnderWay(UUID file) {
    return underWay.contains(file);
  }

  /** Returns how many commits are kept, also of those that have ended. */
  synchronized int known() {
    return jobs.size();
  }

  /** Returns the status of a commit; empty if this NameNode knows none with this id. */
  synchronized Optional<CommitStatus> status(String id) {
    return Optional.ofNullable(jobs.get(id)).map(CommitJob::status);
  }

  /** Returns what the logs of a file have that no version of it has. */
  WaitingUpdates pending(String path) throws IOException {
    return collector.pending(path, engine.facts(path, own()).groups);
  }

  /**
   * Trims the logs of a file that still have updates which its version has, as after a restart
   * between the publication and the trim. This NameNode may not know whether all units of the
   * version would survive a power cut. It first waits until they certainly do. This method does not
   * wait for that.
   */
  void wantTrim(String path, UUID file) {
    trimLater(path, file, PowerCutDurability.UNSAID_MS);
  }

  /**
   * Schedules a trim of a file's logs. If too many files wait for a trim, none is scheduled, and
   * after too many failed tries there is no further one. Then the logs keep updates that the
   * version has. The next request for a ticket, or the next look at the logs, notices this and
   * schedules a trim again.
   */
  private void trimLater(String path, UUID file, long ms) {
    boolean isNew;
    synchronized (this) {
      isNew = trimming.size() < TRIMS_MAX && trimming.add(file);
    }
    if (isNew) {
      schedule(path, file, 1, ms);
    }
  }

  private void schedule(String path, UUID file, int tries, long ms) {
    try {
      timer.schedule(() -> trim(path, file, tries), ms, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The logs of {} are trimmed by another NameNode, or after the restart", path, e);
    }
  }

  /** Tries to trim the logs of a file, and schedules the next try if that fails. */
  void trim(String path, UUID file, int tries) {
    long waitMs = trimWaits.leftMs(file);
    if (engine.isActive()) {
      // While this NameNode was not active, another one may have published a version of the file.
      waitMs = Math.max(waitMs, PowerCutDurability.UNSAID_MS - engine.activeMs());
    }
    if (waitMs > 0) {
      schedule(path, file, tries, waitMs);
      return;
    }
    boolean isLeft = true;
    try {
      isLeft = engine.isActive() && trimmer.trim(path, file).isPresent();
    } catch (Throwable e) {
      // Whatever the error is, the code below must run: it takes the file out of the waiting ones.
      LOG.error("The logs of {} could not be trimmed", PeerText.oneLine(path),
          PeerText.oneLine(e));
    }
    if (isLeft && tries < TRIM_TRIES_MAX) {
      schedule(path, file, tries + 1, TRIM_PAUSE_MS);
      return;
    }
    synchronized (this) {
      trimming.remove(file);
    }
  }

  /** Returns how many files have logs that wait for a trim. */
  synchronized int trims() {
    return trimming.size();
  }

  private static String own() throws IOException {
    return UserGroupInformation.getLoginUser().getShortUserName();
  }

  private void run(CommitJob job) {
    String name = Thread.currentThread().getName();
    Thread.currentThread().setName("ppr-commit of " + job.path);
    boolean isTaken = false;
    try {
      isTaken = take(job.file);
      job.begin();
      commit(job);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(job, "the NameNode stops");
    } catch (IOException e) {
      fail(job, e.getMessage() == null ? e.toString() : e.getMessage());
    } catch (Throwable e) {
      // Also after an OutOfMemoryError the commit has to end, because a caller waits for that.
      LOG.error("The commit of {} has failed", PeerText.oneLine(job.path),
          PeerText.oneLine(e));
      fail(job, e.toString());
    } finally {
      if (isTaken) {
        give(job.file);
      }
      Thread.currentThread().setName(name);
    }
  }

  /** Waits until no other commit of a file runs. The wait is bounded, because each commit is. */
  private synchronized boolean take(UUID file) throws InterruptedException, IOException {
    while (!underWay.add(file)) {
      if (isStopped()) {
        throw new IOException("the NameNode stops");
      }
      wait(ENGINE_PAUSE_MS);
    }
    return true;
  }

  private synchronized void give(UUID file) {
    underWay.remove(file);
    notifyAll();
  }

  private void fail(CommitJob job, String why) {
    LOG.warn("The updates of {} are not committed, and stay in the logs: {}",
        PeerText.oneLine(job.path), PeerText.oneLine(why));
    end(job, State.FAILED, why);
  }

  /** Waits until this NameNode may make commits. Meanwhile, writers can write on. */
  private void awaitCharge(CommitJob job) throws IOException, InterruptedException {
    long beginMs = clockMs.getAsLong();
    for (Optional<String> why = engine.whyNoCommit(); why.isPresent();
        why = engine.whyNoCommit()) {
      long waitedMs = clockMs.getAsLong() - beginMs;
      if (isStopped() || waitedMs > (engine.isActive() ? ENGINE_MS_MAX : STOP_MS)) {
        throw new IOException(why.get());
      }
      job.say(why.get());
      Thread.sleep(ENGINE_PAUSE_MS);
    }
    job.say("");
  }

  private void commit(CommitJob job) throws IOException, InterruptedException {
    awaitCharge(job);
    String user = own();
    FileFacts facts = engine.facts(job.path, user);
    if (facts.policy == null) {
      throw new IOException(job.path + " is another file by now");
    }
    // Checked before the terms are replaced: writers should not wait for new terms because of a
    // commit that cannot be made.
    Optional<VersionRefusal> refusal =
        engine.rules().checkCommit(facts, engine.policy(facts.policy.name));
    if (refusal.isPresent()) {
      throw new IOException(refusal.get().sentence);
    }
    Collected collected =
        collector.collect(job.path, job.file, facts.inodeId, facts.groups,
            settings.strategy);
    if (collected == null || collected.groups() == 0) {
      end(job, State.NOTHING, "");
      return;
    }
    job.collected(collected);
    if (collected.hasUntrimmed) {
      trimWaits.untrimmed(job.file, engine.activeMs());
    }
    VersionOutcome outcome = publish(job, VersionRequest.of(JOB, job.path, facts.inodeId)
        .user(user).policy(facts.policy.name).check(settings.check())
        .graceMs(settings.graceMs).commit(collected.plan()).build());
    LOG.info("Commit {} of {} is published, with {} updates of {} bytes in {} groups",
        collected.commit, PeerText.oneLine(job.path), collected.updates(), collected.bytes(),
        collected.groups());
    hook.reached(VersionPoint.TRIMMING, job.path);
    long waitMs = trimWaits.leftMs(job.file);
    Optional<String> left = waitMs == 0 ? trimmer.trim(job.path, job.file)
        : Optional.of("the logs keep what is committed for " + (waitMs + 999) / 1_000
            + " s more, because it is not certain yet that the version is on the disks of all"
            + " DataNodes");
    if (left.isPresent()) {
      trimLater(job.path, job.file, Math.max(waitMs, TRIM_PAUSE_MS));
    }
    hook.reached(VersionPoint.TRIMMED, job.path);
    end(job, State.PUBLISHED, left.orElse(""));
  }

  /** Returns for how long the logs of a file must not be trimmed yet, ms; 0 if they may be. */
  long trimWaitMs(UUID file) {
    return trimWaits.leftMs(file);
  }

  /**
   * Has the engine make and publish a version. Until a power cut can no longer lose the version,
   * logs keep the updates that it has.
   *
   * @throws IOException if the version is not published, or if that is unknown
   */
  VersionOutcome publish(CommitJob job, VersionRequest request)
      throws IOException, InterruptedException {
    // A trim that an earlier commit has scheduled may run at any time. It drops what the version at
    // the path has, which from now on may be the new version.
    trimWaits.publishing(job.file);
    // Used if the engine gives no outcome, so that it is unknown whether the version was published.
    long durableInMs = PowerCutDurability.UNSAID_MS;
    try {
      VersionOutcome outcome = publish(request);
      durableInMs = outcome.durableInMs;
      if (outcome.end != VersionEnd.PUBLISHED) {
        throw new IOException(outcome.sentence);
      }
      return outcome;
    } finally {
      trimWaits.published(job.file, durableInMs);
    }
  }

  private void end(CommitJob job, State how, String why) {
    job.end(how, why, clockMs.getAsLong());
    ended.accept(job.status());
  }

  private VersionOutcome publish(VersionRequest request)
      throws IOException, InterruptedException {
    long beginMs = clockMs.getAsLong();
    Optional<CompletableFuture<VersionOutcome>> future = engine.submit(request);
    while (future.isEmpty()) {
      if (isStopped() || !engine.isActive() && clockMs.getAsLong() - beginMs > STOP_MS
          || clockMs.getAsLong() - beginMs > ENGINE_MS_MAX) {
        throw new IOException("No version is made of " + request.path + " now: "
            + (engine.isActive() ? "too many others are" : "this NameNode makes none"));
      }
      Thread.sleep(ENGINE_PAUSE_MS);
      future = engine.submit(request);
    }
    while (true) {
      try {
        return future.get().get(ENGINE_PAUSE_MS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } catch (TimeoutException e) {
        if (isStopped()) {
          throw new IOException("the NameNode stops", e);
        }
      }
    }
  }

  /**
   * Stops the threads after their present steps. It interrupts none of them, because they write to
   * the edit log.
   */
  @Override
  public void close() {
    stop();
    timer.shutdown();
    collector.close();
    pool.shutdown();
    pool.getQueue().clear();
    try {
      if (!awaitEnd(STOP_MS) | !pool.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("Commits have not ended within {} ms", STOP_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Knows for how long the logs of a file must keep updates although a version has them: a power
   * cut might lose this version. Thread-safe.
   */
  static final class TrimWaits {
    /**
     * When a trim finds that a version of its file may just be getting published, it tries again
     * after this time, ms.
     */
    private static final long PUBLISHING_MS = 15_000;

    private final LongSupplier clockMs;
    /**
     * By file, until when its logs must not be trimmed, monotonic ms. Adding an entry removes those
     * whose time is over.
     */
    private final Map<UUID, Long> untilMs = new HashMap<>();

    /** The UUIDs of files of which a version may be published at any moment. */
    private final Set<UUID> publishing = new HashSet<>();

    /** @param clockMs the time, monotonic, ms */
    TrimWaits(LongSupplier clockMs) {
      this.clockMs = clockMs;
    }

    /**
     * Notes that a version of a file may be published from now on, until {@link #published} is
     * called.
     */
    synchronized void publishing(UUID file) {
      publishing.add(file);
    }

    /**
     * Notes that a version of a file was published, or that it will not be.
     *
     * @param durableInMs for how long a power cut might still lose the version, ms
     */
    synchronized void published(UUID file, long durableInMs) {
      publishing.remove(file);
      waitFor(file, durableInMs);
    }

    /**
     * Notes that logs of a file still have updates which its version has. Another NameNode may have
     * published that version, and then this one does not know whether it would survive a power cut.
     * When this NameNode has been active for {@link PowerCutDurability#UNSAID_MS}, it certainly
     * would.
     *
     * @param termMs for how long this NameNode has been active, ms
     */
    void untrimmed(UUID file, long termMs) {
      waitFor(file, PowerCutDurability.UNSAID_MS - termMs);
    }

    private synchronized void waitFor(UUID file, long ms) {
      long now = clockMs.getAsLong();
      untilMs.values().removeIf(until -> until <= now);
      if (ms > 0) {
        untilMs.merge(file, now + ms, Math::max);
      }
    }

    /** Returns for how long the logs of a file must not be trimmed yet, ms; 0 if they may be. */
    synchronized long leftMs(UUID file) {
      if (publishing.contains(file)) {
        return PUBLISHING_MS;
      }
      Long until = untilMs.get(file);
      return until == null ? 0 : Math.max(0, until - clockMs.getAsLong());
    }
  }
}
