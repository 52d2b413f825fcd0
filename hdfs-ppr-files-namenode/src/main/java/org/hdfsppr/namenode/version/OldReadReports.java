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
 * What DataNodes have reported of clients that read groups of old versions. DataNodes report to all
 * NameNodes, and report everything again to one that has just started. Thread-safe.
 */
@InterfaceAudience.Private
public final class OldReadReports {
  /** The most groups that nodes have listed: some 160 bytes each, so 40 MiB. */
  static final int LISTED_MAX = 1 << 18;
  /**
   * The most listings of groups by nodes: some 80 bytes each, so 160 MiB. If files are read whole,
   * as many nodes list a group as the code has data units.
   */
  static final int PLACES_MAX = 1 << 21;
  /**
   * How long a new book waits for reports of nodes, ms. A DataNode whose NameNode was away sends
   * its next heartbeat within ten seconds.
   */
  static final long BEGIN_MS = 60_000;
  /**
   * How long a read is remembered, ms: twice as long as a DataNode watches a block. Readers are not
   * watched to the end of a longer grace.
   */
  static final long STALE_MS = TimeUnit.DAYS.toMillis(32);
  /** The time between two looks for reads that are too old, ms. */
  static final long SWEEP_MS = TimeUnit.HOURS.toMillis(1);
  /** The last bits of a block's id are the index of the unit. */
  private static final long UNIT_BITS = 15;

  private final PeerLog peerLog = new PeerLog(LoggerFactory.getLogger(OldReadReports.class));
  private final LongSupplier clockMs;
  private final long begunMs;
  private final Map<String, Node> nodes = new HashMap<>();
  private final ReadGroups groups = new ReadGroups(LISTED_MAX, PLACES_MAX);
  private long sweptMs;

  /** What a node has said. */
  private static final class Node {
    private long reports;
    private boolean isComplete;
    private boolean isListing;
    private boolean seesAll;
    private long wholeSinceMs;
  }

  /**
   * @param clockMs the time, monotonic, ms
   * @param waitMs how long {@link #isHeard} waits for nodes from now on, ms
   */
  OldReadReports(LongSupplier clockMs, long waitMs) {
    this.clockMs = clockMs;
    this.begunMs = clockMs.getAsLong() - BEGIN_MS + waitMs;
    this.sweptMs = clockMs.getAsLong();
  }

  /** @return the book of a NameNode that starts */
  public static OldReadReports begin() {
    return new OldReadReports(Time::monotonicNow, BEGIN_MS);
  }

  /** @return a book that waits for no node */
  public static OldReadReports ofTests() {
    return new OldReadReports(Time::monotonicNow, 0);
  }

  /** Returns the time, ms. */
  long nowMs() {
    return clockMs.getAsLong();
  }

  /**
   * Takes note of a report.
   *
   * @param node the DataNode
   * @param report what its heartbeat says
   * @return whether the node is to list all reads in its next heartbeat
   */
  public synchronized boolean hear(NodeRef node, OldReads report) {
    long now = clockMs.getAsLong();
    sweep(now);
    Node says = nodes.computeIfAbsent(node.uuid, uuid -> new Node());
    says.reports++;
    if (report == OldReads.UNSAID) {
      // It may be too old. A node that has just started says more with its next heartbeat.
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
   * Forgets reads that no grace needs any more. Conversions that were given up leave such reads.
   */
  private void sweep(long nowMs) {
    if (nowMs - sweptMs >= SWEEP_MS) {
      sweptMs = nowMs;
      groups.forgetBefore(nowMs - STALE_MS);
    }
  }

  /** Returns the last read of some groups; empty if none was seen since a time, ms. */
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

  /** Forgets groups that are gone. */
  synchronized void forget(Collection<FileGroup> some) {
    groups.forget(some);
  }

  /** Returns whether no read is known, and nodes have had the time to report one. */
  synchronized boolean isQuiet() {
    return groups.isEmpty() && hasBegun();
  }

  private boolean hasBegun() {
    return clockMs.getAsLong() - begunMs >= BEGIN_MS;
  }

  /** Returns whether a node sees all reads over the network, as its last heartbeat says. */
  public synchronized boolean seesAll(String uuid) {
    Node says = nodes.get(uuid);
    return says != null && says.seesAll;
  }

  /** Returns whether a node sees all reads, and has missed and forgotten none since a time, ms. */
  synchronized boolean isWhole(String uuid, long sinceMs) {
    Node says = nodes.get(uuid);
    return says != null && says.seesAll && says.wholeSinceMs <= sinceMs;
  }

  /** Returns how many reports of a node have come. */
  synchronized long reports(String uuid) {
    Node says = nodes.get(uuid);
    return says == null ? 0 : says.reports;
  }

  /** Returns whether a node has listed all reads, or has had the time for it and has not. */
  synchronized boolean isHeard(String uuid) {
    Node says = nodes.get(uuid);
    return says != null && says.isComplete || hasBegun();
  }
}
