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
package org.hdfsppr.it.versions;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.hdfsppr.namenode.version.VersionPoint;

/** What happens in the middle of versions. What concerns the extension most comes more often. */
enum VersionHarm {
  NONE(1), KILL_NAMENODE(5), KILL_NAMENODE_TWICE(2), KILL_DATANODE(3), RESTART_DATANODE(2),
  KILL_BOTH(2), CHANGE(5), CHANGE_AND_KILL_NAMENODE(4), DELETE(1);

  /** At these moments the NameNode holds its write lock, and no user can change anything. */
  private static final Set<VersionPoint> LOCKED =
      EnumSet.range(VersionPoint.PUBLISH_RECORDED, VersionPoint.PUBLISH_MOVED);

  private final int weight;

  VersionHarm(int weight) {
    this.weight = weight;
  }

  /**
   * Chooses a harm that can be done at a moment.
   *
   * @param point null for any moment
   */
  static VersionHarm choose(Random random, VersionPoint point) {
    List<VersionHarm> choices = new ArrayList<>();
    for (VersionHarm harm : values()) {
      if (point == null || !LOCKED.contains(point) || !harm.isOfUsers()) {
        for (int i = 0; i < harm.weight; i++) {
          choices.add(harm);
        }
      }
    }
    return choices.get(random.nextInt(choices.size()));
  }

  /** Returns whether users do something, which they cannot while the NameNode is locked. */
  private boolean isOfUsers() {
    return isChange() || this == DELETE;
  }

  /** Returns whether users change files, and they stay. */
  boolean isChange() {
    return this == CHANGE || this == CHANGE_AND_KILL_NAMENODE;
  }

  /** Returns how many times a NameNode is killed. */
  int nameNodeKills() {
    switch (this) {
      case KILL_NAMENODE:
      case KILL_BOTH:
      case CHANGE_AND_KILL_NAMENODE:
        return 1;
      case KILL_NAMENODE_TWICE:
        return 2;
      default:
        return 0;
    }
  }

  /** Returns whether a DataNode is killed. */
  boolean killsDataNode() {
    return this == KILL_DATANODE || this == RESTART_DATANODE || this == KILL_BOTH;
  }

  /** Returns whether all files must be converted in spite of this harm. */
  boolean isNoExcuse() {
    return this == NONE || this == KILL_NAMENODE || this == KILL_NAMENODE_TWICE;
  }
}
