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

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which nodes may be destinations of a group. If no plan keeps the rules, it relaxes one
 * rule after the other for this group, and at last leaves the group to stock. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class DestinationRules {
  private static final Logger LOG = LoggerFactory.getLogger(DestinationRules.class);

  /**
   * How long a group without a plan waits for a node that has no other block of the unit's column
   * of CORE, ms. After a restart or a failover, some nodes have not reported their blocks yet, and
   * others are busy or kept out for a moment. The wait is worth it, because a rebuilt unit stays on
   * its node for ever.
   */
  static final long APART_MS = 30_000;
  /**
   * How long a row of a CORE group has no plan before it is left to stock, ms. Stock knows no
   * columns, and may choose a node with another block of the same column.
   */
  static final long STOCK_MS = 60_000;
  /** If a group has not been without a plan for this time, ms, its next wait begins from zero. */
  private static final long FORGET_MS = 180_000;

  /** What this cycle has found while it sought a plan for one group. */
  private static final class Search {
    /** Why nodes were left out. */
    private final Set<DestinationObstacle> obstacles = EnumSet.noneOf(DestinationObstacle.class);
    /** The group, if it has no plan; otherwise null. */
    private LostGroup group;
    /** Why the group has no plan; null if it has one, or if none was sought. */
    private NoPlanReason why;
  }

  /** Since when a group has been without a plan. */
  private static final class Wait {
    private final long sinceMs;
    private long lastMs;

    Wait(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ManagerKnowledge known;
  private final WaitingGroups waiting;
  private final StockHandOver handOver;
  private final UnfitStorages unfit;
  private final Map<GroupId, Search> searches = new LinkedHashMap<>();
  /** The rows of CORE groups that are without a plan; those that have a plan again are removed. */
  private final Map<GroupId, Wait> waits = new HashMap<>();

  /**
   * @param known the state and the settings that the manager's parts share
   * @param waiting puts groups into the queue
   * @param handOver hands groups to stock
   */
  public DestinationRules(ManagerKnowledge known, WaitingGroups waiting, StockHandOver handOver) {
    this.known = known;
    this.waiting = waiting;
    this.handOver = handOver;
    this.unfit = new UnfitStorages(known.clockMs);
  }

  private boolean has(LostGroup group, RelaxedRule concession) {
    return known.groups.hasConceded(group.id, concession);
  }

  private boolean concede(LostGroup group, RelaxedRule concession) {
    return known.groups.concede(group.id, concession);
  }

  private Search search(LostGroup group) {
    return searches.computeIfAbsent(group.id, id -> new Search());
  }

  private void omit(LostGroup group, DestinationObstacle why) {
    search(group).obstacles.add(why);
  }

  private boolean isOmitted(LostGroup group, DestinationObstacle why) {
    return search(group).obstacles.contains(why);
  }

  /** Returns the groups that have no plan in this cycle. */
  private List<LostGroup> withoutPlan() {
    return searches.values().stream().filter(one -> one.why != null).map(one -> one.group)
        .collect(Collectors.toList());
  }

  /**
   * Returns whether a node may be a destination for the group. The dispatcher calls this.
   *
   * @param group the group
   * @param node a candidate for the destination
   * @return whether the node may be the destination
   */
  public boolean accepts(LostGroup group, NodeRef node) {
    Optional<DestinationObstacle> why = obstacleForAll(group, node);
    why.ifPresent(one -> omit(group, one));
    return !why.isPresent();
  }

  /**
   * Returns whether a node may be the destination of one unit: no node gets two blocks of a column
   * of CORE. The dispatcher calls this for nodes that may be destinations for the group.
   *
   * @param group the group
   * @param unit a lost unit of the group
   * @param node a candidate for the unit's destination
   * @return whether the node may be the unit's destination
   */
  public boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
    boolean isBeside = known.core.isBeside(group, unit, node);
    if (isBeside) {
      omit(group, DestinationObstacle.ON_COLUMN);
    }
    return !isBeside;
  }

  /**
   * Returns why a node may not be a destination for the group. This says nothing of nodes that take
   * no part in repairs, are kept out because repairs with them failed, or hold a unit of the group:
   * the dispatcher does not ask about those.
   *
   * @param group the group
   * @param node a candidate for the destination
   * @return the first obstacle; empty if the node may be the destination
   */
  public Optional<DestinationObstacle> obstacle(LostGroup group, NodeRef node) {
    Optional<DestinationObstacle> why = obstacleForAll(group, node);
    boolean isBesideAll = !has(group, RelaxedRule.ON_COLUMN) && !group.lost.isEmpty()
        && group.lost.stream().allMatch(unit -> known.core.isBeside(group, unit, node));
    return why.isEmpty() && isBesideAll ? Optional.of(DestinationObstacle.ON_COLUMN) : why;
  }

  /**
   * Returns the first obstacle that keeps a node from all units of the group. Columns of CORE are
   * not looked at here, because they keep a node from some units only.
   */
  private Optional<DestinationObstacle> obstacleForAll(LostGroup group, NodeRef node) {
    if (unfit.isUnfit(node, group, has(group, RelaxedRule.ANY_STORAGE))) {
      return Optional.of(DestinationObstacle.NO_STORAGE);
    }
    if (known.doubts.isOpen(group.id)
        && !known.agents.live(node.uuid).map(DataNodeAgent::knowsDoubt).orElse(false)) {
      // A node that does not know doubts checks only samples, or nothing if there is no unit to
      // check with.
      return Optional.of(DestinationObstacle.TOO_OLD);
    }
    if (known.agents.distrusted().contains(node.uuid) && !has(group, RelaxedRule.BY_DISTRUSTED)) {
      return Optional.of(DestinationObstacle.DISTRUSTED);
    }
    if (known.cluster.isAvoided(node.uuid) && !has(group, RelaxedRule.ON_AVOIDED)) {
      return Optional.of(DestinationObstacle.AVOIDED);
    }
    if (known.doubts.isOnlyFinder(group.id, node.uuid) && !has(group, RelaxedRule.BY_FINDER)) {
      // A repair with this node as the destination does not end the doubt.
      return Optional.of(DestinationObstacle.FINDER);
    }
    return known.retries.without(group.id).contains(node.uuid)
        ? Optional.of(DestinationObstacle.FAILED_BEFORE)
        : Optional.empty();
  }

  /**
   * Notes that a group has no plan. The dispatcher calls this while it plans, and tries the group
   * again later.
   *
   * @param group the group, as the NameNode describes it
   * @param why the reason why no plan is possible
   */
  public void cannotPlan(LostGroup group, NoPlanReason why) {
    known.metrics.refused(why);
    LOG.debug("{} cannot be planned: {}", group, why);
    Search search = search(group);
    search.group = group;
    search.why = why;
    known.retries.notes.noPlan(group.id, why);
  }

  /**
   * Relaxes a rule for each group that could not be planned, or leaves the group to stock.
   *
   * @param judgesSilence whether nodes that could help have had the time to send heartbeats
   */
  void settle(boolean judgesSilence, long nowMs) {
    sayWhatIsHeld();
    waits.values().removeIf(wait -> nowMs - wait.lastMs > FORGET_MS);
    for (LostGroup group : withoutPlan()) {
      if (group.core.state != CoreWork.State.NONE
          || isOmitted(group, DestinationObstacle.ON_COLUMN)) {
        waits.computeIfAbsent(group.id, id -> new Wait(nowMs)).lastMs = nowMs;
      }
      if (!known.retries.without(group.id).isEmpty()) {
        // A repair with a node that failed before is better than no repair.
        known.retries.forgive(group.id);
        known.books.look(Collections.singleton(group.id)).forEach(anew ->
            waiting.put(anew, known.retries.notBeforeMs(anew.id)));
      } else if (concedes(group, nowMs)) {
        waiting.put(group, nowMs);
      } else if (judgesSilence && hasWaited(group, STOCK_MS, nowMs) && !group.isUnrecoverable()
          && search(group).why != NoPlanReason.NOTHING_LOST) {
        handOver.leave(group, search(group).why.words);
      }
    }
    searches.clear();
  }

  /**
   * Returns whether a group need not wait for a plan any longer: it is no row of a CORE group, or
   * has been without a plan for this time.
   */
  private boolean hasWaited(LostGroup group, long ms, long nowMs) {
    Wait wait = waits.get(group.id);
    return wait == null || nowMs - wait.sinceMs >= ms;
  }

  /**
   * Takes note that a group has a plan.
   *
   * @param group the group
   */
  public void planned(GroupId group) {
    waits.remove(group);
    Search search = searches.get(group);
    if (search != null) {
      search.why = null;
    }
  }

  /**
   * Relaxes one more rule for a group, if that may help.
   *
   * @return whether a rule has been relaxed, so that there may be a plan
   */
  private boolean concedes(LostGroup group, long nowMs) {
    if (isOmitted(group, DestinationObstacle.AVOIDED) && concede(group, RelaxedRule.ON_AVOIDED)) {
      // Stock would wait. This group does not wait, because it has lost a unit and may lose more.
      return true;
    }
    if (isOmitted(group, DestinationObstacle.ON_COLUMN) && !has(group, RelaxedRule.ON_COLUMN)
        && hasWaited(group, APART_MS, nowMs) && concede(group, RelaxedRule.ON_COLUMN)) {
      // Two blocks of one column on a node are better than a row that lacks a unit.
      peerLog.warn("beside", "{} may be repaired onto a DataNode with another block of the same"
          + " column of its CORE group, because no other DataNode has taken its units for {} ms;"
          + " 'hdfs ppr -core -status' counts such columns", group, APART_MS);
      return true;
    }
    if (isOmitted(group, DestinationObstacle.FINDER) && concede(group, RelaxedRule.BY_FINDER)) {
      // The finder's units may be right, and the unit that it rebuilds from them is checked.
      return true;
    }
    if (isOmitted(group, DestinationObstacle.NO_STORAGE)
        && concede(group, RelaxedRule.ANY_STORAGE)) {
      // No node has storage of the preferred type.
      return true;
    }
    if (needsFailing(group) && concede(group, RelaxedRule.WITH_FAILING)) {
      peerLog.warn("failing",
          "{} cannot be repaired without the units of a DataNode that is kept out because repairs"
          + " with it failed. Such DataNodes may take part for this group: {}", group,
          known.retries.quarantined());
      return true;
    }
    if (isOmitted(group, DestinationObstacle.ON_COLUMN) && !has(group, RelaxedRule.ON_COLUMN)) {
      // It waits for a node that may take the unit, and needs no node that calculates wrongly.
      return false;
    }
    if (needsDistrusted(group) && concede(group, RelaxedRule.WITH_DISTRUSTED)) {
      // The sums of such a node are checked as far as possible. Without a repair, the group's next
      // loss may lose data for ever.
      sayDistrusted(group, "has to sum or to send a unit");
      return true;
    }
    if (has(group, RelaxedRule.WITH_DISTRUSTED) && hasDistrustedDestination(group)
        && concede(group, RelaxedRule.BY_DISTRUSTED)) {
      sayDistrusted(group, "is the only destination that is left");
      return true;
    }
    return false;
  }

  /**
   * Takes note that the NameNode refused to begin a planned repair.
   *
   * @param result the NameNode's answer
   * @param nowMs the time now, monotonic, ms
   */
  public void refused(BeginResult result, long nowMs) {
    LostGroup group = result.assignment.group;
    LOG.debug("{}", result);
    known.retries.notes.notBegun(group.id, result.refusal().get(), result.detail);
    switch (result.refusal().get()) {
      case TARGET_UNFIT:
        // The node is not in service, is stale, or has a replica of the group. Only this group
        // avoids the node.
        for (UnitHolder target : result.assignment.targets) {
          known.retries.unfit(group.id, target.node.uuid);
        }
        if (!known.retries.isHopeless(group.id) || !handOver.leave(group, result.detail)) {
          waiting.put(group, known.retries.notBeforeMs(group.id));
        }
        break;
      case NO_STORAGE:
        // The group is tried again without a pause, because the node is from now on left out for
        // all groups of the same storage policy.
        unfit.add(result.withoutStorage().get(), group, result.assignment.onAnyStorage);
        waiting.put(group, nowMs);
        break;
      case TOO_FEW_RACKS:
        // The scheduler has spread the units as well as it can; stock could not do better.
        concede(group, RelaxedRule.ANY_RACK);
        waiting.put(group, nowMs);
        break;
      default:
        // A later poll reports the group again if it is still claimed.
        break;
    }
  }

  /**
   * Returns whether a node that is kept out because of failed repairs could help with a unit of the
   * group or of one of its columns of CORE.
   */
  private boolean needsFailing(LostGroup group) {
    return search(group).why == NoPlanReason.TOO_FEW_SOURCES
        && !known.retries.quarantined().isEmpty();
  }

  /**
   * Returns whether a node that seems to calculate wrongly could help. If the readable units do not
   * suffice, its unit may help; if there is no destination, the node may be one.
   */
  private boolean needsDistrusted(LostGroup group) {
    NoPlanReason why = search(group).why;
    return why == NoPlanReason.TOO_FEW_SOURCES && group.live.stream()
        .anyMatch(holder -> known.agents.distrusted().contains(holder.node.uuid))
        || why == NoPlanReason.NO_DESTINATION && hasDistrustedDestination(group);
  }

  private boolean hasDistrustedDestination(LostGroup group) {
    Set<String> occupied =
        group.occupied().stream().map(ref -> ref.uuid).collect(Collectors.toSet());
    return search(group).why == NoPlanReason.NO_DESTINATION && known.agents.distrusted()
        .stream()
        .anyMatch(uuid -> !occupied.contains(uuid) && known.agents.live(uuid).isPresent());
  }

  private void sayDistrusted(LostGroup group, String why) {
    peerLog.warn(why,
        "{} cannot be repaired without a DataNode that seems to calculate wrongly: one of {}"
        + " {}. It takes part for this group, and every byte is checked if there is a unit to check"
        + " with. Replace these machines' memory before the group loses more", group,
        known.agents.distrusted(), why);
  }

  /**
   * Logs in one line all groups whose units contradict each other and that have too few
   * destinations. One line suffices, because all these groups wait for an upgrade of the
   * DataNodes.
   */
  private void sayWhatIsHeld() {
    List<LostGroup> held = withoutPlan().stream()
        .filter(group -> isOmitted(group, DestinationObstacle.TOO_OLD))
        .collect(Collectors.toList());
    if (!held.isEmpty()) {
      peerLog.warn("held",
          "{} whose units contradict each other {} held, such as {}: of the DataNodes"
          + " that could rebuild them too few run a version of the extension that checks all bytes"
          + " of such a group", held.size() == 1 ? "1 group" : held.size() + " groups",
          held.size() == 1 ? "is" : "are", held.get(0));
    }
  }

  /**
   * Remembers the nodes on which the NameNode found no storage for a unit: no storage of a type
   * that the file's storage policy wants, or none with enough free space. For a while, planning
   * leaves such a node out for units of that storage policy which are at least as long. Otherwise
   * each group would ask again, and take the NameNode's write lock each time. Used by one thread.
   */
  public static final class UnfitStorages {
    /** How long a node is left out, ms; it is short because the free space of nodes changes. */
    public static final long FOR_MS = 60_000;
    /**
     * The greatest number of nodes that are remembered for each storage policy; there are few
     * policies. If there are more nodes, the oldest is forgotten, and the NameNode is asked about
     * that node again.
     */
    static final int NODES_MAX = 20_000;

    private static final class Unfit {
      private final long bytes;
      private final long untilMs;

      Unfit(long bytes, long untilMs) {
        this.bytes = bytes;
        this.untilMs = untilMs;
      }
    }

    private final LongSupplier clockMs;
    /**
     * The unfit nodes. The first key combines the storage policy with a bit that says whether all
     * types that the policy allows were tried. The second key is the node's UUID.
     */
    private final Map<Integer, Map<String, Unfit>> byPolicy = new HashMap<>();

    UnfitStorages(LongSupplier clockMs) {
      this.clockMs = clockMs;
    }

    private static int key(LostGroup group, boolean anyType) {
      return group.storagePolicy << 1 | (anyType ? 1 : 0);
    }

    /**
     * Returns the size of a full unit, bytes. The error is less than a cell, so that sizes can be
     * compared.
     */
    private static long unitBytes(LostGroup group) {
      int units = group.policy.dataUnits;
      return (group.groupBytes + units - 1) / units;
    }

    void add(NodeRef node, LostGroup group, boolean anyType) {
      Map<String, Unfit> nodes = byPolicy.computeIfAbsent(key(group, anyType),
          policy -> new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Unfit> eldest) {
              return size() > NODES_MAX;
            }
          });
      Unfit before = nodes.get(node.uuid);
      boolean isKnown = before != null && clockMs.getAsLong() < before.untilMs;
      long bytes = unitBytes(group);
      nodes.put(node.uuid, new Unfit(isKnown ? Math.min(before.bytes, bytes) : bytes,
          clockMs.getAsLong() + FOR_MS));
    }

    boolean isUnfit(NodeRef node, LostGroup group, boolean anyType) {
      Map<String, Unfit> nodes = byPolicy.get(key(group, anyType));
      Unfit unfit = nodes == null ? null : nodes.get(node.uuid);
      if (unfit == null) {
        return false;
      }
      if (clockMs.getAsLong() >= unfit.untilMs) {
        nodes.remove(node.uuid);
        return false;
      }
      return unitBytes(group) >= unfit.bytes;
    }
  }
}
