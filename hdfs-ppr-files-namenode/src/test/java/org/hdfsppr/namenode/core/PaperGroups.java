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
package org.hdfsppr.namenode.core;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.model.GroupPolicy;

/** CORE groups of two members on paper, with three data and two parity units. */
final class PaperGroups {
  /** The block group ids of a file begin here, and 1,000 later for each inode id. */
  static final long FIRST = -1L << 40;

  private PaperGroups() {
  }

  private static MemberRow row(long file, int groups) {
    List<GroupIdentity> identities = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      identities.add(new GroupIdentity(FIRST + file * 1_000 + 16 * i, 7, 100));
    }
    return MemberRow.of(file, identities);
  }

  /**
   * Returns a group whose first member, and parity file, have this number of block groups. The
   * second member has one.
   */
  static CoreGroup group(long id, int groups) {
    List<MemberRow> rows = List.of(row(id + 1, groups), row(id + 2, 1), row(id, groups));
    return new CoreGroup(
        new CoreMembership(id, "RS-3-2-1k", rows.get(2), rows.subList(0, 2)),
        new GroupPolicy("rs", 3, 2, 1_024), "BP-1", rows);
  }
}
