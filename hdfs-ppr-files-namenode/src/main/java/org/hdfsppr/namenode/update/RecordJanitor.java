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
package org.hdfsppr.namenode.update;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the records of all updated files, pass after pass, and cleans up after files that are
 * gone: it deletes the terms of their groups, and orders DataNodes to drop their updates. A file is
 * gone if two passes in a row find that the NameNode has no inode of it, neither at a path nor in a
 * snapshot or the trash, and that no other file has its blocks.
 *
 * <p>When a user joins files (concat), another file gets the blocks of an updated file, but not its
 * updates. These stay in the logs. A line in the NameNode's log reports this, and requests for
 * tickets of these blocks are refused. Used by one thread.
 */
@InterfaceAudience.Private
public final class RecordJanitor {
  private static final Logger LOG = LoggerFactory.getLogger(RecordJanitor.class);
  /** How many files a step looks at. Each of them takes a few look-ups in the namespace. */
  private static final int FILES_PER_STEP = 32;
  /**
   * How long the record of a file that is gone is kept, ms. If a DataNode is away for less than
   * this, it still gets the order to drop the file's updates. One that is away for longer should
   * begin with an empty log.
   */
  static final long KEPT_MS = TimeUnit.DAYS.toMillis(30);
  /**
   * How many orders to DataNodes may be without an answer. When there are more, the next step goes
   * on from there.
   */
  private static final int ORDERS_MOST = 64;
  /**
   * For how many files it is remembered which DataNodes have dropped the updates. If there are more
   * files, all is forgotten, and DataNodes get the orders again.
   */
  private static final int DROPPED_MOST = 1 << 14;

  /**
   * Below this directory are, among other things, the replaced versions of files, which are kept
   * for the grace.
   */
  private static final String OWN = "/.hdfs-ppr/";

  private final TicketParts parts;
  private final FileRecords records;
  private final PendingUpdates pending;
  private final long intervalMs;
  private final LongSupplier clockMs;
  private final LongSupplier wallClockMs;
  private final Deque<UUID> page = new ArrayDeque<>();
  private UUID last;
  private boolean isWalking;
  private long nextMs;
  /**
   * The files without an inode that the present pass has found, and those that the last one has
   * found.
   */
  private Set<UUID> missing = new HashSet<>();
  private Set<UUID> missingBefore = new HashSet<>();
  /**
   * The id of each block group that another file has got by a concat, and the file to which its
   * updates belong. The second map is that of the present pass.
   */
  private Map<Long, UUID> joined = new HashMap<>();
  private Map<Long, UUID> joinedNow = new HashMap<>();
  /** By file, the UUIDs of the DataNodes that have dropped its updates. */
  private final Map<UUID, Set<String>> dropped = new HashMap<>();
  private volatile BiConsumer<String, UUID> there = (path, uuid) -> { };

  /**
   * @param intervalMs the time from the begin of a pass to the begin of the next one, ms
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  RecordJanitor(TicketParts parts, FileRecords records, long intervalMs, LongSupplier clockMs,
      LongSupplier wallClockMs) {
    this.parts = parts;
    this.records = records;
    this.pending = new PendingUpdates(parts);
    this.intervalMs = intervalMs;
    this.clockMs = clockMs;
    this.wallClockMs = wallClockMs;
    this.nextMs = clockMs.getAsLong() + intervalMs;
  }

  /**
   * If another file has got a block group by a concat, returns the file to which the group's
   * updates belong.
   *
   * @param blockGroup the id of the block group
   */
  Optional<UUID> joined(long blockGroup) {
    return Optional.ofNullable(joined.get(blockGroup));
  }

  /**
   * @param hears is called with the path and the UUID of each updated file that is at a path of a
   *     user; it must not block
   */
  void whenThere(BiConsumer<String, UUID> hears) {
    there = hears;
  }

  /**
   * Looks at the next files if a pass is due; returns whether the pass goes on, so that the next
   * step should come soon.
   */
  boolean step() {
    if (!parts.namespace.mayChange()) {
      forget();
      return false;
    }
    if (!isWalking && clockMs.getAsLong() - nextMs < 0) {
      return false;
    }
    try {
      walk();
    } catch (IOException e) {
      LOG.warn("The records of updates could not be looked at; the next pass tries again: {}",
          PeerText.oneLine(e.toString()));
      isWalking = false;
      page.clear();
      nextMs = clockMs.getAsLong() + intervalMs;
    }
    return isWalking;
  }

  /**
   * Ends the pass and forgets what it has found: this NameNode may change nothing now, and another
   * one may be making the same pass.
   */
  private void forget() {
    page.clear();
    isWalking = false;
    missing.clear();
    missingBefore.clear();
    joined.clear();
    joinedNow.clear();
    dropped.clear();
    nextMs = clockMs.getAsLong() + intervalMs;
  }

  private void walk() throws IOException {
    if (!isWalking) {
      isWalking = true;
      last = null;
      nextMs = clockMs.getAsLong() + intervalMs;
    }
    for (int i = 0; i < FILES_PER_STEP; i++) {
      if (page.isEmpty()) {
        page.addAll(parts.folder.files(last));
      }
      if (page.isEmpty()) {
        end();
        return;
      }
      last = page.getFirst();
      try {
        if (!look(last)) {
          return;
        }
      } catch (BadRecordException e) {
        stays(last, e);
      }
      page.removeFirst();
    }
  }

  /**
   * Leaves a file with a record that cannot be read as it is, and looks at the other files. If the
   * pass before has found that another file has got blocks of it, that still holds.
   */
  private void stays(UUID file, BadRecordException e) {
    LOG.warn("The records of updates in {}/{} cannot be read, and stay as they are: {}",
        UpdateNamespace.ROOT, file, PeerText.oneLine(e.getMessage()));
    joined.forEach((blockGroup, owner) -> {
      if (owner.equals(file)) {
        joinedNow.put(blockGroup, file);
      }
    });
  }

  private void end() {
    isWalking = false;
    missingBefore = missing;
    missing = new HashSet<>();
    joined = joinedNow;
    joinedNow = new HashMap<>();
  }

  /**
   * Looks at the record of a file. Returns false if the next step has to look at it again, because
   * orders are left.
   */
  private boolean look(UUID file) throws IOException {
    OptionalLong gone = records.goneSince(file);
    if (gone.isPresent()) {
      return clear(file, gone.getAsLong());
    }
    List<Long> inodes = records.inodes(file);
    if (inodes.isEmpty()) {
      LOG.warn("{}/{} does not name its file, and stays", UpdateNamespace.ROOT, file);
      return true;
    }
    boolean isThere = false;
    for (long inode : inodes) {
      UpdateNamespace.FileState state = parts.namespace.state(inode, 0);
      isThere |= state.isThere;
      if (state.isAtPath) {
        tell(file, inode);
      }
    }
    if (isThere) {
      return true;
    }
    if (isJoined(file)) {
      return true;
    }
    if (missingBefore.contains(file)) {
      records.gone(file, wallClockMs.getAsLong());
      LOG.info("The file of {}/{} is gone, and its updates go", UpdateNamespace.ROOT, file);
    } else {
      missing.add(file);
    }
    return true;
  }

  /**
   * Calls {@link #there} with the path of a file, unless the inode is that of a replaced version.
   */
  private void tell(UUID file, long inode) throws IOException {
    try {
      String path = parts.namespace.file(inode, 0).path;
      if (!path.startsWith(OWN)) {
        there.accept(path, file);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} was deleted or moved just now", file, e);
    }
  }

  /**
   * Returns whether another file has got blocks of a file that is gone, while logs may have updates
   * of it.
   */
  private boolean isJoined(UUID file) throws IOException {
    Map<Long, String> owners = new LinkedHashMap<>();
    for (int ordinal : parts.folder.groups(file)) {
      long blockGroup =
          TermRecord.read(parts.namespace, parts.folder, file, ordinal).terms().blockGroup;
      parts.namespace.owner(blockGroup).ifPresent(path -> owners.put(blockGroup, path));
    }
    // One call is enough for all block groups of the file, because it asks the DataNodes about all
    // of them.
    if (owners.isEmpty() || pending.isFree(file)) {
      return false;
    }
    owners.forEach((blockGroup, path) -> {
      joinedNow.put(blockGroup, file);
      joined.put(blockGroup, file);
      LOG.warn("{} has got block group {} of a file with updates, which readers of it do not get;"
          + " {}/{} has their terms", PeerText.oneLine(path), blockGroup, UpdateNamespace.ROOT,
          file);
    });
    return true;
  }

  /**
   * Orders DataNodes to drop the updates of a file that is gone. Returns whether all of them have
   * the order.
   */
  private boolean clear(UUID file, long goneMs) throws IOException {
    if (goneMs == 0) {
      // An operator has set the time to 0 to give the updates up.
      records.stamp(file, wallClockMs.getAsLong());
    } else if (wallClockMs.getAsLong() - goneMs > KEPT_MS) {
      parts.folder.delete(file);
      dropped.remove(file);
      return true;
    }
    Set<String> done = dropped.get(file);
    if (done == null) {
      // The terms of a file that is gone are of no use any more.
      parts.folder.deleteGroups(file);
      done = ConcurrentHashMap.newKeySet();
      if (dropped.size() >= DROPPED_MOST) {
        dropped.clear();
      }
      dropped.put(file, done);
    }
    List<NodeRef> nodes = parts.nodes.live();
    for (NodeRef node : nodes) {
      if (done.contains(node.uuid)) {
        continue;
      }
      if (parts.questions.orders() >= ORDERS_MOST) {
        return false;
      }
      parts.questions.drop(PendingUpdates.ticket(parts.namespace, new UnitId(file, 0, 0),
          node), node, done::add);
    }
    return true;
  }
}
