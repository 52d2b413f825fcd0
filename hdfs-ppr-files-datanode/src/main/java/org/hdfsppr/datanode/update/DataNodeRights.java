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

/** Decides by the block token in a ticket what its bearer may do. Thread-safe. */
@InterfaceAudience.Private
public final class DataNodeRights implements UpdateRights {
  private final TicketTokens tokens;

  /** @param tokens checks and makes tokens */
  public DataNodeRights(TicketTokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public NodeRef self() {
    return tokens.self();
  }

  @Override
  public String mayWrite(SignedTicket ticket) {
    String why = tokens.mayWrite(ticket);
    // In a cluster without block tokens, any caller can send a ticket, and this node connects to
    // the followers that the ticket names. So their addresses are checked.
    return why != null ? why : tokens.cannotBeDataNodes(ticket.ticket.followers());
  }

  @Override
  public String mayRead(SignedTicket ticket) {
    String why = tokens.mayRead(ticket);
    return why != null ? why : tokens.cannotBeDataNodes(ticket.ticket.followers());
  }

  @Override
  public String isPeer(SignedTicket ticket) {
    return tokens.isPeer(ticket);
  }

  @Override
  public String mayBegin(SignedTicket ticket) {
    String why = isPeer(ticket);
    return why != null ? why : tokens.cannotBeDataNodes(ticket.ticket.followers());
  }

  @Override
  public SignedTicket asPeer(SignedTicket ticket) throws IOException {
    return tokens.asPeer(ticket);
  }
}
