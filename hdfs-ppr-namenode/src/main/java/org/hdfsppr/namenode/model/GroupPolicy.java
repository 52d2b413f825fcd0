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
package org.hdfsppr.namenode.model;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** The codec, the numbers of units and the cell size of one erasure coding policy. Immutable. */
@InterfaceAudience.Private
public final class GroupPolicy {
  /** Name of the codec */
  public final String codec;
  /** Data units of a group, k */
  public final int dataUnits;
  /** Parity units of a group, m */
  public final int parityUnits;
  /** Size of a cell, bytes */
  public final int cellBytes;

  /**
   * @param codec name of the codec, such as {@code rs} or {@code lrc-l2}
   * @param dataUnits number of data units, k
   * @param parityUnits number of parity units, m
   * @param cellBytes size of a cell, bytes
   */
  public GroupPolicy(String codec, int dataUnits, int parityUnits, int cellBytes) {
    this.codec = Objects.requireNonNull(codec, "codec");
    this.dataUnits = dataUnits;
    this.parityUnits = parityUnits;
    this.cellBytes = cellBytes;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof GroupPolicy)) {
      return false;
    }
    GroupPolicy other = (GroupPolicy) o;
    return codec.equals(other.codec) && dataUnits == other.dataUnits
        && parityUnits == other.parityUnits && cellBytes == other.cellBytes;
  }

  @Override
  public int hashCode() {
    return Objects.hash(codec, dataUnits, parityUnits, cellBytes);
  }

  @Override
  public String toString() {
    return codec + "(" + dataUnits + "," + parityUnits + ")";
  }
}
