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

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;

/** Asks DataNodes about their update logs, and orders them to change these logs. */
@InterfaceAudience.Private
public interface LogQuestions {
  /** Asks some DataNodes how far their logs of a unit are. Immutable. */
  final class Question {
    /** A ticket of the unit; null if there are no DataNodes to ask */
    public final SignedTicket ticket;
    /** The DataNodes to ask */
    public final List<NodeRef> nodes;

    /**
     * @param ticket a ticket of the unit, with a token that has COPY; null if there are no
     *     DataNodes to ask
     * @param nodes the DataNodes to ask
     */
    public Question(SignedTicket ticket, List<NodeRef> nodes) {
      this.ticket = ticket;
      this.nodes = List.copyOf(nodes);
    }
  }

  /**
   * Asks DataNodes how far their logs are.
   *
   * @param questions the questions; all DataNodes of all questions are asked at the same time
   * @return one map for each question: the positions of those DataNodes that answered in time, by
   *     UUID
   */
  List<Map<String, LogPosition>> positions(List<Question> questions);

  /**
   * Has the term of a ticket begin at all its holders, unless it has begun already.
   *
   * @param ticket a ticket of the term, with a token that has WRITE
   * @return whether it has begun at all of them
   */
  boolean begin(SignedTicket ticket);

  /**
   * Orders a DataNode to drop all updates of a file from its log. Does not wait for the answer.
   *
   * @param ticket a ticket of the file, with a token that has COPY
   * @param node the DataNode
   * @param done is called with the UUID of the DataNode when it has dropped them, on any thread
   */
  void drop(SignedTicket ticket, NodeRef node, Consumer<String> done);

  /** @return how many orders to drop updates have not been answered yet */
  int orders();
}
