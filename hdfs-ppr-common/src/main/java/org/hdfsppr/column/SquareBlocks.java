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
package org.hdfsppr.column;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * The block groups with one index in the files of a CORE group, as they are now: a square of
 * blocks, whose rows are block groups, and whose columns have a unit of each. Immutable.
 */
@InterfaceAudience.Private
public final class SquareBlocks {
  /** A block group and its file. Immutable. */
  @InterfaceAudience.Private
  public static final class Row {
    /** Absolute path of the file */
    public final String path;
    /** The block group with its locations and a token for each unit */
    public final LocatedStripedBlock group;

    /**
     * @param path absolute path of the file
     * @param group the block group with its locations and a token for each unit
     */
    public Row(String path, LocatedStripedBlock group) {
      this.path = Objects.requireNonNull(path, "path");
      this.group = Objects.requireNonNull(group, "group");
    }
  }

  /** Inode id of the parity file, which names the CORE group */
  public final long coreGroup;
  /** Index of the block groups in their files */
  public final int index;
  /** Codec, units and cell size of all rows */
  public final ErasureCodingPolicy policy;
  /**
   * The member files that have a block group here, in their order, then the parity file; none if a
   * file has changed since the parity file was made
   */
  public final List<Row> rows;

  /**
   * @param coreGroup inode id of the parity file, which names the CORE group
   * @param index index of the block groups in their files
   * @param policy codec, units and cell size of all rows
   * @param rows the member files that have a block group here, in their order, then the parity
   *     file; none if a file has changed since the parity file was made, so that nothing can be
   *     compared
   */
  public SquareBlocks(long coreGroup, int index, ErasureCodingPolicy policy, List<Row> rows) {
    this.coreGroup = coreGroup;
    this.index = index;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
  }
}
