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
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the janitor when it is time for that, renews leases, also while the janitor looks, and
 * looks for operators. One thread calls all methods but {@link #lookBy} and {@link #survey}, which
 * are thread-safe.
 */
@InterfaceAudience.Private
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
}
