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
 * Shows commanded repairs to stock's scheduling as one transfer in progress, however many are under
 * way. The repair manager itself limits the repairs of a node by the node's load. If each commanded
 * repair counted as a task of stock does, a single repair would use up the node's transfers (two by
 * default). As one repair follows another, the NameNode would then not copy blocks with too few
 * plain replicas for hours. Thread-safe.
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
