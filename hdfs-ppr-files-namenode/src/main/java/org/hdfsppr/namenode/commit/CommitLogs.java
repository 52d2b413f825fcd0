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

/** What commits ask the holders of logs. Thread-safe. */
@InterfaceAudience.Private
public interface CommitLogs {
  /**
   * Has the leader begin the ticket's term at all holders.
   *
   * @param ticket a ticket, with a token that has COPY
   * @throws IOException if the term has not begun at all of them
   */
  void begin(SignedTicket ticket) throws IOException;

  /**
   * Asks the leader for updates.
   *
   * @param ticket a ticket, with a token that has COPY
   * @param after the number of the last update that the caller knows; 0 for none
   * @return some updates
   * @throws IOException if the leader is in another term, or does not answer
   */
  LogPage list(SignedTicket ticket, long after) throws IOException;

  /**
   * Asks the holders of a unit whether any of them knows a term of it. A writer of one unit gets
   * tickets for all units of the group, but the term of a unit begins only with its first update.
   *
   * @param ticket a ticket of the unit's first term, with a token that has COPY
   * @return false if no holder knows one, so that the unit has no update that was acknowledged
   * @throws IOException if a holder does not answer
   */
  boolean hasBegun(SignedTicket ticket) throws IOException;

  /**
   * Has a node drop the updates of a file up to a commit.
   *
   * @param ticket a ticket of any unit of the file, with a token that has COPY
   * @param node the node
   * @param commit the commit, which is published
   * @throws IOException if the node has not done it
   */
  void trim(SignedTicket ticket, NodeRef node, long commit) throws IOException;
}
