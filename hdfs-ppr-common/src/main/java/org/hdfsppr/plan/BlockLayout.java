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
 * Which blocks satisfy relations together, in the order in which their code counts them: data
 * first, then parities. Says nothing of the relations themselves. Immutable.
 */
@InterfaceAudience.Private
public interface BlockLayout {
  /**
   * What logs and requests call it: the block group that the blocks are of, or where they are of
   * several groups, the one that has lost a block.
   */
  GroupId id();

  /** k. */
  int dataUnits();

  /** m. */
  int parityUnits();

  /** The cell that a code's sub-chunks are parts of, bytes. */
  int cellBytes();

  /**
   * Block {@code unit}. One without bytes has no replica. The relations hold with every block
   * extended by zeros, so it is known to be zeros.
   */
  BlockRef block(int unit);

  /** Length of block {@code unit}, bytes. */
  default long length(int unit) {
    return block(unit).length();
  }
}
