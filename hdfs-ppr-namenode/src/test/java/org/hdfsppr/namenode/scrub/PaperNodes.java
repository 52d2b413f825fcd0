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
package org.hdfsppr.namenode.scrub;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** DataNodes and a repair manager that do what a test says. */
final class PaperNodes implements ScrubDataNodes, ScrubGate {
  /** An order that no node has reported about. */
  static final class Order {
    final NodeRef leader;
    final String id;
    final long term;
    final ScrubTarget group;
    final long deadlineMs;

    Order(NodeRef leader, String id, long term, ScrubTarget group, long deadlineMs) {
      this.leader = leader;
      this.id = id;
      this.term = term;
      this.group = group;
      this.deadlineMs = deadlineMs;
    }

    /** Reports what the leader has found. */
    void report(OrderBook book, ScrubOutcome outcome, int wrongUnit, String... suspects) {
      assertTrue(reportBy(leader.uuid, book, outcome, wrongUnit, suspects), "the check is awaited");
    }

    boolean reportBy(String uuid, OrderBook book, ScrubOutcome outcome, int wrongUnit,
        String... suspects) {
      return book.tell(uuid, RepairResult.ofScrub(id, term,
          new ScrubFinding(outcome, wrongUnit, List.of(suspects), 0), "", 0));
    }
  }

  final Map<String, Order> orders = new LinkedHashMap<>();
  final List<String> cancelled = new ArrayList<>();
  final Set<String> withoutPlugin = new HashSet<>();
  final Set<Long> doubted = new HashSet<>();
  final List<String> doubts = new ArrayList<>();
  /** A group that cannot be ordered; 0 for none. */
  long poison;
  boolean isActive = true;
  boolean takesDoubts = true;
  long term = 7;
  /** Whether the nodes have no place for orders. */
  boolean isFull;
  String whyNot;
  /** Of one NameNode; another one knows nothing of its checks. */
  LinkLoads links = new LinkLoads();

  @Override
  public boolean canLead(String uuid) {
    return !withoutPlugin.contains(uuid);
  }

  @Override
  public boolean order(NodeRef leader, String checkId, long inTerm, ScrubTarget group,
      long bytesPerSecond, long deadlineMs) {
    if (group.id().groupId == poison) {
      throw new IllegalArgumentException("no message describes " + group);
    }
    if (isFull) {
      return false;
    }
    orders.put(checkId, new Order(leader, checkId, inTerm, group, deadlineMs));
    return true;
  }

  @Override
  public void cancel(NodeRef leader, String checkId, long inTerm) {
    cancelled.add(checkId);
  }

  @Override
  public boolean isActive() {
    return isActive;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public Optional<String> whyNot() {
    return Optional.ofNullable(whyNot);
  }

  @Override
  public LinkLoads links() {
    return links;
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return doubted.contains(group.groupId);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    if (takesDoubts) {
      doubts.add(group.groupId + " unit " + wrongUnit);
      doubted.add(group.groupId);
    }
    return takesDoubts;
  }

  /** Returns all orders and forgets them. */
  List<Order> take() {
    List<Order> taken = new ArrayList<>(orders.values());
    orders.clear();
    return taken;
  }
}
