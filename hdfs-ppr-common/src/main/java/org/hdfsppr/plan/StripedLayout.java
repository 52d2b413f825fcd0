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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * The internal blocks of one striped block group. Their lengths follow from the length of the
 * group.
 */
@InterfaceAudience.Private
public final class StripedLayout implements BlockLayout {
  private final GroupId id;
  private final long groupBytes;
  private final int dataUnits;
  private final int parityUnits;
  private final int cellBytes;

  /**
   * @param id the group
   * @param groupBytes bytes of file data in the group
   * @param dataUnits k
   * @param parityUnits m
   * @param cellBytes bytes of a cell
   * @throws IllegalArgumentException if a number is not positive
   */
  public StripedLayout(GroupId id, long groupBytes, int dataUnits, int parityUnits,
      int cellBytes) {
    this.id = Objects.requireNonNull(id, "id");
    this.groupBytes = groupBytes;
    this.dataUnits = dataUnits;
    this.parityUnits = parityUnits;
    this.cellBytes = cellBytes;
    if (groupBytes < 1 || dataUnits < 1 || parityUnits < 1 || cellBytes < 1) {
      throw new IllegalArgumentException("Block group " + id + " has no sensible shape: "
          + groupBytes + " bytes, k=" + dataUnits + ", m=" + parityUnits + ", cell of "
          + cellBytes);
    }
  }

  @Override
  public GroupId id() {
    return id;
  }

  @Override
  public int dataUnits() {
    return dataUnits;
  }

  @Override
  public int parityUnits() {
    return parityUnits;
  }

  @Override
  public int cellBytes() {
    return cellBytes;
  }

  @Override
  public BlockRef block(int unit) {
    return id.block(unit, length(unit));
  }

  @Override
  public long length(int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes, cellBytes, dataUnits, unit);
  }
}
