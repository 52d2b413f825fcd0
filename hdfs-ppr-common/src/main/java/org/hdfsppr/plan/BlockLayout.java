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
 * Lists the blocks that satisfy relations together, in the order of their code: data blocks first,
 * then parity blocks. It does not know the relations themselves. Immutable.
 */
@InterfaceAudience.Private
public interface BlockLayout {
  /**
   * @return the block group for logs and requests; if the blocks belong to several groups, the
   *     group that has lost a block
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
   * Names a block. A block of 0 bytes has no replica. The relations hold for blocks that are
   * extended by zeros, so that all bytes of such a block count as zeros.
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
