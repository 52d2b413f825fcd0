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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;

/**
 * Gets the units of one group of a new version linked and made: gives orders, takes their results,
 * and orders again what has failed. It waits for nothing; its owner calls {@link #advance} again
 * and again. Used by one thread.
 */
@InterfaceAudience.Private
final class GroupMaking {
  /**
   * How often a unit is ordered at the most: three nodes in a row that fail are not a chance.
   */
  static final int TRIES_MAX = 3;
  /** How long the links of a command may take, ms. Links take milliseconds, copies a minute. */
  private static final long LINK_MS_MAX = 300_000;
  /** What a making may take beyond the time that its rate needs, ms: repairs there go first. */
  private static final long MAKE_MS_EXTRA = 1_800_000;
  /** How long the NameNode's books may lag behind a DataNode's result, ms. */
  private static final long REPORT_MS_MAX = 60_000;

  /** How often a group is planned for an order: each plan avoids another node without room. */
  private static final int PLANS_MAX = 8;

  /** What an order has to bring: units of the new group, and how results name them. */
  private static final class Given {
    private final List<Integer> units;
    private final List<Integer> names;
    private final BooleanSupplier send;
    private boolean isSent;

    /** @param send gives the order to the node; returns false if too many orders wait for it */
    Given(List<Integer> units, List<Integer> names, BooleanSupplier send) {
      this.units = units;
      this.names = names;
      this.send = send;
    }

    void send() {
      isSent = isSent || send.getAsBoolean();
    }
  }

  private final EngineParts parts;
  private final VersionRequest request;
  private final TargetFile file;
  private final int units;
  private final GroupPolicy code;
  private final FileGroup old;
  private final FileGroup made;
  private final long term;

  /** The units of the new code that have bytes and are not done, and how often they were tried. */
  private final Map<Integer, Integer> open = new TreeMap<>();
  private final Map<OrderDesk.Order, Given> orders = new HashMap<>();
  /** Makings that have not begun, because rates or repairs hold them up. */
  private final List<Make> waiting = new ArrayList<>();
  /** The nodes of the units that are done or under way. */
  private final Map<Integer, NodeRef> placed = new HashMap<>();
  private final Set<String> failedNodes = new HashSet<>();
  private VersionBytes bytes = new VersionBytes(1, 0, 0, 0, 0);
  private String lastFailure = "";
  private long doneMs = -1;
  /** How often units that were done have been ordered again, because nothing reported them. */
  private int rounds;

  GroupMaking(EngineParts parts, VersionRequest request, TargetFile file, GroupPolicy code,
      FileGroup old, FileGroup made, long term) {
    this.parts = parts;
    this.request = request;
    this.file = file;
    this.units = code.dataUnits() + code.parityUnits();
    this.code = code;
    this.old = old;
    this.made = made;
    this.term = term;
    for (int unit = 0; unit < units; unit++) {
      if (length(unit) > 0) {
        open.put(unit, 0);
      }
    }
  }

  /** Returns the length of a unit of the old or the new code, bytes. */
  private long length(int unit) {
    return StripedBlockUtil.getInternalBlockLength(old.bytes(), code.cellBytes(),
        code.dataUnits(), unit);
  }

  /** Returns how many units the group has that have bytes. */
  static int units(long groupBytes, GroupPolicy code) {
    long cells = (groupBytes + code.cellBytes() - 1) / code.cellBytes();
    return (int) Math.min(cells, code.dataUnits()) + code.parityUnits();
  }

  /** Returns how many units must be reported until stock sees the group complete. */
  int unitsForCompletion() {
    return units(old.bytes(), code) - code.parityUnits();
  }

  VersionBytes bytes() {
    return bytes;
  }

  /** Returns whether all units are done and reported. */
  boolean isDone(BitSet reported) {
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
   * @throws VersionStopException if the group cannot be made from what there is
   */
  void begin(OldUnits units) throws VersionStopException, IOException {
    order(units, new TreeSet<>(open.keySet()));
    parts.hook.reached(VersionPoint.LINKS_ORDERED, file.path());
  }

  /** Plans the group anew, and carries out what the plan says of some units. */
  private void order(OldUnits located, Collection<Integer> wanted)
      throws VersionStopException, IOException {
    wanted.forEach(placed::remove);
    for (int tries = 0; tries < PLANS_MAX; tries++) {
      MakePlan plan = plan(located);
      if (place(plan, wanted)) {
        carryOut(plan, wanted);
        return;
      }
    }
    throw new VersionStopException(RefusalReason.NO_NODES, "the DataNodes have no room for the"
        + " new units of " + old.id() + ": " + lastFailure);
  }

  private MakePlan plan(OldUnits located) throws VersionStopException {
    // A node that has failed here, or does not know versions, is a source and no more.
    List<Holder> live = located.of(old.id()).stream()
        .filter(holder -> length(holder.unit()) > 0)
        .map(holder -> canWork(holder.node()) ? holder : new Holder(holder.unit(),
            holder.node().withRepairPort(NodeRef.NO_REPAIR_PORT)))
        .collect(Collectors.toList());
    List<NodeRef> spare = parts.door.workers().stream()
        .filter(node -> canWork(node) && !placed.containsValue(node))
        .collect(Collectors.toList());
    // Each group begins at another node, so that not all ask the same ones.
    Collections.rotate(spare, Long.hashCode(made.id().groupId()));
    try {
      return parts.codes.plan(file.facts().policy().code(), code,
          new OldGroup(old.bytes(), code.cellBytes(), live), spare);
    } catch (NoPlanException e) {
      boolean isLost = live.stream().map(Holder::unit).distinct().count() < unitsForCompletion();
      throw new VersionStopException(isLost ? RefusalReason.UNITS_LOST : RefusalReason.NO_NODES,
          "the new version of " + old.id() + " cannot be made now: " + e.getMessage()
          + (lastFailure.isEmpty() ? "" : "; before that: " + lastFailure));
    }
  }

  private boolean canWork(NodeRef node) {
    return !failedNodes.contains(node.uuid()) && parts.door.canWork(node.uuid());
  }

  /** Notes the nodes of some units; returns false if a node has no room, and has to be avoided. */
  private boolean place(MakePlan plan, Collection<Integer> wanted) throws VersionStopException {
    Map<Integer, NodeRef> nodes = new HashMap<>();
    for (UnitPlace place : plan.places()) {
      if (wanted.contains(place.unit())) {
        if (!place.isLink() && target(place.node(), place.unit()).isEmpty()) {
          failedNodes.add(place.node().uuid());
          lastFailure = "DataNode " + place.node() + " has no room for a unit";
          return false;
        }
        if (placed.containsValue(place.node())) {
          throw new VersionStopException(VersionEnd.FAILED, "unit " + place.unit()
              + " of the new version of " + old.id() + " would come to lie beside another one at "
              + place.node() + ", because nodes have failed; try again");
        }
        nodes.put(place.unit(), place.node());
      }
    }
    placed.putAll(nodes);
    return true;
  }

  private void carryOut(MakePlan plan, Collection<Integer> wanted) {
    Map<String, List<UnitPlace>> links = new TreeMap<>();
    plan.places().stream().filter(place -> place.isLink() && wanted.contains(place.unit()))
        .forEach(place -> links.computeIfAbsent(place.node().uuid(), uuid -> new ArrayList<>())
            .add(place));
    links.forEach(this::link);
    for (Make make : plan.makes()) {
      if (newUnits(make).stream().anyMatch(wanted::contains)) {
        waiting.add(make);
      }
    }
  }

  /** Returns the units of the new group that an order makes, in the order of its targets. */
  private static List<Integer> newUnits(Make make) {
    return make.targets().stream().map(target -> make.slots().get(target.unit()).unit())
        .collect(Collectors.toList());
  }

  private void link(String uuid, List<UnitPlace> places) {
    String id = parts.desk.newId();
    List<LinkCommand.Link> links = new ArrayList<>();
    List<Integer> units = new ArrayList<>();
    List<Integer> names = new ArrayList<>();
    for (UnitPlace place : places) {
      // Results name links by their indices in the command.
      names.add(links.size());
      units.add(place.unit());
      links.add(new LinkCommand.Link(old.id().block(place.linkedFrom(), length(place.unit())),
          made.id().block(place.unit(), length(place.unit()))));
    }
    LinkCommand command = new LinkCommand(id, term, links, LINK_MS_MAX);
    give(parts.desk.open(id, uuid, term, LINK_MS_MAX, parts.clockMs.getAsLong()),
        new Given(units, names, () -> parts.door.link(uuid, command)));
  }

  private void give(OrderDesk.Order order, Given given) {
    orders.put(order, given);
    given.send();
  }

  private Optional<CommandTarget> target(NodeRef node, int name) {
    return parts.namespace.target(name, node, file.inodeId(), length(code.dataUnits()));
  }

  /**
   * Takes results, and orders again what has failed.
   *
   * @param reported the units that the NameNode knows of
   * @throws VersionStopException if a unit has failed too often
   */
  void advance(BitSet reported) throws VersionStopException, IOException {
    long now = parts.clockMs.getAsLong();
    startTrees(now);
    Set<Integer> failed = new TreeSet<>();
    for (OrderDesk.Order order : new ArrayList<>(orders.keySet())) {
      RepairResult result = order.result();
      if (result != null || order.isLate(now) || !parts.door.canWork(order.uuid())) {
        parts.desk.close(order);
        failed.addAll(take(order, orders.remove(order), result));
      } else {
        orders.get(order).send();
      }
    }
    failed.addAll(unreported(reported, now));
    for (int unit : failed) {
      if (open.merge(unit, 1, Integer::sum) >= TRIES_MAX) {
        throw new VersionStopException(VersionEnd.FAILED, "unit " + unit + " of the new version"
            + " of " + old.id() + " was tried " + TRIES_MAX + " times in vain; at last: "
            + lastFailure);
      }
    }
    if (!failed.isEmpty()) {
      order(OldUnits.locate(parts.store, parts.door, file.inodeId()), failed);
    }
  }

  private void startTrees(long now) throws VersionStopException {
    boolean hasBegun = false;
    if (!waiting.isEmpty() && parts.gate.whyNot().isEmpty()) {
      for (Make make : new ArrayList<>(waiting)) {
        if (parts.pacer.mayBegin(request.jobId(), request.bytesPerSecond(), movedBytes(make),
            nodes(make), length(code.dataUnits()), now)) {
          waiting.remove(make);
          order(make, now);
          hasBegun = true;
        }
      }
    }
    if (hasBegun && waiting.isEmpty()) {
      parts.hook.reached(VersionPoint.MAKES_ORDERED, file.path());
    }
  }

  private long movedBytes(Make make) {
    return Math.round(make.unitsMoved() * length(code.dataUnits()));
  }

  /** Returns the nodes that read or write; the last helpers are only spare. */
  private static Set<String> nodes(Make make) {
    Set<String> nodes = new HashSet<>();
    make.targets().forEach(target -> nodes.add(target.node().uuid()));
    make.helpers().stream().limit(make.dataUnits())
        .forEach(helper -> nodes.add(helper.node().uuid()));
    return nodes;
  }

  private void order(Make make, long now) throws VersionStopException {
    List<CommandTarget> targets = new ArrayList<>();
    List<Integer> names = new ArrayList<>();
    for (Holder target : make.targets()) {
      names.add(target.unit());
      targets.add(target(target.node(), target.unit()).orElseThrow(() ->
          new VersionStopException(VersionEnd.FAILED, "DataNode " + target.node()
              + " has no room for a unit of the new version of " + old.id() + " any more")));
    }
    String id = parts.desk.newId();
    long deadline = Math.min(RepairCommand.DEADLINE_MS_MAX, MAKE_MS_EXTRA
        + 1_000 * length(code.dataUnits()) / parts.settings.nodeBytesPerSecond());
    RepairCommand work = RepairCommand.of(id, term)
        .group(made.id(), made.bytes())
        .code(make.codec(), make.dataUnits(), make.parityUnits(), code.cellBytes())
        .blocks(blocks(make))
        .live(make.helpers())
        .targets(targets)
        .topology(make.topology())
        .byDecoding(true)
        .doubted(request.check() == VersionCheckMode.FULL || parts.gate.isDoubted(old.id()))
        .deadlineMs(deadline)
        .build();
    String lead = targets.get(0).node().uuid();
    bytes = bytes.plus(new VersionBytes(0, 0, 0, 0, movedBytes(make)));
    MakeCommand command = new MakeCommand(work, parts.settings.nodeBytesPerSecond());
    give(parts.desk.open(id, lead, term, deadline, now),
        new Given(newUnits(make), names, () -> parts.door.make(lead, command)));
  }

  private List<BlockRef> blocks(Make make) {
    return make.slots().stream().map(slot -> (slot.isNew() ? made : old).id()
        .block(slot.unit(), length(slot.unit()))).collect(Collectors.toList());
  }

  /** Takes the end of an order, and returns the units that have to be ordered again. */
  private Collection<Integer> take(OrderDesk.Order order, Given given, RepairResult result) {
    if (result == null) {
      parts.door.cancel(order.uuid(), order.id(), order.term());
      failedNodes.add(order.uuid());
      lastFailure = "DataNode " + order.uuid() + " has become silent, or has not reported in time";
      return given.units;
    }
    VersionReport report = result.version();
    if (report != null) {
      bytes = bytes.plus(new VersionBytes(0, report.linkedBytes(), report.copiedBytes(),
          report.madeBytes(), 0));
    }
    if (result.outcome() == RepairOutcome.REBUILT
        && result.rebuiltUnits().containsAll(given.names)) {
      given.units.forEach(open::remove);
      doneMs = parts.clockMs.getAsLong();
      return List.of();
    }
    failedNodes.add(result.failedNode() == null ? order.uuid() : result.failedNode());
    lastFailure = result.toString();
    return given.units;
  }

  /** Returns the units that are done, and that no DataNode has reported for too long. */
  private Collection<Integer> unreported(BitSet reported, long now)
      throws VersionStopException {
    if (!open.isEmpty() || doneMs < 0 || now - doneMs < REPORT_MS_MAX || isDone(reported)) {
      return List.of();
    }
    if (++rounds > TRIES_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "units of the new version of " + old.id()
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
    lastFailure = "no DataNode has reported it to the NameNode";
    return lost;
  }

  /** Takes all orders back that have not ended. */
  void cancel() {
    for (OrderDesk.Order order : orders.keySet()) {
      if (order.result() == null) {
        parts.door.cancel(order.uuid(), order.id(), order.term());
      }
      parts.desk.close(order);
    }
    orders.clear();
    waiting.clear();
  }
}
