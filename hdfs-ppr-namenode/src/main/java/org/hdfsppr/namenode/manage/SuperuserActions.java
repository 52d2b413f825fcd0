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
package org.hdfsppr.namenode.manage;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.namenode.manage.charge.PauseKeeper;
import org.hdfsppr.namenode.manage.core.CoreDoubts;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.launch.WaitingGroups;
import org.hdfsppr.namenode.manage.operator.BlockNames;
import org.hdfsppr.namenode.manage.operator.Outcome;
import org.hdfsppr.namenode.manage.operator.SuperuserOperations;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.Headline;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.plan.GroupId;

/** Carries out the operations that superusers ask for. Used by the manager's thread. */
final class SuperuserActions implements SuperuserOperations {
  private final ManagerKnowledge known;
  private final DoubtKeeper keptDoubts;
  private final CoreDoubts coreDoubts;
  private final FaultyNodes faulty;
  private final WaitingGroups waiting;
  private final IntConsumer press;
  private final IntSupplier pressure;

  SuperuserActions(ManagerKnowledge known, DoubtKeeper keptDoubts, CoreDoubts coreDoubts,
      FaultyNodes faulty,
      WaitingGroups waiting, IntConsumer press, IntSupplier pressure) {
    this.known = known;
    this.keptDoubts = keptDoubts;
    this.coreDoubts = coreDoubts;
    this.faulty = faulty;
    this.waiting = waiting;
    this.press = press;
    this.pressure = pressure;
  }

  @Override
  public Outcome undoubt(long groupId) {
    // The NameNode may hold a group back although this manager has forgotten the doubt.
    boolean was = known.books.letGo(new GroupId(known.cluster.blockPoolId(), groupId, 0));
    for (GroupId group : known.doubts.find(groupId)) {
      was |= keptDoubts.end(group);
      known.retries.forget(group);
      if (known.charge.isActive() && known.groups.state(group) != GroupState.AT_WORK) {
        look(group).forEach(anew -> waiting.put(anew, known.clockMs.getAsLong()));
      }
    }
    String name = BlockNames.nameOf(groupId);
    if (was) {
      // That the block group's own units are right says nothing about blocks of other files.
      int left = coreDoubts.contradicted(groupId);
      return Outcome.done("The doubt about " + name + " is ended" + (left == 0 ? "" : ". "
          + columns(left) + " of CORE that it is in may not be read yet: if 'hdfs ppr -core -check'"
          + " finds them right, run this command again"));
    }
    int lifted = coreDoubts.lift(groupId);
    return lifted > 0
        ? Outcome.done(columns(lifted) + " of CORE that " + name + " is in may be read again")
        : Outcome.refused("There is no doubt about " + name + " here");
  }

  private static String columns(int count) {
    return count == 1 ? "1 column" : count + " columns";
  }

  @Override
  public Outcome doubt(long groupId, int wrongUnit) {
    String name = BlockNames.nameOf(groupId);
    if (!known.charge.isActive()) {
      return Outcome.refused("This NameNode is not active, or is in safe mode: it keeps no doubts");
    }
    LostGroup group = known.books.find(groupId).orElse(null);
    if (group == null) {
      return Outcome.refused("There is no block group " + name + " here");
    }
    int units = group.policy.dataUnits + group.policy.parityUnits;
    if (group.live.isEmpty() || wrongUnit >= units) {
      return Outcome.refused(name + " has no such unit");
    }
    boolean was = known.doubts.isOpen(group.id) && !known.doubts.isSuspected(group.id);
    if (!keptDoubts.contradiction(group, wrongUnit)) {
      return Outcome.refused(name + " cannot be kept from stock: it is gone, or too many are");
    }
    return Outcome.done(was ? name + " was doubted already"
        : name + " is doubted: every byte of its repairs is checked, and stock does not decode it");
  }

  private Collection<LostGroup> look(GroupId group) {
    return known.books.look(Collections.singleton(group));
  }

  @Override
  public Outcome readmit(String name) {
    String uuid = known.cluster.uuidOf(name);
    boolean was = faulty.readmit(uuid) | known.retries.readmit(uuid);
    return was ? Outcome.done("DataNode " + uuid + " takes part again")
        : Outcome.refused("No DataNode '" + name + "' is kept out of repairs here; name it by its"
            + " UUID, or as HOST:PORT with its transfer port");
  }

  @Override
  public Outcome pause(long ms) {
    boolean isEndless = ms == UNTIL_RESUMED;
    known.pauses.begin(known.clockMs.getAsLong(), isEndless ? PauseKeeper.UNTIL_RESUMED : ms);
    int atRisk = known.queue.bySpareUnits().getOrDefault(0, 0);
    return Outcome.done("Repairs are paused "
        + (isEndless ? "until 'hdfs ppr -resume'" : "for " + Headline.time(ms / 1e3)) + ": "
        + known.tracker.size() + " under way go on, " + known.queue.size() + " groups wait, "
        + atRisk + " of them without a spare unit. This NameNode keeps the pause in its memory: a"
        + " restart ends it, and after a failover only the other NameNode's own pause counts");
  }

  @Override
  public Outcome leaveToStock(long ms) {
    boolean isEndless = ms == UNTIL_RESUMED;
    known.pauses.leaveToStock(known.clockMs.getAsLong(),
        isEndless ? PauseKeeper.UNTIL_RESUMED : ms);
    return Outcome.done("All repairs are left to stock "
        + (isEndless ? "until 'hdfs ppr -resume'" : "for " + Headline.time(ms / 1e3)) + ": "
        + known.queue.size() + " groups go to stock, " + known.tracker.size()
        + " repairs under way go on, " + known.doubts.open().size()
        + " doubted groups stay kept from stock. This NameNode keeps that in its memory: a restart"
        + " ends it, and after a failover only the other NameNode's own counts");
  }

  @Override
  public Outcome resume() {
    boolean wasStocks = known.pauses.isStocks();
    if (!known.pauses.end(known.clockMs.getAsLong())) {
      return Outcome.refused("Repairs are neither paused here nor left to stock");
    }
    return Outcome.done(wasStocks ? "Repairs are scheduled here again, if enough DataNodes take"
        + " part" : "Repairs are resumed: " + known.queue.size() + " groups wait");
  }

  @Override
  public Outcome press(int percent) {
    if (percent == AS_IT_IS) {
      return Outcome.done("Repairs press " + Pressure.name(pressure.getAsInt())
          + " where users are busy" + ifRateIsUnknown());
    }
    press.accept(percent);
    return Outcome.done("Repairs press " + Pressure.name(percent) + " where users are busy, from"
        + " the next heartbeats of the DataNodes on. This NameNode keeps that in its memory: a"
        + " restart goes back to " + PprKeys.PRESSURE_KEY + ifRateIsUnknown());
  }

  private String ifRateIsUnknown() {
    return known.settings.setLinkRate > 0 ? "" : ". But " + PprKeys.NAMENODE_LINK_RATE_KEY
        + " is not set, and repairs yield to users only where it is";
  }

  @Override
  public Outcome prioritize(long groupId) {
    String name = BlockNames.nameOf(groupId);
    if (!known.charge.isActive()) {
      return Outcome.refused("This NameNode is not active, or is in safe mode: it has no queue");
    }
    GroupId group = known.groups.find(groupId).orElse(null);
    GroupState state = group == null ? GroupState.GONE : known.groups.state(group);
    if (state == GroupState.GONE) {
      return Outcome.refused(name + " does not wait here: no loss of it is known, or stock has it;"
          + " 'hdfs ppr -explain " + name + "' says more");
    }
    if (state == GroupState.AT_WORK) {
      return Outcome.refused(name + " is being repaired already" + known.tracker.byGroup(group)
          .map(repair -> ", by repair " + repair.id).orElse(""));
    }
    if (state == GroupState.STOCKS_TURN) {
      return Outcome.refused(name + " is about to go to stock, which repairs it in its own order");
    }
    Optional<LostGroup> queued = known.queue.find(group);
    if (queued.filter(LostGroup::isUnrecoverable).isPresent()) {
      return Outcome.refused(name + " has lost too many units: bring lost DataNodes back first");
    }
    known.retries.prioritize(group);
    if (!known.queue.prioritize(group, Long.MIN_VALUE)) {
      // After a failed repair, the group is in no queue. If the NameNode's queue has it already, it
      // goes back into the manager's queue now. Otherwise, the poll that reports it finds its
      // priority.
      look(group).forEach(anew -> waiting.put(anew, Long.MIN_VALUE));
    }
    return Outcome.done(name + " goes before all other groups"
        + (known.pauses.isOn() ? " when the pause ends" : ""));
  }
}
