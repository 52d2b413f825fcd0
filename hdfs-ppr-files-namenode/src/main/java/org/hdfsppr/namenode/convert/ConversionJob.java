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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.manage.measure.RateWindow;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.walk.DirectoryLister;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.wire.PeerText;

/**
 * A job in memory: its record, and the files that its walk has found and that the record does not
 * cover yet. Files may be done in any order. The record advances over a file only when all files
 * before it are done. So if the job goes on from the record after a failover, it leaves no file
 * out. Not thread-safe.
 */
final class ConversionJob {
  /** How many files one step may look at; then other jobs take their steps. */
  static final int LOOKS_PER_STEP = 256;
  /** How long one step may look at files, ms. It bounds the step when the NameNode is slow. */
  static final long LOOK_MS_PER_STEP = 100;
  /**
   * How many files may be in {@link #files} even if the job works on few at a time. The files
   * behind one that takes long can then be done meanwhile.
   */
  private static final int AHEAD_MIN = 64;
  private static final int AHEAD_PER_PLACE = 4;
  /**
   * If nothing but failures has come from the NameNode for this time, ms, the job fails. It may be
   * long, because a NameNode may be overloaded for some minutes.
   */
  static final long FAILING_MS_MAX = 300_000;
  /**
   * If the engine has refused or stopped a version for a reason that passes, the job begins no file
   * for this time, ms.
   */
  static final long LATER_MS = 2_000;
  private static final double MS_PER_SECOND = 1_000;

  private final ConvertNamespace namespace;
  private final VersionEngine engine;
  private final FileDesk desk;
  private final Consumer<ConversionCounts> meter;
  private final LongSupplier clockMs;
  private final Deque<FileWork> files = new ArrayDeque<>();
  private final RateWindow rate = new RateWindow();
  private JobRecord record;
  /** Null before the job looks for its first file. */
  private JobWalk walk;
  /**
   * The file that the walk found last, if the engine had no place for it; null if there is none.
   */
  private FileWork held;
  /** Until this time, monotonic ms, no file begins. */
  private long laterMs = Long.MIN_VALUE;
  private int failuresInARow;
  /** When the first of the failures in a row was, monotonic ms. */
  private long failingSinceMs;
  private String waits = "";
  private boolean isChanged;
  /** Whether the last step ended because of its bounds, so that the next one should come soon. */
  private boolean isHurried;
  /**
   * What users see of the job after its end; null before. It is kept because many ended jobs may be
   * shown again and again.
   */
  private ConversionStatus endStatus;

  /**
   * @param meter is called with the counts of each file of a job that is not a dry run
   * @param clockMs the time, monotonic, ms
   */
  ConversionJob(JobRecord record, ConvertNamespace namespace, VersionEngine engine, FileDesk desk,
      Consumer<ConversionCounts> meter, LongSupplier clockMs) {
    this.meter = meter;
    this.clockMs = clockMs;
    this.record = record;
    this.namespace = namespace;
    this.engine = engine;
    this.desk = desk;
  }

  String id() {
    return record.id();
  }

  JobRecord record() {
    return record;
  }

  /** Returns what the record says of the job. {@link #status} also has what is not recorded. */
  ConversionStatus recorded() {
    return record.status;
  }

  /** Notes that the record was written, and takes it as it was written. */
  void written(JobRecord text) {
    record = text;
    isChanged = false;
  }

  /** Returns whether the record has changed since it was last written. */
  boolean isChanged() {
    return isChanged;
  }

  /**
   * Returns whether some files of the job are not done yet, which is also possible after its end.
   */
  boolean isBusy() {
    return !files.isEmpty();
  }

  void become(ConversionState state, String why, long wallMs) {
    change(record.become(state, why, wallMs));
    waits = "";
    rate.clear();
    if (state == ConversionState.CANCELLED) {
      held = null;
      engine.cancel(id());
    }
  }

  void totals(PathTotals totals) {
    change(record.with(job -> job.setTotalFiles(totals.files).setTotalBytes(totals.bytes)));
  }

  private void change(JobRecord next) {
    record = next;
    endStatus = null;
    isChanged = true;
  }

  private void note(FileResult result) {
    measure(result);
    change(record.noted(result));
  }

  private void measure(FileResult result) {
    if (!record.status.options.dryRun) {
      meter.accept(result.counts);
    }
  }

  /**
   * Takes the results of files that are done, and begins others.
   *
   * @param whyNot why no file may begin now; empty if files may begin
   * @param nowMs the time, monotonic, ms
   * @param wallMs the time, ms since 1970 (UTC)
   */
  void step(Optional<String> whyNot, long nowMs, long wallMs) {
    for (FileWork file : files) {
      if (file.look()) {
        // Without this pause the job would spin: the engine would end each version at once, and
        // each end would wake the thread for the next step.
        laterMs = nowMs + LATER_MS;
      }
    }
    fold();
    if (record.status.state != ConversionState.RUNNING) {
      if (record.status.state.isEnd()) {
        // The job was cancelled, so it does not try again the files whose versions the engine has
        // refused or stopped.
        files.removeIf(file -> !file.isDone() && !file.isUnderWay());
      }
      return;
    }
    waits = whyNot.orElse("");
    isHurried = false;
    if (whyNot.isEmpty() && nowMs < laterMs) {
      waits = "the NameNode could make no versions just now";
    } else if (whyNot.isEmpty()) {
      begin(nowMs, wallMs);
      fold();
      if (waits.isEmpty() && underWay() > 0) {
        waits = engine.status().waits;
      }
    }
    rate.add(nowMs, counts().get(Number.BYTES_PASSED));
    if (record.status.state == ConversionState.RUNNING && walk != null && walk.isAtEnd()
        && held == null && files.isEmpty()) {
      become(ConversionState.DONE, "", wallMs);
    }
  }

  private void begin(long nowMs, long wallMs) {
    try {
      if (walk == null) {
        walk = new JobWalk(record, namespace, engine, this::note);
      }
      beginFiles();
      failuresInARow = 0;
    } catch (SafeModeException e) {
      waits = "the NameNode is in safe mode";
    } catch (StandbyException | RetriableException e) {
      // Not the message of the exception: it may name a path that other users must not see.
      waits = "the NameNode does not answer this now: " + e.getClass().getSimpleName();
    } catch (IOException e) {
      if (failuresInARow++ == 0) {
        failingSinceMs = nowMs;
      }
      waits = "the NameNode has refused to list files or to look at one " + failuresInARow
          + " times: " + e.getClass().getSimpleName();
      if (nowMs - failingSinceMs >= FAILING_MS_MAX) {
        become(ConversionState.FAILED, waits + "; its log says more", wallMs);
      }
    }
  }

  private void beginFiles() throws IOException {
    int places = record.status.options.concurrency;
    for (FileWork file : files) {
      // The engine has refused or stopped the file's version for a reason that passes; try it
      // again.
      if (!file.isDone() && !file.isUnderWay() && !desk.begin(file, record)) {
        return;
      }
    }
    long endMs = clockMs.getAsLong() + LOOK_MS_PER_STEP;
    int looks = 0;
    while (underWay() < places
        && files.size() < Math.max(AHEAD_MIN, AHEAD_PER_PLACE * places)) {
      if (looks++ == LOOKS_PER_STEP || clockMs.getAsLong() >= endMs) {
        isHurried = true;
        return;
      }
      if (held == null) {
        held = walk.next().orElse(null);
      }
      if (held == null) {
        // This call has found no file, perhaps because many directories have none; the next step
        // searches on.
        isHurried = !walk.isAtEnd();
        return;
      }
      if (!desk.begin(held, record)) {
        waits = engine.status().waits;
        return;
      }
      files.add(held);
      held = null;
      fold();
    }
  }

  /**
   * Returns whether the next step should come soon, because the last one has left files for which
   * nothing has to be waited.
   */
  boolean isHurried() {
    return isHurried && record.status.state == ConversionState.RUNNING;
  }

  private long underWay() {
    return files.stream().filter(FileWork::isUnderWay).count();
  }

  /**
   * Takes the files that are done out of {@link #files}, up to the first one that is not, and has
   * the record cover them.
   */
  private void fold() {
    while (!files.isEmpty() && files.peek().isDone()) {
      FileWork file = files.poll();
      measure(file.result());
      change(record.status.state == ConversionState.CANCELLED
          ? record.noted(file.result())
          : record.advanced(file.pathIndex, file.path, file.result()));
    }
  }

  /**
   * Returns the counts of the record, and those of files that are done but behind one that is not.
   */
  private ConversionCounts counts() {
    ConversionCounts counts = record.status.counts;
    for (FileWork file : files) {
      if (file.isDone()) {
        counts = counts.plus(file.result().counts);
      }
    }
    return counts;
  }

  ConversionStatus status(long nowMs) {
    if (!record.status.state.isEnd() || isBusy()) {
      return statusNow(nowMs);
    }
    if (endStatus == null) {
      endStatus = statusNow(nowMs);
    }
    return endStatus;
  }

  private ConversionStatus statusNow(long nowMs) {
    ConversionCounts counts = counts();
    long passed = counts.get(Number.BYTES_PASSED);
    boolean isRunning = record.status.state == ConversionState.RUNNING;
    double perSecond = isRunning ? rate.perSecond(nowMs, passed, RateWindow.SPAN_MS_MAX) : 0;
    return record.status.with(job -> {
      job.setCounts(counts.toProto()).setRunningFiles((int) underWay());
      if (!waits.isEmpty()) {
        job.setWhy(waits);
      }
      if (isRunning) {
        job.setBytesPerS(perSecond);
      }
      record.status.totalBytes.ifPresent(bytes -> {
        if (perSecond != 0 && bytes >= passed) {
          job.setLeftMs((long) ((bytes - passed) / perSecond * MS_PER_SECOND));
        }
      });
    });
  }

  /**
   * Walks over the files of a job, path after path, with the rights of its user. New files in a
   * directory should get the new policy, too. So if the directory's policy could be converted to
   * the new one, the walk sets the new one on the directory when it enters it. Not thread-safe.
   */
  static final class JobWalk implements DirectoryLister {
    private static final String FIRST = "";

    private final JobRecord job;
    private final ConvertNamespace namespace;
    private final VersionEngine engine;
    private final Consumer<FileResult> notes;
    private int index;
    private TreeWalk walk;

    /** @param notes is called with the result of each directory that was changed or refused */
    JobWalk(JobRecord job, ConvertNamespace namespace, VersionEngine engine,
        Consumer<FileResult> notes) {
      this.job = job;
      this.namespace = namespace;
      this.engine = engine;
      this.notes = notes;
      index = job.pathIndex;
      walk = new TreeWalk(this, path(), job.cursor);
    }

    private String path() {
      return job.status.paths.get(index);
    }

    /** Returns whether the walk has found all files. */
    boolean isAtEnd() {
      return walk.isAtEnd() && index == job.status.paths.size() - 1;
    }

    /**
     * Finds the next file.
     *
     * @return the file; empty if there are no more, or if the search has to go on with the next
     *     call
     * @throws IOException if the NameNode does not list a directory now; the next call tries it
     *     again
     */
    Optional<FileWork> next() throws IOException {
      while (true) {
        try {
          Optional<String> file = walk.next();
          if (file.isPresent()) {
            return file.map(path -> new FileWork(index, path));
          }
        } catch (FileNotFoundException e) {
          // The path itself does not exist any more. The new walk is at its end at once, so the
          // next path follows.
          notes.accept(FileResults.directoryRefused(path(), "not_found", path()
              + " does not exist any more"));
          walk = new TreeWalk(this, path(), path());
        }
        if (!walk.isAtEnd() || isAtEnd()) {
          return Optional.empty();
        }
        index++;
        walk = new TreeWalk(this, path(), null);
      }
    }

    @Override
    public Listing list(String path, String after) throws IOException {
      Listing listing;
      try {
        listing = namespace.list(job.status.user, path, after);
      } catch (AccessControlException e) {
        notes.accept(FileResults.directoryRefused(path, "no_permission", "User " + job.status.user
            + " may not list " + path + "; ask its owner for READ and EXECUTE"));
        return new Listing(List.of(), false);
      }
      if (after.equals(FIRST)) {
        enter(path);
      }
      return listing;
    }

    private void enter(String path) throws IOException {
      if (job.status.options.filesOnly) {
        return;
      }
      PathStatus status = namespace.status(path).orElse(null);
      String target = job.status.options.policy;
      if (status == null || !status.directory || status.policy == null
          || status.policy.equals(target) || !isSameShape(status.policy, target)) {
        return;
      }
      if (job.status.options.dryRun) {
        // A directory below the path with the same policy inherits it, and needs no change of its
        // own.
        if (path.equals(path()) || !status.policy.equals(policyOfPath())) {
          notes.accept(FileResults.directory());
        }
        return;
      }
      try {
        namespace.setPolicy(job.status.user, path, target);
        notes.accept(FileResults.directory());
      } catch (StandbyException | RetriableException | SafeModeException e) {
        throw e;
      } catch (IOException | IllegalArgumentException e) {
        notes.accept(FileResults.directoryRefused(path, "directory_policy", "New files in " + path
            + " keep the policy " + status.policy + ": " + firstLine(e)));
      }
    }

    private String policyOfPath() throws IOException {
      return namespace.status(path()).map(status -> status.policy).orElse(null);
    }

    private boolean isSameShape(String from, String to) throws IOException {
      PolicyFacts a = engine.policy(from).orElse(null);
      PolicyFacts b = engine.policy(to).orElse(null);
      return a != null && b != null && a.code.dataUnits == b.code.dataUnits
          && a.code.cellBytes == b.code.cellBytes;
    }

    private static String firstLine(Exception e) {
      return PeerText.firstLine(e);
    }
  }
}
