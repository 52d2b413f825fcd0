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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Makes the commanded repairs that are under way count as one transfer in stock's scheduling,
 * however many there are. The repair manager limits the repairs of a node itself, by the node's
 * load. If each commanded repair counted as a task of stock does, a single repair would use up all
 * transfers that the node may run at a time (two by default). While repairs run one after another
 * for hours, the NameNode would then not order this node to copy blocks that have too few replicas.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class CommandedTransfers {
  private final DataNode datanode;
  private int underWay;

  CommandedTransfers(DataNode datanode) {
    this.datanode = datanode;
  }

  synchronized void begin() {
    if (underWay++ == 0) {
      datanode.incrementXmitsInProcess(1);
    }
  }

  synchronized void end() {
    if (--underWay == 0) {
      datanode.decrementXmitsInProgress(1);
    }
  }
}
