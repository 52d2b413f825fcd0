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
package org.hdfsppr.core.formation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A group that no longer matches the rules or its files. Its parity file is deleted when the new
 * groups of its files have been made. Until then it still protects those block groups that have not
 * changed since it was made. Immutable.
 */
@InterfaceAudience.Private
public final class GroupChange {
  /** Why a group no longer fits. If several reasons apply, the first one in this order counts. */
  public enum Reason {
    /**
     * Files of its policy are no longer protected, or groups of this policy now have another number
     * of files.
     */
    OTHER_RULES,
    /**
     * One of its files is also in a group that was formed later. This happens if the NameNode has
     * carried out only a part of an earlier plan.
     */
    REPLACED,
    /** A member was deleted, overwritten, or moved to a directory that is not protected. */
    MEMBER_GONE,
    /** A member has another policy. */
    OTHER_POLICY,
    /**
     * A member is shorter than when the group was made, has the same length in another number of
     * block groups, or has fewer block groups.
     */
    MEMBER_REWRITTEN,
    /** A member has grown. Its earlier bytes are still protected. */
    MEMBER_GREW
  }

  public final FormedGroup group;
  public final Reason reason;
  /** Inode ids of those of its files that still exist and are in no group that stays */
  public final List<Long> survivors;

  /**
   * @param group the group
   * @param reason why it does not fit
   * @param survivors inode ids of those of its files that still exist and are in no group that
   *     stays
   */
  GroupChange(FormedGroup group, Reason reason, List<Long> survivors) {
    this.group = group;
    this.reason = reason;
    this.survivors = Collections.unmodifiableList(new ArrayList<>(survivors));
  }

  @Override
  public String toString() {
    return group + ": " + reason + ", survivors " + survivors;
  }
}
