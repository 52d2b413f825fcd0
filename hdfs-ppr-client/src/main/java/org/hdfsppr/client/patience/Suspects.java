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
   * A node can only count as slow if it is late twice within this time. A single delay, such as a
   * lost packet or a pause to collect garbage, is no reason to read more bytes from other nodes.
   */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** The same pause of a node may delay several reads, so delays within this time are one. */
  private static final long SAME_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
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

  /**
   * What has become of the reads of a node since it was late first. That first read is not counted:
   * it says when the count begins, and nothing about the share of late reads.
   */
  private static final class Suspect {
    private final Reads own = new Reads();
    private final long endedBefore;
    private final long lateBefore;
    private long pauseNanos;

    Suspect(long nanos, Reads all) {
      pauseNanos = nanos;
      endedBefore = all.ended;
      lateBefore = all.late;
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
    all.add(true);
    Optional<Suspect> known = suspects.get(uuid);
    long now = nanoClock.getAsLong();
    if (known.isEmpty()) {
      suspects.put(uuid, new Suspect(now, all));
      return false;
    }
    Suspect suspect = known.get();
    suspect.own.add(true);
    if (now - suspect.pauseNanos <= SAME_PAUSE_NANOS) {
      return false;
    }
    suspect.pauseNanos = now;
    if (suspect.isSlow(all)) {
      return true;
    }
    // The node has served most reads in time, or the others are no better. So its next pause is
    // compared with this one.
    suspects.put(uuid, new Suspect(now, all));
    return false;
  }

  /**
   * Notes that a node has brought what it was asked for in time.
   *
   * @param uuid the DataNode
   */
  synchronized void inTime(String uuid) {
    all.add(false);
    suspects.get(uuid).ifPresent(suspect -> suspect.own.add(false));
  }
}
