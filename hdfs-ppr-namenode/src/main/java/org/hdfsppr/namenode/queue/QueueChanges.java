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
package org.hdfsppr.namenode.queue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;

/**
 * The findings of a {@link ReconstructionQueue#poll}. The caller should apply them in the order of
 * the fields of this class. Immutable.
 */
@InterfaceAudience.Private
public final class QueueChanges {
  /** The term of all these changes */
  public final long term;
  /**
   * Whether the queue was cleared or has changed its role. The caller then forgets all groups that
   * were polled before. Repairs under way are not affected; each of them ends by itself.
   */
  public final boolean reset;
  /**
   * The repairs that ended other than by {@link ReconstructionQueue#abort}, and how, in the order
   * in which their ends were found; each is reported once
   */
  public final Map<RepairGrant, RepairEnd> ended;
  /**
   * Groups of earlier polls that are not claimed any more, because they are whole or deleted, or
   * because stock has them
   */
  public final List<GroupId> gone;
  /** Groups to repair: new groups, and newer views of groups that were reported before */
  public final List<LostGroup> lost;
  private final boolean more;

  /**
   * Makes the changes of one poll.
   *
   * @param term the term of the queue
   * @param reset whether the queue was cleared or has changed its role
   * @param ended the repairs that ended, and how; not changed afterwards
   * @param gone the groups that are not lost any more
   * @param lost the groups that have lost units, new or changed
   * @param more whether another poll has more changes to report
   */
  public QueueChanges(long term, boolean reset, Map<RepairGrant, RepairEnd> ended,
      List<GroupId> gone, List<LostGroup> lost, boolean more) {
    this.term = term;
    this.reset = reset;
    this.ended = Collections.unmodifiableMap(ended);
    this.gone = Collections.unmodifiableList(gone);
    this.lost = Collections.unmodifiableList(lost);
    this.more = more;
  }

  /** @return whether the queue has more groups to look at, so that another poll is worth it */
  public boolean hasMore() {
    return more;
  }

  @Override
  public String toString() {
    return "term " + term + (reset ? ", reset" : "") + ", ended " + ended + ", gone " + gone
        + ", lost " + lost + (more ? ", more" : "");
  }
}
