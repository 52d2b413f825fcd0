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
package org.hdfsppr.operate;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * A place in the order in which the NameNode looks at the columns of CORE groups. The order is by
 * the ids of the CORE groups, and within a CORE group by the index of the block groups in their
 * files. All columns of a CORE group that have the same index share a place. Immutable.
 */
@InterfaceAudience.Private
public final class SpreadPlace {
  /** Before all columns. */
  public static final SpreadPlace START = new SpreadPlace(0, 0);

  /** Id of the CORE group to look at next */
  public final long coreGroup;
  /** Index, in their files, of the block groups whose columns come next in that CORE group */
  public final int index;

  /**
   * @param coreGroup id of the CORE group to look at next; if the group is gone, the group with the
   *     next greater id
   * @param index index, in their files, of the block groups whose columns come next in that CORE
   *     group
   * @throws IllegalArgumentException if one of them is negative
   */
  public SpreadPlace(long coreGroup, int index) {
    if (coreGroup < 0 || index < 0) {
      throw new IllegalArgumentException("No columns are at " + coreGroup + ", " + index);
    }
    this.coreGroup = coreGroup;
    this.index = index;
  }

  /** @throws MalformedRequestException if one of the numbers of a message is negative */
  static SpreadPlace parse(long coreGroup, int index) throws MalformedRequestException {
    try {
      return new SpreadPlace(coreGroup, index);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The columns are refused: " + e.getMessage(), e);
    }
  }

  /**
   * @param other another place
   * @return whether this place comes behind the other one
   */
  public boolean isBehind(SpreadPlace other) {
    return coreGroup > other.coreGroup || coreGroup == other.coreGroup && index > other.index;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SpreadPlace && ((SpreadPlace) o).coreGroup == coreGroup
        && ((SpreadPlace) o).index == index;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(coreGroup) * 31 + index;
  }

  @Override
  public String toString() {
    return coreGroup + ", " + index;
  }
}
