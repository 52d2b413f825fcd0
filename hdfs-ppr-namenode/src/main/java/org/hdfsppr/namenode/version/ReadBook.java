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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * What DataNodes have said of clients that read the groups of old versions. DataNodes say it to all
 * NameNodes, and say all of it again to one that has just started. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadBook {
  /** The most groups that were read, some 150 bytes each. Those that were read last stay. */
  static final int GROUPS_MAX = 1 << 17;
  /**
   * How long a book that begins waits for reports of nodes, ms. A DataNode whose NameNode was away
   * sends its next heartbeat within ten seconds.
   */
  static final long BEGIN_MS = 60_000;
  /** The last bits of a block's id are the index of the unit. */
  private static final long UNIT_BITS = 15;

  private final PeerLog peerLog = new PeerLog(LoggerFactory.getLogger(ReadBook.class));
  private final LongSupplier clockMs;
  private final long begunMs;
  private final Map<String, Node> nodes = new HashMap<>();
  /** By the ids of groups, those that were read last at the end. */
  private final Map<Long, Seen> groups = new LinkedHashMap<>();

  /** What a node has said. */
  private static final class Node {
    private long reports;
    private boolean isComplete;
    private boolean isListing;
    private boolean seesAll;
    private long wholeSinceMs;
  }

  /** The last read of a group. Immutable. */
  static final class Seen {
    private final long ms;
    private final String node;

    private Seen(long ms, String node) {
      this.ms = ms;
      this.node = node;
    }

    /** Returns when it was, by the clock of the book, ms. */
    long ms() {
      return ms;
    }

    /** Returns the host name of the DataNode. */
    String node() {
      return node;
    }
  }

  /**
   * @param clockMs the time, monotonic, ms
   * @param waitMs how long {@link #isHeard} waits for nodes from now on, ms
   */
  ReadBook(LongSupplier clockMs, long waitMs) {
    this.clockMs = clockMs;
    this.begunMs = clockMs.getAsLong() - BEGIN_MS + waitMs;
  }

  /** @return the book of a NameNode that starts */
  public static ReadBook begin() {
    return new ReadBook(Time::monotonicNow, BEGIN_MS);
  }

  /** @return a book that waits for no node */
  public static ReadBook ofTests() {
    return new ReadBook(Time::monotonicNow, 0);
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
    Node says = nodes.computeIfAbsent(node.uuid(), uuid -> new Node());
    says.reports++;
    if (report == OldReads.UNSAID) {
      // It may be too old. A node that has just started says more with its next heartbeat.
      says.seesAll = false;
      return false;
    }
    says.seesAll = report.seesAll();
    says.wholeSinceMs = now - report.wholeForMs();
    says.isListing |= report.isFromStart();
    says.isComplete |= says.isListing && !report.hasMore();
    for (OldReads.Read read : report.reads()) {
      note(read.blockId() & ~UNIT_BITS, new Seen(now - read.agoMs(), node.hostName()));
    }
    return !says.isComplete && !says.isListing;
  }

  private void note(long group, Seen seen) {
    Seen before = groups.get(group);
    if (before != null && before.ms >= seen.ms) {
      return;
    }
    groups.remove(group);
    groups.put(group, seen);
    if (groups.size() > GROUPS_MAX) {
      Iterator<Long> oldest = groups.keySet().iterator();
      oldest.next();
      oldest.remove();
      peerLog.warn("full", "Clients read more than {} groups of old versions. The NameNode forgets"
          + " those that were read first", GROUPS_MAX);
    }
  }

  /** Returns the last read of some groups; empty if none was seen since a time, ms. */
  synchronized Optional<Seen> seen(Collection<FileGroup> some, long sinceMs) {
    Seen last = null;
    for (FileGroup group : some) {
      Seen seen = groups.get(group.id().groupId());
      if (seen != null && seen.ms >= sinceMs && (last == null || seen.ms > last.ms)) {
        last = seen;
      }
    }
    return Optional.ofNullable(last);
  }

  /** Forgets groups that are gone. */
  synchronized void forget(Collection<FileGroup> some) {
    some.forEach(group -> groups.remove(group.id().groupId()));
  }

  /** Returns whether no read is known, and none can become known by a node's first report. */
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

  /** Returns whether a node has listed all reads; also if it had time to, and has not. */
  synchronized boolean isHeard(String uuid) {
    Node says = nodes.get(uuid);
    return says != null && says.isComplete || hasBegun();
  }
}
