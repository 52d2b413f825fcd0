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
package org.hdfsppr.update.append;

import java.util.Objects;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The name of a unit of a file, which stays the same over all versions of the file. An inode id or
 * a block id would not do: each commit gives the file a new inode and its changed units new block
 * ids. The UUID of the file stands in an extended attribute of the file, and passes from version to
 * version. Immutable.
 */
@InterfaceAudience.Private
public final class UnitId {
  /** The UUID of the file */
  public final UUID file;
  /** The index of the block group in the file, from 0 */
  public final int group;
  /** The index of the unit in the group, from 0 */
  public final int unit;

  /**
   * @param file the file's UUID
   * @param group the index of the block group in the file, from 0
   * @param unit the index of the unit in the group, from 0
   * @throws IllegalArgumentException if a number is negative
   */
  public UnitId(UUID file, int group, int unit) {
    if (group < 0 || unit < 0) {
      throw new IllegalArgumentException("Group " + group + " and unit " + unit
          + " must not be negative");
    }
    this.file = Objects.requireNonNull(file, "file");
    this.group = group;
    this.unit = unit;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof UnitId)) {
      return false;
    }
    UnitId other = (UnitId) o;
    return group == other.group && unit == other.unit && file.equals(other.file);
  }

  @Override
  public int hashCode() {
    return (file.hashCode() * 31 + group) * 31 + unit;
  }

  @Override
  public String toString() {
    return "unit " + unit + " of group " + group + " of file " + file;
  }
}
