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
package org.hdfsppr.plan;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Lists the blocks over which a code is calculated, in the order of the code: data blocks first,
 * then parity blocks. It does not know the code itself. Immutable.
 */
@InterfaceAudience.Private
public interface BlockLayout {
  /**
   * @return the block group that logs and requests name; if the blocks belong to several groups, it
   *     is the group that has lost a block
   */
  GroupId id();

  /** @return k, the number of data blocks */
  int dataUnits();

  /** @return m, the number of parity blocks */
  int parityUnits();

  /**
   * @return length of a cell in bytes; a code with sub-chunks divides each cell into s sub-chunks
   */
  int cellBytes();

  /**
   * Names a block. The code treats a short block as if it were extended by zeros. A block of 0
   * bytes therefore counts as zeros only, and has no replica.
   *
   * @param unit index of the block, 0 to k + m - 1
   * @return the block
   */
  BlockRef block(int unit);

  /**
   * @param unit index of the block, 0 to k + m - 1
   * @return length of the block, bytes
   */
  default long length(int unit) {
    return block(unit).length;
  }
}
