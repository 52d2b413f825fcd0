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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;

/** Finds out whether logs have updates of a file that no version of the file has. */
final class PendingUpdates {
  /**
   * The block id in tickets for files that may have no block any more. HDFS counts the ids of block
   * groups upwards from {@link Long#MIN_VALUE}, and never comes to this one.
   */
  private static final long NO_BLOCK = -16;

  private final TicketParts parts;

  PendingUpdates(TicketParts parts) {
    this.parts = parts;
  }

  /** Returns a ticket for the NameNode's own questions and orders about a file. */
  static SignedTicket ticket(UpdateNamespace namespace, UnitId unit, NodeRef node)
      throws IOException {
    return namespace.sign(new UpdateTicket(unit, new BlockRef(namespace.poolId(), NO_BLOCK, 1, 0),
        1, 0,
        1, List.of(node)), AccessMode.COPY);
  }

  /** Throws an exception if a look at the logs has taken too long. */
  interface Bound {
    void check() throws IOException;
  }

  /**
   * Asks the DataNodes. Returns true if certainly no log has updates of the file that no version
   * has; false also if too few DataNodes answer.
   */
  boolean isFree(UUID file) throws IOException {
    return isFree(file, () -> { });
  }

  /**
   * Like {@link #isFree(UUID)}, for a bounded time.
   *
   * @param bound is called before each group, and throws an exception when the time is over
   */
  boolean isFree(UUID file, Bound bound) throws IOException {
    for (int ordinal : parts.folder.groups(file)) {
      bound.check();
      GroupTerms terms =
          TermRecord.read(parts.namespace, parts.folder, file, ordinal).terms();
      if (!isFree(file, ordinal, terms)) {
        return false;
      }
    }
    return true;
  }

  private boolean isFree(UUID file, int ordinal, GroupTerms terms) throws IOException {
    List<UnitTerm> units = new ArrayList<>(terms.all());
    List<LogQuestions.Question> questions = new ArrayList<>();
    for (UnitTerm term : units) {
      Set<String> uuids = new LinkedHashSet<>(term.holders);
      uuids.addAll(term.history);
      List<NodeRef> live = new ArrayList<>();
      uuids.forEach(uuid -> parts.nodes.live(uuid).ifPresent(live::add));
      if (live.isEmpty()) {
        return false;
      }
      questions.add(new LogQuestions.Question(ticket(parts.namespace,
          new UnitId(file, ordinal, term.unit), live.get(0)), live));
    }
    List<Map<String, LogPosition>> answers = parts.questions.positions(questions);
    for (int i = 0; i < units.size(); i++) {
      NextTerm next = NextTerm.of(units.get(i), answers.get(i));
      // A node that may lead the next term has all updates that may have been acknowledged, so its
      // log decides.
      if (next == null || answers.get(i).get(next.leaders.get(0)).pending != 0) {
        return false;
      }
    }
    return true;
  }
}
