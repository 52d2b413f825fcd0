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
package org.hdfsppr.namenode.commit;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;

/** The requests that commits send to the holders of update logs. Thread-safe. */
@InterfaceAudience.Private
public interface CommitLogs {
  /**
   * Has the leader of a log begin the ticket's term at all holders of the log.
   *
   * @param ticket names the term and the holders, with a token that has COPY
   * @throws IOException if the term has not begun at all holders
   */
  void begin(SignedTicket ticket) throws IOException;

  /**
   * Asks the leader of a log for a page of its list of updates.
   *
   * @param ticket names the log and its leader, with a token that has COPY
   * @param after the number of the last update that the caller has; 0 for none
   * @return the next updates, which may not be all of them
   * @throws IOException if the leader is in another term, or does not answer
   */
  LogPage list(SignedTicket ticket, long after) throws IOException;

  /**
   * Asks the holders of a unit's log whether any of them knows a term of the unit. A writer of one
   * unit gets tickets for all units of the group, but holders learn of a unit's term only with its
   * first update.
   *
   * @param ticket a ticket of the unit's first term, with a token that has COPY
   * @return false if no holder knows a term; then no update of the unit was ever acknowledged
   * @throws IOException if a holder does not answer
   */
  boolean hasBegun(SignedTicket ticket) throws IOException;

  /**
   * Has a DataNode drop the updates of a file up to and including those of a commit.
   *
   * @param ticket a ticket of any unit of the file, with a token that has COPY
   * @param node the DataNode
   * @param commit the number of the commit, which is published
   * @throws IOException if the DataNode has not dropped them
   */
  void trim(SignedTicket ticket, NodeRef node, long commit) throws IOException;
}
