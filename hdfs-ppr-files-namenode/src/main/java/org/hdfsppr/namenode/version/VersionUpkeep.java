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
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the janitor when it is time for that. Renews leases, also while the janitor works. Carries
 * out surveys for operators. Only one thread calls the methods, except {@link #lookBy} and {@link
 * #survey}, which are thread-safe.
 */
final class VersionUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(VersionUpkeep.class);
  /** The time between two renewals of leases, ms: half of the time that stock's clients use. */
  static final long LEASE_MS = 15_000;
  /**
   * A caller waits for a survey to begin and end, in all for this many times the survey's own time
   * limit.
   */
  private static final int SURVEY_PATIENCE = 2;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  private final VersionJanitor janitor;
  private final VersionClaims underWay;
  private final String leaseHolder;
  private final BooleanSupplier isClosed;
  private final Runnable done;
  private final JanitorPace pace = new JanitorPace();
  /** The surveys that callers hand to the thread of this class. */
  private final HandedWork surveys = new HandedWork();
  private long leaseMs;

  /**
   * @param underWay the claims of the files that have makings
   * @param leaseHolder the name under which the engine holds the leases of all files that it makes
   * @param isClosed returns whether the engine ends
   * @param done is called after each part of a long look, to show that the thread makes progress
   */
  VersionUpkeep(EngineParts parts, VersionJanitor janitor, VersionClaims underWay,
      String leaseHolder, BooleanSupplier isClosed, Runnable done) {
    this.parts = parts;
    this.janitor = janitor;
    this.underWay = underWay;
    this.leaseHolder = leaseHolder;
    this.isClosed = isClosed;
    this.done = done;
  }

  /**
   * Renews the lease of all files that are being made, even while no further file may begin.
   * Without the lease, these files could not be finished.
   */
  void renewLeases() {
    long now = parts.clockMs.getAsLong();
    if (now - leaseMs < LEASE_MS || underWay.isEmpty()) {
      return;
    }
    leaseMs = now;
    try {
      parts.namespace.renewLease(leaseHolder);
    } catch (IOException e) {
      peerLog.warn("lease " + e.getClass().getName(), "The lease of new versions of files is not"
          + " renewed now: {}", e.toString());
    }
  }

  /** Has the janitor look no later than this time, monotonic ms. */
  void lookBy(long ms) {
    pace.lookBy(ms);
  }

  /** Carries out surveys that wait, and runs the janitor if it is time for that. */
  void step() throws IOException {
    surveys.run();
    JanitorPace.Look look = pace.next(parts.clockMs.getAsLong());
    if (look != JanitorPace.Look.NONE) {
      look(look);
    }
  }

  /** Has the janitor look at the directories of all versions. */
  void lookAtAll() throws IOException {
    look(JanitorPace.Look.ALL);
  }

  private void look(JanitorPace.Look look) throws IOException {
    long start = parts.clockMs.getAsLong();
    pace.begin();
    VersionJanitor.Turn turn = turn();
    boolean hasEnded = false;
    try {
      long nextMs = look == JanitorPace.Look.ALL ? janitor.lookAtAll(turn)
          : janitor.lookAtDue(turn);
      long wait = nextMs == Long.MAX_VALUE ? JanitorPace.ALL_MS
          : Math.max(0, nextMs - parts.wallClockMs.getAsLong());
      pace.end(look, start, parts.clockMs.getAsLong(), wait, janitor.hasForgotten());
      hasEnded = true;
    } finally {
      if (!hasEnded) {
        pace.fail(parts.clockMs.getAsLong());
      }
    }
  }

  /**
   * Returns the claims with which the janitor or a survey looks at versions without makings, as
   * long as the present term lasts.
   */
  private VersionJanitor.Turn turn() {
    long term = parts.gate.term();
    Object own = new Object();
    return new VersionJanitor.Turn() {
      @Override
      public boolean take(long inodeId) {
        return underWay.take(inodeId, own);
      }

      @Override
      public void release(long inodeId) {
        underWay.giveBack(inodeId, own);
      }

      @Override
      public boolean goesOn() {
        done.run();
        renewLeases();
        return !isClosed.getAsBoolean() && parts.gate.isActive() && parts.gate.term() == term;
      }
    };
  }

  /** Waits until the engine's thread has looked at the directories of versions. */
  void survey(Leftovers.Builder left, boolean isCleared, long msMax) throws IOException {
    surveys.call(() -> {
      long endMs = parts.clockMs.getAsLong() + msMax;
      VersionJanitor.Turn turn = turn();
      new VersionSurvey(parts, janitor, turn, left, isCleared,
          () -> turn.goesOn() && parts.clockMs.getAsLong() < endMs).run();
    }, SURVEY_PATIENCE * msMax);
  }

  /**
   * Decides when the janitor looks, and at which versions. The janitor pauses for at least as long
   * as its last look took, so that it uses at most half of a thread's time. Times are monotonic,
   * ms. Only one thread calls the methods, except {@link #lookBy}.
   */
  static final class JanitorPace {
    /** The longest time between two looks at the directories of all versions, ms. */
    static final long ALL_MS = 600_000;
    /** The shortest pause after a look, ms. */
    static final long REST_MS_MIN = 1_000;

    /** The versions at which the janitor looks. */
    enum Look {
      NONE,
      /** The versions whose graces have ended. */
      DUE,
      /** The directories of all versions. */
      ALL
    }

    private final AtomicLong dueMs = new AtomicLong(Long.MAX_VALUE);
    private long restMs;
    private long allMs;

    /** Returns at which versions the janitor has to look now. */
    Look next(long nowMs) {
      if (nowMs < restMs) {
        return Look.NONE;
      }
      if (nowMs >= allMs) {
        return Look.ALL;
      }
      return nowMs >= dueMs.get() ? Look.DUE : Look.NONE;
    }

    /**
     * Takes note that a look begins. Versions whose grace begins from now on are left to the next
     * look.
     */
    void begin() {
      dueMs.set(Long.MAX_VALUE);
    }

    /**
     * Takes note that a look has ended.
     *
     * @param look the versions at which the janitor has looked
     * @param startMs when the look began, monotonic ms
     * @param endMs the present time, monotonic ms
     * @param waitMs how long until the next known grace ends, ms
     * @param needsAll whether that version is not remembered, so that only a look at all
     *     directories finds it
     */
    void end(Look look, long startMs, long endMs, long waitMs, boolean needsAll) {
      restMs = endMs + Math.max(REST_MS_MIN, endMs - startMs);
      if (look == Look.ALL) {
        allMs = endMs + Math.max(ALL_MS, endMs - startMs);
      }
      if (needsAll) {
        allMs = Math.min(allMs, endMs + Math.min(ALL_MS, waitMs));
      } else {
        lookBy(endMs + Math.min(ALL_MS, waitMs));
      }
    }

    /** Takes note that a look has failed. The next look comes soon, and is at all directories. */
    void fail(long endMs) {
      restMs = endMs + REST_MS_MIN;
      allMs = endMs;
    }

    /** Has the janitor look no later than this time, monotonic ms. Thread-safe. */
    void lookBy(long ms) {
      dueMs.accumulateAndGet(ms, Math::min);
    }
  }

  /**
   * Hands a piece of work from a caller to another thread, one piece at a time. The handler of an
   * RPC must not call two methods of the NameNode that change something: the NameNode would take
   * the second call for a retry of the first one, and do nothing. So another thread makes these
   * calls. Thread-safe.
   */
  static final class HandedWork {
    private final AtomicReference<Handed> next = new AtomicReference<>();

    /** Work that another thread does. */
    interface Work {
      void run() throws IOException;
    }

    /** A piece of work that was handed over, with a future for its end. */
    private static final class Handed {
      private final Work work;
      private final CompletableFuture<Void> end = new CompletableFuture<>();

      Handed(Work work) {
        this.work = work;
      }
    }

    /**
     * Hands over a piece of work, and waits until the other thread has done it.
     *
     * @param msMax how long to wait, ms. Work that has not begun by then is not done
     * @throws RetriableException if other work waits already, or this work has not ended in time
     */
    void call(Work work, long msMax) throws IOException {
      Handed handed = new Handed(work);
      if (!next.compareAndSet(null, handed)) {
        throw new RetriableException("Another caller looks at the same; try again");
      }
      try {
        handed.end.get(msMax, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        throw new RetriableException("The NameNode's plugin is clearing up, which takes longer; try"
            + " again");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The NameNode stops");
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException ? (IOException) e.getCause()
            : new IOException(e.getCause());
      } finally {
        next.compareAndSet(handed, null);
      }
    }

    /** Does the work that was handed over, if there is any. The other thread calls this method. */
    void run() {
      Handed handed = next.get();
      if (handed == null || handed.end.isDone()) {
        return;
      }
      try {
        handed.work.run();
        handed.end.complete(null);
      } catch (Throwable e) {
        // The caller gets the exception from the future.
        handed.end.completeExceptionally(e);
      }
    }
  }
}
