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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;

/**
 * Asks all followers whether a term still goes on. Each later term includes at least one holder of
 * this term, and an update is acknowledged only when all holders have it. So if no follower knows a
 * later term, this node has all updates that were acknowledged before it asked. Used by one thread.
 */
@InterfaceAudience.Private
final class LeadCheck {
  private static final byte[] NO_DATA = new byte[0];

  private final SignedTicket asPeer;
  private final UpdateLog log;
  private final FollowerCall.Ways ways;
  private final boolean begun;

  /**
   * @param asPeer the ticket of the term with a token for the followers
   * @param log the log of this node
   * @param ways the ways to the followers
   * @param begun whether the term has begun; otherwise it has no updates
   */
  LeadCheck(SignedTicket asPeer, UpdateLog log, FollowerCall.Ways ways, boolean begun) {
    this.asPeer = asPeer;
    this.log = log;
    this.ways = ways;
    this.begun = begun;
  }

  private Ticket ticket() {
    return asPeer.ticket;
  }

  /**
   * Returns why this node does not lead any more, or cannot know whether it does; null if it leads.
   *
   * @param isDurable whether all holders also sync all updates to their disks
   */
  UpdateAnswer whyNot(boolean isDurable) {
    Optional<UnitState> known = log.state(ticket().unit);
    if (begun && !(known.isPresent() && known.get().term == ticket().term)) {
      return refused(UpdateStatus.STALE_TERM, "this DataNode follows in another term");
    }
    List<FollowerCall> calls = new ArrayList<>();
    try {
      for (NodeRef follower : ticket().followers()) {
        calls.add(FollowerCall.send(ways, follower, new ReplicateRequest(asPeer, null,
            Collections.emptyList(), isDurable, Payload.of(NO_DATA)), NO_DATA));
      }
      UpdateAnswer failure = isDurable ? sync() : null;
      for (FollowerCall call : calls) {
        UpdateAnswer answer = call.answer();
        failure = failure != null ? failure
            : answer.isDone() ? whyNot(answer.position, known) : answer;
      }
      return failure;
    } finally {
      calls.forEach(FollowerCall::close);
    }
  }

  /** Returns why a follower's log is not in this term with all updates; null if it is. */
  private UpdateAnswer whyNot(LogPosition has, Optional<UnitState> known) {
    if (has.term > ticket().term) {
      return refused(UpdateStatus.STALE_TERM, "term " + has.term + " has begun");
    }
    boolean isInTerm = has.term == ticket().term;
    // A follower that lacks updates has restarted meanwhile and lost them.
    boolean isWhole = isInTerm && has.complete && known.isPresent()
        && has.last == known.get().last;
    return begun && isWhole || !begun && !isInTerm ? null
        : refused(UpdateStatus.TERM_OVER, "a follower has the log of term " + has.term
            + " up to update " + has.last);
  }

  private UpdateAnswer sync() {
    try {
      log.sync(ways.timeoutMs);
      return null;
    } catch (IOException e) {
      return LogRefusals.of(e, "Sync for " + ticket(),
          LogRefusals.position(log, ticket().unit));
    }
  }

  private UpdateAnswer refused(UpdateStatus status, String message) {
    return UpdateAnswer.refused(status, message, null,
        LogRefusals.position(log, ticket().unit));
  }
}
