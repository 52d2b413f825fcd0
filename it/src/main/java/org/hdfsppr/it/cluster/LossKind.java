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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The ways in which a test or benchmark makes units get lost. */
@InterfaceAudience.Private
public enum LossKind {

  /**
   * A client reports the replicas as corrupt in one call. So the NameNode queues the group at once
   * with all its losses, and uses none of these replicas as a source.
   */
  REPORT {
    @Override
    public void lose(HdfsProcessCluster cluster, DistributedFileSystem client, List<Unit> units)
        throws IOException {
      client.getClient().reportBadBlocks(units.stream()
          .map(unit -> new LocatedBlock(unit.block, new DatanodeInfo[] {unit.location}))
          .toArray(LocatedBlock[]::new));
    }
  },

  /**
   * The DataNodes are killed, as in a real failure. The NameNode notices this some 15 s later. If
   * two DataNodes die together, the NameNode notices the deaths one after the other, so it may
   * repair two losses of one group separately.
   */
  KILL {
    @Override
    public void lose(HdfsProcessCluster cluster, DistributedFileSystem client, List<Unit> units)
        throws IOException, InterruptedException, TimeoutException {
      for (Unit unit : units) {
        cluster.kill(unit.node);
      }
    }
  };

  /**
   * Makes units get lost. When this method returns, the NameNode may not have noticed the loss yet.
   *
   * @param cluster a running cluster
   * @param client a client of the cluster
   * @param units the units to lose
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public abstract void lose(HdfsProcessCluster cluster, DistributedFileSystem client,
      List<Unit> units)
      throws IOException, InterruptedException, TimeoutException;
}
