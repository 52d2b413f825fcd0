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

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Records what one client has found out about DataNodes and replicas in all of its streams. The
 * client believes each finding only for a limited time. A wrong finding costs time, but never leads
 * to wrong bytes. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeHealth {
  /**
   * After this time the client tries a lost node again. The node may be back, and if not, the try
   * costs little.
   */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * The client avoids a slow node for this time. Then a read finds out whether the node is still
   * slow.
   */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * After this time the client again asks a node that did not serve readers. An operator may have
   * installed hdfs-ppr's plugin on that node meanwhile.
   */
  private static final long NO_PORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * After this time the client again asks a node for narrow links, which carry fewer bytes (see
   * "Narrow links" in docs/internals.md). The node may have got a newer version meanwhile. A
   * refusal costs a round trip.
   */
  private static final long WIDE_LINKS_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * How many entries each set has at most. Even the largest clusters have fewer DataNodes. The
   * bound limits the memory of all sets to some MiB.
   */
  private static final int NODES_MOST = 20_000;

  private final ExpiringSet<String> lostNodes;
  private final ExpiringSet<String> lostReplicas;
  private final SlowNodeDetector suspects;
  private final ExpiringSet<String> slowNodes;
  private final ExpiringSet<String> withoutPort;
  private final ExpiringSet<String> withWideLinks;

  /**
   * Begins with the belief that all DataNodes are well.
   *
   * @param nanoClock the client's clock, nanoseconds
   */
  public NodeHealth(LongSupplier nanoClock) {
    lostNodes = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    lostReplicas = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    suspects = new SlowNodeDetector(NODES_MOST, nanoClock);
    slowNodes = new ExpiringSet<>(NODES_MOST, SLOW_NANOS, nanoClock);
    withoutPort = new ExpiringSet<>(NODES_MOST, NO_PORT_NANOS, nanoClock);
    withWideLinks = new ExpiringSet<>(NODES_MOST, WIDE_LINKS_NANOS, nanoClock);
  }

  /**
   * Notes that the DataNode did not answer.
   *
   * @param uuid the DataNode
   */
  public void noteLost(String uuid) {
    lostNodes.add(uuid);
  }

  /**
   * Notes that a replica on the DataNode is missing, corrupt or of another generation.
   *
   * @param uuid the DataNode
   * @param blockId the replica's block
   */
  public void noteLost(String uuid, long blockId) {
    lostReplicas.add(blockId + "@" + uuid);
  }

  /**
   * Notes that a read of a block from the DataNode has failed. If the node could not be reached,
   * the node counts as lost, otherwise only the replica.
   *
   * @param uuid the DataNode
   * @param blockId the replica's block
   * @param why the failure
   */
  public void noteFailed(String uuid, long blockId, Exception why) {
    if (why instanceof ConnectException || why instanceof NoRouteToHostException
        || why instanceof SocketTimeoutException) {
      noteLost(uuid);
    } else {
      noteLost(uuid, blockId);
    }
  }

  /**
   * Notes that the DataNode was slower than others. The node counts as slow once it is late again
   * within a minute, and at least half of its reads since then were late, three times as often as
   * the reads of other nodes.
   *
   * @param uuid the DataNode
   */
  public void noteSlow(String uuid) {
    // A node that counts as slow gets no new reads. Its reads that are still under way began
    // before, and say nothing new.
    if (!isSlow(uuid) && suspects.late(uuid)) {
      slowNodes.add(uuid);
    }
  }

  /**
   * Notes that the DataNode sent nothing for the longest time that helpers wait for each other. The
   * node counts as slow at once.
   *
   * @param uuid the DataNode
   */
  public void noteStalled(String uuid) {
    slowNodes.add(uuid);
  }

  /**
   * Notes that the DataNode does not serve readers, because its repair port does not answer or
   * breaks the protocol.
   *
   * @param uuid the DataNode
   * @return true if the client did not know this before
   */
  public boolean noteWithoutPort(String uuid) {
    return withoutPort.addIfAbsent(uuid);
  }

  /**
   * Notes that the DataNode refused a request with narrow links.
   *
   * @param uuid the DataNode
   */
  public void noteWideLinks(String uuid) {
    withWideLinks.addIfAbsent(uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the DataNode may know narrow links
   */
  public boolean mayHaveNarrowLinks(String uuid) {
    return !withWideLinks.contains(uuid);
  }

  /**
   * Notes that the DataNode answered, so that it no longer counts as lost. If it counts as slow, it
   * still does.
   *
   * @param uuid the DataNode
   */
  public void noteAnswered(String uuid) {
    lostNodes.remove(uuid);
  }

  /**
   * Notes that the DataNode has sent the requested bytes in time. If it counts as lost or slow, it
   * still does.
   *
   * @param uuid the DataNode
   */
  public void noteInTime(String uuid) {
    suspects.inTime(uuid);
  }

  /**
   * Notes that the DataNode answered in time, so that it no longer counts as lost or slow.
   *
   * @param uuid the DataNode
   */
  public void noteWell(String uuid) {
    noteInTime(uuid);
    noteAnswered(uuid);
    slowNodes.remove(uuid);
  }

  /**
   * @param uuid the DataNode
   * @param blockId the replica's block
   * @return whether the node, or the replica on it, is believed to be lost
   */
  public boolean isLost(String uuid, long blockId) {
    return lostNodes.contains(uuid) || lostReplicas.contains(blockId + "@" + uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the node is believed to be slow
   */
  public boolean isSlow(String uuid) {
    return slowNodes.contains(uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the node is believed to serve readers
   */
  public boolean hasPort(String uuid) {
    return !withoutPort.contains(uuid);
  }

  /**
   * Decides which DataNodes that were late are slow. All nodes of a busy cluster are late now and
   * then. If a client stopped reading from each node that is late, it would read the bytes of k
   * units in place of one, so that the cluster would become busier still. So a node is slow only if
   * it is late again and again, in half of its reads, and more often than the other nodes.
   * Thread-safe.
   */
  static final class SlowNodeDetector {
    /**
     * A node can only count as slow if it is late again within this time. A single delay, such as a
     * lost packet or a pause to collect garbage, is no reason to read more bytes from other nodes.
     */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
    /**
     * One pause of a node may delay several reads. So reads that end within this time after the
     * first late one say nothing about how often the node is late.
     */
    private static final long SAME_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /**
     * After {@link #SAME_PAUSE_NANOS}, the reads of a node are counted for at least this time
     * before the node can count as slow.
     */
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /**
     * The client judges a node by at least this many reads. Of fewer reads, half may be late by
     * chance.
     */
    private static final int READS_LEAST = 8;
    /**
     * Fewer reads than {@link #READS_LEAST} suffice if all of them were late, and at least this
     * many.
     */
    private static final int LATE_READS_LEAST = 3;
    /**
     * A node is slow if at least one in this many of its reads was late: with 2, half of them. If a
     * client does not read from a node, it rebuilds all of the node's bytes, and each rebuild reads
     * k units. If fewer reads are late, it costs less to rebuild only the late ones.
     */
    private static final int READS_FOR_A_LATE_ONE = 2;
    /**
     * A node is slow only if the fraction of its reads that were late is at least this many times
     * that of all other nodes. If all nodes are late equally often, reading from other nodes gains
     * nothing.
     */
    private static final int TIMES_AS_OFTEN = 3;

    private final LongSupplier nanoClock;
    private final ExpiringMap<String, Suspect> suspects;
    /** Counts the reads of all nodes. */
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

    /** A node that was late, and the counts of its reads since then. */
    private static final class Suspect {
      private final long sinceNanos;
      private final Reads own = new Reads();
      private boolean counts;
      private long endedBefore;
      private long lateBefore;

      Suspect(long nanos) {
        sinceNanos = nanos;
      }

      /** @param all counts the reads of all nodes before this read */
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
    SlowNodeDetector(int most, LongSupplier nanoClock) {
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
      // Whether the node is slow or not, a new count of its reads begins with this late read.
      suspects.put(uuid, new Suspect(now));
      return known.isPresent() && known.get().isSlow(all);
    }

    /**
     * Notes that a node has sent the requested bytes in time.
     *
     * @param uuid the DataNode
     */
    synchronized void inTime(String uuid) {
      suspects.get(uuid).ifPresent(suspect -> suspect.add(false, nanoClock.getAsLong(), all));
      all.add(false);
    }
  }
}
