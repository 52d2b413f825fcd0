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
package org.hdfsppr.namenode.manage.status;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Why a group waits. The reasons that need an operator come first, then those that pass by
 * themselves.
 */
@InterfaceAudience.Private
public enum WaitReason {
  /** Too few units can be read. */
  TOO_FEW_SOURCES("too few of its units can be read; the group is repaired when enough of them"
      + " come back"),
  /** The code is not on this NameNode's class path, or planning failed. */
  UNKNOWN_CODE("this NameNode cannot plan with the group's code; its log says why"),
  /** No DataNode may store the rebuilt units. */
  NO_DESTINATION("no DataNode may store the rebuilt unit now; free space, more racks or more"
      + " DataNodes with the extension help"),
  /** Its units contradict each other, or one node says so. */
  DOUBT("its units may contradict each other, so that every byte has to be checked;"
      + " 'hdfs ppr -doubts' says more"),
  /** A DataNode still works on an earlier repair of the group, or its plan could not begin. */
  HELD("an earlier repair of the group may still run, or the NameNode did not let the last plan"
      + " begin; it is tried again soon"),
  /** Its last repair failed. */
  BACKOFF("its last repair failed; it is tried again after a pause"),
  /** An operator has paused all repairs. */
  PAUSED("an operator has paused all repairs; 'hdfs ppr -resume' ends the pause"),
  /** Stock has the group, or is about to get it. */
  STOCK("stock's workers have it for some minutes"),
  /** Its nodes may come back. */
  DELAY("its nodes may come back until dfs.ppr.repair.delay is over"),
  /** It waits for its turn. */
  QUEUED("it waits for its turn: other repairs keep its nodes busy or come first");

  /** The reason, in words that can end a sentence about one group */
  public final String text;

  WaitReason(String text) {
    this.text = text;
  }

  /** @return the name as the NameNode's JSON documents show it, lower case */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
