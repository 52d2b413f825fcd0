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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/** A block group of a file. Immutable. */
@InterfaceAudience.Private
public final class FileGroup {
  /** The group */
  public final GroupId id;
  /** Bytes of file data in the group */
  public final long bytes;
  /** How many units of the group that have bytes have no live replica */
  public final int lostUnits;

  public FileGroup(GroupId id, long bytes, int lostUnits) {
    this.id = Objects.requireNonNull(id, "id");
    this.bytes = bytes;
    this.lostUnits = lostUnits;
  }

  @Override
  public String toString() {
    return id + " of " + bytes + " bytes";
  }
}
