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
 * A group that does not match the rules or its files any more. Its parity file is deleted when the
 * new groups of its files are made. Until then it protects the block groups whose identities are
 * still the recorded ones. Immutable.
 */
@InterfaceAudience.Private
public final class GroupChange {
  /**
   * Why a group does not fit any more. If there are several reasons, the first one of this list
   * counts.
   */
  public enum Reason {
    /** Its policy is not protected any more, or its groups now have another number of files. */
    OTHER_RULES,
    /**
     * A member is also in a group that was formed later, because a plan was carried out only in
     * part.
     */
    REPLACED,
    /** A member was deleted, overwritten, or moved to a directory that is not protected. */
    MEMBER_GONE,
    /** A member has another policy. */
    OTHER_POLICY,
    /** A member is shorter than it was, or has another number of block groups for its length. */
    MEMBER_REWRITTEN,
    /** A member has grown. Its earlier bytes are still protected. */
    MEMBER_GREW
  }

  public final FormedGroup group;
  public final Reason reason;
  /** Inode ids of its members that still exist and are in no group that stays */
  public final List<Long> survivors;

  /**
   * @param group the group
   * @param reason why it does not fit
   * @param survivors inode ids of its members that still exist and are in no group that stays
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
