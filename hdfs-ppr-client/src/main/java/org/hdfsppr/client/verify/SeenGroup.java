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
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.coder.code.LinearCode;

/** What the NameNode knew of a group at one moment. Immutable. */
@InterfaceAudience.Private
public final class SeenGroup {
  /** Whether there is anything to check. */
  public enum State {
    /** The group is finalised. */
    THERE,
    /** The file or its group does not exist any more. */
    GONE,
    /** A writer may still write the group. */
    OPEN
  }

  final State state;
  /** The group; null unless it is {@link State#THERE}. */
  final LocatedUnits group;
  /** The code of the units; null unless the group is {@link State#THERE}. */
  final LinearCode code;

  private SeenGroup(State state, LocatedUnits group, LinearCode code) {
    this.state = state;
    this.group = group;
    this.code = code;
  }

  /**
   * @param group a finalised group
   * @param code the code of its units
   * @return the group as it was seen
   */
  public static SeenGroup there(LocatedUnits group, LinearCode code) {
    return new SeenGroup(State.THERE, group, code);
  }

  /**
   * @param state why there is nothing to check
   * @return what was seen instead of a group
   */
  public static SeenGroup without(State state) {
    return new SeenGroup(state, null, null);
  }

  /**
   * Whether a later answer of the NameNode describes the same group: with the same generation stamp
   * and length, and each unit on the same DataNode. If so, the bytes that were read between the two
   * answers are those of one state of the group.
   */
  boolean isSame(SeenGroup later) {
    if (state != State.THERE || later.state != State.THERE
        || group.units() != later.group.units()) {
      return false;
    }
    for (int unit = 0; unit < group.units(); unit++) {
      if (!group.layout().block(unit).equals(later.group.layout().block(unit))
          || !Objects.equals(uuid(unit), later.uuid(unit))) {
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
