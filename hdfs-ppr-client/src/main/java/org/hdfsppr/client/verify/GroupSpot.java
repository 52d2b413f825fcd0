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
package org.hdfsppr.client.verify;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Says where a block group is that will be checked: a file, an offset and an id. Immutable. */
@InterfaceAudience.Private
public final class GroupSpot {
  /** Path of the file, without scheme and authority */
  public final String file;
  /** Offset of the group's first byte in the file */
  public final long start;
  /** Block id of the group */
  public final long groupId;

  /**
   * @param file path of the file, without scheme and authority
   * @param start offset of the group's first byte in the file
   * @param groupId block id of the group
   */
  public GroupSpot(String file, long start, long groupId) {
    this.file = Objects.requireNonNull(file, "file");
    this.start = start;
    this.groupId = groupId;
  }

  /** @return the group as logs and commands name it, such as {@code blk_-9223372036854775792} */
  public String groupName() {
    return "blk_" + groupId;
  }

  @Override
  public String toString() {
    return file + " " + groupName();
  }
}
