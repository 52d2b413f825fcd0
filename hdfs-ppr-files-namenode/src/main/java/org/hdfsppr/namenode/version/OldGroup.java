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
package org.hdfsppr.namenode.version;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.plan.UnitHolder;

/** A block group as it is stored, with the nodes that hold its units. Immutable. */
@InterfaceAudience.Private
public final class OldGroup {
  private final long bytes;
  private final int cellBytes;
  /** The units that can be read, with their nodes */
  public final List<UnitHolder> live;

  /**
   * @param bytes bytes of file data in the group
   * @param cellBytes bytes of a cell
   * @param live the units that can be read, with their nodes; if several nodes hold one unit, the
   *     first one that runs the extension is preferred
   * @throws IllegalArgumentException if a number is not positive
   */
  public OldGroup(long bytes, int cellBytes, List<UnitHolder> live) {
    if (bytes < 1 || cellBytes < 1) {
      throw new IllegalArgumentException("a group of " + bytes + " bytes in cells of " + cellBytes);
    }
    this.bytes = bytes;
    this.cellBytes = cellBytes;
    this.live = Collections.unmodifiableList(new ArrayList<>(live));
  }

  /**
   * @param unit index of a unit
   * @param dataUnits how many data units the code has
   * @return whether the file ends before the unit, so that the unit has no block
   */
  boolean isEmpty(int unit, int dataUnits) {
    return StripedBlockUtil.getInternalBlockLength(bytes, cellBytes, dataUnits, unit) == 0;
  }
}
