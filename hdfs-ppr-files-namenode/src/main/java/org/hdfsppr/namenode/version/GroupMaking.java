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

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Has the units of one group of a new file linked and made. It gives orders to DataNodes, and takes
 * their results. If units fail, it plans them again, without the nodes that have failed. It never
 * blocks; its owner calls {@link #advance} again and again. Used by one thread at a time.
 */
final class GroupMaking implements GroupWork {
  /** How often a unit is ordered at most. If three nodes in a row fail, the cause is not chance. */
  static final int TRIES_MAX = 3;
  /**
   * How long a DataNode may take to report a unit to the NameNode after the result of its order,
   * ms.
   */
  static final long REPORT_MS_MAX = 60_000;

  /**
   * How often the same units are planned at the most. Each further plan avoids one more node that
   * has no room.
   */
  private static final int PLANS_MAX = 8;

  /** A making that has not been ordered yet. */
  private static final class Waiting {
    private final Make make;
    private final LinkLoads.Booking booking;
    private final List<LinkLoads.Cost> costs;

    Waiting(Make make, LinkLoads.Booking booking, List<LinkLoads.Cost> costs) {
      this.make = make;
      this.booking = booking;
      this.costs = costs;
    }
  }

  private final VersionContext context;
  private final EngineParts parts;
  private final int units;
  private final GroupRecipe recipe;
  private final FileGroup made;
  private final NodeNotes nodes;

  /** The units of the new code that have bytes and are not done, with how often each was tried. */
  private final Map<Integer, Integer> open = new TreeMap<>();
  private final Map<OrderBook.Order, GivenOrder> orders = new HashMap<>();
  /** Links that overloaded nodes have refused. The same nodes are asked again. */
  private final List<NodeLinks> refused = new ArrayList<>();
  /**
   * Makings that have not begun, because repairs, busy network links or the rates of makings hold
   * them up.
   */
  private final List<Waiting> waiting = new ArrayList<>();
  private final GroupDigests digests;
  private final DigestOrders asking;
  private final LinkDigests linkDigests;
  private final PowerCutDurability durability = new PowerCutDurability();
  /** The nodes of the units that are done or ordered. */
  private final Map<Integer, NodeRef> placed = new HashMap<>();
  private final OrderedUnits ordered = new OrderedUnits();
  private VersionBytes bytes = new VersionBytes(1, 0, 0, 0, 0);
  private long doneMs = -1;
  /** How many times finished units were ordered again, because no DataNode had reported them. */
  private int rounds;

  GroupMaking(VersionContext context, GroupRecipe recipe, FileGroup made) {
    this.context = context;
    this.parts = context.parts;
    this.units = context.code.dataUnits + context.code.parityUnits;
    this.recipe = recipe;
    this.made = made;
    this.nodes = new NodeNotes(parts.door);
    this.digests = new GroupDigests(made.id);
    this.asking = new DigestOrders(recipe.wantsDigests(), digests,
        context.nodeBytesPerSecond());
    this.linkDigests = new LinkDigests(context, recipe, made, asking, digests);
    for (int unit = 0; unit < units; unit++) {
      if (length(unit) > 0) {
        open.put(unit, 0);
      }
    }
  }

  private long length(int unit) {
    return context.unitBytes(made.bytes, unit);
  }

  private long parityLength() {
    return length(context.code.dataUnits);
  }

  /** Returns how many units of the group have bytes. */
  static int units(long groupBytes, GroupPolicy code) {
    long cells = (groupBytes + code.cellBytes - 1) / code.cellBytes;
    return (int) Math.min(cells, code.dataUnits) + code.parityUnits;
  }

  /** Returns how many units DataNodes must report until stock considers the group complete. */
  @Override
  public int unitsForCompletion() {
    return units(made.bytes, context.code) - context.code.parityUnits;
  }

  @Override
  public Map<Integer, NodeRef> nodes() {
    return Collections.unmodifiableMap(placed);
  }

  @Override
  public VersionBytes bytes() {
    return bytes;
  }

  @Override
  public long durableInMs() {
    return durability.leftMs(parts.clockMs.getAsLong());
  }

  @Override
  public boolean isDone(BitSet reported) {
    return areReported(reported) && linkDigests.isDone();
  }

  /** Returns whether all units are done, and DataNodes have reported them. */
  private boolean areReported(BitSet reported) {
    if (!open.isEmpty()) {
      return false;
    }
    for (int unit = 0; unit < units; unit++) {
      if (length(unit) > 0 && !reported.get(unit)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Orders all links, and plans the units to make.
   *
   * @throws VersionStopException if the group cannot be made from the units that exist
   */
  @Override
  public void begin() throws VersionStopException {
    order(new TreeSet<>(open.keySet()));
    // No digest is asked for before the next call of advance(), so that the form of digests can
    // still be chosen here. If a node of an older version replaces one of these nodes later, it
    // sends no digest of this form, and all units are read.
    if (placed.values().stream().allMatch(node -> parts.door.sendsDigests(node.uuid))) {
      digests.fold();
    }
    parts.hook.reached(VersionPoint.LINKS_ORDERED, context.path);
  }

  /** Plans some units on nodes that have none of the other units, and carries the plan out. */
  private void order(Set<Integer> wanted) throws VersionStopException {
    placed.keySet().removeAll(wanted);
    linkDigests.forget(wanted);
    for (int tries = 0; tries < PLANS_MAX; tries++) {
      MakePlan plan = recipe.plan(wanted, placed.values(), nodes);
      Optional<UnitPlace> full = plan.places.stream().filter(place -> !place.isLink()
          && target(place.node, place.unit).isEmpty()).findFirst();
      if (full.isEmpty()) {
        plan.places.forEach(place -> placed.put(place.unit, place.node));
        carryOut(plan);
        return;
      }
      nodes.avoid(full.get().node.uuid,
          "DataNode " + full.get().node + " has no room for a unit");
    }
    throw new VersionStopException(RefusalReason.NO_NODES, "the DataNodes have no room for the"
        + " units of " + recipe.what() + ": " + nodes.lastFailure());
  }

  private void carryOut(MakePlan plan) {
    Map<String, List<UnitPlace>> links = new TreeMap<>();
    plan.places.stream().filter(UnitPlace::isLink)
        .forEach(place -> links.computeIfAbsent(place.node.uuid, uuid -> new ArrayList<>())
            .add(place));
    links.forEach((uuid, places) ->
        link(new NodeLinks(uuid, places, parts.clockMs.getAsLong())));
    plan.makes.forEach(make -> waiting.add(new Waiting(make, parts.links.plan(
        LinkLoads.Work.MAKING, MakeNodes.sending(make), MakeNodes.receiving(make),
        parityLength()), costs(make))));
  }

  /** Returns the units of the new group that an order makes, in the order of its targets. */
  private static List<Integer> newUnits(Make make) {
    return make.targets.stream().map(target -> make.slots.get(target.unit).unit)
        .collect(Collectors.toList());
  }

  private void link(NodeLinks links) {
    String uuid = links.uuid;
    String id = parts.newOrderId();
    List<Integer> wanted = new ArrayList<>();
    List<Integer> names = new ArrayList<>();
    for (UnitPlace place : links.places) {
      // Results name a link by its index in the command.
      names.add(wanted.size());
      wanted.add(place.unit);
      ordered.kept(place.unit, uuid);
    }
    LinkCommand command = recipe.link(id, links.places);
    give(context.order(id, uuid, command.deadlineMs, () -> parts.door.link(uuid, command)),
        GivenOrder.ofLinks(wanted, names, links));
  }

  private void make(String uuid, MakeCommand command, GivenOrder given) {
    give(context.order(command.id(), uuid, GroupCommands.makeDeadlineMs(context, made.bytes),
        () -> parts.door.make(uuid, command)), given);
  }

  private void give(OrderBook.Order order, GivenOrder given) {
    orders.put(order, given);
    order.send(parts.clockMs.getAsLong());
  }

  private Optional<CommandTarget> target(NodeRef node, int name) {
    return parts.namespace.target(name, node, context.storageInodeId, parityLength());
  }

  /**
   * Takes the results of orders, and plans the units again that have failed.
   *
   * @param reported the units that DataNodes have reported to the NameNode
   * @throws VersionStopException if a unit has failed too often
   */
  @Override
  public void advance(BitSet reported) throws VersionStopException, IOException {
    long now = parts.clockMs.getAsLong();
    Set<Integer> again = new TreeSet<>(startTrees(now));
    Set<Integer> failed = new TreeSet<>();
    linkAgain(now);
    linkDigests.advance(now);
    for (OrderBook.Order order : new ArrayList<>(orders.keySet())) {
      RepairResult result = order.result();
      if (result != null || order.isLate(now) || nodes.isGone(order.uuid, now)) {
        context.takeBack(order);
        GivenOrder given = orders.remove(order);
        given.end();
        failed.addAll(take(order, given, result));
      } else {
        order.send(now);
      }
    }
    failed.addAll(unreported(reported, now));
    for (int unit : failed) {
      if (open.merge(unit, 1, Integer::sum) >= TRIES_MAX) {
        throw new VersionStopException(VersionEnd.FAILED, "unit " + unit + " of "
            + recipe.what() + " was tried " + TRIES_MAX + " times in vain; at last: "
            + nodes.lastFailure());
      }
    }
    again.addAll(failed);
    if (!again.isEmpty()) {
      recipe.locate();
      order(again);
    }
  }

  /** Sends links again to those nodes that were overloaded. */
  private void linkAgain(long now) {
    for (NodeLinks links : new ArrayList<>(refused)) {
      if (links.isDue(now)) {
        refused.remove(links);
        link(links);
      }
    }
  }

  /**
   * Begins those waiting makings that nothing holds up any more. Returns the units of makings whose
   * targets are gone or full, so that they have to be planned again.
   */
  private Collection<Integer> startTrees(long now) {
    List<Integer> stale = new ArrayList<>();
    boolean hasBegun = false;
    if (!waiting.isEmpty() && parts.gate.whyNot().isEmpty()) {
      for (Waiting next : new ArrayList<>(waiting)) {
        Make make = next.make;
        if (!next.booking.begin(next.costs, now)) {
          continue;
        }
        List<CommandTarget> targets = targets(make, now);
        if (targets.isEmpty()) {
          next.booking.end();
          stale.addAll(newUnits(make));
        } else {
          order(next, targets);
          hasBegun = true;
        }
        // If one of these calls throws an exception, this making is still in the list, and cancel()
        // ends its booking.
        waiting.remove(next);
      }
    }
    if (hasBegun && waiting.isEmpty()) {
      parts.hook.reached(VersionPoint.MAKES_ORDERED, context.path);
    }
    return stale;
  }

  /**
   * Returns the targets of a making; empty if one of their nodes is gone, or has no room any more.
   */
  private List<CommandTarget> targets(Make make, long now) {
    List<CommandTarget> targets = new ArrayList<>();
    for (UnitHolder target : make.targets) {
      NodeRef node = target.node;
      Optional<CommandTarget> room = target(node, target.unit);
      if (nodes.isGone(node.uuid, now)) {
        nodes.leaveOut(node.uuid, "DataNode " + node + " has become silent");
        return List.of();
      }
      if (room.isEmpty()) {
        nodes.avoid(node.uuid, "DataNode " + node + " has no room for a unit any more");
        return List.of();
      }
      targets.add(room.get());
    }
    return targets;
  }

  /**
   * Returns how much a making takes of the rate of all makings, of the rate of its job, and of the
   * rates of its nodes.
   */
  private List<LinkLoads.Cost> costs(Make make) {
    List<LinkLoads.Cost> costs = new ArrayList<>();
    costs.add(new LinkLoads.Cost("makings", movedBytes(make), parts.settings.bytesPerSecond));
    costs.add(new LinkLoads.Cost("makings of " + context.jobId, movedBytes(make),
        context.jobBytesPerSecond));
    MakeNodes.all(make).forEach(node -> costs.add(new LinkLoads.Cost("makings at " + node,
        parityLength(), parts.settings.nodeBytesPerSecond)));
    return costs;
  }

  private long movedBytes(Make make) {
    return Math.round(make.unitsMoved * parityLength());
  }

  private void order(Waiting next, List<CommandTarget> targets) {
    Make make = next.make;
    newUnits(make).forEach(ordered::made);
    List<Integer> names = make.targets.stream().map(holder -> holder.unit)
        .collect(Collectors.toList());
    String id = parts.newOrderId();
    String lead = make.targets.get(0).node.uuid;
    bytes = bytes.plus(new VersionBytes(0, 0, 0, 0, movedBytes(make)));
    make(lead, asking.with(recipe.make(id, make, targets), parts.door.sendsDigests(lead)),
        GivenOrder.ofMake(newUnits(make), names, make, next.booking));
  }

  /**
   * Returns whether the node of a made unit has to confirm that the unit is on its disk, or to send
   * its digest. A node that has made units for several nodes cannot know whether they are on the
   * disks of the others.
   */
  private boolean isToConfirm(GivenOrder given, VersionReport report, int name) {
    return given.isMaking() && given.units.size() > 1
        && (recipe.mustBeDurable() && (report == null || !report.durable)
            || asking.lacks(report, name));
  }

  /**
   * Orders the node of a unit to make the unit, although it already has it. The node then forces
   * the unit to its disk, and says so in its result. If the node has lost the unit in the meantime,
   * it makes it again.
   */
  private void confirm(Make make, int index) {
    UnitHolder target = make.targets.get(index);
    String uuid = target.node.uuid;
    Optional<CommandTarget> room = target(target.node, target.unit);
    String id = parts.newOrderId();
    MakeCommand command = asking.with(recipe.make(id, make, List.of(room.orElseGet(() ->
        new CommandTarget(target.unit, target.node, "", StorageType.DISK)))),
        parts.door.sendsDigests(uuid));
    make(uuid, command, GivenOrder.ofMake(List.of(make.slots.get(target.unit).unit),
        List.of(target.unit), make, null));
  }

  /**
   * Takes the result of an order, which is null if none came in time. Returns the units that have
   * to be ordered again.
   */
  private Collection<Integer> take(OrderBook.Order order, GivenOrder given, RepairResult result)
      throws VersionStopException {
    if (result == null) {
      nodes.leaveOut(order.uuid, "DataNode " + order.uuid
          + " has become silent, or has not reported in time");
      return given.units;
    }
    VersionReport report = result.version;
    if (report != null) {
      bytes = bytes.plus(new VersionBytes(0, report.linkedBytes, report.copiedBytes,
          report.madeBytes, 0));
    }
    if (result.leavesDoubt()) {
      // Another try may read other units, or check other slices of them, and so not find the
      // contradiction again.
      throw recipe.contradiction(result);
    }
    if (given.links != null && given.links.isAskedAgain(result, parts.clockMs.getAsLong())) {
      refused.add(given.links);
      return List.of();
    }
    List<Integer> failed = new ArrayList<>();
    Map<String, List<Integer>> toRead = new TreeMap<>();
    for (int i = 0; i < given.units.size(); i++) {
      if (result.rebuiltUnits.contains(given.names.get(i))) {
        if (isToConfirm(given, report, given.names.get(i))) {
          confirm(given.make, i);
          continue;
        }
        durability.made(report, parts.clockMs.getAsLong());
        open.remove(given.units.get(i));
        Integer digest = report == null ? null : report.digests.get(given.names.get(i));
        digests.made(given.units.get(i), order.uuid, digest);
        if (digest == null && asking.isToAsk(given.isMaking())) {
          toRead.computeIfAbsent(placed.get(given.units.get(i)).uuid, uuid -> new ArrayList<>())
              .add(given.units.get(i));
        } else if (digest == null) {
          digests.lack(given.units.get(i));
        }
        doneMs = parts.clockMs.getAsLong();
      } else {
        failed.add(given.units.get(i));
      }
    }
    toRead.forEach(linkDigests::ask);
    if (!failed.isEmpty()) {
      nodes.failed(order.uuid, result);
    }
    return failed;
  }

  /**
   * Returns the units that are done, but that no DataNode has reported within {@link
   * #REPORT_MS_MAX}.
   */
  private Collection<Integer> unreported(BitSet reported, long now)
      throws VersionStopException {
    if (!open.isEmpty() || doneMs < 0 || now - doneMs < REPORT_MS_MAX || areReported(reported)) {
      return List.of();
    }
    if (++rounds > TRIES_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "units of " + recipe.what()
          + " are made, and the NameNode does not hear of them");
    }
    doneMs = now;
    List<Integer> lost = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      if (length(unit) > 0 && !reported.get(unit)) {
        lost.add(unit);
        open.put(unit, 0);
      }
    }
    nodes.failed("no DataNode has reported units " + lost + " of " + made.id
        + " to the NameNode");
    return lost;
  }

  /** Returns whether digests of all units were asked for. */
  @Override
  public boolean hasDigests() {
    return recipe.wantsDigests();
  }

  @Override
  public BitSet made() {
    return ordered.units();
  }

  /** Returns the digests of the units of the new group. */
  @Override
  public GroupDigests digests() {
    return digests;
  }

  /** Cancels all orders that have not ended. */
  @Override
  public void cancel() {
    orders.values().forEach(GivenOrder::end);
    linkDigests.cancel();
    waiting.forEach(next -> next.booking.end());
    orders.keySet().forEach(context::takeBack);
    orders.clear();
    refused.clear();
    waiting.clear();
  }

  /**
   * Says which DataNodes a making keeps busy with reading, sending or receiving. The methods return
   * UUIDs.
   */
  static final class MakeNodes {
    private MakeNodes() {
    }

    /**
     * Returns the nodes that read or write. A making reads from the first k helpers; the other
     * helpers only replace some of these.
     */
    static Set<String> all(Make make) {
      Set<String> nodes = sending(make);
      make.targets.forEach(target -> nodes.add(target.node.uuid));
      return nodes;
    }

    /** Returns the nodes that read and send. */
    static Set<String> sending(Make make) {
      return make.helpers.stream().limit(make.dataUnits).map(helper -> helper.node.uuid)
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Returns the nodes that receive: the targets, and all nodes of a chain except the last one,
     * which only sends.
     */
    static Set<String> receiving(Make make) {
      List<String> chain = new ArrayList<>(sending(make));
      Set<String> nodes = new LinkedHashSet<>(chain.subList(0, chain.size() - 1));
      make.targets.forEach(target -> nodes.add(target.node.uuid));
      return nodes;
    }
  }
}
