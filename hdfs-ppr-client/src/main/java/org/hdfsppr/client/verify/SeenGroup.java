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
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.client.read.LocatedGroup;

/** What the NameNode knew of a group at one moment. Immutable. */
@InterfaceAudience.Private
final class SeenGroup {
  /** Whether there is anything to check. */
  enum State {
    /** The group is finalised. */
    THERE,
    /** The file or its group does not exist any more. */
    GONE,
    /** A writer may still write the group. */
    OPEN
  }

  private final State state;
  private final LocatedGroup group;
  private final ErasureCodingPolicy policy;

  private SeenGroup(State state, LocatedGroup group, ErasureCodingPolicy policy) {
    this.state = state;
    this.group = group;
    this.policy = policy;
  }

  static SeenGroup there(LocatedGroup group, ErasureCodingPolicy policy) {
    return new SeenGroup(State.THERE, group, policy);
  }

  static SeenGroup without(State state) {
    return new SeenGroup(state, null, null);
  }

  State state() {
    return state;
  }

  /** The group; null unless it is {@link State#THERE}. */
  LocatedGroup group() {
    return group;
  }

  /** The policy of the file; null unless the group is {@link State#THERE}. */
  ErasureCodingPolicy policy() {
    return policy;
  }

  /**
   * Whether nothing has changed between two looks: the same group with the same generation stamp
   * and length, and each unit on the same DataNode. If so, the bytes that were read in between are
   * those of one state of the group.
   */
  boolean isSame(SeenGroup later) {
    if (state != State.THERE || later.state != State.THERE || !group.id().equals(later.group.id())
        || group.bytes() != later.group.bytes()) {
      return false;
    }
    for (int unit = 0; unit < group.units(); unit++) {
      if (!Objects.equals(uuid(unit), later.uuid(unit))) {
        return false;
      }
    }
    return true;
  }

  private String uuid(int unit) {
    DatanodeInfo holder = group.holder(unit);
    return holder == null ? null : holder.getDatanodeUuid();
  }
}
