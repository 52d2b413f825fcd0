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
package org.hdfsppr.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/**
 * What the planner of CORE groups needs to know of a file in addition to its key, {@link
 * LikeFiles}.
 */
final class FileFact implements Writable {
  private long modifiedMs;
  private int blockGroups;
  private int perGroup;

  /** Makes an empty object, which {@link #readFields} fills. */
  FileFact() {
  }

  /**
   * @param modifiedMs when the file was last modified, ms since 1970 (UTC)
   * @param blockGroups how many block groups the file has, if all but the last one are full
   * @param perGroup how many files with the file's policy form a CORE group
   */
  FileFact(long modifiedMs, int blockGroups, int perGroup) {
    this.modifiedMs = modifiedMs;
    this.blockGroups = blockGroups;
    this.perGroup = perGroup;
  }

  long modifiedMs() {
    return modifiedMs;
  }

  int blockGroups() {
    return blockGroups;
  }

  int perGroup() {
    return perGroup;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(modifiedMs);
    out.writeInt(blockGroups);
    out.writeInt(perGroup);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    modifiedMs = in.readLong();
    blockGroups = in.readInt();
    perGroup = in.readInt();
  }
}
