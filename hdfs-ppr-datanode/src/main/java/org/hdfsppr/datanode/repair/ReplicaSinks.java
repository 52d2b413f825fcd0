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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.replica.LocalReplicaSink;
import org.hdfsppr.datanode.replica.StockWriteSink;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.stream.Rebuild;
import org.hdfsppr.stream.UnitSink;

/**
 * Opens the destinations of the units of one task: a replica on this DataNode, or a replica that
 * another DataNode writes.
 */
@InterfaceAudience.Private
final class ReplicaSinks implements Rebuild.Sinks {
  private final DataNode datanode;
  private final DataNodeHost host;
  private final Map<Integer, RepairTarget> targets;
  private final int timeoutMs;
  private final int endTimeoutMs;
  private final boolean synced;
  private final List<StockWriteSink> remote = new ArrayList<>();

  /**
   * @param targets the task's targets by unit
   * @param timeoutMs the longest that a write to another DataNode may wait, ms
   * @param endTimeoutMs the longest that another DataNode may take to finish its replica, ms
   * @param synced whether the replicas are on the disks of their DataNodes before they are reported
   */
  ReplicaSinks(DataNode datanode, DataNodeHost host, Map<Integer, RepairTarget> targets,
      int timeoutMs, int endTimeoutMs, boolean synced) {
    this.synced = synced;
    this.datanode = datanode;
    this.host = host;
    this.targets = targets;
    this.timeoutMs = timeoutMs;
    this.endTimeoutMs = endTimeoutMs;
  }

  @Override
  public UnitSink open(PlanTarget target, DataChecksum checksum) throws IOException {
    RepairTarget to = targets.get(target.unit);
    ExtendedBlock block = target.block.toExtendedBlock();
    if (to.node.getDatanodeUuid().equals(datanode.getDatanodeUuid())) {
      return synced ? LocalReplicaSink.openSynced(datanode, block, to.storageType,
          to.storageId, checksum, host.traffic::addWritten, host.syncs)
          : LocalReplicaSink.open(datanode, block, to.storageType, to.storageId, checksum,
              host.traffic::addWritten);
    }
    StockWriteSink sink = StockWriteSink.open(datanode, to.node, block, to.storageType,
        to.storageId, checksum, timeoutMs, endTimeoutMs, synced);
    remote.add(sink);
    return sink;
  }

  /** Returns how many bytes the task has sent to other DataNodes. */
  long remoteBytes() {
    return remote.stream().mapToLong(StockWriteSink::bytesWritten).sum();
  }

  @Override
  public void throttleWrite(long bytes) {
    host.throttleWrite(bytes);
  }
}
