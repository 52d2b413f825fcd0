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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.StockTask;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.UnitHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that stock scheduled. This DataNode plans the repair by its own settings. If the job gives
 * the task up, the stock worker runs the task.
 */
final class StockOrder implements RepairOrder {
  private static final Logger LOG = LoggerFactory.getLogger(StockOrder.class);

  private final RepairContext context;
  private final StockTask task;
  private final GroupId group;
  private final long groupBytes;

  StockOrder(RepairContext context, StockTask task) {
    this.context = context;
    this.task = task;
    ExtendedBlock block = task.blockGroup();
    this.group = new GroupId(block.getBlockPoolId(), block.getBlockId(),
        block.getGenerationStamp());
    this.groupBytes = block.getNumBytes();
  }

  @Override
  public GroupId group() {
    return group;
  }

  @Override
  public long groupBytes() {
    return groupBytes;
  }

  @Override
  public ErasureCodingPolicy policy() {
    return task.policy();
  }

  @Override
  public List<UnitHolder> live() {
    Map<String, DatanodeInfo> nodes = new LinkedHashMap<>();
    task.sources().values().forEach(holders ->
        holders.forEach(holder -> nodes.put(holder.getDatanodeUuid(), holder)));
    Map<String, NodeRef> references =
        context.peers.resolve(context.host.self().ipAddr, nodes.values());
    List<UnitHolder> live = new ArrayList<>();
    task.sources().forEach((unit, holders) -> {
      for (DatanodeInfo holder : holders) {
        live.add(new UnitHolder(unit, references.get(holder.getDatanodeUuid())));
      }
    });
    return live;
  }

  @Override
  public List<RepairTarget> targets() {
    return task.targets();
  }

  @Override
  public String topology() {
    return context.settings.topology.name();
  }

  @Override
  public PlanOptions options(int checkOneIn, long seed) {
    return new PlanOptions(context.settings.topology, context.settings.sliceBytes,
        checkOneIn, seed);
  }

  @Override
  public boolean hasStockWorker() {
    return true;
  }

  @Override
  public void rebuilt(JobEnding ending) {
    task.finishedByUs(ending.outcome);
  }

  @Override
  public void giveUp(JobEnding ending) {
    if (!task.runStock()) {
      LOG.warn("The repair of {} is given up: the stock worker takes no more tasks", group);
    }
  }

  @Override
  public void failed(JobEnding ending) {
    task.finishedByUs(ending.outcome);
  }

  @Override
  public boolean isSettled() {
    return task.isSettled();
  }
}
