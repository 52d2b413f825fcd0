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

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.CoreTally;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dissolves groups: their columns are not used any more from that moment on, and their parity files
 * are deleted as soon as the NameNode lets it. Used by one thread.
 */
@InterfaceAudience.Private
final class Dissolver {
  private static final Logger LOG = LoggerFactory.getLogger(Dissolver.class);

  /** The most parity files that one try deletes: each is an entry of the edit log. */
  private static final int RETRIES_MAX = 1_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreFolder folder;
  private final GroupShelf shelf;
  private final CoreTally tally;
  private final Map<String, Long> counts = new TreeMap<>();
  /** Parity files that could not be deleted yet. */
  private final Set<Long> doomed = new LinkedHashSet<>();

  Dissolver(CoreFolder folder, GroupShelf shelf, CoreTally tally) {
    this.folder = folder;
    this.shelf = shelf;
    this.tally = tally;
  }

  void dissolve(CoreGroup group, Dissolution reason) {
    shelf.remove(group);
    peerLog.info("dissolved " + reason, "CORE group {} of {} files is dissolved: {}. Others like"
        + " it may follow", group.id(), group.members().size(), reason);
    LOG.debug("{} is dissolved: {}", group, reason);
    dissolve(group.id(), reason);
  }

  /** Dissolves a group of which no more than the parity file is known. */
  void dissolve(long groupId, Dissolution reason) {
    counts.merge(FilePlanner.word(reason), 1L, Long::sum);
    tally.dissolved();
    delete(groupId);
  }

  private void delete(long groupId) {
    try {
      folder.delete(groupId);
      doomed.remove(groupId);
    } catch (IOException e) {
      doomed.add(groupId);
      peerLog.warn(e.getClass().getName(), "The parity file {} of a dissolved CORE group cannot be"
          + " deleted yet: {}", groupId, e.toString());
    }
  }

  /** Tries again to delete what could not be deleted. */
  void retry() {
    // Those that fail again come last in the next try.
    List<Long> next = doomed.stream().limit(RETRIES_MAX).collect(Collectors.toList());
    doomed.removeAll(next);
    next.forEach(this::delete);
  }

  /** Returns how many groups were dissolved, by reason. */
  Map<String, Long> counts() {
    return counts;
  }

  void clear() {
    counts.clear();
    doomed.clear();
  }
}
