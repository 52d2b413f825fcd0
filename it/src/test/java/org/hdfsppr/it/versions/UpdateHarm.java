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
import java.util.List;
import java.util.Random;

/** Which processes are killed at a moment, by what they do for a unit of a file. */
enum UpdateHarm {
  LEADER(4), FOLLOWER(3), LEADER_THAT_COMES_BACK(3), ALL_HOLDERS_THAT_COME_BACK(3), NAMENODE(5),
  NAMENODE_AND_LEADER(4), NAMENODE_AND_FOLLOWER(2), DEVICE(3), DEVICE_AND_LEADER(2),
  DEVICE_AND_NAMENODE(2);

  private final int weight;

  UpdateHarm(int weight) {
    this.weight = weight;
  }

  static UpdateHarm choose(Random random) {
    List<UpdateHarm> choices = new ArrayList<>();
    for (UpdateHarm harm : values()) {
      for (int i = 0; i < harm.weight; i++) {
        choices.add(harm);
      }
    }
    return choices.get(random.nextInt(choices.size()));
  }

  boolean isOfLeader() {
    return this == LEADER || this == LEADER_THAT_COMES_BACK || isOfAllHolders()
        || this == NAMENODE_AND_LEADER || this == DEVICE_AND_LEADER;
  }

  boolean isOfFollower() {
    return this == FOLLOWER || isOfAllHolders() || this == NAMENODE_AND_FOLLOWER;
  }

  /** Returns whether no running node has the updates of a unit for a while. */
  private boolean isOfAllHolders() {
    return this == ALL_HOLDERS_THAT_COME_BACK;
  }

  boolean isOfNameNode() {
    return this == NAMENODE || this == NAMENODE_AND_LEADER || this == NAMENODE_AND_FOLLOWER
        || this == DEVICE_AND_NAMENODE;
  }

  boolean isOfDevice() {
    return this == DEVICE || this == DEVICE_AND_LEADER || this == DEVICE_AND_NAMENODE;
  }

  /** Returns whether DataNodes that were killed start again at once. */
  boolean comesBack() {
    return this == LEADER_THAT_COMES_BACK || isOfAllHolders();
  }
}
