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
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Forces the names of replicas' files in their directories to the disk. Thread-safe. */
@InterfaceAudience.Private
public interface ReplicaSync {
  /**
   * Forces the name of a finalised replica, whose bytes are on the disk already.
   *
   * @param block the block
   * @throws IOException if the name may be lost, or the replica is gone
   */
  void force(ExtendedBlock block) throws IOException;
}
