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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;

/** Decides what the bearer of a ticket may do at this node. Thread-safe. */
@InterfaceAudience.Private
public interface UpdateRights {
  NodeRef self();

  /**
   * @param ticket a ticket that names this node as the leader
   * @return why its bearer may not write here; null if it may
   */
  String mayWrite(SignedTicket ticket);

  /**
   * @param ticket a ticket that names this node as the leader
   * @return why its bearer may not read; null if it may
   */
  String mayRead(SignedTicket ticket);

  /**
   * @param ticket a ticket
   * @return why its bearer is no DataNode or NameNode of the cluster; null if it is
   */
  String isPeer(SignedTicket ticket);

  /**
   * @param ticket a ticket that names this node as the leader
   * @return why its bearer may not make this node begin the term, for which this node connects to
   *     the ticket's followers; null if it may
   */
  String mayBegin(SignedTicket ticket);

  /**
   * @param ticket a ticket that {@link #mayWrite} or {@link #mayRead} allows
   * @return the ticket with a token by which the other holders accept requests of this node
   * @throws IOException if this node cannot make a token
   */
  SignedTicket asPeer(SignedTicket ticket) throws IOException;
}
