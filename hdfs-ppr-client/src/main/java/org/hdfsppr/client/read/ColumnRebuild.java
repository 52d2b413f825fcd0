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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.CodedBlocks;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.ListedBlocks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds ranges of a lost unit for one stream from the unit's column: the same unit of the other
 * files of a CORE group and of their parity file. The DataNodes that hold these blocks add them up
 * in a chain. A column has only one parity block, and the sum needs all blocks of the column. So no
 * further block is left with which the sum could be checked. Thread-safe.
 */
final class ColumnRebuild {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnRebuild.class);
  /**
   * How many chains are tried for a range at most. After a chain has failed, the client asks the
   * NameNode again for the column's blocks before it tries the next chain.
   */
  private static final int CHAINS_MOST = 3;

  private final ReadContext context;
  private final ReadPlans plans;
  private final TreeRun treeRun;

  /** @param units reads units for the stream */
  ColumnRebuild(ReadContext context, UnitReader units, ReadPlans plans) {
    this.context = context;
    this.plans = plans;
    this.treeRun = new TreeRun(context, units);
  }

  /**
   * Returns the number of blocks of other files in the unit's column; 0 if the unit is in no column
   * that this client may read, or if the NameNode does not answer.
   */
  int sources(LocatedGroup group, int unit) {
    return context.columns.of(group.id(), unit).size();
  }

  /**
   * Rebuilds a range, if the unit is in a column.
   *
   * @param mayGiveUp whether the reader can get the bytes in another way, so that the client may
   *     stop a slow chain
   * @param found receives all bytes that were rebuilt, which may be more than the range
   * @return whether the range was rebuilt; false if the unit is in no column that can be read
   * @throws IOException if the chains have failed
   */
  boolean rebuild(LocatedGroup group, UnitRange range, boolean mayGiveUp, UnitByteCache found,
      ReadAttempt attempt) throws IOException {
    IOException last = null;
    // The replicas that have failed, of the blocks that the NameNode named in its last answer.
    Set<String> failed = new HashSet<>();
    List<Long> named = List.of();
    for (int chain = 0; chain < CHAINS_MOST; chain++) {
      attempt.checkWanted();
      List<LocatedBlock> sources = mayGiveUp
          ? context.columns.of(group.id(), range.unit)
          : sourcesOfOnlyWay(group, range, last);
      if (sources.isEmpty()) {
        break;
      }
      List<Long> names =
          sources.stream().map(one -> one.getBlock().getBlockId()).collect(Collectors.toList());
      if (!names.equals(named)) {
        // The column has other blocks now, without the failed one. A failure names only the
        // DataNode, so all blocks of that DataNode were noted as failed. Those that are still in
        // the column may be well.
        failed.clear();
        named = names;
      }
      try {
        run(group, sources, range, mayGiveUp, failed, found, attempt);
        return true;
      } catch (NoPlanException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
        break;
      } catch (RepairException e) {
        if (attempt.isCancelled()) {
          throw e;
        }
        context.counters.treeFailed();
        LOG.debug("Degraded read of unit {} of {} through its column", range, group.id(), e);
        context.columns.forget(group.id(), range.unit);
        plans.noteNode(e);
        last = e;
        if (attempt.isLate() || e.node.equals(ReadPlans.CLIENT)) {
          break;
        }
        // A column needs all its blocks. If the column is the only way to the bytes, a slow node is
        // asked again, because it may be faster the next time.
        if (e.failureCause.excludesNode() && (mayGiveUp || !isOfTime(e.failureCause))) {
          sources.forEach(source -> failed.add(replica(source, e.node.uuid)));
        }
      }
    }
    if (last != null) {
      throw last;
    }
    return false;
  }

  private List<LocatedBlock> sourcesOfOnlyWay(LocatedGroup group, UnitRange range,
      IOException last) throws IOException {
    try {
      return context.columns.ofOnlyWay(group.id(), range.unit);
    } catch (IOException e) {
      if (last != null) {
        e.addSuppressed(last);
      }
      throw e;
    }
  }

  private static boolean isOfTime(FailureCause cause) {
    return cause == FailureCause.SLOW || cause == FailureCause.STALLED;
  }

  private void run(LocatedGroup group, List<LocatedBlock> sources, UnitRange range,
      boolean mayGiveUp, Set<String> failed, UnitByteCache found, ReadAttempt attempt)
      throws IOException {
    RepairPlan plan = plan(group, sources, range, mayGiveUp, failed);
    SliceGeometry geometry = plan.geometry.covering(range.from, range.to);
    PartialSumRequest request = plans.request(group, plan, geometry, tokens(plan, sources));
    treeRun.run(group, plan, request, range, mayGiveUp,
        read -> context.counters.column(read.bytesReceived()), found, attempt);
  }

  /**
   * @param cautious whether to leave out replicas that the client believes to be lost, and nodes
   *     that it believes not to serve readers
   */
  private RepairPlan plan(LocatedGroup group, List<LocatedBlock> sources, UnitRange range,
      boolean cautious, Set<String> failed) throws NoPlanException {
    List<BlockRef> blocks = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    for (LocatedBlock source : sources) {
      BlockRef block = ref(source);
      for (DatanodeInfo node : source.getLocations()) {
        if (!failed.contains(replica(source, node.getDatanodeUuid())) && (!cautious
            || !context.health.isLost(node.getDatanodeUuid(), block.blockId)
                && context.health.hasPort(node.getDatanodeUuid()))) {
          live.add(new UnitHolder(blocks.size(), plans.server(node)));
        }
      }
      blocks.add(block);
    }
    int lost = blocks.size();
    blocks.add(group.id().block(range.unit, group.unitBytes(range.unit)));
    LinearCode column = CoreRow.column(lost);
    GroupSnapshot snapshot = new GroupSnapshot(
        new ListedBlocks(group.id(), blocks, lost, group.cellBytes()), live,
        Collections.singletonList(new UnitHolder(lost, ReadPlans.CLIENT)), ReadPlans.CLIENT);
    return RepairPlanner.plan(new CodedBlocks(snapshot, column),
        new PlanOptions(TreeTopologies.byName("chain"), plans.sliceBytes(range), 0,
            ReadPlans.nextOrder()).inGivenOrder());
  }

  private static Map<BlockRef, Token<BlockTokenIdentifier>> tokens(RepairPlan plan,
      List<LocatedBlock> sources) {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(share ->
        tokens.put(share.block, sources.get(share.unit).getBlockToken())));
    return tokens;
  }

  private static String replica(LocatedBlock source, String uuid) {
    return source.getBlock().getBlockId() + "@" + uuid;
  }

  private static BlockRef ref(LocatedBlock block) {
    return new BlockRef(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId(),
        block.getBlock().getGenerationStamp(), block.getBlock().getNumBytes());
  }
}
