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
package org.hdfsppr.namenode.core.look;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.version.PolicyFacts;

/** What the namespace now has for a file of a CORE group. Immutable. */
@InterfaceAudience.Private
public final class MemberState {
  /** What can be true of a file. */
  public enum Mark {
    /** It is being written, or has a block that is not complete. */
    OPEN,
    /** It has the attribute with the record of a CORE group, as parity files have. */
    RECORDED,
    /**
     * It has the attribute that keeps superusers from reading it. They could read the same bytes in
     * a parity file.
     */
    UNREADABLE
  }

  /** Absolute path */
  public final String path;
  /** Inode ids of the directories above the file, the nearest first */
  public final List<Long> ancestors;
  /** Its erasure coding policy; null if it has none */
  public final PolicyFacts policy;
  /** Its block groups in the order of the file; null for one that is not complete */
  public final List<GroupIdentity> groups;
  private final Set<Mark> marks;
  /** When it was last modified, ms since 1970 (UTC) */
  public final long mtime;

  public MemberState(String path, List<Long> ancestors, PolicyFacts policy,
      List<GroupIdentity> groups, Set<Mark> marks, long mtime) {
    this.path = path;
    this.ancestors = Collections.unmodifiableList(new ArrayList<>(ancestors));
    this.policy = policy;
    this.groups = Collections.unmodifiableList(new ArrayList<>(groups));
    this.marks = Set.copyOf(marks);
    this.mtime = mtime;
  }

  /** @return whether it has {@link Mark#OPEN} */
  public boolean isOpen() {
    return marks.contains(Mark.OPEN);
  }

  /** @return whether it has {@link Mark#RECORDED} */
  public boolean isRecorded() {
    return marks.contains(Mark.RECORDED);
  }

  /** @return whether it has {@link Mark#UNREADABLE}: security.hdfs.unreadable.by.superuser */
  public boolean isUnreadable() {
    return marks.contains(Mark.UNREADABLE);
  }
}
