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
package org.hdfsppr.client.spread;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.operate.SpreadMove;

/** Makes moves that nothing carries out. */
public final class SpreadMoves {
  private SpreadMoves() {
  }

  /**
   * @param number which block it is
   * @param from UUID of the DataNode that has it
   * @param to UUID of the DataNode that gets it
   * @return the move of a block of 100 bytes
   */
  public static SpreadMove of(int number, String from, String to) {
    return new SpreadMove(new LocatedBlock(new ExtendedBlock("BP-1", -1_000 + number, 100, 1),
        new DatanodeInfo[] {node(from), node(to)}, new String[] {"", ""},
        new StorageType[] {StorageType.DISK, StorageType.DISK}), 17, number, 3);
  }

  /** Nothing listens at the first port. */
  private static DatanodeInfo node(String uuid) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", uuid, uuid, 1, 1, 1, 1)).build();
  }
}
