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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;

/** DataNodes with update logs that answer as a test says. */
final class FakeLogs implements LogNodes, LogQuestions {
  private final Map<String, NodeRef> live = new LinkedHashMap<>();
  private final Map<String, LogPosition> positions = new HashMap<>();
  final List<UpdateTicket> begun = new ArrayList<>();
  private final List<String> orders = new ArrayList<>();
  private final List<Consumer<String>> waiting = new ArrayList<>();
  private final Set<String> unsealed = new HashSet<>();
  private Runnable beforeBegin = () -> { };
  private Runnable whenAsked = () -> { };
  private int asked;
  private boolean mayBegin = true;
  private boolean isSilent;

  FakeLogs(int nodes) {
    for (int i = 0; i < nodes; i++) {
      add("n" + i);
    }
  }

  void add(String uuid) {
    live.put(uuid, new NodeRef(uuid, "127.0.0.1", "localhost", 1, 2, "/" + uuid));
  }

  /** Lets a node not know sealed tickets. */
  void withoutSeal(String uuid) {
    unsealed.add(uuid);
  }

  void remove(String uuid) {
    live.remove(uuid);
  }

  /** Lets a node answer with a position about all units; null lets it not answer. */
  void answer(String uuid, LogPosition position) {
    positions.put(uuid, position);
  }

  void mayBegin(boolean may) {
    mayBegin = may;
  }

  void beforeBegin(Runnable what) {
    beforeBegin = what;
  }

  void whenAsked(Runnable what) {
    whenAsked = what;
  }

  /** Returns how often positions were asked for. */
  int asked() {
    return asked;
  }

  /** Lets nodes not answer orders. */
  void silent(boolean is) {
    isSilent = is;
  }

  /** Returns the orders since the last call, as UUID of the file and of the node. */
  List<String> takeOrders() {
    List<String> taken = new ArrayList<>(orders);
    orders.clear();
    return taken;
  }

  @Override
  public Optional<NodeRef> live(String uuid) {
    return Optional.ofNullable(live.get(uuid));
  }

  @Override
  public List<NodeRef> live() {
    return List.copyOf(live.values());
  }

  @Override
  public boolean knowsSealed(String uuid) {
    return !unsealed.contains(uuid);
  }

  @Override
  public boolean areKnown() {
    return true;
  }

  @Override
  public List<Map<String, LogPosition>> positions(List<Question> questions) {
    asked++;
    whenAsked.run();
    List<Map<String, LogPosition>> answers = new ArrayList<>();
    for (Question question : questions) {
      Map<String, LogPosition> ofUnit = new HashMap<>();
      for (NodeRef node : question.nodes) {
        if (positions.get(node.uuid) != null) {
          ofUnit.put(node.uuid, positions.get(node.uuid));
        }
      }
      answers.add(ofUnit);
    }
    return answers;
  }

  @Override
  public boolean begin(SignedTicket ticket) {
    beforeBegin.run();
    begun.add(ticket.ticket);
    return mayBegin;
  }

  @Override
  public void drop(SignedTicket ticket, NodeRef node, Consumer<String> done) {
    orders.add(ticket.ticket.unit.file + " " + node.uuid);
    if (isSilent) {
      waiting.add(done);
    } else {
      done.accept(node.uuid);
    }
  }

  @Override
  public int orders() {
    return waiting.size();
  }
}
