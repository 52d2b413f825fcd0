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
package org.hdfsppr.namenode.version;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/** Has every byte of the groups of a new file checked, one after the other. One thread. */
@InterfaceAudience.Private
final class FullCheck {
  /** How long a check may take beyond the time that its rate needs, ms. */
  private static final long MS_EXTRA = 600_000;
  /** How often a check is ordered at the most; a node that checks for an operator refuses. */
  private static final int TRIES_MAX = 5;
  /** How long a group waits after a check that did not end, so that its cause can pass, ms. */
  static final long REST_MS = 1_000;

  private final EngineParts parts;
  private final VersionContext context;
  private final GroupPolicy code;
  private final String what;
  private final boolean isUrgent;

  private FileGroup group;
  private List<Holder> holders;
  private final NodeNotes nodes;
  private ScrubCommand command;
  /** Null while the group waits for its next order. */
  private OrderDesk.Order order;
  /** When the group is ordered again, monotonic ms; only while there is no order. */
  private long dueMs;
  private int tries;

  /**
   * @param what the file, for sentences
   * @param isUrgent whether DataNodes fetch the orders before their next regular heartbeat
   */
  FullCheck(VersionContext context, String what, boolean isUrgent) {
    this.what = what;
    this.isUrgent = isUrgent;
    this.context = context;
    this.parts = context.parts;
    this.code = context.code;
    this.nodes = new NodeNotes(parts.door);
  }

  void begin(FileGroup next, List<Holder> units) throws VersionStopException {
    int wanted = GroupMaking.units(next.bytes(), code);
    if (units.stream().map(Holder::unit).distinct().count() < wanted) {
      // A check of the others would say that they agree.
      throw new VersionStopException(VersionEnd.FAILED, "not all units of " + next.id()
          + " of " + what + " can be read and checked, only " + units.size() + " of " + wanted);
    }
    group = next;
    holders = units;
    tries = 0;
    order();
  }

  private void order() throws VersionStopException {
    if (tries++ == TRIES_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "no DataNode has checked " + group.id()
          + " of " + what + " in " + TRIES_MAX + " tries; try again, or without a full check");
    }
    NodeRef lead = holders.get((tries - 1) % holders.size()).node();
    long rate = parts.settings.nodeBytesPerSecond();
    long deadline = MS_EXTRA + 1_000 * (group.bytes() / code.dataUnits() + code.cellBytes()) / rate;
    String id = parts.desk.newId();
    order = parts.desk.open(id, lead.uuid(), context.term, deadline, parts.clockMs.getAsLong(),
        context.news);
    List<Holder> chain = new ArrayList<>(holders);
    chain.sort(Comparator.comparing((Holder holder) -> !holder.node().equals(lead))
        .thenComparing(holder -> holder.node().rack()).thenComparing(Holder::unit));
    command = ScrubCommand.of(id, context.term).group(group.id(), group.bytes())
        .code(code.codec(), code.dataUnits(), code.parityUnits(), code.cellBytes())
        .holders(chain).bytesPerSecond(rate).deadlineMs(deadline).build();
    if (!parts.door.canWork(lead.uuid()) || !send()) {
      parts.desk.close(order);
      order();
    }
  }

  private boolean send() {
    return order.send(parts.clockMs.getAsLong(), () -> {
      boolean hasPlace = parts.door.check(order.uuid(), command);
      if (hasPlace && isUrgent) {
        parts.door.hurry(order.uuid());
      }
      return hasPlace;
    });
  }

  /** Returns whether the group is checked; orders again if a node could not check it. */
  boolean isDone() throws VersionStopException {
    long now = parts.clockMs.getAsLong();
    if (order == null) {
      if (now >= dueMs) {
        order();
      }
      return false;
    }
    RepairResult result = order.result();
    if (result == null && !order.isLate(now) && !nodes.isGone(order.uuid(), now)) {
      send();
      return false;
    }
    cancel();
    if (result != null && result.scrub() != null) {
      if (result.scrub().outcome() == ScrubOutcome.AGREES) {
        return true;
      }
      if (result.scrub().outcome() == ScrubOutcome.CONTRADICTION) {
        throw VersionStopException.forGood("the units of " + group.id()
            + " of " + what + " contradict each other: " + result.message());
      }
    }
    order = null;
    dueMs = now + REST_MS;
    return false;
  }

  /** Takes the order back, if it has not ended. */
  void cancel() {
    if (order == null) {
      return;
    }
    if (order.result() == null) {
      parts.door.cancel(order.uuid(), order.id(), order.term());
    }
    parts.desk.close(order);
  }
}
