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
package org.hdfsppr.namenode.core;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dissolves groups. From that moment on, repairs do not use their columns. Their parity files are
 * deleted as soon as the NameNode can delete them. Used by one thread.
 */
final class Dissolver {
  private static final Logger LOG = LoggerFactory.getLogger(Dissolver.class);

  /** How many parity files one try deletes at most. Each deletion is an entry of the edit log. */
  private static final int RETRIES_MAX = 1_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreFolder folder;
  private final CoreNamespace namespace;
  private final CoreGroupRegistry shelf;
  private final CoreTally tally;
  /** How many groups were dissolved, by reason. */
  final Map<String, Long> counts = new TreeMap<>();
  /** Inode ids of the parity files that are to be deleted and still exist. */
  private final Set<Long> doomed = new LinkedHashSet<>();
  /** Those of {@link #doomed} that Hadoop cannot delete while a snapshot exists. */
  private final Set<Long> held = new HashSet<>();
  /** Inode ids of files whose making has ended. Those without a record are deleted. */
  private final Set<Long> unfinished = new LinkedHashSet<>();
  /**
   * Makings that earlier terms have begun. They end soon, because the engine waits for them before
   * it begins a new term.
   */
  private final List<CompletableFuture<ParityOutcome>> orphans = new ArrayList<>();
  /**
   * Inode ids of the files at whose deletion the NameNode threw an unexpected error. Its memory may
   * be damaged, so the deletion is not tried again.
   */
  private final Set<Long> failed = new HashSet<>();

  Dissolver(CoreFolder folder, CoreNamespace namespace, CoreGroupRegistry shelf, CoreTally tally) {
    this.folder = folder;
    this.namespace = namespace;
    this.shelf = shelf;
    this.tally = tally;
  }

  void dissolve(CoreGroup group, DissolutionReason reason) {
    shelf.remove(group);
    peerLog.info("dissolved " + reason, "CORE group {} of {} files is dissolved: {}. Others like"
        + " it may follow", group.id(), group.members().size(), reason);
    LOG.debug("{} is dissolved: {}", group, reason);
    dissolve(group.id(), reason);
  }

  /** Dissolves a group of which only the parity file's inode id is known. */
  void dissolve(long groupId, DissolutionReason reason) {
    counts.merge(FilePlanner.word(reason), 1L, Long::sum);
    tally.dissolved();
    discard(groupId);
  }

  /**
   * Deletes a parity file that no group needs any more: now or, if Hadoop cannot delete it yet,
   * later.
   */
  void discard(long parityId) {
    if (failed.contains(parityId)) {
      return;
    }
    try {
      if (namespace.isHeld(parityId)) {
        hold(parityId);
      } else {
        delete(parityId);
        doomed.remove(parityId);
        held.remove(parityId);
      }
    } catch (IOException | RuntimeException e) {
      doomed.add(parityId);
      peerLog.warn(e.getClass().getName(), "The parity file {} of a dissolved CORE group cannot be"
          + " deleted yet: {}", parityId, e.toString());
    }
  }

  private void hold(long parityId) {
    doomed.add(parityId);
    if (held.add(parityId)) {
      peerLog.warn("held", "The parity file {} of a dissolved CORE group is kept until the"
          + " snapshots that have it are deleted; 'hdfs ppr -clear' names them. hdfs-ppr 0.2.0"
          + " renamed it while a snapshot had it, and Hadoop cannot delete such a file. Delete"
          + " neither it nor a directory above it by hand. Others like it may follow", parityId);
    }
  }

  private void delete(long parityId) throws IOException {
    try {
      folder.delete(parityId);
    } catch (RuntimeException | AssertionError e) {
      failed.add(parityId);
      LOG.error("The NameNode has failed as it deleted the parity file {} of a dissolved CORE"
          + " group. Its memory may lack a file that the edit log has: delete nothing below {} by"
          + " hand, and start this NameNode anew", parityId, CoreFolder.GROUPS, e);
    }
  }

  /**
   * Notes a making whose file will belong to no group, so that the file is deleted. It is not
   * forgotten when this term ends.
   */
  void orphan(CompletableFuture<ParityOutcome> making) {
    orphans.add(making);
  }

  /** Notes a file whose making has ended. It is deleted later if it has no record then. */
  void left(long parityId) {
    unfinished.add(parityId);
  }

  /**
   * Deletes the files of makings that have ended without a group, and tries again to delete those
   * whose deletion has failed. When this is called, no other NameNode may be making parity files,
   * and all makings of earlier terms must have ended.
   *
   * @throws IOException if the NameNode does not answer
   */
  void retry() throws IOException {
    takeOrphans();
    deleteWorks();
    // Those that fail again are added at the end, so that the next try begins with others.
    List<Long> next = doomed.stream().limit(RETRIES_MAX).collect(Collectors.toList());
    doomed.removeAll(next);
    next.forEach(this::discard);
    for (Long id : unfinished.stream().limit(RETRIES_MAX).collect(Collectors.toList())) {
      if (isUnfinished(id)) {
        LOG.info("The parity file {} that was left unfinished is deleted", id);
        discard(id);
      }
      unfinished.remove(id);
    }
  }

  /**
   * Deletes the files that hdfs-ppr 0.2.0 has left unfinished. That version renamed files only when
   * they were finished. So a snapshot keeps Hadoop from deleting one of these only if a superuser
   * has renamed it.
   */
  private void deleteWorks() throws IOException {
    for (Map.Entry<String, Long> work : folder.works().entrySet()) {
      String name = work.getKey();
      try {
        if (namespace.isHeld(work.getValue())) {
          peerLog.warn("held work", "The parity file {} that was left unfinished is kept until the"
              + " snapshots that have it are deleted; 'hdfs ppr -clear' names them. It was renamed"
              + " while a snapshot had it, and Hadoop cannot delete such a file. Delete neither it"
              + " nor a directory above it by hand. Others like it may follow", name);
        } else {
          LOG.info("The parity file {} that was left unfinished is deleted",
              PeerText.oneLine(name));
          folder.deleteWork(name);
        }
      } catch (RuntimeException | AssertionError e) {
        peerLog.error("work", "The parity file {} that was left unfinished cannot be deleted", name,
            e);
      }
    }
  }

  private void takeOrphans() {
    for (CompletableFuture<ParityOutcome> making : new ArrayList<>(orphans)) {
      if (making.isDone()) {
        orphans.remove(making);
        ParityOutcome outcome = making.join();
        (outcome.isMade() ? OptionalLong.of(outcome.inodeId) : outcome.left)
            .ifPresent(unfinished::add);
      }
    }
  }

  private boolean isUnfinished(long parityId) throws IOException {
    try {
      return folder.record(parityId).isEmpty();
    } catch (FileNotFoundException e) {
      LOG.trace("The unfinished parity file {} is gone", parityId, e);
      return false;
    }
  }

  /** Returns how many parity files that no group needs any more still exist. */
  int kept() {
    return doomed.size() + failed.size();
  }

  /** Returns a copy of the inode ids of these files. */
  Set<Long> keptIds() {
    Set<Long> ids = new HashSet<>(doomed);
    ids.addAll(failed);
    return Collections.unmodifiableSet(ids);
  }

  void clear() {
    counts.clear();
    doomed.clear();
    held.clear();
    unfinished.clear();
    failed.clear();
  }
}
