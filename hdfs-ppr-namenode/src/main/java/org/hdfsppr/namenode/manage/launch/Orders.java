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
package org.hdfsppr.namenode.manage.launch;

import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.manage.endings.Endings;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.track.Concession;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the commands of a grant. It orders each command when DataNodes have reported that all
 * commands on which this command depends are done. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class Orders {
  private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

  private final ManagerKnowledge known;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Fleet fleet;
  private final Endings endings;

  /**
   * Makes an instance that has ordered no commands yet.
   *
   * @param known what the manager knows
   * @param fleet the load of each DataNode
   * @param endings ends repairs
   */
  public Orders(ManagerKnowledge known, Fleet fleet, Endings endings) {
    this.known = known;
    this.fleet = fleet;
    this.endings = endings;
  }

  /**
   * Orders the commands that depend on a command that has been reported as done, if they wait for
   * no other command.
   *
   * @param reported the command that has been reported as done
   * @param nowMs the time now, monotonic, ms
   */
  public void follow(Repair reported, long nowMs) {
    GrantRecord record =
        known.tracker.grant(reported.assignment.group.id).orElse(null);
    if (record == null || record.isSingle()) {
      return;
    }
    if (record.grant.term != known.books.term()) {
      // DataNodes refuse commands of an old term.
      endings.fail(reported, EndReason.TERM_OVER,
          "its term is over, and commands under it have not begun", null, false);
      return;
    }
    orderNext(record, nowMs);
  }

  /** Orders the commands under a grant that wait for no other command any more. */
  void orderNext(GrantRecord record, long nowMs) {
    for (Repair repair : known.tracker.next(record)) {
      // If a command cannot be ordered, the grant ends with all its commands.
      if (known.tracker.byId(repair.id).isPresent()) {
        order(repair, nowMs);
      }
    }
  }

  private void order(Repair repair, long nowMs) {
    String destination = repair.destination().uuid;
    try {
      boolean trusts = known.groups.hasConceded(repair.assignment.group.id,
          Concession.WITH_DISTRUSTED);
      RepairCommand command = Commands.of(repair, nowMs, node -> mayRead(repair, node),
          trusts ? UnaryOperator.identity() : known.agents::asTrusted);
      if (known.agents.live(destination).map(agent -> agent.order(command)).orElse(false)) {
        known.metrics.started();
        if (repair.assignment.column().isPresent()) {
          known.metrics.startedByColumn();
        }
      } else {
        endings.fail(repair, EndReason.NO_ORDERS, "its destination takes no orders", destination,
            false);
      }
    } catch (RuntimeException | LinkageError e) {
      // An error in one command must not keep the other commands from being ordered.
      peerLog.error(e.getClass().getName(), "{} cannot be ordered", repair, e);
      endings.fail(repair, EndReason.ERROR, e.toString(), null, false);
    }
  }

  /**
   * Returns whether the command may name this node to the destination. It may name a node that is
   * not kept out of repairs. Once a repair of the group has failed, or if there is no plan without
   * the nodes that are kept out, it may name every node. If units of the group contradict each
   * other, it also names every node, because the destination needs all units to find the wrong one.
   */
  private boolean mayRead(Repair repair, NodeRef node) {
    NodeState state = fleet.find(node);
    GroupId group = repair.assignment.group.id;
    return state != null && state.isUsable() || known.retries.hasFailed(group)
        || known.groups.hasConceded(group, Concession.WITH_FAILING)
        || known.groups.isDoubtOpen(group);
  }
}
