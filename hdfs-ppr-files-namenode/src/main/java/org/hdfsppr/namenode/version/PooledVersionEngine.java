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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of versions. It has two bounded pools of threads: one for commits, and one for all
 * other versions and parity files. One further thread follows whether this NameNode is active,
 * renews leases, and runs the janitor. No thread is ever interrupted, because all of them write to
 * the NameNode's edit log, and an interrupt would close the files of the log. Thread-safe.
 */
@InterfaceAudience.Private
public final class PooledVersionEngine extends ActiveService implements VersionEngine {
  private static final Logger LOG = LoggerFactory.getLogger(PooledVersionEngine.class);
  /**
   * How often a version is made at most, if each try fails. A cause such as the death of a node in
   * the middle of the work rarely occurs three times.
   */
  private static final int TRIES_MAX = 3;
  private static final long STOP_MS = 10_000;
  private static final long NO_TERM = -1;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  private final VersionJanitor janitor;
  private final String leaseHolder;
  private final VersionLane conversions;
  private final VersionLane commits = new VersionLane(COMMITS_MAX, "ppr-commit-version-");
  /**
   * The inode ids of files that are being made or read, and of versions that the janitor puts in
   * order. Each has one owner: a worker, or the janitor. A conversion that waits for repairs does
   * not own its file, so that the file can be committed meanwhile.
   */
  private final VersionClaims underWay = new VersionClaims();
  /** All requests that have not ended, including those that wait for repairs. */
  private final Set<Work> requests = ConcurrentHashMap.newKeySet();
  private final AtomicLong published = new AtomicLong();
  private final AtomicLong notPublished = new AtomicLong();
  private final AtomicReference<VersionBytes> bytes = new AtomicReference<>(VersionBytes.NONE);
  /** Since when the engine has been ready in its present term, monotonic ms. */
  private volatile long readySinceMs;
  private final VersionUpkeep upkeep;
  private final VersionRoom room;

  /** A request that has not ended, or the janitor's work at a version. Thread-safe. */
  private static final class Work {
    private final String jobId;
    private final AtomicBoolean isCancelled = new AtomicBoolean();

    /** @param jobId id of the job; empty for the janitor's work */
    Work(String jobId) {
      this.jobId = jobId;
    }
  }

  /**
   * @param parts what all versions of this engine have in common
   * @param run an identifier of this run of the NameNode's plugin, without blanks, different from
   *     that of every other run
   */
  public PooledVersionEngine(EngineParts parts, String run) {
    super("ppr-versions", "versions of files", STEP_MS);
    this.parts = parts;
    this.janitor = new VersionJanitor(parts);
    this.room = new VersionRoom(parts, () -> janitor.kept(VersionHome.FLAT));
    this.leaseHolder = "hdfs-ppr-versions-" + run;
    this.conversions =
        new VersionLane(Math.max(1, parts.settings.concurrent), "ppr-version-");
    this.upkeep = new VersionUpkeep(parts, janitor, underWay, leaseHolder, this::isStopped,
        this::done);
  }

  @Override
  protected OptionalLong term() {
    return parts.gate.isActive() ? OptionalLong.of(parts.gate.term()) : OptionalLong.empty();
  }

  @Override
  protected void say(Throwable e) {
    peerLog.warn(e.getClass().getName(), loaded().isPresent()
        ? "A look at the versions of files has failed, and is repeated: {}"
        : "No versions of files are made here for now: {}", e.toString());
  }

  @Override
  protected void forget(boolean wasLoaded) {
    if (wasLoaded && !parts.gate.isActive()) {
      LOG.info("No versions of files are made at this NameNode any more: it is not active");
    }
  }

  @Override
  protected boolean load(long term) throws IOException {
    upkeep.renewLeases();
    if (!underWay.isEmpty()) {
      // The versions of the term before have to end first, so that the janitor finds what they
      // leave.
      return false;
    }
    parts.store.open();
    // The question is asked now so that even the first versions of the term have their directories
    // in the right home.
    parts.store.shards.begin();
    parts.store.shards.step(parts.clockMs.getAsLong());
    janitor.begin();
    upkeep.lookAtAll();
    readySinceMs = parts.clockMs.getAsLong();
    return true;
  }

  @Override
  protected boolean work() throws IOException {
    upkeep.renewLeases();
    parts.store.shards.step(parts.clockMs.getAsLong());
    upkeep.step();
    return false;
  }

  @Override
  public boolean isActive() {
    return !isStopped() && isCurrent() && parts.settings.concurrent > 0;
  }

  @Override
  public long activeMs() {
    return isActive() ? parts.clockMs.getAsLong() - readySinceMs : 0;
  }

  @Override
  public Optional<CompletableFuture<VersionOutcome>> submit(VersionRequest request) {
    if (!isActive()) {
      return Optional.empty();
    }
    VersionLane lane = lane(request);
    if (!room.isThere(request.commit().isPresent()) || !lane.enter()) {
      return Optional.empty();
    }
    CompletableFuture<VersionOutcome> future = new CompletableFuture<>();
    if (underWay.isTaken(request.inodeId)) {
      lane.leave();
      future.complete(VersionOutcome.refused(new VersionRefusal(RefusalReason.BUSY,
          "a version of " + request.path + " is being made or cleared up already; wait for"
          + " it")));
      return Optional.of(future);
    }
    Work work = new Work(request.jobId);
    return execute(lane, work, term -> run(request, term, work, future))
        ? Optional.of(future) : Optional.empty();
  }

  @Override
  public Optional<CompletableFuture<ParityOutcome>> submit(ParityRequest request) {
    if (!isActive() || !conversions.enter()) {
      return Optional.empty();
    }
    CompletableFuture<ParityOutcome> future = new CompletableFuture<>();
    for (TargetFile file : request.files) {
      if (underWay.isTaken(file.inodeId())) {
        conversions.leave();
        future.complete(ParityOutcome.notMade(VersionOutcome.refused(new VersionRefusal(
            RefusalReason.BUSY, "a version of " + file.path() + " is being made or cleared up;"
            + " wait for it"))));
        return Optional.of(future);
      }
    }
    Work work = new Work(request.jobId);
    return execute(conversions, work, term -> run(request, term, work, future))
        ? Optional.of(future) : Optional.empty();
  }

  /** Lets a thread do some work in the present term. Returns false if the engine is closed. */
  private boolean execute(VersionLane lane, Work work, LongConsumer task) {
    long term = loaded().orElse(NO_TERM);
    requests.add(work);
    try {
      lane.execute(() -> task.accept(term));
      return true;
    } catch (RejectedExecutionException e) {
      requests.remove(work);
      lane.leave();
      return false;
    }
  }

  /** Claims all files of a request, or none of them; returns whether it has claimed them. */
  private boolean take(ParityRequest request, Work work) {
    for (TargetFile file : request.files) {
      if (!underWay.take(file.inodeId(), work)) {
        giveBack(request, work);
        return false;
      }
    }
    return true;
  }

  private void giveBack(ParityRequest request, Work work) {
    request.files.forEach(file -> underWay.giveBack(file.inodeId(), work));
  }

  private void run(ParityRequest request, long term, Work work,
      CompletableFuture<ParityOutcome> future) {
    ParityMaker maker = new ParityMaker(parts, request, leaseHolder, term,
        () -> take(request, work), () -> isStopped(term), work.isCancelled::get);
    ParityOutcome outcome;
    try {
      outcome = maker.run();
    } catch (InterruptedException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // The requester deletes the unfinished file. The claims have to be given back nevertheless,
      // because this engine begins its next term only after all requests of this term have ended.
      LOG.error("The thread that makes the {} has failed", request,
          PeerText.oneLine(e));
      outcome = ParityOutcome.notMade(
          VersionOutcome.notPublished(VersionEnd.FAILED, e.toString(), VersionBytes.NONE),
          maker.left());
    } finally {
      maker.release();
    }
    giveBack(request, work);
    requests.remove(work);
    conversions.leave();
    future.complete(outcome);
  }

  private boolean isStopped(long term) {
    return isStopped() || !parts.gate.isActive() || parts.gate.term() != term;
  }

  private VersionLane lane(VersionRequest request) {
    return request.commit().isPresent() ? commits : conversions;
  }

  /** Makes a version. If that fails, makes it anew some times. */
  private VersionOutcome make(VersionRequest request, long term, Work work)
      throws InterruptedException {
    // If a try ends with an exception, it may have published its version before that. This value is
    // kept for that case.
    long durableInMs = 0;
    long askedMs = parts.clockMs.getAsLong();
    for (int tries = 1; true; tries++) {
      // The first try may have failed because a digest was missing. If the nodes read all units of
      // the old version, digests of these are not needed.
      VersionRequest next = tries == 1 ? request : request.readingOld();
      VersionMaker maker = new VersionMaker(parts, next, janitor, leaseHolder, term,
          () -> underWay.take(request.inodeId, work), new MakingGuard(parts,
              request.commit().isPresent() ? parts.gate::whyNoCommit : parts.gate::whyNot,
              () -> isStopped(term), work.isCancelled::get, askedMs));
      VersionOutcome outcome;
      try {
        outcome = maker.run();
      } finally {
        maker.release();
        if (request.commit().isEmpty()) {
          // The next try may have to wait for repairs, for hours.
          underWay.giveBack(request.inodeId, work);
        }
      }
      durableInMs = Math.max(durableInMs, outcome.durableInMs);
      if (outcome.end != VersionEnd.FAILED || !maker.isWorthAnotherTry()
          || tries == TRIES_MAX) {
        return outcome.ofLastTry().durableIn(durableInMs);
      }
      LOG.info("The {} begins anew, because try {} of {} has failed: {}", request, tries,
          TRIES_MAX, outcome);
    }
  }

  private void run(VersionRequest request, long term, Work work,
      CompletableFuture<VersionOutcome> future) {
    VersionOutcome outcome;
    try {
      outcome = make(request, term, work);
    } catch (InterruptedException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // The janitor clears up what is left of the version. The claim has to be given back
      // nevertheless, because this engine begins its next term only after all requests of this term
      // have ended. The version may be published, because an OutOfMemoryError can come at any step.
      LOG.error("The thread that makes the {} has failed", request,
          PeerText.oneLine(e));
      outcome = VersionOutcome.notPublished(VersionEnd.FAILED, e.toString(), VersionBytes.NONE)
          .durableIn(PowerCutDurability.UNSAID_MS);
    }
    VersionOutcome end = outcome;
    if (end.end == VersionEnd.PUBLISHED) {
      published.incrementAndGet();
      bytes.accumulateAndGet(end.bytes, VersionBytes::plus);
      upkeep.lookBy(parts.clockMs.getAsLong() + request.graceMs);
      LOG.debug("The {} is published: {}", request, end);
    } else {
      notPublished.incrementAndGet();
      if (end.reason == RefusalReason.FULL) {
        room.found(new VersionRefusal(end.reason, end.sentence),
            request.commit().isPresent());
      }
      if (end.end == VersionEnd.REFUSED) {
        // The job counts its refused versions. A job may have a million files that are in use, too
        // many for the log.
        LOG.debug("The {} is refused: {}", request, end);
      } else {
        LOG.info("The {} is not published, and the file is as its users have left it: {}", request,
            end);
      }
    }
    underWay.giveBack(request.inodeId, work);
    requests.remove(work);
    lane(request).leave();
    future.complete(end);
  }

  @Override
  public Optional<String> whyNoCommit() {
    return parts.gate.whyNoCommit();
  }

  @Override
  public void cancel(String jobId) {
    requests.stream().filter(work -> work.jobId.equals(jobId))
        .forEach(work -> work.isCancelled.set(true));
  }

  @Override
  public FileFacts facts(String path, String user) throws IOException {
    return parts.namespace.facts(path, user);
  }

  @Override
  public Optional<PolicyFacts> policy(String name) {
    return parts.namespace.policy(name);
  }

  @Override
  public VersionRules rules() {
    return parts.rules();
  }

  @Override
  public VersionBytes price(FileFacts facts, PolicyFacts target) {
    return VersionPrice.of(facts.groups, parts.codes, facts.policy.code, target.code);
  }

  @Override
  public void survey(Leftovers.Builder left, boolean isCleared, long msMax) throws IOException {
    if (!isActive()) {
      throw new RetriableException("This NameNode makes no versions of files yet; try again");
    }
    upkeep.survey(left, isCleared, msMax);
  }

  @Override
  public EngineStatus status() {
    EngineStatus.Numbers numbers = new EngineStatus.Numbers();
    long[] lock = parts.namespace.lockTimes();
    numbers.active = isActive();
    numbers.waits = parts.gate.whyNot().or(() ->
        parts.links.whyNot(LinkLoads.Work.MAKING, parts.clockMs.getAsLong())).orElse("");
    numbers.running = conversions.running() + commits.running();
    numbers.queued = conversions.queued() + commits.queued();
    numbers.kept = janitor.kept();
    numbers.read = janitor.readers.kept();
    numbers.asking = janitor.readers.asking();
    numbers.published = published.get();
    numbers.notPublished = notPublished.get();
    numbers.withoutDigests = parts.withoutDigests.sum();
    numbers.bytes = bytes.get();
    numbers.lockHolds = lock[0];
    numbers.lockNanos = lock[1];
    numbers.lockNanosMax = lock[2];
    return new EngineStatus(numbers);
  }

  @Override
  public void close() {
    stop();
    conversions.close();
    commits.close();
    try {
      boolean hasEnded = awaitEnd(STOP_MS);
      hasEnded &= conversions.awaitEnd(STOP_MS);
      if (!commits.awaitEnd(STOP_MS) || !hasEnded) {
        LOG.warn("Versions of files have not ended within {} ms", STOP_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The threads that make the files of one kind, and a bounded number of places for files that are
   * being made or wait for a thread. Thread-safe.
   */
  static final class VersionLane {
    private static final long IDLE_THREAD_S = 30;
    /**
     * A thread has two places: one for the file that it makes, and one for the file that is next.
     */
    private static final int PLACES_PER_THREAD = 2;

    private final ThreadPoolExecutor pool;
    private final int placesMax;
    private final AtomicInteger places = new AtomicInteger();

    /**
     * @param threads how many files are made at a time at most, at least 1
     * @param name what the names of the threads begin with
     */
    VersionLane(int threads, String name) {
      placesMax = PLACES_PER_THREAD * threads;
      AtomicInteger numbers = new AtomicInteger();
      pool = new ThreadPoolExecutor(threads, threads, IDLE_THREAD_S, TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(placesMax), task -> {
        Thread thread = new Thread(task, name + numbers.incrementAndGet());
        thread.setDaemon(true);
        return thread;
      });
      pool.allowCoreThreadTimeOut(true);
    }

    /** Takes a place, which {@link #leave} gives back. Returns false if there is no free place. */
    boolean enter() {
      if (places.incrementAndGet() > placesMax) {
        places.decrementAndGet();
        return false;
      }
      return true;
    }

    void leave() {
      places.decrementAndGet();
    }

    /**
     * Lets a thread run a task. The caller has taken a place for it.
     *
     * @throws RejectedExecutionException if the lane is closed
     */
    void execute(Runnable task) {
      pool.execute(task);
    }

    int running() {
      return pool.getActiveCount();
    }

    int queued() {
      return pool.getQueue().size();
    }

    /** Refuses tasks from now on. Tasks that were taken before go on. */
    void close() {
      pool.shutdown();
    }

    /** Waits until all tasks have ended; returns false if they have not ended after this time. */
    boolean awaitEnd(long ms) throws InterruptedException {
      return pool.awaitTermination(ms, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Calculates what a version costs if all nodes are healthy. Depends on nothing but its
   * parameters.
   */
  static final class VersionPrice {
    private VersionPrice() {
    }

    static VersionBytes of(List<FileGroup> groups, CodePathCache codes, GroupPolicy from,
        GroupPolicy to) {
      Conversion conversion = codes.conversion(from, to);
      double unitsMoved = groups.isEmpty() ? 0 : unitsMoved(codes, from, to);
      VersionBytes all = VersionBytes.NONE;
      for (FileGroup group : groups) {
        long linked = 0;
        long made = 0;
        for (int unit = 0; unit < conversion.to().units(); unit++) {
          long length = length(group.bytes, to, unit);
          if (conversion.linkedFrom(unit) == Conversion.NONE) {
            made += length;
          } else {
            linked += length;
          }
        }
        all = all.plus(new VersionBytes(1, linked, 0, made,
            Math.round(unitsMoved * length(group.bytes, to, to.dataUnits))));
      }
      return all;
    }

    private static long length(long groupBytes, GroupPolicy code, int unit) {
      return StripedBlockUtil.getInternalBlockLength(groupBytes, code.cellBytes,
          code.dataUnits, unit);
    }

    /**
     * Returns how many units cross network links when a whole group is made by a plan in which all
     * nodes are alike.
     */
    private static double unitsMoved(CodePathCache codes, GroupPolicy from, GroupPolicy to) {
      List<UnitHolder> live = new ArrayList<>();
      List<NodeRef> spare = new ArrayList<>();
      int units = from.dataUnits + from.parityUnits;
      for (int i = 0; i < units + to.parityUnits; i++) {
        NodeRef node = new NodeRef("n" + i, "", "", 1, 1, "");
        if (i < units) {
          live.add(new UnitHolder(i, node));
        } else {
          spare.add(node);
        }
      }
      long bytes = (long) from.dataUnits * from.cellBytes;
      try {
        return codes.plan(from, to, new OldGroup(bytes, from.cellBytes, live), spare, null,
            List.of()).unitsMoved();
      } catch (NoPlanException e) {
        throw new IllegalStateException("no plan although nothing is lost", e);
      }
    }
  }
}
