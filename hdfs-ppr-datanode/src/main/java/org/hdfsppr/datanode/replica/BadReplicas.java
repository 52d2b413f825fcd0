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

/**
 * Takes reports of replicas whose stored bytes are corrupt. A source reports its replica at most
 * once.
 */
@InterfaceAudience.Private
public interface BadReplicas {
  /**
   * Reports a replica on this DataNode.
   *
   * @param block the block of the corrupt replica
   * @param cause what the reader found
   */
  void local(ExtendedBlock block, IOException cause);

  /**
   * Reports a replica on another DataNode.
   *
   * @param source the DataNode that served the corrupt replica
   * @param block the block of the corrupt replica
   * @param cause what the reader found
   */
  void remote(DatanodeInfo source, ExtendedBlock block, IOException cause);

  /**
   * Returns a receiver that drops all reports. Reads on behalf of a peer use this receiver: the
   * peer names the address of the replica, and a report could accuse the wrong DataNode.
   *
   * @return a receiver that does nothing
   */
  static BadReplicas unreported() {
    return new BadReplicas() {
      @Override
      public void local(ExtendedBlock block, IOException cause) {
        // The exception that the reader gets carries the finding.
      }

      @Override
      public void remote(DatanodeInfo source, ExtendedBlock block, IOException cause) {
        // The exception that the reader gets carries the finding.
      }
    };
  }
}
