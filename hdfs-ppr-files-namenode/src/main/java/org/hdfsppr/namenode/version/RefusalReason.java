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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The reasons for which no version of a file is made. Users get the names in JSON, so the names
 * must not change.
 */
@InterfaceAudience.Private
public enum RefusalReason {
  /** There is nothing at the path. */
  NOT_FOUND,
  /** There is a directory or a symbolic link at the path. */
  NOT_A_FILE,
  /** The file's blocks are replicated. */
  REPLICATED,
  /** A writer has the file open, or its last block is under recovery. */
  OPEN,
  /** The file lies in an encryption zone. */
  ENCRYPTED,
  /** Logs of DataNodes may have updates of the file that are in no version. */
  UPDATED,
  /** The path leads into a snapshot. */
  SNAPSHOT_PATH,
  /** The rules of HDFS for snapshots forbid the renames that publish a version. */
  SNAPSHOT_RULES,
  /** The file was renamed while a snapshot had it. Stock fails to delete such a file. */
  SNAPSHOT_HELD,
  /**
   * The file was appended to since the last snapshot that has it. The new blocks would be deleted
   * at once, without a grace.
   */
  SNAPSHOT_GROWN,
  /** The path is one that the extension or the NameNode reserves. */
  RESERVED,
  /** The caller may not write to the file or to its directory. */
  NO_PERMISSION,
  /** The NameNode does not have the new policy. */
  POLICY_UNKNOWN,
  /** The new policy is not enabled. */
  POLICY_DISABLED,
  /** The file has the new policy already. */
  SAME_POLICY,
  /** The new policy has another number of data units or another cell size. */
  OTHER_SHAPE,
  /**
   * The code of one of the policies is not known, or there is no way to convert the one into the
   * other.
   */
  CODE_UNKNOWN,
  /** The file was read or written a short time ago. */
  IN_USE,
  /**
   * The NameNode keeps no access times, so that it does not know whether the file is being read.
   */
  ACCESS_TIMES_OFF,
  /** A group of the file has lost more units than its code can rebuild. */
  UNITS_LOST,
  /** Units of a group contradict each other. */
  DOUBTED,
  /** The new version does not fit into a quota of the path. */
  QUOTA,
  /** The NameNode is in safe mode. */
  SAFE_MODE,
  /**
   * The repair manager of this NameNode does not schedule repairs now, for instance because another
   * NameNode is active.
   */
  NOT_IN_CHARGE,
  /** Too few DataNodes can make the new units. */
  NO_NODES,
  /** A version of this file is being made, or an earlier try has left one behind. */
  BUSY,
  /** The directory for versions has as many entries as HDFS allows. */
  FULL
}
