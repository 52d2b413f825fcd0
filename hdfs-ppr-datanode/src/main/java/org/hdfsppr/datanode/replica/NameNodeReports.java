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
package org.hdfsppr.datanode.replica;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports through the DataNode's own queue to the NameNode. The reader found the mismatch itself,
 * with the stored sums, so there is nothing left for the block scanner to confirm.
 *
 * <p>A report that cannot be sent must not hide the corruption from the repair: it is logged, and
 * the scanner or the next reader will find the replica again.
 */
@InterfaceAudience.Private
final class NameNodeReports implements BadReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeReports.class);

  private final DataNode dn;

  NameNodeReports(DataNode dn) {
    this.dn = dn;
  }

  @Override
  public void local(ExtendedBlock block, IOException cause) {
    LOG.warn("Replica of {} on this DataNode is corrupt; telling the NameNode", block, cause);
    try {
      // At once, as stock's reconstruction reports what it finds, and not with the next heartbeat
      // as dn.reportBadBlocks would: a report that comes after the repair could hit its result.
      DatanodeInfo self = new DatanodeInfo.DatanodeInfoBuilder()
          .setNodeID(dn.getDNRegistrationForBP(block.getBlockPoolId())).build();
      dn.reportRemoteBadBlock(self, block);
    } catch (IOException e) {
      LOG.warn("Could not report the corrupt replica of {}", block, e);
    }
  }

  @Override
  public void remote(DatanodeInfo source, ExtendedBlock block, IOException cause) {
    LOG.warn("Replica of {} on {} is corrupt; telling the NameNode", block, source, cause);
    try {
      dn.reportRemoteBadBlock(source, block);
    } catch (IOException e) {
      LOG.warn("Could not report the corrupt replica of {} on {}", block, source, e);
    }
  }
}
