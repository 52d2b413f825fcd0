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
package org.hdfsppr.client.patience;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides which DataNodes that were late are slow. All nodes of a busy cluster are late now and
 * then. If a client left each of them alone, it would read the bytes of k units in place of one, so
 * that the cluster would become busier still. So a node is slow only if it is late again and again,
 * in half of its reads, and more often than the other nodes. Thread-safe.
 */
@InterfaceAudience.Private
final class Suspects {
  /**
   * A node can only count as slow if it is late again within this time. A single delay, such as a
   * lost packet or a pause to collect garbage, is no reason to read more bytes from other nodes.
   */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /**
   * The same pause of a node may delay several reads, so that reads within this time after the
   * first late one say nothing about how often the node is late.
   */
  private static final long SAME_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** Reads after the pause are counted for at least this time. */
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** The least number of reads that show a share; of fewer reads, half are late by chance. */
  private static final int READS_LEAST = 8;
  /** This many reads suffice if all of them were late. */
  private static final int LATE_READS_LEAST = 3;
  /**
   * A node is slow if at least one of this number of its reads was late. If a client leaves a node
   * alone, all of the node's reads are rebuilt, and each rebuild reads k units. If fewer reads are
   * late, rebuilding only these costs less.
   */
  private static final int READS_FOR_A_LATE_ONE = 2;
  /**
   * A node is slow if it is late this many times as often as the other nodes together. Where all
   * nodes are late as often as each other, reading from other nodes gains nothing.
   */
  private static final int TIMES_AS_OFTEN = 3;

  private final LongSupplier nanoClock;
  private final ExpiringMap<String, Suspect> suspects;
  /** What has become of the reads of all nodes. */
  private final Reads all = new Reads();

  /** Counts reads. */
  private static final class Reads {
    private long ended;
    private long late;

    void add(boolean isLate) {
      ended++;
      late += isLate ? 1 : 0;
    }
  }

  /** A node that was late, and what has become of its reads since that pause. */
  private static final class Suspect {
    private final long sinceNanos;
    private final Reads own = new Reads();
    private boolean counts;
    private long endedBefore;
    private long lateBefore;

    Suspect(long nanos) {
      sinceNanos = nanos;
    }

    /** @param all what has become of the reads of all nodes before this read */
    void add(boolean isLate, long now, Reads all) {
      if (now - sinceNanos <= SAME_PAUSE_NANOS) {
        return;
      }
      if (!counts) {
        counts = true;
        endedBefore = all.ended;
        lateBefore = all.late;
      }
      own.add(isLate);
    }

    boolean isDue(long now) {
      return now - sinceNanos > SAME_PAUSE_NANOS + COUNT_NANOS && (own.ended >= READS_LEAST
          || own.late == own.ended && own.late >= LATE_READS_LEAST);
    }

    boolean isSlow(Reads all) {
      long othersEnded = all.ended - endedBefore - own.ended;
      long othersLate = all.late - lateBefore - own.late;
      return READS_FOR_A_LATE_ONE * own.late >= own.ended
          && (double) own.late * othersEnded >= (double) TIMES_AS_OFTEN * othersLate * own.ended;
    }
  }

  /**
   * @param most how many nodes are remembered at most
   * @param nanoClock the client's clock, nanoseconds
   */
  Suspects(int most, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    suspects = new ExpiringMap<>(most, SUSPECT_NANOS, nanoClock);
  }

  /**
   * Notes that a node was late.
   *
   * @param uuid the DataNode
   * @return whether the node is slow
   */
  synchronized boolean late(String uuid) {
    long now = nanoClock.getAsLong();
    Optional<Suspect> known = suspects.get(uuid);
    known.ifPresent(suspect -> suspect.add(true, now, all));
    all.add(true);
    if (known.isPresent() && !known.get().isDue(now)) {
      return false;
    }
    // The next count begins with this pause, both if the node is slow and if it is not.
    suspects.put(uuid, new Suspect(now));
    return known.isPresent() && known.get().isSlow(all);
  }

  /**
   * Notes that a node has brought what it was asked for in time.
   *
   * @param uuid the DataNode
   */
  synchronized void inTime(String uuid) {
    suspects.get(uuid).ifPresent(suspect -> suspect.add(false, nanoClock.getAsLong(), all));
    all.add(false);
  }
}
