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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.hdfsppr.client.patience.HedgePermit;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the bytes of one unit that a read wants. It tries several ways in this order. If the bytes
 * were rebuilt before and are still kept, it takes them. Otherwise it asks the unit's DataNode, if
 * the client believes that the DataNode is well. If the DataNode fails, is slow, or is not believed
 * to be well, it rebuilds the bytes. If the rebuild fails too, it asks the DataNode that was left
 * out.
 */
final class UnitPiece implements PendingUnitRead {
  private static final Logger LOG = LoggerFactory.getLogger(UnitPiece.class);
  /**
   * Repeats the same message at most once a minute, because a failing DataNode may cause it in each
   * read.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /** The objects that all pieces of a stream use to get bytes. Immutable. */
  static final class Ways {
    private final ReadContext context;
    private final UnitFetcher fetcher;
    private final RangeRebuilder rebuilder;
    private final UnitByteCache cache;

    /** @param cache bytes that were rebuilt before */
    Ways(ReadContext context, UnitFetcher fetcher, RangeRebuilder rebuilder, UnitByteCache cache) {
      this.context = context;
      this.fetcher = fetcher;
      this.rebuilder = rebuilder;
      this.cache = cache;
    }
  }

  private final Ways ways;
  private final ReadContext context;
  private final LocatedGroup group;
  final UnitRange range;
  private final OpenRead read;
  private final Thread reader = Thread.currentThread();
  private final ByteRace race = new ByteRace();
  /** Completed with the bytes from the DataNode, or with the failure to read them. */
  private final CompletableFuture<ByteBuffer> directly = new CompletableFuture<>();
  private final ReadAttempt direct;
  private final ReadAttempt rebuilding;
  /** The bytes of this piece, if they were rebuilt before and are still kept. */
  private final Optional<ByteBuffer> kept;
  /** Whether this piece begins by asking the unit's DataNode. */
  private final boolean isRead;
  /** Counts the bytes that come from the DataNode. */
  private final LinkShares.Flow flow;
  private volatile boolean hedged;
  /** Set by the reader before any other thread works for this piece. */
  private Optional<HedgeTimer> hedge = Optional.empty();
  /** Whether {@link #goOn} has to begin a rebuild. Used by the reader's thread only. */
  private boolean isToRebuild;

  /**
   * The reader's thread has to call this constructor, which records the current thread as the
   * reader.
   *
   * @param isRead whether the unit's DataNode is believed to be well
   */
  UnitPiece(Ways ways, OpenRead read, UnitRange range, boolean isRead) {
    this.ways = ways;
    this.context = ways.context;
    this.group = read.group;
    this.range = range;
    this.read = read;
    this.direct = read.attempt();
    this.rebuilding = read.attempt();
    kept = kept();
    this.isRead = kept.isEmpty() && isRead;
    flow = context.shares.flow();
  }

  private Optional<ByteBuffer> kept() {
    if (!ways.cache.has(blockId(), range.from, range.to)) {
      return Optional.empty();
    }
    ByteBuffer cached = ByteBuffer.allocate(range.length());
    return ways.cache.copy(blockId(), range.from, cached)
        ? Optional.of(cached.flip()) : Optional.empty();
  }

  private long blockId() {
    return group.id().blockId(range.unit);
  }

  /**
   * Begins to get the bytes. The reader calls this method once all pieces of the read were made.
   */
  void begin() {
    if (kept.isPresent()) {
      context.counters.cached();
      directly.complete(kept.get().duplicate());
      race.won(kept.get());
    } else if (isRead) {
      race.beginDirect();
      if (context.delay.isOn()) {
        hedge = Optional.of(new HedgeTimer(context,
            new SlowReadDetector(context, range.length(), flow),
            new Rebuild()));
        hedge.get().start();
      }
      context.execute(this::readDirectly);
    } else {
      isToRebuild = race.beginRebuild();
    }
  }

  /**
   * Begins a rebuild if the piece needs one. The reader calls this method once all pieces have
   * begun.
   */
  void goOn() {
    if (isToRebuild) {
      context.execute(this::rebuildNow);
    }
  }

  private void readDirectly() {
    orFail(this::tryDirectly);
  }

  private void tryDirectly() {
    long start = context.nanoClock.getAsLong();
    String uuid = group.holder(range.unit).getDatanodeUuid();
    // The client asks before the read whether the node is known to be slow. If the client finds
    // that out only during the read, the read began too early to show the node's state now.
    boolean wasSlow = context.health.isSlow(uuid);
    UnitOutcome outcome;
    try (LinkShares.Flow open = flow.open()) {
      outcome = ways.fetcher.fetch(group, range, direct.reading(open), race::isOver);
    }
    if (!outcome.isRead()) {
      directFailed(uuid, outcome);
      return;
    }
    long took = context.nanoClock.getAsLong() - start;
    boolean isInTime = context.delay.isInTime(range.length(), took);
    context.delay.took(range.length(), took);
    context.counters.unitBytes(range.length());
    directly.complete(outcome.bytes);
    if (race.won(outcome.bytes.duplicate())) {
      if (isInTime && wasSlow) {
        context.health.noteWell(uuid);
      } else {
        context.health.noteAnswered(uuid);
        if (isInTime) {
          context.health.noteInTime(uuid);
        }
      }
    }
  }

  private void directFailed(String uuid, UnitOutcome outcome) {
    IOException why = outcome.failure;
    LOG.debug("Unit {} of {} cannot be read", range, group.id(), why);
    outcome.doubt().ifPresent(race::note);
    if (!race.isOver() && !direct.isCancelled() && !IoFailures.isOwnInterrupt(why)) {
      context.health.noteFailed(uuid, blockId(), why);
    }
    directly.completeExceptionally(why);
    boolean isMine = !race.isOver() && race.beginRebuild();
    race.lost(why);
    if (isMine && Thread.currentThread() == reader) {
      // This is the reader's own thread, and other pieces have not begun yet. So goOn() begins the
      // rebuild, after all pieces have begun.
      isToRebuild = true;
    } else if (isMine) {
      rebuildNow();
    }
  }

  /** The rebuild that begins as a second read when the DataNode is slow. */
  private final class Rebuild implements HedgeTimer.Hedge {
    @Override
    public boolean isOver() {
      return race.isOver() || direct.isCancelled();
    }

    @Override
    public boolean isKnownSlow() {
      return isOfSlowNode();
    }

    @Override
    public int reads() {
      return Math.max(1, ways.rebuilder.reads(read, range));
    }

    @Override
    public boolean begin() {
      hedged = !race.isOver() && race.beginRebuild();
      return hedged;
    }

    @Override
    public void run() {
      rebuildNow();
    }
  }

  private boolean isOfSlowNode() {
    return context.health.isSlow(group.holder(range.unit).getDatanodeUuid());
  }

  private void rebuildNow() {
    orFail(this::tryRebuild);
  }

  /**
   * Runs work. If the work throws an error, for example because a class is missing, this method
   * ends the race with a failure. Otherwise a thread could wait for the race forever.
   */
  private void orFail(Runnable work) {
    FutureTask<Void> task = new FutureTask<>(work, null);
    task.run();
    try {
      BoundedWait.get(task, 0);
    } catch (IOException | TimeoutException e) {
      IOException why = new IOException("Reading unit " + range + " of block group "
          + group.id() + " ended with an error: " + e.getMessage(), e);
      PEER_LOG.error("error", "Unit {} of {}: an error", range, group.id(), e);
      directly.completeExceptionally(why);
      race.abort(why);
    }
  }

  private void tryRebuild() {
    UnitByteCache found = new UnitByteCache(Long.MAX_VALUE);
    try {
      ways.rebuilder.rebuild(read, range, !hedged || isOfSlowNode(), found, rebuilding);
      ByteBuffer dst = ByteBuffer.allocate(range.length());
      if (!found.copy(blockId(), range.from, dst)) {
        throw new IllegalStateException("Unit " + range + " of " + group.id()
            + " was rebuilt, but not all of it");
      }
      if (race.won(dst.flip()) && hedged && !directly.isDone()) {
        context.health.noteSlow(group.holder(range.unit).getDatanodeUuid());
      }
      found.copyTo(ways.cache);
    } catch (IOException | RuntimeException e) {
      // If the DataNode was not asked because of earlier failures, asking it is the only way that
      // is left.
      boolean isLastResort = !(e instanceof UntrustedBytesException) && !rebuilding.isCancelled()
          && group.holder(range.unit) != null && race.beginDirect();
      race.lost(IoFailures.of(e));
      if (isLastResort) {
        readDirectly();
      }
    }
  }

  /** The bytes from the first way that gets them. */
  Future<ByteBuffer> result() {
    return race.bytes();
  }

  /** The reason why no other way may be tried; empty if there is no such reason. */
  Optional<UntrustedBytesException> doubt() {
    return race.doubt();
  }

  /** Whether the bytes come from the unit's DataNode, and nothing was rebuilt for this piece. */
  boolean isFromItsDataNode() {
    return isRead && race.isDirectOnly();
  }

  @Override
  public int unit() {
    return range.unit;
  }

  @Override
  public long from() {
    return range.from;
  }

  @Override
  public boolean covers(UnitRange wanted) {
    return (isRead || kept.isPresent()) && range.from <= wanted.from
        && range.to >= wanted.to;
  }

  @Override
  public boolean sharesSources(UnitRange wanted) {
    return !isRead && kept.isEmpty() && range.from == wanted.from
        && range.to == wanted.to;
  }

  @Override
  public Future<ByteBuffer> bytes() {
    return directly;
  }

  @Override
  public LinkShares.Flow flow() {
    return flow;
  }

  /** Cancels all work that is under way for this piece, because the whole read is over. */
  void end() {
    hedge.ifPresent(HedgeTimer::cancel);
    direct.cancel();
    rebuilding.cancel();
  }

  /**
   * A race between two ways to get the same bytes: reading them from the DataNode that holds them
   * (the direct way), and rebuilding them from other DataNodes. Each way is tried at most once. The
   * first way that gets the bytes wins. The race fails when each way that was begun has failed.
   * Thread-safe.
   */
  static final class ByteRace {
    private final CompletableFuture<ByteBuffer> bytes = new CompletableFuture<>();
    private boolean directBegun;
    private boolean rebuildBegun;
    /** The number of ways that are under way. */
    private int open;
    private IOException failure;

    /**
     * Begins the direct way.
     *
     * @return whether the caller may go on; false if the direct way was begun before or the race is
     *     over
     */
    synchronized boolean beginDirect() {
      if (directBegun || bytes.isDone()) {
        return false;
      }
      directBegun = true;
      open++;
      return true;
    }

    /**
     * Begins the rebuild.
     *
     * @return whether the caller may go on; false if the rebuild was begun before
     */
    synchronized boolean beginRebuild() {
      if (rebuildBegun) {
        return false;
      }
      rebuildBegun = true;
      open++;
      return true;
    }

    /** Whether no rebuild was begun. */
    synchronized boolean isDirectOnly() {
      return !rebuildBegun;
    }

    /** @return whether the caller's way has won; false if the race was over before */
    boolean won(ByteBuffer with) {
      return bytes.complete(with);
    }

    /** Whether the race has ended, with the bytes or with a failure. */
    boolean isOver() {
      return bytes.isDone();
    }

    /**
     * Notes why a way has failed. If any way fails because bytes must not be trusted, this becomes
     * the failure of the race, because no reader may then try to get the bytes in another way.
     */
    synchronized void note(IOException why) {
      if (failure == null) {
        failure = why;
      } else if (why instanceof UntrustedBytesException
          && !(failure instanceof UntrustedBytesException)) {
        why.addSuppressed(failure);
        failure = why;
      } else if (failure != why) {
        failure.addSuppressed(why);
      }
    }

    /** Notes that one way has failed. If no other way is being tried, the race fails. */
    void lost(IOException why) {
      boolean isLast;
      synchronized (this) {
        note(why);
        open--;
        isLast = open == 0;
      }
      if (isLast) {
        bytes.completeExceptionally(failure);
      }
    }

    /**
     * Ends the race with a failure at once, for example after an error. Bytes that other ways get
     * later are ignored.
     */
    void abort(IOException why) {
      bytes.completeExceptionally(why);
    }

    /** The reason why no other way may be tried; empty if there is no such reason. */
    synchronized Optional<UntrustedBytesException> doubt() {
      return failure instanceof UntrustedBytesException
          ? Optional.of((UntrustedBytesException) failure) : Optional.empty();
    }

    /** The bytes from the way that wins, or the failure of the race. */
    Future<ByteBuffer> bytes() {
      return bytes;
    }
  }

  /**
   * Begins a second read in another thread when a DataNode takes too long. If no thread is free, or
   * the client may begin no more second reads now, the timer checks again later. The budget of
   * hedges limits the number of second reads. Outside the budget, a second read may begin if the
   * DataNode is known to be slow, or if none has begun so for as long as the longest delay before a
   * second read. Thread-safe.
   */
  static final class HedgeTimer {
    /** A second read of bytes that a first read has not brought yet. */
    interface Hedge {
      /** Whether no second read is needed any more. */
      boolean isOver();

      /** Whether the client knows that the DataNode is slow. */
      boolean isKnownSlow();

      /** How many reads of units the second read makes; at least 1. */
      int reads();

      /** @return whether the second read has begun; false if it is not needed any more */
      boolean begin();

      /** Performs the second read. */
      void run();
    }

    private final ReadContext context;
    private final SlowReadDetector watch;
    private final Hedge hedge;
    private volatile Future<?> timer;

    /** @param watch tells whether the first read is slow */
    HedgeTimer(ReadContext context, SlowReadDetector watch, Hedge hedge) {
      this.context = context;
      this.watch = watch;
      this.hedge = hedge;
    }

    void start() {
      timer = context.later(this::look, watch.patienceNanos());
    }

    private void look() {
      if (hedge.isOver()) {
        return;
      }
      // If the node is known to be slow, the client rebuilds new reads at once, outside the budget
      // of hedges. So the reads that began before need no budget, either.
      boolean isOfSlowNode = hedge.isKnownSlow();
      if (!isOfSlowNode && !watch.isSlow(true)) {
        start();
        return;
      }
      Optional<HedgePermit> permit = context.delay.permit(isOfSlowNode, hedge.reads(),
          watch.waitedNanos(), context.nanoClock.getAsLong());
      if (permit.isEmpty()) {
        start();
      } else if (!context.tryExecute(() -> hedge(permit.get()))) {
        // A thread may be free at the next check.
        permit.get().giveBack();
        start();
      }
    }

    private void hedge(HedgePermit permit) {
      if (!hedge.begin()) {
        permit.giveBack();
        return;
      }
      context.counters.hedge();
      hedge.run();
    }

    /**
     * Stops the timer, so that no second read begins. May be called before {@link #start}, and
     * twice.
     */
    void cancel() {
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }
}
