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
package org.hdfsppr.namenode.manage.explain;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Why a group is not repaired yet, or that it is being repaired or needs no repair. */
@InterfaceAudience.Private
public enum GroupCause {
  /** No DataNode may take the lost units. */
  NO_DESTINATION,
  /** Too few DataNodes take part in repairs. */
  TOO_FEW_AGENTS,
  /** The nodes that the repair needs are kept out of repairs. */
  QUARANTINE,
  /** The group's units contradict each other. */
  DOUBT,
  /** The NameNode's own scheduling has the group. */
  STOCKS_TURN,
  /** The group waits for its nodes to come back. */
  DELAY,
  /** An operator has paused all repairs. */
  PAUSED,
  /** An operator has left all repairs to stock. */
  LEFT_TO_STOCK,
  /** The NameNode is in safe mode. */
  SAFE_MODE,
  /** Too many units are lost. */
  UNRECOVERABLE,
  /** Other rows of the group's CORE group are repaired first. */
  WAITS_FOR_ROWS,
  /**
   * The only destinations are on racks that have as many of the group's units as they should have.
   */
  RACKS_FULL,
  /** No destination has a storage with room. */
  DISK_FULL,
  /** A node's repair port gave no answer. */
  PORT_CLOSED,
  /** A node's version lacks what the repair needs. */
  VERSION_TOO_OLD,
  /** A repair has failed, and the next one begins after a pause. */
  BACKOFF,
  /** The units that can be read now do not determine the lost ones. */
  TOO_FEW_SOURCES,
  /** This NameNode does not know the group's code. */
  UNKNOWN_CODE,
  /** The group waits for its turn. */
  QUEUED,
  /** A repair is under way. */
  REPAIRING,
  /** The group has no lost units. */
  WHOLE,
  /** This NameNode does not schedule repairs. */
  NOT_IN_CHARGE,
  /** The plugin knows nothing of the group. */
  UNKNOWN_GROUP;

  /** @return the name as the NameNode's JSON documents show it, lower case */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
