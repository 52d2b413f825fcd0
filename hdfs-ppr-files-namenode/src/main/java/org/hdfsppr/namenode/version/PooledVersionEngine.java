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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * The engine of versions. It makes files in steps, in two lanes: one for commits, and one for all
 * other versions and parity files. One further thread follows whether this NameNode is active,
 * renews leases, and runs the janitor. No thread is ever interrupted, because all of them write to
 * the NameNode's edit log, and an interrupt would close the files of the log. Thread-safe.
 */
@InterfaceAudience.Private
public final class PooledVersionEngine extends ActiveService implements VersionEngine {
  private static final Logger LOG = LoggerFactory.getLogger(PooledVersionEngine.class);
  /**
   * How many threads take the steps of conversions and parity files, at least. A step takes a
   * millisecond, or as long as a flush of the edit log if it has written an edit; edits of several
   * threads share a flush. Two of the threads may wait for a publication ({@link PublishLine}). So
   * eight threads give 256 files their ten looks a second, and some hundred edits a second even if
   * a flush takes 20 ms.
   */
  private static final int CONVERSION_THREADS = 8;
  /** There are more threads if more files are made at a time than these take steps of. */
  private static final int FILES_PER_THREAD = 32;
  /** Each commit has a thread, so that no commit waits while the other one is published. */
  private static final int COMMIT_THREADS = COMMITS_MAX;
  private static final long STOP_MS = 10_000;
  private static final long NO_TERM = -1;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  private final VersionJanitor janitor;
  private final String leaseHolder;
  private final MakingLane conversions;
  private final MakingLane commits =
      new MakingLane(COMMITS_MAX, COMMIT_THREADS, "ppr-commit-version-");
  /**
   * The inode ids of files that are being made or read, and of versions that the janitor puts in
   * order. Each has one owner: a making, or the janitor. A conversion that waits for repairs does
   * not own its file, so that the file can be committed meanwhile.
   */
  private final VersionClaims underWay = new VersionClaims();
  /** All requests that have not ended, including those that wait for repairs. */
  private final Set<Request<?>> requests = ConcurrentHashMap.newKeySet();
  /** Since when the engine has been ready in its present term, monotonic ms. */
  private volatile long readySinceMs;
  private final VersionUpkeep upkeep;
  private final VersionRoom room;

  /** A request that has not ended, whose file is made in a lane. */
  private final class Request<T> implements MakingLane.Task {
    private final MakingLane lane;
    private final String jobId;
    private final MakingLane.Turn turn;
    private final SteppedMaking<T> making;
    private final Consumer<T> count;
    private final String what;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private volatile boolean isCancelled;
    /** Null until the making has ended, and if even its failure could not be described. */
    private T outcome;

    /**
     * @param what the request, for log lines
     * @param inodeIds the files that the making claims
     * @param making returns the making
     * @param count logs the outcome, and takes note of what follows from it
     */
    Request(MakingLane lane, String jobId, Object what, List<Long> inodeIds,
        Function<MakingTerm, SteppedMaking<T>> making, Consumer<T> count) {
      this.lane = lane;
      this.jobId = jobId;
      this.what = what.toString();
      this.count = count;
      this.turn = lane.turn(this);
      long term = loaded().orElse(NO_TERM);
      this.making = making.apply(new MakingTerm(term, leaseHolder, underWay.claim(inodeIds), turn,
          () -> isStopped(term), () -> isCancelled));
    }

    /** Begins the request. Returns its future; empty if the lane has no place for it any more. */
    Optional<CompletableFuture<T>> begin() {
      boolean hasBegun = false;
      try {
        requests.add(this);
        hasBegun = lane.begin(turn);
      } finally {
        if (!hasBegun) {
          requests.remove(this);
        }
      }
      return hasBegun ? Optional.of(future) : Optional.empty();
    }

    @Override
    public Progress step() {
      return making.step();
    }

    @Override
    public void release(Throwable failure) {
      try {
        outcome = failure == null ? making.outcome() : making.failed(failure);
        if (failure != null) {
          LOG.error("The thread that makes the {} has failed", what, PeerText.oneLine(failure));
        }
        count.accept(outcome);
      } finally {
        // The making gives its claims back even after an error. This engine begins its next term
        // only when no file is claimed any more.
        try {
          making.release();
        } finally {
          requests.remove(this);
        }
      }
    }

    @Override
    public void tell() {
      if (outcome != null) {
        future.complete(outcome);
      } else {
        future.completeExceptionally(new IllegalStateException("The " + what
            + " has ended without an outcome; the NameNode's log says why"));
      }
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
    int files = Math.max(1, parts.settings.concurrent);
    this.conversions = new MakingLane(files,
        Math.max(CONVERSION_THREADS, files / FILES_PER_THREAD), "ppr-version-");
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
    MakingLane lane = request.commit().isPresent() ? commits : conversions;
    if (!room.isThere(request.commit().isPresent()) || !lane.hasPlace()) {
      return Optional.empty();
    }
    if (underWay.isTaken(request.inodeId)) {
      return Optional.of(CompletableFuture.completedFuture(VersionOutcome.refused(
          new VersionRefusal(RefusalReason.BUSY, "a version of " + request.path
          + " is being made or cleared up already; wait for it"))));
    }
    return new Request<VersionOutcome>(lane, request.jobId, request, List.of(request.inodeId),
        term -> new VersionTries(parts, request, janitor, term), end -> count(request, end))
        .begin();
  }

  @Override
  public Optional<CompletableFuture<ParityOutcome>> submit(ParityRequest request) {
    if (!isActive() || !conversions.hasPlace()) {
      return Optional.empty();
    }
    for (TargetFile file : request.files) {
      if (underWay.isTaken(file.inodeId())) {
        return Optional.of(CompletableFuture.completedFuture(ParityOutcome.notMade(
            VersionOutcome.refused(new VersionRefusal(RefusalReason.BUSY, "a version of "
            + file.path() + " is being made or cleared up; wait for it")))));
      }
    }
    List<Long> inodeIds =
        request.files.stream().map(TargetFile::inodeId).collect(Collectors.toList());
    return new Request<ParityOutcome>(conversions, request.jobId, request, inodeIds,
        term -> new ParityMaker(parts, request, term), end -> { }).begin();
  }

  private boolean isStopped(long term) {
    return isStopped() || !parts.gate.isActive() || parts.gate.term() != term;
  }

  private void count(VersionRequest request, VersionOutcome end) {
    if (end.end == VersionEnd.PUBLISHED) {
      upkeep.lookBy(parts.clockMs.getAsLong() + request.graceMs);
      LOG.debug("The {} is published: {}", request, end);
    } else {
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
  }

  @Override
  public Optional<String> whyNoCommit() {
    return parts.gate.whyNoCommit();
  }

  @Override
  public void cancel(String jobId) {
    requests.stream().filter(request -> request.jobId.equals(jobId))
        .forEach(request -> request.isCancelled = true);
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
    numbers.waits = parts.gate.whyNot().or(() ->
        parts.links.whyNot(LinkLoads.Work.MAKING, parts.clockMs.getAsLong())).orElse("");
    numbers.running = conversions.running() + commits.running();
    numbers.queued = conversions.queued() + commits.queued();
    numbers.kept = janitor.kept();
    numbers.read = janitor.readers.kept();
    numbers.asking = janitor.readers.asking();
    numbers.withoutDigests = parts.withoutDigests.sum();
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
