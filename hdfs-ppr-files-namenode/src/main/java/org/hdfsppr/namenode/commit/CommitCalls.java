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
import org.hdfsppr.namenode.update.NodeCalls;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.BeginTermRequest;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateRequest;

/** Sends the requests of commits to the DataNodes that hold update logs. Thread-safe. */
@InterfaceAudience.Private
public final class CommitCalls implements CommitLogs {
  /**
   * How long a request may wait for the next byte of an answer, ms. When a leader begins a term, it
   * may have to copy a log to a new follower. It gives up after a few of its own stall timeouts,
   * and this time is longer than that.
   */
  private static final int TIMEOUT_MS = 60_000;

  private final NodeCalls calls;

  /** @param calls connections to DataNodes; the caller closes it */
  public CommitCalls(NodeCalls calls) {
    this.calls = calls;
  }

  @Override
  public void begin(SignedTicket ticket) throws IOException {
    ask(ticket.ticket.leader(), new BeginTermRequest(ticket));
  }

  @Override
  public LogPage list(SignedTicket ticket, long after) throws IOException {
    NodeRef leader = ticket.ticket.leader();
    UpdateAnswer answer = ask(leader, new ListLogRequest(ticket, after));
    if (answer.position.term != ticket.ticket.term || !answer.position.complete) {
      throw new IOException("DataNode " + leader + " is in term " + answer.position.term
          + (answer.position.complete ? "" : ", not complete") + ", not in that of "
          + ticket.ticket);
    }
    return new LogPage(answer.records, answer.position.last);
  }

  @Override
  public boolean hasBegun(SignedTicket ticket) throws IOException {
    for (NodeRef holder : ticket.ticket.holders) {
      if (ask(holder, new ListLogRequest(ticket, 0)).position.term != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void trim(SignedTicket ticket, NodeRef node, long commit) throws IOException {
    ask(node, new TrimRequest(ticket, commit));
  }

  private UpdateAnswer ask(NodeRef node, UpdateRequest request) throws IOException {
    return calls.ask(node, request, TIMEOUT_MS);
  }
}
