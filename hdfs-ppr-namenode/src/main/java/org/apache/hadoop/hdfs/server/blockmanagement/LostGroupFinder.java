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
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupInspection.Verdict;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.SchedulingClaims;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Looks at groups in the NameNode, and reports to the repair manager the groups that are to be
 * repaired. Holds the read lock to look, and the write lock to move a group from one part of the
 * queue to the other.
 */
final class LostGroupFinder {
  /** The number of groups without a known change that each poll also looks at. */
  static final int LOOKED_AT_ANYWAY = 32;

  private final FSNamesystem namesystem;
  private final NamesystemLock lock;
  private final SplitLowRedundancyBlocks queue;
  private final SchedulingClaims claims;
  private final Function<ErasureCodingPolicy, GroupPolicy> policies;
  private final KnownNodes known;
  private final Predicate<BlockManager> active;
  private final FailedInspections failed;

  /**
   * @param policies maps each of Hadoop's erasure coding policies to a {@link GroupPolicy}
   * @param repairPort maps a DataNode's UUID to its repair port; called without a lock
   * @param active decides whether this NameNode schedules repairs
   * @param failed keeps groups that could not be looked at
   */
  LostGroupFinder(NamesystemLock lock, SplitLowRedundancyBlocks queue, SchedulingClaims claims,
      Function<ErasureCodingPolicy, GroupPolicy> policies, ToIntFunction<String> repairPort,
      Predicate<BlockManager> active, FailedInspections failed) {
    this.failed = failed;
    this.namesystem = lock.namesystem;
    this.lock = lock;
    this.queue = queue;
    this.claims = claims;
    this.policies = policies;
    this.known = new KnownNodes(repairPort);
    this.active = active;
  }

  /**
   * Looks at groups that stock has changed and at some others, and moves each group to the part of
   * the queue where it belongs. If an error occurs at one group, that group is looked at again
   * later, and the others are not affected. If the whole call fails, the next call looks at all
   * groups that this one has taken.
   *
   * @param max greatest number of changed groups to look at
   * @return the groups that are to be repaired
   */
  Map<GroupId, LostGroup> atTouched(int max) {
    List<BlockInfo> todo = new ArrayList<>();
    // One poll makes this call only once, so that other threads can enter the monitor. If groups
    // are left, the poll reports that there are more groups to look at, and the next poll
    // continues.
    queue.sortSome();
    failed.retryDue();
    boolean isDone = false;
    try {
      todo.addAll(queue.takeUntouched(LOOKED_AT_ANYWAY));
      todo.addAll(queue.takeTouched(max));
      Map<GroupId, LostGroup> lost = at(todo);
      isDone = true;
      return lost;
    } finally {
      if (!isDone) {
        todo.forEach(queue::retouch);
      }
    }
  }

  private Map<GroupId, LostGroup> at(List<BlockInfo> todo) {
    Map<GroupId, LostGroup> lost = new LinkedHashMap<>();
    List<BlockInfo> toMove = new ArrayList<>();
    KnownNodes.Now nodes = known.now();
    Iterator<BlockInfo> next = todo.iterator();
    while (next.hasNext()) {
      List<GroupInspection> seen = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.read("pprLook")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          BlockInfo block = next.next();
          guarded(block, () -> lookAt(bm, block, seen, toMove));
        }
      }
      describe(seen, lost, nodes);
    }
    move(toMove, lost, nodes);
    return lost;
  }

  /**
   * Runs some work on one group. If it throws, the group is noted for another look, and the caller
   * goes on with the other groups.
   */
  private void guarded(BlockInfo block, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failed.add(block, e);
    }
  }

  private void describe(List<GroupInspection> seen, Map<GroupId, LostGroup> lost,
      KnownNodes.Now nodes) {
    for (GroupInspection look : seen) {
      guarded(look.block, () -> lost.put(look.id(), describe(look, nodes)));
    }
  }

  /** Describes one group to the repair manager; needs no lock. */
  private LostGroup describe(GroupInspection look, KnownNodes.Now nodes) {
    List<UnitHolder> live = new ArrayList<>(look.readableCount());
    for (int i = 0; i < look.readableCount(); i++) {
      if (!look.isSecondChoice(i)) {
        live.add(nodes.holder(look.readableUnit(i), look.readableNode(i)));
      }
    }
    List<NodeRef> occupied = new ArrayList<>(look.storages.size());
    for (DatanodeStorageInfo storage : look.storages) {
      NodeRef node = nodes.ref(storage.getDatanodeDescriptor());
      if (!occupied.contains(node)) {
        occupied.add(node);
      }
    }
    GroupPolicy policy = policies.apply(look.policy);
    int spareUnits = claims.spareUnits(policy, GroupInspection.unitsOf(look.unreadable()));
    return new LostGroup(look.id(), look.bytes, policy, live,
        GroupInspection.unitsOf(look.lost()), spareUnits, look.sinceMs())
        .occupying(occupied, look.storagePolicy());
  }

  /** Looks at one group. Call with the read lock held. */
  private void lookAt(BlockManager bm, BlockInfo block, List<GroupInspection> seen,
      List<BlockInfo> toMove) {
    GroupInspection look = new GroupInspection(bm, queue, (BlockInfoStriped) block);
    boolean owned = queue.isOwned(block);
    if (look.verdict() == Verdict.CLAIMED && owned) {
      seen.add(tell(bm, look));
    } else if (look.verdict() == Verdict.PENDING) {
      queue.untell(block);
    } else if (look.verdict() == Verdict.GONE) {
      if (block.isDeleted() || !bm.isNeededReconstruction(block, bm.countNodes(block))) {
        queue.forgetAge(block);
      }
    } else if (look.verdict() == Verdict.CLAIMED || look.verdict() == Verdict.STOCKS && owned) {
      toMove.add(block);
    }
  }

  private GroupInspection tell(BlockManager bm, GroupInspection look) {
    GroupId id = idOf(bm, look);
    BlockCollection file = bm.getBlockCollection(look.block);
    return look.reportedAs(id, queue.tell(look.block, id),
        file == null ? 0 : file.getStoragePolicyID());
  }

  private static GroupId idOf(BlockManager bm, GroupInspection look) {
    return new GroupId(bm.getBlockPoolId(), look.block.getBlockId(), look.generationStamp);
  }

  /** Looks at the groups again, and moves each to the part of the queue where it belongs. */
  private void move(List<BlockInfo> groups, Map<GroupId, LostGroup> lost, KnownNodes.Now nodes) {
    Iterator<BlockInfo> next = groups.iterator();
    while (next.hasNext()) {
      List<GroupInspection> seen = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.write("pprMove")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          while (next.hasNext() && !hold.isLong()) {
            BlockInfo block = next.next();
            guarded(block, () -> move(bm, block, seen));
          }
        }
      }
      describe(seen, lost, nodes);
    }
  }

  /** Looks at one group, and moves it. Call with the write lock and the queue's monitor held. */
  private void move(BlockManager bm, BlockInfo block, List<GroupInspection> seen) {
    GroupInspection look = new GroupInspection(bm, queue, (BlockInfoStriped) block);
    if (look.verdict() == Verdict.STOCKS) {
      queue.moveToStock(block, bm.countNodes(block), bm.getExpectedRedundancyNum(block));
    } else if (look.verdict() == Verdict.CLAIMED) {
      queue.moveToOwned(block, bm.countNodes(block), bm.getExpectedRedundancyNum(block));
      seen.add(tell(bm, look));
    }
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#look}. */
  List<LostGroup> at(Collection<GroupId> groups) {
    List<LostGroup> result = new ArrayList<>(groups.size());
    KnownNodes.Now nodes = known.now();
    Iterator<GroupId> next = groups.iterator();
    while (next.hasNext()) {
      List<GroupInspection> seen = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.read("pprLook")) {
        BlockManager bm = namesystem.getBlockManager();
        while (active.test(bm) && next.hasNext() && !hold.isLong()) {
          GroupId id = next.next();
          BlockInfoStriped block = GroupInspection.stored(bm, id);
          if (block == null || !queue.isOwned(block)) {
            continue;
          }
          GroupInspection look = new GroupInspection(bm, queue, block);
          if (look.verdict() == Verdict.CLAIMED) {
            seen.add(tell(bm, look));
          }
        }
        if (!active.test(bm)) {
          return Collections.emptyList();
        }
      }
      seen.forEach(look -> result.add(describe(look, nodes)));
    }
    return result;
  }

  /**
   * Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#find}.
   *
   * @param nowMs the time now, monotonic, ms; it becomes the description's {@code sinceMs}
   */
  Optional<LostGroup> find(long groupId, long nowMs) {
    List<GroupInspection> seen = new ArrayList<>(1);
    lock.reading("pprFind", () -> {
      BlockManager bm = namesystem.getBlockManager();
      GroupInspection look = GroupInspection.ofStored(bm, groupId);
      if (look != null) {
        seen.add(look.reportedAs(idOf(bm, look), nowMs, (byte) 0));
      }
    });
    return seen.stream().findFirst().map(look -> describe(look, known.now()));
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#findAll}. */
  Map<Long, LostGroup> findAll(Collection<Long> groupIds, long nowMs) {
    if (groupIds.size() > ReconstructionQueue.FOUND_MAX) {
      throw new IllegalArgumentException(groupIds.size() + " groups are looked up at once; at most "
          + ReconstructionQueue.FOUND_MAX + " can be");
    }
    List<GroupInspection> seen = new ArrayList<>(groupIds.size());
    lock.reading("pprFindAll", () -> {
      BlockManager bm = namesystem.getBlockManager();
      for (long groupId : groupIds) {
        GroupInspection look = GroupInspection.ofStored(bm, groupId);
        if (look != null && look.block.isComplete()) {
          seen.add(look.reportedAs(idOf(bm, look), nowMs, (byte) 0));
        }
      }
    });
    KnownNodes.Now nodes = known.now();
    Map<Long, LostGroup> found = new HashMap<>();
    seen.forEach(look -> found.put(look.id().groupId, describe(look, nodes)));
    return found;
  }

  /**
   * References to DataNodes, and holders of units on them, that all descriptions of groups share. A
   * million groups may wait, each with several holders, and there are few nodes. Thread-safe.
   */
  static final class KnownNodes {
    /**
     * If more nodes are known than this, all are forgotten. Descriptions made before and after then
     * share no references, which costs only memory. No cluster has as many nodes.
     */
    private static final int NODES_MAX = 100_000;
    private static final int UNITS_MAX = 16;

    private final ToIntFunction<String> repairPort;
    private final Map<String, Known> byUuid = new ConcurrentHashMap<>();

    /** A reference to one node, and the holders made so far for its units, by the unit's index. */
    private static final class Known {
      private final NodeRef ref;
      private final UnitHolder[] holders = new UnitHolder[UNITS_MAX];

      Known(NodeRef ref) {
        this.ref = ref;
      }

      UnitHolder holder(int unit) {
        UnitHolder holder = holders[unit];
        if (holder == null) {
          // Another thread may make an equal holder meanwhile, which does no harm.
          holder = new UnitHolder(unit, ref);
          holders[unit] = holder;
        }
        return holder;
      }
    }

    /** @param repairPort maps a DataNode's UUID to its repair port; called without a lock */
    KnownNodes(ToIntFunction<String> repairPort) {
      this.repairPort = repairPort;
    }

    /**
     * The nodes as they are now, for one answer. Each node is looked at once. Used by one thread.
     */
    final class Now {
      private final Map<DatanodeDescriptor, Known> seen = new IdentityHashMap<>();

      NodeRef ref(DatanodeDescriptor node) {
        return seen.computeIfAbsent(node, KnownNodes.this::look).ref;
      }

      UnitHolder holder(int unit, DatanodeDescriptor node) {
        return seen.computeIfAbsent(node, KnownNodes.this::look).holder(unit);
      }
    }

    Now now() {
      return new Now();
    }

    private Known look(DatanodeDescriptor node) {
      String uuid = node.getDatanodeUuid();
      NodeRef ref = new NodeRef(uuid, node.getIpAddr(), node.getHostName(), node.getXferPort(),
          repairPort.applyAsInt(uuid), node.getNetworkLocation());
      Known known = byUuid.get(uuid);
      if (known == null || !known.ref.saysTheSameAs(ref)) {
        if (byUuid.size() >= NODES_MAX) {
          byUuid.clear();
        }
        known = new Known(ref);
        byUuid.put(uuid, known);
      }
      return known;
    }
  }
}
