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
package org.hdfsppr.core.membership;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Three numbers that identify the content of a block group. When HDFS changes the bytes of a block
 * group, it changes at least one of the numbers. Renaming or concatenating files changes none of
 * them. Immutable.
 */
@InterfaceAudience.Private
public final class GroupIdentity {
  /** Block id of the group */
  public final long groupId;
  public final long generationStamp;
  /** Bytes of file data in the group */
  public final long length;

  /**
   * @param groupId block id of the group; it is negative, as for all striped block groups
   * @param generationStamp generation stamp, at least 1
   * @param length bytes of file data in the group, at least 1
   * @throws IllegalArgumentException if a number is out of its range
   */
  public GroupIdentity(long groupId, long generationStamp, long length) {
    if (groupId >= 0 || generationStamp < 1 || length < 1) {
      throw new IllegalArgumentException("No striped block group is " + groupId + "_"
          + generationStamp + " with " + length + " bytes");
    }
    this.groupId = groupId;
    this.generationStamp = generationStamp;
    this.length = length;
  }

  void put(ByteBuffer out) {
    out.putLong(groupId).putLong(generationStamp).putLong(length);
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof GroupIdentity)) {
      return false;
    }
    GroupIdentity other = (GroupIdentity) o;
    return groupId == other.groupId && generationStamp == other.generationStamp
        && length == other.length;
  }

  @Override
  public int hashCode() {
    return Objects.hash(groupId, generationStamp, length);
  }

  @Override
  public String toString() {
    return "blk_" + groupId + "_" + generationStamp + " of " + length + " bytes";
  }
}
