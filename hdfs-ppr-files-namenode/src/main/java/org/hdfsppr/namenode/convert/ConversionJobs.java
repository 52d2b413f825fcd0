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
package org.hdfsppr.namenode.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All conversion jobs, while this NameNode is the active one. One thread takes the steps; any
 * thread may call {@link #jobs}.
 */
@InterfaceAudience.Private
public final class ConversionJobs extends ActiveService {
  private static final Logger LOG = LoggerFactory.getLogger(ConversionJobs.class);
  /**
   * The record of a running job is written at most once in this time, ms, because each write adds
   * to the edit log.
   */
  static final long WRITE_EVERY_MS = 2_000;
  /** How often ended jobs that need not be kept any longer are removed, ms. */
  private static final long EXPIRE_EVERY_MS = 60_000;

  private final ConvertDoors doors;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final ConvertSettings settings;
  private final JobStore store;
  private final FileDesk desk;
  private final Consumer<ConversionCounts> meter;
  private final Executor counting;
  private final LongSupplier clockMs;
  private final Clock wallClock;
  /** The jobs, in the order of their submission. */
  private final Map<String, ConversionJob> jobs = new LinkedHashMap<>();
  private final Map<String, Long> writtenMs = new HashMap<>();
  /** The ids of the jobs whose last write has failed. */
  private final Set<String> failing = new HashSet<>();
  /** The counts of files and bytes that were begun, by the job's id. */
  private final Map<String, CompletableFuture<PathTotals>> totals = new HashMap<>();
  /** The ids of the jobs whose files could not be counted, and for which a log line says so. */
  private final Set<String> uncounted = new HashSet<>();
  private int turn;
  private long expiredMs;
  /** What users see of the jobs; null while this NameNode has not read them. */
  private volatile List<ConversionStatus> published;

  /**
   * @param settings the settings
   * @param doors what jobs use of the NameNode
   * @param codes finds the code of a policy
   * @param meter is called with the counts of each file of a job that is not a dry run
   * @param counting runs the counts of files and bytes, which may take minutes
   * @param clockMs the time, monotonic, ms
   * @param wallClock the time of day
   */
  public ConversionJobs(ConvertSettings settings, ConvertDoors doors, CodeSource codes,
      Consumer<ConversionCounts> meter, Executor counting, LongSupplier clockMs,
      Clock wallClock) {
    super("ppr-converter", "conversions", STEP_MS);
    this.settings = settings;
    this.doors = doors;
    this.store = new JobStore(doors.folder);
    this.desk = new FileDesk(doors.namespace, doors.engine, new CodeWorth(codes), wallClock,
        this::wake);
    this.meter = meter;
    this.counting = counting;
    this.clockMs = clockMs;
    this.wallClock = wallClock;
    expiredMs = clockMs.getAsLong();
  }

  /**
   * @return the jobs as of the last step: first those that have not ended, then the ended ones, the
   *     latest of them first; empty if this NameNode has not read its jobs
   */
  public Optional<List<ConversionStatus>> jobs() {
    return Optional.ofNullable(published);
  }

  @Override
  protected OptionalLong term() {
    return doors.gate.isActive() ? OptionalLong.of(doors.gate.term()) : OptionalLong.empty();
  }

  /** Has each job take a step, and writes its record. */
  @Override
  protected boolean work() {
    startQueued();
    long nowMs = clockMs.getAsLong();
    Optional<String> whyNot = whyNot();
    for (ConversionJob job : inTurn()) {
      ConversionState before = job.recorded().state;
      try {
        job.step(whyNot, nowMs, wallClock.millis());
      } catch (RuntimeException | LinkageError | AssertionError e) {
        // Errors are caught so that other jobs go on. The NameNode throws an AssertionError for
        // some paths.
        LOG.error("A step of conversion job {} failed, and the job ends", job.id(),
            PeerText.oneLine(e));
        if (job.recorded().state.mayBecome(ConversionState.FAILED)) {
          job.become(ConversionState.FAILED, "a step has failed; the NameNode's log says why",
              wallClock.millis());
        }
      }
      takeTotals(job);
      // A job that does not run changes seldom, so its changes are written at once.
      if (!write(job, job.recorded().state != before
          || job.recorded().state != ConversionState.RUNNING && !failing.contains(job.id()))) {
        return false;
      }
      logEnd(job, before);
    }
    expire(nowMs);
    return jobs.values().stream().anyMatch(ConversionJob::isHurried);
  }

  /**
   * Returns why no job may begin a file now; empty if jobs may. Dry runs may not begin in safe mode
   * either, because all their files would be refused.
   */
  private Optional<String> whyNot() {
    if (doors.namespace.isInSafeMode()) {
      return Optional.of("the NameNode is in safe mode");
    }
    return doors.engine.isActive() ? Optional.empty()
        : Optional.of(doors.gate.whyNot().orElse("versions of files are not made here yet"));
  }

  /**
   * Returns all jobs, the running ones first. These are rotated by one at each step: the first job
   * takes the engine's free places, so each of them has to be first at times.
   */
  private List<ConversionJob> inTurn() {
    List<ConversionJob> running = new ArrayList<>();
    List<ConversionJob> others = new ArrayList<>();
    for (ConversionJob job : jobs.values()) {
      (job.recorded().state == ConversionState.RUNNING ? running : others).add(job);
    }
    turn = running.isEmpty() ? 0 : (turn + 1) % running.size();
    Collections.rotate(running, turn);
    running.addAll(others);
    return running;
  }

  private static void logEnd(ConversionJob job, ConversionState before) {
    if (job.recorded().state != before) {
      LOG.info("Conversion job {} of {} goes from {} to {}{}", job.id(),
          PeerText.oneLine(job.recorded().user), before.word(), job.recorded().state.word(),
          job.recorded().state.isEnd() ? ": " + job.recorded().counts : "");
    }
  }

  @Override
  protected void forget(boolean wasLoaded) {
    if (wasLoaded) {
      LOG.info("This NameNode is not the active one any more, and leaves {} conversion jobs to"
          + " another one", jobs.size());
    }
    jobs.clear();
    writtenMs.clear();
    failing.clear();
    totals.clear();
    uncounted.clear();
    published = null;
  }

  @Override
  protected boolean load(long term) throws IOException {
    List<JobRecord> records = store.load();
    records.sort(Comparator.comparingLong((JobRecord record) -> record.status.submittedMs)
        .thenComparing(JobRecord::id));
    for (JobRecord record : records) {
      jobs.put(record.id(), new ConversionJob(record, doors.namespace, doors.engine, desk, meter,
          clockMs));
    }
    long going = records.stream().filter(record -> !record.status.state.isEnd()).count();
    if (going > 0) {
      LOG.info("{} conversion jobs go on at this NameNode", going);
    }
    return true;
  }

  @Override
  protected void say(Throwable e) {
    if (e instanceof IOException) {
      peerLog.warn(e.getClass().getName(), "Conversion jobs cannot be read, so that none goes on:"
          + " {}", e.toString());
    } else {
      super.say(e);
    }
  }

  /**
   * Starts queued jobs, in the order of their submission, while fewer than the allowed number run.
   * The jobs of one user may be only some of these, because a job may run for days.
   */
  private void startQueued() {
    for (boolean isDry : new boolean[] {false, true}) {
      long running = jobs.values().stream().filter(job -> isDry(job) == isDry
          && job.recorded().state == ConversionState.RUNNING).count();
      for (ConversionJob job : jobs.values()) {
        if (running >= settings.jobsAtATime) {
          break;
        }
        if (isDry(job) == isDry && job.recorded().state == ConversionState.QUEUED
            && runningOf(job.recorded().user, isDry) < settings.jobsAtATimeOfUser()) {
          job.become(ConversionState.RUNNING, "", wallClock.millis());
          running++;
        }
      }
    }
    for (ConversionJob job : jobs.values()) {
      if (job.recorded().state == ConversionState.RUNNING
          && job.recorded().totalBytes.isEmpty() && !totals.containsKey(job.id())) {
        count(job);
      }
    }
  }

  private long runningOf(String user, boolean isDry) {
    return jobs.values().stream().filter(job -> isDry(job) == isDry
        && job.recorded().state == ConversionState.RUNNING
        && job.recorded().user.equals(user)).count();
  }

  private static boolean isDry(ConversionJob job) {
    return job.recorded().options.dryRun;
  }

  private void count(ConversionJob job) {
    List<String> paths = job.recorded().paths;
    String user = job.recorded().user;
    try {
      totals.put(job.id(), CompletableFuture.supplyAsync(() -> {
        PathTotals all = PathTotals.NONE;
        for (String path : paths) {
          try {
            all = all.plus(doors.namespace.totals(user, path));
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        }
        return all;
      }, counting));
    } catch (RejectedExecutionException e) {
      // The executor has too many counts, or stops. The next step tries this again.
      LOG.debug("The files of conversion job {} are not counted yet", job.id(), e);
    }
  }

  private void takeTotals(ConversionJob job) {
    CompletableFuture<PathTotals> count = totals.get(job.id());
    if (count == null || !count.isDone()) {
      return;
    }
    if (count.isCompletedExceptionally()) {
      // Without the totals, the job's status does not say how long the job will take. The entry
      // stays, so that the count is not tried again: it may take minutes.
      if (uncounted.add(job.id())) {
        LOG.info("The files of conversion job {} cannot be counted with the rights of its user, so"
            + " that nothing says how long it will take", job.id());
      }
    } else if (job.recorded().totalBytes.isEmpty()) {
      job.totals(count.join());
    }
  }

  /**
   * Writes the record of a job if it has changed. A running job that is not urgent is written only
   * every {@link #WRITE_EVERY_MS}. Returns false if another NameNode has written the record, so
   * that all jobs have to be read again.
   */
  private boolean write(ConversionJob job, boolean isUrgent) {
    long nowMs = clockMs.getAsLong();
    Long last = writtenMs.get(job.id());
    if (!job.isChanged() || !isUrgent && last != null && nowMs - last < WRITE_EVERY_MS) {
      return true;
    }
    try {
      job.written(store.update(job.record(), loaded().getAsLong()));
      writtenMs.put(job.id(), nowMs);
      failing.remove(job.id());
      return true;
    } catch (JobStore.ForeignRecordException e) {
      LOG.warn("Conversion jobs are read again, because another NameNode has worked on them: {}",
          e.getMessage());
      drop();
      return false;
    } catch (IOException | RuntimeException e) {
      // The job goes on without the write. It costs little: after a failover, some files are looked
      // at again.
      writtenMs.put(job.id(), nowMs);
      failing.add(job.id());
      peerLog.warn(e.getClass().getName(), "The progress of conversion job {} cannot be written"
          + " now: {}", job.id(), e.toString());
      return true;
    }
  }

  private void expire(long nowMs) {
    if (nowMs - expiredMs < EXPIRE_EVERY_MS) {
      return;
    }
    expiredMs = nowMs;
    List<ConversionJob> ended = jobs.values().stream()
        .filter(job -> job.recorded().state.isEnd() && !job.isBusy())
        .sorted(Comparator.comparingLong((ConversionJob job) -> job.recorded().endedMs).reversed())
        .collect(Collectors.toList());
    for (int i = 0; i < ended.size(); i++) {
      ConversionJob job = ended.get(i);
      if (i >= settings.endedMax
          || wallClock.millis() - job.recorded().endedMs > ConvertSettings.ENDED_MS) {
        remove(job);
      }
    }
  }

  private void remove(ConversionJob job) {
    try {
      store.remove(job.id());
    } catch (IOException e) {
      peerLog.warn(e.getClass().getName(), "The record of conversion job {} cannot be removed now:"
          + " {}", job.id(), e.toString());
      return;
    }
    jobs.remove(job.id());
    writtenMs.remove(job.id());
    failing.remove(job.id());
    totals.remove(job.id());
    uncounted.remove(job.id());
  }

  @Override
  protected void publish() {
    long nowMs = clockMs.getAsLong();
    Collection<ConversionJob> all = jobs.values();
    List<ConversionStatus> list = new ArrayList<>();
    all.stream().filter(job -> !job.recorded().state.isEnd())
        .forEach(job -> list.add(job.status(nowMs)));
    all.stream().filter(job -> job.recorded().state.isEnd())
        .sorted(Comparator.comparingLong((ConversionJob job) -> job.recorded().endedMs).reversed())
        .forEach(job -> list.add(job.status(nowMs)));
    published = List.copyOf(list);
  }

  /**
   * Returns the longest time for which a user that is no superuser may have old versions kept, ms.
   * Thread-safe.
   */
  long graceMsMax() {
    return settings.graceMsMax();
  }

  /**
   * Returns the options with this NameNode's values for those that the user has not set.
   * Thread-safe.
   */
  ConversionOptions complete(ConversionOptions options) {
    return settings.complete(options);
  }

  /**
   * Adds a job.
   *
   * @return the job, whose record is on disk; if the same user has already submitted the same job
   *     under this id, that one
   * @throws IOException if the job is refused
   */
  ConversionStatus submit(ConversionRequest wanted, String user) throws IOException {
    checkLoaded();
    ConversionRequest request = new ConversionRequest(wanted.id,
        settings.complete(wanted.options), wanted.paths);
    ConversionJob there = jobs.get(request.id);
    if (there != null) {
      if (there.recorded().user.equals(user)
          && there.recorded().paths.equals(request.paths)
          && there.recorded().options.doesSameAs(wanted.options)) {
        return there.status(clockMs.getAsLong());
      }
      throw new ConversionRefusedException(
          "There is another job " + request.id + "; choose another id");
    }
    checkRoom(user);
    JobRecord record = store.add(JobRecord.of(request, user, wallClock.millis()),
        loaded().getAsLong());
    ConversionJob job = new ConversionJob(record, doors.namespace, doors.engine, desk, meter,
        clockMs);
    jobs.put(record.id(), job);
    LOG.info("{} has submitted conversion job {}", PeerText.oneLine(user), request);
    publish();
    return job.status(clockMs.getAsLong());
  }

  private void checkRoom(String user) throws ConversionRefusedException {
    long going = jobs.values().stream().filter(job -> !job.recorded().state.isEnd()).count();
    if (going >= settings.jobsMax) {
      throw new ConversionRefusedException(going
          + " jobs have not ended, and this NameNode takes no more; cancel"
          + " one, or submit this later");
    }
    long own = jobs.values().stream().filter(job -> !job.recorded().state.isEnd()
        && job.recorded().user.equals(user)).count();
    if (own >= settings.jobsOfUserMax()) {
      throw new ConversionRefusedException("User " + user + " has " + own + " jobs that have not"
          + " ended, and one user may have half of the " + settings.jobsMax + " places; cancel"
          + " one, submit this later, or name several paths in one job");
    }
  }

  /**
   * Pauses, resumes or cancels a job.
   *
   * @return the job after the change, whose record is on disk
   * @throws IOException if its state does not allow the change, or if the record cannot be written
   *     now
   */
  ConversionStatus steer(String id, ConversionAction action) throws IOException {
    checkLoaded();
    ConversionJob job = jobs.get(id);
    if (job == null) {
      throw noJob(id);
    }
    ConversionState before = job.recorded().state;
    ConversionState wanted = action == ConversionAction.PAUSE ? ConversionState.PAUSED
        : action == ConversionAction.CANCEL ? ConversionState.CANCELLED : ConversionState.QUEUED;
    boolean isDone = before == wanted
        || action == ConversionAction.RESUME && before == ConversionState.RUNNING;
    // If an earlier call has changed the job in memory, but could not write it, the repeated call
    // writes it.
    if (!isDone || failing.contains(id)) {
      if (!isDone && !before.mayBecome(wanted)) {
        throw new ConversionRefusedException(
            "Job " + id + " is " + before.word() + ", so that you cannot "
            + action.word() + " it");
      }
      if (!isDone) {
        job.become(wanted, "", wallClock.millis());
      }
      if (!write(job, true)) {
        throw new ConversionRefusedException("Job " + id + " is read again; repeat the command");
      }
      if (job.isChanged()) {
        throw new ConversionRefusedException(
            "Job " + id + " is " + job.recorded().state.word() + " in this NameNode's memory,"
            + " but that cannot be written now: repeat the command, in safe mode after its end; the"
            + " NameNode's log says why");
      }
      logEnd(job, before);
      publish();
    }
    return job.status(clockMs.getAsLong());
  }

  private void checkLoaded() throws IOException {
    if (!isCurrent()) {
      throw new RetriableException(
          "This NameNode has not read its conversion jobs yet");
    }
  }

  static IOException noJob(String id) {
    return new FileNotFoundException("There is no job " + id
        + "; 'hdfs ppr -convert -status' lists all, and ended ones are kept for some days only");
  }
}
