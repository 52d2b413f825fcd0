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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what happens if clients still read an old version. A stream that was opened before the
 * new version was published decodes by the old code, so that it needs the old units. DataNodes
 * report which blocks they send to clients.
 *
 * <pre>
 *   read between the begin and the publishing    the version is refused
 *   read within the last grace                   the old version is kept for another grace
 *   still read after seven further graces        an operator decides; it is kept until then
 *   not seen, or not known                       as if there were no readers
 * </pre>
 *
 * <p>The grace meant here is the one that the request asks for: with 0, reads do not count. The old
 * version may be kept for longer than that, until the new one survives a power cut (see {@link
 * VersionRecord#keptAtLeast}); that does not depend on reads.
 *
 * <p>Commits do not use this class: their versions have the same code, so that streams can go on
 * with the new one. Thread-safe.
 */
final class OldReaders {
  /** How often an old version is kept for another grace before an operator has to decide. */
  static final int GRACES_MAX = 7;
  /** The time between two looks at an old version that is kept beyond its grace, ms. */
  static final long KEPT_MS = 600_000;
  /**
   * The time until the next look at an old version whose DataNodes have reported nothing yet, ms.
   */
  static final long UNHEARD_MS = 5_000;
  private static final Logger LOG = LoggerFactory.getLogger(OldReaders.class);
  /**
   * After this many further reports of a node, at least one was written after now: the first one
   * may have been on its way already.
   */
  private static final int REPORTS = 2;
  /** How long a report may be on its way, ms. */
  private static final long REPORT_WAY_MS = 2_000;
  /**
   * How long a version waits for the reports of DataNodes before it is published, ms. Reports come
   * with heartbeats, and these as rarely as the settings allow.
   */
  private static final long REPORT_MS_MAX =
      REPORTS * HeartbeatRequest.INTERVAL_MS_MAX + REPORT_WAY_MS;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  /** The old versions that are kept because clients read them, by inode id. */
  private final Map<Long, Kept> kept = new ConcurrentHashMap<>();

  /** An old version that is kept because clients read it. Immutable. */
  private static final class Kept {
    private final long untilMs;
    private final boolean asks;

    Kept(long untilMs, boolean asks) {
      this.untilMs = untilMs;
      this.asks = asks;
    }
  }

  OldReaders(EngineParts parts) {
    this.parts = parts;
  }

  /** Returns the present time by the clock of {@link OldReadReports}, monotonic ms. */
  long nowMs() {
    return parts.reads.nowMs();
  }

  /**
   * Returns whether a version may be published although streams that were opened before may still
   * be open.
   *
   * @param to the code of the new version
   * @param lostUnits how many units are lost of the group that has lost the most
   */
  boolean mayBeThere(VersionRequest request, TargetFile file, GroupPolicy to, int lostUnits) {
    return request.isForced() || request.idleMs == 0
        || lostUnits <= 1 && parts.codes.keepsFirstParity(file.facts.policy.code, to);
  }

  /**
   * Returns the refusal of a version of a file that clients read; empty if no read is known.
   *
   * @param sinceMs only reads since this time count, by the clock of {@link #nowMs}
   */
  Optional<VersionRefusal> refusal(String path, List<FileGroup> groups, long sinceMs) {
    return parts.reads.seen(groups, sinceMs).map(seen -> new VersionRefusal(RefusalReason.IN_USE,
        path + " is being read: DataNode " + seen.node + " has sent bytes of it to a client "
            + Math.max(0, parts.reads.nowMs() - seen.ms) / 1_000 + " s ago; a stream that is"
            + " open keeps the old code; close it first, convert the file later, or force it if"
            + " nothing reads it any more"));
  }

  /** The reports of DataNodes for which a version waits before it is published. */
  final class AwaitedReports {
    /** How many reports each node will have sent in all, by its UUID. */
    private final Map<String, Long> wanted;
    private final long beginMs = parts.clockMs.getAsLong();
    private boolean areThere;

    private AwaitedReports(Map<String, Long> wanted) {
      this.wanted = wanted;
    }

    /**
     * Returns whether all these nodes have reported. If a node sends no report in time, it counts
     * as if it had seen no read.
     */
    boolean areThere() {
      areThere = areThere || parts.clockMs.getAsLong() - beginMs >= REPORT_MS_MAX
          || wanted.entrySet().stream().noneMatch(each ->
              parts.reads.reports(each.getKey()) < each.getValue()
                  && parts.door.canWork(each.getKey()));
      return areThere;
    }
  }

  /** Returns what all DataNodes that see reads report next of the units. */
  AwaitedReports nextReports(OldUnits units, List<FileGroup> groups) {
    return new AwaitedReports(uuids(units, groups).stream().filter(parts.reads::seesAll)
        .collect(Collectors.toMap(uuid -> uuid, uuid -> parts.reads.reports(uuid) + REPORTS)));
  }

  private static Set<String> uuids(OldUnits units, List<FileGroup> groups) {
    return groups.stream().flatMap(group -> units.of(group.id).stream())
        .map(holder -> holder.node.uuid).collect(Collectors.toSet());
  }

  /**
   * Decides whether an old version whose grace has ended is kept for longer, because clients read
   * it.
   *
   * @param nowMs the time, ms since 1970 (UTC)
   * @return until when it is kept, ms since 1970 (UTC); empty if no client is known to read it
   */
  OptionalLong keepUntil(VersionRecord record, long nowMs) throws IOException {
    OptionalLong until =
        record.askedGraceMs == 0 ? OptionalLong.empty() : decide(record, nowMs);
    if (until.isEmpty()) {
      kept.remove(record.inodeId);
    }
    return until;
  }

  private OptionalLong decide(VersionRecord record, long nowMs) throws IOException {
    if (parts.reads.isQuiet()) {
      return OptionalLong.empty();
    }
    OldUnits units;
    try {
      units = OldUnits.locate(parts.store, parts.door, record.inodeId);
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    }
    if (!units.nodes().allMatch(node -> parts.reads.isHeard(node.uuid))) {
      return OptionalLong.of(nowMs + UNHEARD_MS);
    }
    long bookMs = parts.reads.nowMs();
    Optional<ReadGroups.Seen> seen =
        parts.reads.seen(units.groups(), bookMs - record.askedGraceMs + 1);
    if (seen.isEmpty()) {
      long publishedMs = bookMs - nowMs + record.graceEndMs() - record.graceMs;
      LOG.debug("No reader of the old {} is known; DataNodes that do not know: {}", record,
          units.nodes().filter(node -> !parts.reads.isWhole(node.uuid, publishedMs)).count());
      parts.reads.forget(units.groups());
      return OptionalLong.empty();
    }
    long lastMs = record.graceEndMs() + GRACES_MAX * record.askedGraceMs;
    boolean asks = nowMs >= lastMs;
    long untilMs = asks ? nowMs + KEPT_MS
        : Math.min(lastMs, nowMs + seen.get().ms + record.askedGraceMs - bookMs);
    Kept before = kept.put(record.inodeId, new Kept(untilMs, asks));
    if (asks) {
      peerLog.error("ask " + record.inodeId, "The old {} is still read after {} graces, last at"
          + " DataNode {}. It is kept until its readers have been closed for a grace", record,
          GRACES_MAX + 1, seen.get().node);
    } else if (before == null) {
      peerLog.info("read", "The old {} is kept for longer, because DataNode {} has seen that it is"
          + " read. Others like it may follow", record, seen.get().node);
    }
    return OptionalLong.of(untilMs);
  }

  /**
   * Returns until when an old version is kept because clients read it, ms since 1970 (UTC), as of
   * the last look at it.
   */
  OptionalLong keptUntil(long inodeId) {
    Kept known = kept.get(inodeId);
    return known == null ? OptionalLong.empty() : OptionalLong.of(known.untilMs);
  }

  /** Returns how many old versions are kept because clients read them. */
  int kept() {
    // The janitor never looks again at a directory that an operator has deleted, so that its entry
    // is removed here.
    long now = parts.wallClockMs.getAsLong();
    kept.values().removeIf(each -> now - each.untilMs > 2 * KEPT_MS);
    return kept.size();
  }

  /** Returns for how many of the versions kept for readers an operator has to decide. */
  int asking() {
    return (int) kept.values().stream().filter(each -> each.asks).count();
  }
}
