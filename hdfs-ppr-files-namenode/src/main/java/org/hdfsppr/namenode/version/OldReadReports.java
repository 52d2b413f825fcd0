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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * What DataNodes have reported about clients that read groups of old versions. DataNodes report to
 * all NameNodes. They report all reads again to a NameNode that has just started. Thread-safe.
 */
@InterfaceAudience.Private
public final class OldReadReports {
  /** How many groups are remembered at most: some 160 bytes each, so 40 MiB. */
  static final int LISTED_MAX = 1 << 18;
  /**
   * How many pairs of a group and a node that has reported it are remembered at most: some 80 bytes
   * each, so 160 MiB. If files are read as a whole, each group is reported by as many nodes as it
   * has data units.
   */
  static final int PLACES_MAX = 1 << 21;
  /**
   * How long after its start a NameNode waits for reports, ms. A DataNode that had lost the
   * NameNode sends its next heartbeat within ten seconds.
   */
  static final long BEGIN_MS = 60_000;
  /**
   * How long a read is remembered, ms: twice as long as DataNodes report reads of a block. If a
   * grace is longer, reads near its end are not reported.
   */
  static final long STALE_MS = TimeUnit.DAYS.toMillis(32);
  /** The time between two runs that remove reads that are too old, ms. */
  static final long SWEEP_MS = TimeUnit.HOURS.toMillis(1);
  /** The lowest bits of the id of an internal block are the index of the unit. */
  private static final long UNIT_BITS = 15;

  private final PeerLog peerLog = new PeerLog(LoggerFactory.getLogger(OldReadReports.class));
  private final LongSupplier clockMs;
  private final long begunMs;
  private final Map<String, Node> nodes = new HashMap<>();
  private final ReadGroups groups = new ReadGroups(LISTED_MAX, PLACES_MAX);
  private long sweptMs;

  /** What a DataNode has reported. */
  private static final class Node {
    private long reports;
    private boolean isComplete;
    private boolean isListing;
    private boolean seesAll;
    private long wholeSinceMs;
  }

  /**
   * @param clockMs returns the time, monotonic, ms
   * @param waitMs how long {@link #isHeard} waits for nodes from now on, ms
   */
  OldReadReports(LongSupplier clockMs, long waitMs) {
    this.clockMs = clockMs;
    this.begunMs = clockMs.getAsLong() - BEGIN_MS + waitMs;
    this.sweptMs = clockMs.getAsLong();
  }

  /** @return an instance for a NameNode that starts */
  public static OldReadReports begin() {
    return new OldReadReports(Time::monotonicNow, BEGIN_MS);
  }

  /** @return an instance that waits for no DataNode */
  public static OldReadReports ofTests() {
    return new OldReadReports(Time::monotonicNow, 0);
  }

  /** Returns the time by the clock of the reads, monotonic ms. */
  long nowMs() {
    return clockMs.getAsLong();
  }

  /**
   * Takes note of a report.
   *
   * @param node the DataNode
   * @param report what its heartbeat says
   * @return whether the node has to report all reads again in its next heartbeat
   */
  public synchronized boolean hear(NodeRef node, OldReads report) {
    long now = clockMs.getAsLong();
    sweep(now);
    Node says = nodes.computeIfAbsent(node.uuid, uuid -> new Node());
    says.reports++;
    if (report == OldReads.UNSAID) {
      // The plugin of the node may be too old to report reads. If the node has only just started,
      // its next heartbeat has a report.
      says.seesAll = false;
      return false;
    }
    says.seesAll = report.seesAll;
    says.wholeSinceMs = now - report.wholeForMs;
    says.isListing |= report.fromStart;
    says.isComplete |= says.isListing && !report.hasMore;
    for (OldReads.Read read : report.reads) {
      note(read.blockId & ~UNIT_BITS, now - read.agoMs, node);
    }
    return !says.isComplete && !says.isListing;
  }

  private void note(long group, long ms, NodeRef node) {
    if (!groups.note(group, ms, node.uuid, node.hostName)) {
      peerLog.warn("full", "DataNodes list more than {} block groups of old versions that are"
          + " read. The NameNode forgets the first ones of those DataNodes that list the most",
          LISTED_MAX);
    }
  }

  /**
   * Removes reads that are too old for any grace. Conversions that were given up leave such reads
   * behind.
   */
  private void sweep(long nowMs) {
    if (nowMs - sweptMs >= SWEEP_MS) {
      sweptMs = nowMs;
      groups.forgetBefore(nowMs - STALE_MS);
    }
  }

  /**
   * Returns the last read of some groups; empty if no read was reported since this time, monotonic
   * ms.
   */
  synchronized Optional<ReadGroups.Seen> seen(Collection<FileGroup> some, long sinceMs) {
    ReadGroups.Seen last = null;
    for (FileGroup group : some) {
      ReadGroups.Seen seen = groups.get(group.id.groupId);
      if (seen != null && seen.ms >= sinceMs && (last == null || seen.ms > last.ms)) {
        last = seen;
      }
    }
    return Optional.ofNullable(last);
  }

  /** Removes groups that do not exist any more. */
  synchronized void forget(Collection<FileGroup> some) {
    groups.forget(some);
  }

  /** Returns whether no read is known, although nodes have had the time to report one. */
  synchronized boolean isQuiet() {
    return groups.isEmpty() && hasBegun();
  }

  private boolean hasBegun() {
    return clockMs.getAsLong() - begunMs >= BEGIN_MS;
  }

  /**
   * Returns whether a node sees all reads of its blocks over the network, as its last heartbeat
   * says.
   */
  public synchronized boolean seesAll(String uuid) {
    Node says = nodes.get(uuid);
    return says != null && says.seesAll;
  }

  /**
   * Returns whether a node sees all reads of its blocks, and has neither missed nor forgotten one
   * since a time, monotonic ms.
   */
  synchronized boolean isWhole(String uuid, long sinceMs) {
    Node says = nodes.get(uuid);
    return says != null && says.seesAll && says.wholeSinceMs <= sinceMs;
  }

  /** Returns how many reports of a node have come so far. */
  synchronized long reports(String uuid) {
    Node says = nodes.get(uuid);
    return says == null ? 0 : says.reports;
  }

  /**
   * Returns whether a node has reported all reads that it knows, or has not done so although it had
   * the time.
   */
  synchronized boolean isHeard(String uuid) {
    Node says = nodes.get(uuid);
    return says != null && says.isComplete || hasBegun();
  }
}
