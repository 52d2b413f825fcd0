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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends repairs in the NameNode. It ends the repairs that the manager gives up, and finds the
 * repairs that have ended because of block reports or deletions. It also renews the other repairs,
 * so that stock does not time them out.
 */
final class RepairEnds {
  private static final Logger LOG = LoggerFactory.getLogger(RepairEnds.class);
  /** The greatest number of repairs of changed groups that one poll looks at. */
  private static final int ENDS_MAX = 4096;
  /**
   * The greatest number of repairs that are given up in one hold of the lock. Such a hold takes
   * some hundred microseconds.
   */
  private static final int ABORTED_MAX = 64;

  private final FSNamesystem namesystem;
  private final NamesystemLock lock;
  private final SplitLowRedundancyBlocks queue;

  RepairEnds(NamesystemLock lock, SplitLowRedundancyBlocks queue) {
    this.namesystem = lock.namesystem;
    this.lock = lock;
    this.queue = queue;
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#abort}. */
  boolean abort(RepairGrant grant) {
    return lock.writing("pprAbort", () -> {
      synchronized (queue) {
        return takeBack(namesystem.getBlockManager(), grant);
      }
    });
  }

  /**
   * Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#abortAll}.
   *
   * @throws RuntimeException if some repairs could not be given up; this method gives up the other
   *     repairs before it throws
   */
  void abortAll(Collection<RepairGrant> aborted) {
    Iterator<RepairGrant> next = aborted.iterator();
    RuntimeException failure = null;
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprAbort")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          for (int i = 0; i < ABORTED_MAX && next.hasNext() && !hold.isLong(); i++) {
            RepairGrant grant = next.next();
            try {
              takeBack(bm, grant);
            } catch (RuntimeException e) {
              failure = failed(grant, e, failure);
            }
          }
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * @return the exception to throw in the end: {@code e} if it is the first failure; otherwise
   *     {@code first}, to which this method has added {@code e} as suppressed
   */
  private static RuntimeException failed(RepairGrant grant, RuntimeException e,
      RuntimeException first) {
    LOG.error("{} cannot be given up", grant, e);
    if (first == null) {
      return e;
    }
    if (first != e) {
      first.addSuppressed(e);
    }
    return first;
  }

  /**
   * Gives up one repair. Call with the write lock and the queue's monitor held.
   *
   * @return whether the repair was under way
   */
  private boolean takeBack(BlockManager bm, RepairGrant grant) {
    BlockInfo block = queue.end(grant, true);
    if (block == null) {
      return false;
    }
    takeFromPending(bm, block, storage -> isTarget(grant, storage));
    requeue(bm, block);
    queue.forgetAge(block);
    return true;
  }

  /**
   * Removes the group's pending reconstruction, if all its targets are the caller's. Call with the
   * write lock held.
   */
  static void takeFromPending(BlockManager bm, BlockInfo block,
      Predicate<DatanodeStorageInfo> isOwn) {
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(block);
    if (pending == null || !pending.stream().allMatch(isOwn)) {
      return;
    }
    bm.pendingReconstruction.remove(block);
    DatanodeStorageInfo.decrementBlocksScheduled(pending.toArray(new DatanodeStorageInfo[0]));
  }

  private static boolean isTarget(RepairGrant grant, DatanodeStorageInfo storage) {
    return grant.targets.stream()
        .anyMatch(target -> target.storageId.equals(storage.getStorageID()));
  }

  /**
   * Queues a group again if it still needs a repair, as BlockManager.processPendingReconstructions
   * does after a timeout.
   */
  private void requeue(BlockManager bm, BlockInfo block) {
    if (bm.neededReconstruction == queue) {
      queueIfNeeded(bm, block);
    }
  }

  /** Queues a group if it needs a repair. Call with the write lock held. */
  static void queueIfNeeded(BlockManager bm, BlockInfo block) {
    if (block.isDeleted() || !block.isComplete() || !bm.isPopulatingReplQueues()) {
      return;
    }
    NumberReplicas counts = bm.countNodes(block);
    if (bm.isNeededReconstruction(block, counts)) {
      bm.neededReconstruction.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), bm.getExpectedRedundancyNum(block));
    }
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#keepAlive}. */
  void keepAlive(Collection<RepairGrant> repairs) {
    Iterator<RepairGrant> next = repairs.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.read("pprKeepAlive")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          BlockInfo block = queue.blockOf(next.next());
          if (block != null && bm.pendingReconstruction.getNumReplicas(block) > 0) {
            // Without arguments, increment adds no target and only renews the time of the pending
            // reconstruction.
            bm.pendingReconstruction.increment(block);
          }
        }
      }
    }
  }

  /**
   * Finds the repairs that have ended.
   *
   * @param populating whether the queue is in use; if not, all repairs have ended
   * @param ends the map to which the ended repairs are added, even if a later step throws
   */
  void take(boolean populating, Map<RepairGrant, RepairEnd> ends) {
    List<RepairGrant> some = queue.takeRepairs(ENDS_MAX,
        populating ? LostGroupFinder.LOOKED_AT_ANYWAY : Integer.MAX_VALUE);
    List<RepairGrant> returned = new ArrayList<>();
    Iterator<RepairGrant> next = some.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.read("pprEnds")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          RepairGrant grant = next.next();
          RepairEnd end = populating ? endOf(bm, grant) : RepairEnd.GIVEN_UP;
          if (end == RepairEnd.RETURNED) {
            returned.add(grant);
          } else if (end != null && queue.end(grant, end == RepairEnd.GIVEN_UP) != null) {
            ends.put(grant, end);
          }
        }
      }
    }
    takeReturned(returned, ends);
  }

  /**
   * Ends repairs whose lost units have come back while their targets are still pending. Without
   * this, no other unit of the group could be repaired until the pending reconstruction timed out.
   */
  private void takeReturned(List<RepairGrant> returned, Map<RepairGrant, RepairEnd> ends) {
    Iterator<RepairGrant> next = returned.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprReturned")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          while (next.hasNext() && !hold.isLong()) {
            RepairGrant grant = next.next();
            // If the units have been lost again since the first look, the repair goes on, and a
            // later poll finds its end.
            if (endOf(bm, grant) == RepairEnd.RETURNED && takeBack(bm, grant)) {
              ends.put(grant, RepairEnd.RETURNED);
            }
          }
        }
      }
    }
  }

  /** Returns how a repair has ended; null if it has not. Call with the read lock held. */
  private static RepairEnd endOf(BlockManager bm, RepairGrant grant) {
    BlockInfoStriped block = GroupInspection.stored(bm, grant.group);
    if (block == null || block.isDeleted()) {
      return RepairEnd.DELETED;
    }
    Set<Integer> wanted = new HashSet<>();
    grant.targets.forEach(target -> wanted.add(target.unit));
    Collection<DatanodeDescriptor> corrupt = bm.getCorruptReplicas(block);
    for (BlockInfoStriped.StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
      if (GroupInspection.isLive(bm, block, replica.getStorage(), corrupt)) {
        wanted.remove((int) replica.getBlockIndex());
      }
    }
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(block);
    if (wanted.isEmpty()) {
      return pending == null || pending.stream().noneMatch(storage -> isTarget(grant, storage))
          ? RepairEnd.DONE : RepairEnd.RETURNED;
    }
    return pending == null || pending.isEmpty() ? RepairEnd.GIVEN_UP : null;
  }
}
