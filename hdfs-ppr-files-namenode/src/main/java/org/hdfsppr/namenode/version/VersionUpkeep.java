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
 * Sends the janitor when it is time for that, renews leases, also while the janitor looks, and
 * looks for operators. One thread calls all methods but {@link #lookBy} and {@link #survey}, which
 * are thread-safe.
 */
final class VersionUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(VersionUpkeep.class);
  /** The time between two renewals of leases, ms: half of what stock's clients take. */
  static final long LEASE_MS = 15_000;
  /**
   * A caller waits for the begin and end of a survey for this many times as long as it may take.
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
  /** The surveys that operators have the thread carry out. */
  private final HandedWork surveys = new HandedWork();
  private long leaseMs;

  /**
   * @param underWay what has workers
   * @param leaseHolder the holder of the leases of all files that are being made
   * @param isClosed whether the engine ends
   * @param done hears that a part of a long look is done
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
   * Renews the lease of all files that are being made, even while no further file may begin:
   * without the lease, they could not be finished.
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

  /** Brings the next look of the janitor forward. Monotonic ms. */
  void lookBy(long ms) {
    pace.lookBy(ms);
  }

  /** Carries out surveys that wait, and sends the janitor if it is time for that. */
  void step() throws IOException {
    surveys.run();
    JanitorPace.Look look = pace.next(parts.clockMs.getAsLong());
    if (look != JanitorPace.Look.NONE) {
      look(look);
    }
  }

  /** Has the janitor look at all directories. */
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

  /** Lets the janitor, or an operator, look at versions without workers in the present term. */
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
   * Decides when the janitor looks, and at what. It rests for as long as its last look took, so
   * that it takes at most half of a thread. Times are monotonic, ms. One thread calls all methods
   * but {@link #lookBy}.
   */
  static final class JanitorPace {
    /** The longest time between two looks at all directories of versions, ms. */
    static final long ALL_MS = 600_000;
    /** The shortest rest, ms. */
    static final long REST_MS_MIN = 1_000;

    /** What the janitor looks at. */
    enum Look {
      NONE,
      /** The versions whose graces have ended. */
      DUE,
      /** All directories. */
      ALL
    }

    private final AtomicLong dueMs = new AtomicLong(Long.MAX_VALUE);
    private long restMs;
    private long allMs;

    /** Returns what the janitor has to look at now. */
    Look next(long nowMs) {
      if (nowMs < restMs) {
        return Look.NONE;
      }
      if (nowMs >= allMs) {
        return Look.ALL;
      }
      return nowMs >= dueMs.get() ? Look.DUE : Look.NONE;
    }

    /** Notes that a look begins. Graces that begin from now on are for the next look. */
    void begin() {
      dueMs.set(Long.MAX_VALUE);
    }

    /**
     * Notes that a look has ended.
     *
     * @param look what was looked at
     * @param startMs when the look began
     * @param endMs the present time
     * @param waitMs how soon the next known grace ends, ms
     * @param needsAll whether only a look at all directories finds the version with that grace
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

    /** Notes that a look has failed. The next one soon looks at all directories. */
    void fail(long endMs) {
      restMs = endMs + REST_MS_MIN;
      allMs = endMs;
    }

    /** Brings the next look forward. Thread-safe. */
    void lookBy(long ms) {
      dueMs.accumulateAndGet(ms, Math::min);
    }
  }

  /**
   * Hands one piece of work at a time from a caller to another thread. The handler of an RPC must
   * not call a method of the NameNode that changes something twice: the NameNode would take the
   * second call for a repetition of the first, and do nothing. Thread-safe.
   */
  static final class HandedWork {
    private final AtomicReference<Handed> next = new AtomicReference<>();

    /** Some work. */
    interface Work {
      void run() throws IOException;
    }

    /** Work, and its end. */
    private static final class Handed {
      private final Work work;
      private final CompletableFuture<Void> end = new CompletableFuture<>();

      Handed(Work work) {
        this.work = work;
      }
    }

    /**
     * Waits until the other thread has done some work.
     *
     * @param msMax how long to wait, ms. Work that has not begun by then is not done
     * @throws RetriableException if other work waits, or this work has not ended
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

    /** Does the work that waits, if there is any. The other thread calls this. */
    void run() {
      Handed handed = next.get();
      if (handed == null || handed.end.isDone()) {
        return;
      }
      try {
        handed.work.run();
        handed.end.complete(null);
      } catch (Throwable e) {
        // The caller gets any failure.
        handed.end.completeExceptionally(e);
      }
    }
  }
}
