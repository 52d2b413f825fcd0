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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;

/**
 * The findings of a {@link ReconstructionQueue#poll}. Apply them in the order of the methods here.
 * Immutable.
 */
@InterfaceAudience.Private
public final class QueueChanges {
  private final long term;
  private final boolean reset;
  private final List<RepairEnd> ended;
  private final List<GroupId> gone;
  private final List<LostGroup> lost;
  private final boolean more;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param term the term of the books
   * @param reset whether the queue started afresh
   * @param ended the repairs that ended
   * @param gone the groups that are not lost any more
   * @param lost the groups that have lost units, new or changed
   * @param more whether another poll has more to report
   */
  public QueueChanges(long term, boolean reset, List<RepairEnd> ended, List<GroupId> gone,
      List<LostGroup> lost, boolean more) {
    this.term = term;
    this.reset = reset;
    this.ended = Collections.unmodifiableList(ended);
    this.gone = Collections.unmodifiableList(gone);
    this.lost = Collections.unmodifiableList(lost);
    this.more = more;
  }

  /** @return the term of all these changes */
  public long term() {
    return term;
  }

  /**
   * Whether the queue started afresh: forget all groups that were polled before. Repairs under way
   * are not touched; they end one by one.
   *
   * @return whether it did
   */
  public boolean isReset() {
    return reset;
  }

  /** @return repairs that ended other than by {@link ReconstructionQueue#abort}, each once */
  public List<RepairEnd> ended() {
    return ended;
  }

  /** @return groups polled before that are not claimed any more: whole, deleted, or with stock */
  public List<GroupId> gone() {
    return gone;
  }

  /**
   * @return groups to repair: new ones, and ones known already that replace what was known of them
   */
  public List<LostGroup> lost() {
    return lost;
  }

  /** @return whether another poll has more to look at */
  public boolean hasMore() {
    return more;
  }

  @Override
  public String toString() {
    return "term " + term + (reset ? ", reset" : "") + ", ended " + ended + ", gone " + gone
        + ", lost " + lost + (more ? ", more" : "");
  }
}
