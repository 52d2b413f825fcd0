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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupLook.Verdict;
import org.apache.hadoop.hdfs.server.blockmanagement.SplitLowRedundancyBlocks.Flight;
import org.apache.hadoop.hdfs.server.namenode.FSEditLog;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.util.Time;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult.Refusal;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.Claims;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door into the NameNode's block management: while it is installed, stock schedules no
 * reconstruction of the groups that are claimed; all else, and all the books, stay stock's.
 *
 * <p>It puts a {@link SplitLowRedundancyBlocks} in the place of stock's queue. What is needed of
 * the classes around it was the same in Hadoop 3.3.6, 3.4.3 and 3.5.0. {@link #missing} says
 * whether it is there in the one that is running. If it is not, stock works as ever.
 *
 * <p>Two never schedule the same group: ours begin only where nothing is pending and stock does
 * not just choose targets, and stock waits for what is pending and does not see what is owned.
 *
 * <p>The NameNode's lock is held for 2 ms at a time or for one group, whichever is longer: read
 * to look, write to move. It comes before the queue's monitor. The BlockManager is asked for every
 * time, for Hadoop's own tests replace it.
 */
@InterfaceAudience.Private
public final class BlockManagerAccess implements ReconstructionQueue {
  private static final Logger LOG = LoggerFactory.getLogger(BlockManagerAccess.class);

  /** After how long without a poll stock takes over. */
  static final long SILENCE_MS_MAX = 60_000;
  /** How many groups and repairs to which nothing is known to have happened a poll looks at. */
  private static final int LOOKED_AT_ANYWAY = 32;
  /** How many repairs to which something happened a poll looks at. */
  private static final int ENDS_MAX = 4096;
  /** How many groups are handed to stock in one hold of the lock: some hundred microseconds. */
  private static final int RELEASED_MAX = 64;
  /** How many repairs are given up in one hold of the lock: some hundred microseconds as well. */
  private static final int ABORTED_MAX = 64;
  private static final int RESET_BITS = 16;
  /**
   * A term that is further ahead of ours is a lie: those are weeks of ten thousand edits a second.
   * With a pause between two times it takes one that lies days to use all terms up.
   */
  private static final long TERM_AHEAD_MAX = 1L << RESET_BITS + 34;
  private static final long OUTGROW_EVERY_MS = 60_000;

  private final FSNamesystem namesystem;
  private final BlockManagerMembers members;
  private final Claims claims;
  private final ToIntFunction<String> repairPort;
  private final LongSupplier clockMs;
  private final NamesystemLock lock;
  private final SplitLowRedundancyBlocks queue;
  private final Map<ErasureCodingPolicy, GroupPolicy> policies = new ConcurrentHashMap<>();
  private final AtomicLong grants = new AtomicLong();

  private volatile long term;
  private volatile boolean uninstalled;
  /** Written by {@link #poll} only, as the next one. */
  private volatile long clearsSeen = -1;
  private boolean wasPopulating;
  /** What ended, and whether what was polled before is void, until a poll has said so. */
  private final List<RepairEnd> untoldEnds = new ArrayList<>();
  private boolean untoldReset;
  /** The newest term that a DataNode has heard of and that may be true. */
  private final AtomicLong heardTerm = new AtomicLong();
  /** The one of these that is to be outgrown, and the last edit when that was noted. */
  private long termToOutgrow;
  private long writtenThen;
  private long outgrownMs = Long.MIN_VALUE / 2;

  private BlockManagerAccess(FSNamesystem namesystem, BlockManagerMembers members, Claims claims,
      ToIntFunction<String> repairPort, Runnable rescueFailed, LongSupplier clockMs,
      long silenceMsMax) {
    this.namesystem = namesystem;
    this.members = members;
    this.claims = claims;
    this.repairPort = repairPort;
    this.clockMs = clockMs;
    this.lock = new NamesystemLock(namesystem);
    this.queue = new SplitLowRedundancyBlocks(new SplitLowRedundancyBlocks.PolicyClaims() {
      @Override
      public boolean losses(ErasureCodingPolicy policy) {
        return claims.losses(of(policy));
      }

      @Override
      public boolean leaving(ErasureCodingPolicy policy) {
        return claims.leaving(of(policy));
      }
    }, new SplitLowRedundancyBlocks.Rescue() {
      @Override
      public void moveToStock(SplitLowRedundancyBlocks from, BlockInfo group) {
        BlockManagerAccess.moveToStock(namesystem.getBlockManager(), from, group);
      }

      @Override
      public void failed() {
        rescueFailed.run();
      }
    }, group -> GroupLook.isCopiedByStock(namesystem.getBlockManager(), (BlockInfoStriped) group),
        clockMs, silenceMsMax);
    members.shrinkLate(queue.owned());
  }

  /** What this Hadoop lacks of what is used here; empty if the queue can be taken over. */
  public static List<String> missing() {
    return BlockManagerMembers.ofThisHadoop().missing();
  }

  /**
   * Takes the claimed groups out of stock's scheduling, those that are queued already included.
   *
   * @param namesystem the NameNode's
   * @param claims which groups
   * @param repairPort from a DataNode's UUID to its repair port,
   *     {@link NodeRef#NO_REPAIR_PORT} if it has none; asked without a lock
   * @param rescueFailed is called when a group could not be handed to stock as it should be after
   *     nobody has polled for a minute; by stock's thread, under locks
   * @throws IOException if that is not possible; then nothing has changed
   */
  public static BlockManagerAccess install(FSNamesystem namesystem, Claims claims,
      ToIntFunction<String> repairPort, Runnable rescueFailed) throws IOException {
    return install(namesystem, claims, repairPort, rescueFailed,
        BlockManagerMembers.ofThisHadoop(), Time::monotonicNow, SILENCE_MS_MAX);
  }

  static BlockManagerAccess install(FSNamesystem namesystem, Claims claims,
      ToIntFunction<String> repairPort, Runnable rescueFailed, BlockManagerMembers members,
      LongSupplier clockMs, long silenceMsMax) throws IOException {
    if (!members.missing().isEmpty()) {
      throw new IOException("This Hadoop's reconstruction queue cannot be taken over; it lacks "
          + String.join(", ", members.missing()));
    }
    BlockManagerAccess access =
        new BlockManagerAccess(namesystem, members, claims, repairPort, rescueFailed, clockMs,
            silenceMsMax);
    if (!access.lock.writing("pprInstall", access::takeOver)) {
      throw new IOException("The NameNode's reconstruction queue is taken over already");
    }
    LOG.info("Reconstructions of claimed block groups are not scheduled by the NameNode itself");
    return access;
  }

  private boolean takeOver() {
    BlockManager bm = namesystem.getBlockManager();
    LowRedundancyBlocks stock = bm.neededReconstruction;
    if (stock instanceof SplitLowRedundancyBlocks) {
      return false;
    }
    synchronized (stock) {
      members.share(stock, queue);
      queue.listAll();
      BlockManagerMembers.set(members.queue, bm, queue);
    }
    queue.forgetClaims();
    return true;
  }

  /**
   * Hands everything back to stock. Repairs that have begun are pending, as stock's own would be.
   * May be called twice.
   */
  public void uninstall() {
    uninstalled = true;
    queue.stopClaiming();
    int held = queue.counts().heldBack();
    if (held > 0) {
      LOG.error("{} block groups whose units contradict each other are not kept from the NameNode's"
          + " own scheduling any more", held);
    }
    boolean left = true;
    while (left) {
      try (NamesystemLock.Hold hold = lock.write("pprUninstall")) {
        synchronized (queue) {
          left = rescueAll(hold);
          BlockManager bm = namesystem.getBlockManager();
          if (!left && bm.neededReconstruction == queue) {
            LowRedundancyBlocks stock = new LowRedundancyBlocks();
            members.share(queue, stock);
            BlockManagerMembers.set(members.queue, bm, stock);
            LOG.info("Reconstructions of all block groups are scheduled by the NameNode again");
          }
        }
      }
    }
  }

  /** @return whether there are more */
  private boolean rescueAll(NamesystemLock.Hold hold) {
    BlockManager bm = namesystem.getBlockManager();
    while (!hold.isLong()) {
      List<BlockInfo> some = queue.ownedOnes(16);
      if (some.isEmpty()) {
        return false;
      }
      for (BlockInfo block : some) {
        moveToStock(bm, queue, block);
      }
    }
    return true;
  }

  private static void moveToStock(BlockManager bm, SplitLowRedundancyBlocks queue,
      BlockInfo block) {
    queue.moveToStock(block, bm.countNodes(block), bm.getExpectedRedundancyNum(block));
  }

  private GroupPolicy of(ErasureCodingPolicy policy) {
    return policies.computeIfAbsent(policy, p -> new GroupPolicy(p.getCodecName(),
        p.getNumDataUnits(), p.getNumParityUnits(), p.getCellSize()));
  }

  @Override
  public boolean isActive() {
    return isActive(namesystem.getBlockManager());
  }

  private boolean isActive(BlockManager bm) {
    return isPopulating(bm) && !namesystem.isInSafeMode();
  }

  /** Whether the queue is in use: otherwise it is, or will be, empty. */
  private boolean isPopulating(BlockManager bm) {
    return !uninstalled && bm.neededReconstruction == queue && bm.isPopulatingReplQueues();
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public LockTimes lockTimes() {
    return lock.times();
  }

  @Override
  public QueueCounts counts() {
    return queue.counts();
  }

  @Override
  public void claimsChanged() {
    queue.forgetClaims();
  }

  @Override
  public synchronized QueueChanges poll(int groups_max) {
    if (!uninstalled) {
      queue.speak();
    }
    boolean populating = isPopulating(namesystem.getBlockManager());
    // If the last poll failed, what it had found is said before anything else can fail again.
    boolean untold = untoldReset || !untoldEnds.isEmpty();
    untoldReset |= startTermIfNew(populating);
    outgrowHeardTerm();
    takeEnds(populating, untoldEnds);
    if (untold || !isActive()) {
      return changes(Collections.emptyList(), Collections.emptyList(), untold);
    }
    Map<GroupId, LostGroup> lost = lookAtTouched(groups_max);
    List<GroupId> gone = queue.takeGone();
    lost.keySet().removeAll(new HashSet<>(gone));
    return changes(gone, new ArrayList<>(lost.values()), queue.hasTouched());
  }

  private QueueChanges changes(List<GroupId> gone, List<LostGroup> lost, boolean more) {
    QueueChanges changes =
        new QueueChanges(term, untoldReset, new ArrayList<>(untoldEnds), gone, lost, more);
    untoldReset = false;
    untoldEnds.clear();
    return changes;
  }

  /** @return whether what was polled before is void */
  private boolean startTermIfNew(boolean populating) {
    long clears = queue.clears();
    boolean reset = clears != clearsSeen || populating != wasPopulating;
    if (populating && reset) {
      // Whoever is active writes to the edit log first, beyond all that was written before it was;
      // the low bits tell apart what happens between two edits.
      long next = namesystem.getEditLog().getLastWrittenTxId() << RESET_BITS;
      term = Math.max(next, term + 1);
      LOG.info("Repairs are scheduled in term {}", term);
    }
    clearsSeen = clears;
    wasPopulating = populating;
    return reset;
  }

  @Override
  public void heardOfTerm(long newest) {
    long own = term;
    if (own > 0 && newest > own && newest - own <= TERM_AHEAD_MAX && newest < Long.MAX_VALUE) {
      heardTerm.accumulateAndGet(newest, Math::max);
    }
  }

  /**
   * Terms follow the edit log. After a rollback it starts again from an earlier edit, and DataNodes
   * know newer terms than ours. But so they do when another NameNode has become active and nobody
   * has told this one yet: then it must not have itself obeyed. It has to prove that it is the
   * active one first, by an edit that is written and synchronised after it has heard of that term:
   * whoever has been replaced writes none, for the journal is the other one's by then.
   */
  private void outgrowHeardTerm() {
    long heard = heardTerm.get();
    long now = clockMs.getAsLong();
    if (heard <= term || !isActive() || now - outgrownMs < OUTGROW_EVERY_MS) {
      return;
    }
    FSEditLog log = namesystem.getEditLog();
    if (termToOutgrow <= term) {
      termToOutgrow = heard;
      writtenThen = log.getLastWrittenTxId();
      LOG.warn("DataNodes have heard of term {}, and this NameNode is in term {}: has its metadata"
          + " been rolled back, or is another one active? The next edit will tell", heard, term);
    }
    // Without high availability there is no other one.
    if (!namesystem.isHaEnabled() || log.getSyncTxId() > writtenThen) {
      term = termToOutgrow + 1;
      outgrownMs = now;
      LOG.info("Repairs are scheduled in term {}, beyond what DataNodes have heard of", term);
    }
  }

  // Looking.

  private Map<GroupId, LostGroup> lookAtTouched(int max) {
    Map<GroupId, LostGroup> lost = new LinkedHashMap<>();
    List<BlockInfo> todo = new ArrayList<>();
    List<BlockInfo> toMove = new ArrayList<>();
    // Once a poll, which says that there is more: who waits for the monitor has a chance to get it.
    queue.sortSome();
    todo.addAll(queue.takeUntouched(LOOKED_AT_ANYWAY));
    todo.addAll(queue.takeTouched(max));
    Nodes nodes = new Nodes();
    Iterator<BlockInfo> next = todo.iterator();
    while (next.hasNext()) {
      List<Told> told = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.read("pprLook")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          lookAt(bm, next.next(), told, toMove);
        }
      }
      for (Told one : told) {
        lost.put(one.name, one.toLostGroup(nodes));
      }
    }
    move(toMove, lost, nodes);
    forgetSomeReleases();
    forgetSomeHeld();
    return lost;
  }

  /** With the read lock held. */
  private void lookAt(BlockManager bm, BlockInfo block, List<Told> told,
      List<BlockInfo> toMove) {
    GroupLook look = new GroupLook(bm, queue, (BlockInfoStriped) block);
    boolean owned = queue.isOwned(block);
    if (look.verdict() == Verdict.OURS && owned) {
      told.add(tell(bm, look));
    } else if (look.verdict() == Verdict.PENDING) {
      queue.untell(block);
    } else if (look.verdict() == Verdict.GONE) {
      if (block.isDeleted() || !bm.isNeededReconstruction(block, bm.countNodes(block))) {
        queue.forgetAge(block);
      }
    } else if (look.verdict() == Verdict.OURS || look.verdict() == Verdict.STOCKS && owned) {
      toMove.add(block);
    }
  }

  private Told tell(BlockManager bm, GroupLook look) {
    GroupId name = new GroupId(bm.getBlockPoolId(), look.block().getBlockId(),
        look.generationStamp());
    BlockCollection file = bm.getBlockCollection(look.block());
    return new Told(name, look, queue.tell(look.block(), name),
        file == null ? 0 : file.getStoragePolicyID());
  }

  /** Moves groups to the part that they belong to, each looked at once more. */
  private void move(List<BlockInfo> groups, Map<GroupId, LostGroup> lost, Nodes nodes) {
    Iterator<BlockInfo> next = groups.iterator();
    while (next.hasNext()) {
      List<Told> told = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.write("pprMove")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          while (next.hasNext() && !hold.isLong()) {
            BlockInfo block = next.next();
            GroupLook look = new GroupLook(bm, queue, (BlockInfoStriped) block);
            if (look.verdict() == Verdict.STOCKS) {
              moveToStock(bm, queue, block);
            } else if (look.verdict() == Verdict.OURS) {
              queue.moveToOwned(block, bm.countNodes(block), bm.getExpectedRedundancyNum(block));
              told.add(tell(bm, look));
            }
          }
        }
      }
      for (Told one : told) {
        lost.put(one.name, one.toLostGroup(nodes));
      }
    }
  }

  /** A group that was released and is whole again, or deleted, is stock's no longer. */
  private void forgetSomeReleases() {
    List<BlockInfo> some = queue.takeReleased(LOOKED_AT_ANYWAY);
    if (some.isEmpty()) {
      return;
    }
    lock.reading("pprReleases", () -> {
      BlockManager bm = namesystem.getBlockManager();
      for (BlockInfo block : some) {
        if (block.isDeleted() || !queue.contains(block)
            && bm.pendingReconstruction.getNumReplicas(block) == 0
            && !bm.isNeededReconstruction(block, bm.countNodes(block))) {
          queue.forgetRelease(block);
        }
      }
    });
  }

  /** A group that was deleted needs nobody to hold it back. */
  private void forgetSomeHeld() {
    for (BlockInfo block : queue.takeHeld(LOOKED_AT_ANYWAY)) {
      if (block.isDeleted()) {
        queue.letGo(block);
      }
    }
  }

  @Override
  public List<LostGroup> look(Collection<GroupId> groups) {
    List<LostGroup> result = new ArrayList<>(groups.size());
    Nodes nodes = new Nodes();
    Iterator<GroupId> next = groups.iterator();
    while (next.hasNext()) {
      List<Told> told = new ArrayList<>();
      try (NamesystemLock.Hold hold = lock.read("pprLook")) {
        BlockManager bm = namesystem.getBlockManager();
        while (isActive(bm) && next.hasNext() && !hold.isLong()) {
          GroupId id = next.next();
          BlockInfoStriped block = stored(bm, id);
          if (block == null || !queue.isOwned(block)) {
            continue;
          }
          GroupLook look = new GroupLook(bm, queue, block);
          if (look.verdict() == Verdict.OURS) {
            told.add(tell(bm, look));
          }
        }
        if (!isActive(bm)) {
          return Collections.emptyList();
        }
      }
      for (Told one : told) {
        result.add(one.toLostGroup(nodes));
      }
    }
    return result;
  }

  /** The group of that name and generation stamp, or null. */
  private static BlockInfoStriped stored(BlockManager bm, GroupId id) {
    if (!id.poolId().equals(bm.getBlockPoolId())) {
      return null;
    }
    BlockInfo block = bm.getStoredBlock(new Block(id.groupId()));
    if (block == null || !block.isStriped() || block.getBlockId() != id.groupId()
        || block.getGenerationStamp() != id.generationStamp()) {
      return null;
    }
    return (BlockInfoStriped) block;
  }

  /** A group that the owner is told of. */
  private final class Told {
    private final GroupId name;
    private final GroupLook look;
    private final long sinceMs;
    private final byte storagePolicy;

    Told(GroupId name, GroupLook look, long sinceMs, byte storagePolicy) {
      this.name = name;
      this.look = look;
      this.sinceMs = sinceMs;
      this.storagePolicy = storagePolicy;
    }

    /** Without any lock. */
    LostGroup toLostGroup(Nodes nodes) {
      List<Holder> live = new ArrayList<>(look.readableCount());
      for (int i = 0; i < look.readableCount(); i++) {
        if (!look.isSecondChoice(i)) {
          live.add(new Holder(look.readableUnit(i), nodes.of(look.readableNode(i))));
        }
      }
      List<NodeRef> occupied = new ArrayList<>(look.storages().size());
      for (DatanodeStorageInfo storage : look.storages()) {
        NodeRef node = nodes.of(storage.getDatanodeDescriptor());
        if (!occupied.contains(node)) {
          occupied.add(node);
        }
      }
      GroupPolicy policy = of(look.policy());
      return new LostGroup(name, look.bytes(), policy, live, GroupLook.unitsOf(look.lost()),
          occupied, claims.spareUnits(policy, GroupLook.unitsOf(look.unreadable())), sinceMs,
          storagePolicy);
    }
  }

  /** References to DataNodes, each made once for what is told together. */
  private final class Nodes {
    private final Map<DatanodeDescriptor, NodeRef> known = new IdentityHashMap<>();

    NodeRef of(DatanodeDescriptor node) {
      return known.computeIfAbsent(node, n -> new NodeRef(n.getDatanodeUuid(), n.getIpAddr(),
          n.getHostName(), n.getXferPort(), repairPort.applyAsInt(n.getDatanodeUuid()),
          n.getNetworkLocation()));
    }
  }

  // Repairs.

  @Override
  public List<BeginResult> begin(long inTerm, List<Assignment> assignments, boolean anyRack) {
    List<BeginResult> results = new ArrayList<>(assignments.size());
    Iterator<Assignment> next = assignments.iterator();
    boolean done = false;
    try {
      while (next.hasNext()) {
        try (NamesystemLock.Hold hold = lock.write("pprBegin")) {
          BlockManager bm = namesystem.getBlockManager();
          synchronized (queue) {
            while (next.hasNext() && !hold.isLong()) {
              results.add(begin(bm, inTerm, next.next(), anyRack));
            }
          }
        }
      }
      done = true;
    } finally {
      if (!done) {
        // Nobody will hear of these, and order them.
        abortAll(results.stream().map(BeginResult::grant).flatMap(Optional::stream)
            .collect(Collectors.toList()));
      }
    }
    return results;
  }

  /** With the write lock and the queue's monitor held. */
  private BeginResult begin(BlockManager bm, long inTerm, Assignment assignment,
      boolean anyRack) {
    if (!isActive(bm) || inTerm != term || queue.clears() != clearsSeen) {
      return refused(assignment, Refusal.NOT_ACTIVE, "Term " + inTerm + " is over");
    }
    BlockInfoStriped block = stored(bm, assignment.group().id());
    if (block == null || block.getNumBytes() != assignment.group().groupBytes()) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It was deleted or written to");
    }
    if (!queue.isOwned(block)) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It is not queued for repair by us");
    }
    GroupLook look = new GroupLook(bm, queue, block);
    if (look.verdict() == Verdict.PENDING || queue.isInStocksHands(block)
        || queue.flight(block) != null) {
      queue.retouch(block);
      return refused(assignment, Refusal.AT_WORK, "Somebody is at work on it");
    }
    if (look.verdict() != Verdict.OURS) {
      queue.retouch(block);
      return refused(assignment, Refusal.GROUP_CHANGED, "It lacks nothing that is ours");
    }
    return beginOn(bm, look, assignment, anyRack);
  }

  private BeginResult beginOn(BlockManager bm, GroupLook look, Assignment assignment,
      boolean anyRack) {
    BlockInfoStriped block = look.block();
    List<DatanodeDescriptor> nodes = new ArrayList<>(assignment.targets().size());
    int units = 0;
    for (Holder target : assignment.targets()) {
      int unit = 1 << target.unit();
      if (target.unit() >= Integer.SIZE || (look.lost() & unit) == 0 || (units & unit) != 0) {
        queue.retouch(block);
        return refused(assignment, Refusal.GROUP_CHANGED,
            "Unit " + target.unit() + " is not lost; lost are "
                + GroupLook.unitsOf(look.lost()));
      }
      units |= unit;
      DatanodeDescriptor node = bm.getDatanodeManager().getDatanode(target.node().uuid());
      String unfit = unfitness(bm, look, node);
      if (unfit == null && nodes.contains(node)) {
        unfit = "is named twice";
      }
      if (unfit != null) {
        return refused(assignment, Refusal.TARGET_UNFIT, target.node() + " " + unfit);
      }
      nodes.add(node);
    }
    BlockCollection file = bm.getBlockCollection(block);
    if (file == null) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It is in no file");
    }
    DatanodeStorageInfo[] storages = TargetStorages.choose(
        bm.getStoragePolicy(file.getStoragePolicyID()), look.liveStorages(), nodes,
        unitBytesMax(block), assignment.isOnAnyStorage());
    for (int i = 0; i < storages.length; i++) {
      if (storages[i] == null) {
        return BeginResult.noStorage(assignment, assignment.targets().get(i).node());
      }
    }
    if (!anyRack && !isSpreadKept(bm, block, storages)) {
      return refused(assignment, Refusal.TOO_FEW_RACKS, "Targets are on racks used already");
    }
    return BeginResult.granted(assignment, grant(bm, look, assignment, storages));
  }

  private static BeginResult refused(Assignment assignment, Refusal why, String detail) {
    LOG.debug("Repair of {} is refused, {}: {}", assignment, why, detail);
    return BeginResult.refused(assignment, why, detail);
  }

  /** What is wrong with a target, or null. */
  private static String unfitness(BlockManager bm, GroupLook look, DatanodeDescriptor node) {
    DatanodeManager nodes = bm.getDatanodeManager();
    if (node == null || !node.isAlive()) {
      return "is not alive";
    }
    if (!node.isInService()) {
      return "is " + node.getAdminState();
    }
    if (look.holdsAny(node)) {
      return "has a replica of the group";
    }
    if (!isKnown(node)) {
      return "has not reported its blocks yet";
    }
    if (nodes.shouldAvoidStaleDataNodesForWrite() && node.isStale(nodes.getStaleInterval())) {
      return "has not been heard of for a while";
    }
    return null;
  }

  /**
   * Whether a node has reported its blocks since it registered, storage by storage. Until then it
   * may hold units that count as lost; and of a second unit of a group on one storage the NameNode
   * takes no notice: it would stay there for good.
   */
  public static boolean isKnown(DatanodeDescriptor node) {
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (storage.getBlockReportCount() == 0
          && storage.getState() == DatanodeStorage.State.NORMAL
          && storage.getStorageType() != StorageType.PROVIDED) {
        return false;
      }
    }
    return true;
  }

  private static long unitBytesMax(BlockInfoStriped block) {
    // Unit 0 is the longest one.
    return Math.max(1, StripedBlockUtil.getInternalBlockLength(block.getNumBytes(),
        block.getCellSize(), block.getDataBlockNum(), 0));
  }

  /** Whether every target is on a rack of its own, as far as racks are lacking. */
  private static boolean isSpreadKept(BlockManager bm, BlockInfo block,
      DatanodeStorageInfo[] storages) {
    BlockPlacementStatus after = bm.getBlockPlacementStatus(block, storages);
    if (after.isPlacementPolicySatisfied()) {
      return true;
    }
    int before = bm.getBlockPlacementStatus(block).getAdditionalReplicasRequired();
    return after.getAdditionalReplicasRequired() <= Math.max(0, before - storages.length);
  }

  /** What BlockManager.validateReconstructionWork does in the end. */
  private Grant grant(BlockManager bm, GroupLook look, Assignment assignment,
      DatanodeStorageInfo[] storages) {
    BlockInfo block = look.block();
    List<CommandTarget> targets = new ArrayList<>(storages.length);
    for (int i = 0; i < storages.length; i++) {
      Holder target = assignment.targets().get(i);
      targets.add(new CommandTarget(target.unit(), target.node(), storages[i].getStorageID(),
          storages[i].getStorageType()));
    }
    Grant grant = new Grant(grants.incrementAndGet(), term, assignment.group().id(), targets);
    NumberReplicas counts = bm.countNodes(block);
    boolean enough = counts.liveReplicas() + storages.length
        >= bm.getExpectedLiveRedundancyNum(block, counts);
    int expected = bm.getExpectedRedundancyNum(block);
    // All that may fail is done: from here on either all is entered or nothing.
    DatanodeStorageInfo.incrementBlocksScheduled(storages);
    bm.pendingReconstruction.increment(block, storages);
    queue.begin(new Flight(block, grant, storages), enough, expected);
    lock.countGranted();
    return grant;
  }

  @Override
  public boolean abort(Grant grant) {
    return lock.writing("pprAbort", () -> {
      BlockManager bm = namesystem.getBlockManager();
      synchronized (queue) {
        Flight flight = flightOf(bm, grant);
        return flight != null && takeBack(bm, flight);
      }
    });
  }

  @Override
  public void abortAll(Collection<Grant> aborted) {
    Iterator<Grant> next = aborted.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprAbort")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          for (int i = 0; i < ABORTED_MAX && next.hasNext() && !hold.isLong(); i++) {
            Flight flight = flightOf(bm, next.next());
            if (flight != null) {
              takeBack(bm, flight);
            }
          }
        }
      }
    }
  }

  /** With the write lock and the queue's monitor held. @return whether it was under way */
  private boolean takeBack(BlockManager bm, Flight flight) {
    if (!queue.end(flight, true)) {
      return false;
    }
    BlockInfo block = flight.block();
    takeFromPending(bm, flight);
    requeue(bm, block);
    queue.forgetAge(block);
    return true;
  }

  private Flight flightOf(BlockManager bm, Grant grant) {
    if (!grant.group().poolId().equals(bm.getBlockPoolId())) {
      return null;
    }
    Flight flight = queue.flight(new Block(grant.group().groupId()));
    return flight != null && flight.grant().number() == grant.number() ? flight : null;
  }

  /** Takes off what is pending, if it is that repair's and nobody else's. */
  private static void takeFromPending(BlockManager bm, Flight flight) {
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(flight.block());
    if (pending == null || !List.of(flight.targets()).containsAll(pending)) {
      return;
    }
    bm.pendingReconstruction.remove(flight.block());
    DatanodeStorageInfo.decrementBlocksScheduled(pending.toArray(new DatanodeStorageInfo[0]));
  }

  /** What BlockManager.processPendingReconstructions does with what was pending for too long. */
  private void requeue(BlockManager bm, BlockInfo block) {
    if (block.isDeleted() || !block.isComplete() || !bm.isPopulatingReplQueues()
        || bm.neededReconstruction != queue) {
      return;
    }
    NumberReplicas counts = bm.countNodes(block);
    if (bm.isNeededReconstruction(block, counts)) {
      queue.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), bm.getExpectedRedundancyNum(block));
    }
  }

  @Override
  public void keepAlive(Collection<Grant> repairs) {
    Iterator<Grant> next = repairs.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.read("pprKeepAlive")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          Flight flight = flightOf(bm, next.next());
          if (flight != null && bm.pendingReconstruction.getNumReplicas(flight.block()) > 0) {
            // Adds no target; only the time of the last one is set.
            bm.pendingReconstruction.increment(flight.block());
          }
        }
      }
    }
  }

  private void takeEnds(boolean populating, List<RepairEnd> ends) {
    List<Flight> some = queue.takeFlights(ENDS_MAX,
        populating ? LOOKED_AT_ANYWAY : Integer.MAX_VALUE);
    List<Flight> returned = new ArrayList<>();
    Iterator<Flight> next = some.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.read("pprEnds")) {
        BlockManager bm = namesystem.getBlockManager();
        while (next.hasNext() && !hold.isLong()) {
          Flight flight = next.next();
          RepairEnd.Outcome outcome =
              populating ? outcome(bm, flight) : RepairEnd.Outcome.GIVEN_UP;
          if (outcome == RepairEnd.Outcome.RETURNED) {
            returned.add(flight);
          } else if (outcome != null
              && queue.end(flight, outcome == RepairEnd.Outcome.GIVEN_UP)) {
            ends.add(new RepairEnd(flight.grant(), outcome));
          }
        }
      }
    }
    takeReturned(returned, ends);
  }

  /**
   * Repairs whose units came back while their targets are still pending: until stock's sweep finds
   * these, nothing else of the group could be repaired.
   */
  private void takeReturned(List<Flight> returned, List<RepairEnd> ends) {
    Iterator<Flight> next = returned.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprReturned")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          while (next.hasNext() && !hold.isLong()) {
            Flight flight = next.next();
            // If they are lost again by now, a later poll sees how it ends.
            if (outcome(bm, flight) == RepairEnd.Outcome.RETURNED && takeBack(bm, flight)) {
              ends.add(new RepairEnd(flight.grant(), RepairEnd.Outcome.RETURNED));
            }
          }
        }
      }
    }
  }

  /** How a repair ended, or null if it did not. With the read lock held. */
  private RepairEnd.Outcome outcome(BlockManager bm, Flight flight) {
    BlockInfoStriped block = stored(bm, flight.grant().group());
    if (block == null || block.isDeleted()) {
      return RepairEnd.Outcome.DELETED;
    }
    Set<Integer> wanted = new HashSet<>();
    flight.grant().targets().forEach(target -> wanted.add(target.unit()));
    Collection<DatanodeDescriptor> corrupt = bm.getCorruptReplicas(block);
    for (BlockInfoStriped.StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
      if (GroupLook.isLive(bm, block, replica.getStorage(), corrupt)) {
        wanted.remove((int) replica.getBlockIndex());
      }
    }
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(block);
    if (wanted.isEmpty()) {
      return pending == null || Collections.disjoint(pending, List.of(flight.targets()))
          ? RepairEnd.Outcome.DONE : RepairEnd.Outcome.RETURNED;
    }
    return pending == null || pending.isEmpty() ? RepairEnd.Outcome.GIVEN_UP : null;
  }

  @Override
  public void release(Collection<GroupId> groups, long ms) {
    long now = clockMs.getAsLong();
    long until = ms > Long.MAX_VALUE - now ? FOR_GOOD : now + ms;
    Iterator<GroupId> next = groups.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprRelease")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          for (int i = 0; i < RELEASED_MAX && next.hasNext() && !hold.isLong(); i++) {
            BlockInfoStriped block = stored(bm, next.next());
            if (block != null && !block.isDeleted()) {
              queue.release(block, until);
              moveToStock(bm, queue, block);
            }
          }
        }
      }
    }
  }

  @Override
  public boolean holdBack(GroupId group) {
    return lock.writing("pprHoldBack", () -> {
      BlockInfoStriped block = stored(namesystem.getBlockManager(), group);
      return block != null && !block.isDeleted() && queue.hold(block);
    });
  }

  @Override
  public boolean letGo(GroupId group) {
    return queue.letGo(new Block(group.groupId()));
  }

  SplitLowRedundancyBlocks queueForTests() {
    return queue;
  }
}
