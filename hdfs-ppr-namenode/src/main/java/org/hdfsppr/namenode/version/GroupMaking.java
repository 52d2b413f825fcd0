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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.convert.Conversion;
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

  private final EngineParts parts;
  private final VersionRequest request;
  private final TargetFile file;
  private final Conversion conversion;
  private final GroupPolicy code;
  private final FileGroup old;
  private final FileGroup made;
  private final long term;

  /** The units of the new code that have bytes and are not done, and how often they were tried. */
  private final Map<Integer, Integer> open = new TreeMap<>();
  private final Map<OrderDesk.Order, List<Integer>> orders = new HashMap<>();
  /** Trees that have not begun, because rates or repairs hold them up. */
  private final List<MakeTree> waiting = new ArrayList<>();
  /** The nodes of the units that are made or being made. */
  private final Map<Integer, NodeRef> placed = new HashMap<>();
  private final Set<String> failedNodes = new HashSet<>();
  private VersionBytes bytes = new VersionBytes(1, 0, 0, 0, 0);
  private String lastFailure = "";
  private long doneMs = -1;

  GroupMaking(EngineParts parts, VersionRequest request, TargetFile file, Conversion conversion,
      GroupPolicy code, FileGroup old, FileGroup made, long term) {
    this.parts = parts;
    this.request = request;
    this.file = file;
    this.conversion = conversion;
    this.code = code;
    this.old = old;
    this.made = made;
    this.term = term;
    for (int unit = 0; unit < conversion.to().units(); unit++) {
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
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      if (length(unit) > 0 && !reported.get(unit)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether trees wait for their turn. */
  boolean isWaiting() {
    return !waiting.isEmpty();
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

  private void order(OldUnits located, Collection<Integer> wanted)
      throws VersionStopException, IOException {
    List<Holder> holders = located.of(old.id());
    Map<Integer, NodeRef> nodes = new HashMap<>();
    holders.forEach(holder -> nodes.put(holder.unit(), holder.node()));
    Map<String, List<Integer>> links = new TreeMap<>();
    List<Integer> toMake = new ArrayList<>();
    for (int unit : wanted) {
      int from = conversion.linkedFrom(unit);
      if (from == Conversion.NONE) {
        toMake.add(unit);
      } else {
        links.computeIfAbsent(linkNode(nodes.get(from), from).uuid(), key -> new ArrayList<>())
            .add(unit);
      }
    }
    for (Map.Entry<String, List<Integer>> one : links.entrySet()) {
      link(one.getKey(), one.getValue());
    }
    if (!toMake.isEmpty()) {
      plan(holders, toMake);
    }
  }

  private NodeRef linkNode(NodeRef node, int from) throws VersionStopException {
    if (node == null) {
      throw new VersionStopException(RefusalReason.UNITS_LOST, "unit " + from + " of "
          + old.id() + " is lost; try again when it is repaired");
    }
    if (!parts.door.canWork(node.uuid())) {
      throw new VersionStopException(RefusalReason.NO_NODES, "DataNode " + node + " has unit "
          + from + " of " + old.id() + " and cannot link it: it runs no hdfs-ppr of this version,"
          + " is silent, or seems to calculate wrongly ('hdfs ppr -nodes' shows it)");
    }
    return node;
  }

  private void link(String uuid, List<Integer> units) {
    String id = parts.desk.newId();
    List<LinkCommand.Link> links = units.stream().map(unit -> new LinkCommand.Link(
        old.id().block(conversion.linkedFrom(unit), length(unit)),
        made.id().block(unit, length(unit)))).collect(Collectors.toList());
    give(parts.desk.open(id, uuid, term, LINK_MS_MAX, parts.clockMs.getAsLong()), units,
        parts.door.link(uuid, new LinkCommand(id, term, links, LINK_MS_MAX)));
  }

  private void give(OrderDesk.Order order, List<Integer> units, boolean isGiven) {
    orders.put(order, units);
    if (!isGiven) {
      parts.desk.tell(order.uuid(), RepairResult.notTried(order.id(), order.term(),
          RepairOutcome.REFUSED, null, "too many orders wait for the node"));
    }
  }

  private void plan(List<Holder> holders, List<Integer> units)
      throws VersionStopException, IOException {
    List<NodeRef> workers = parts.door.workers().stream()
        .filter(node -> !failedNodes.contains(node.uuid())).collect(Collectors.toList());
    Map<NodeRef, CommandTarget> rooms = new HashMap<>();
    units.forEach(placed::remove);
    List<Holder> targets = NewPlaces.choose(conversion, holders, units, placed.values(), workers,
        node -> hasRoom(node, rooms)).orElseThrow(() -> new VersionStopException(
            RefusalReason.NO_NODES, "too few DataNodes can store the new units of " + old.id()
            + " (policy " + request.policy() + "): " + workers.size()
            + " run hdfs-ppr of this version and have not failed here"));
    targets.forEach(target -> placed.put(target.unit(), target.node()));
    List<Holder> usable = holders.stream()
        .filter(holder -> length(holder.unit()) > 0).collect(Collectors.toList());
    try {
      waiting.addAll(parts.plans.plan(conversion, usable, targets,
          length(code.dataUnits())));
    } catch (IllegalArgumentException e) {
      throw new VersionStopException(RefusalReason.UNITS_LOST, "the new units of " + old.id()
          + " cannot be made from what there is: " + e.getMessage());
    }
  }

  private boolean hasRoom(NodeRef node, Map<NodeRef, CommandTarget> rooms) {
    return rooms.computeIfAbsent(node, key -> target(key, 0).orElse(null)) != null;
  }

  private Optional<CommandTarget> target(NodeRef node, int unit) {
    return parts.namespace.target(unit, node, file.inodeId(), length(code.dataUnits()));
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
      if (result != null || order.isLate(now)) {
        parts.desk.close(order);
        failed.addAll(take(order, orders.remove(order), result));
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
      for (MakeTree making : new ArrayList<>(waiting)) {
        if (parts.pacer.mayBegin(request.jobId(), request.bytesPerSecond(),
            making.movedBytes(), making.nodes(), length(code.dataUnits()), now)) {
          waiting.remove(making);
          make(making, now);
          hasBegun = true;
        }
      }
    }
    if (hasBegun && waiting.isEmpty()) {
      parts.hook.reached(VersionPoint.MAKES_ORDERED, file.path());
    }
  }

  private void make(MakeTree making, long now) throws VersionStopException {
    List<CommandTarget> targets = new ArrayList<>();
    List<Integer> units = new ArrayList<>();
    for (Holder target : making.targets()) {
      int unit = newUnit(target.unit());
      units.add(unit);
      targets.add(target(target.node(), target.unit()).orElseThrow(() ->
          new VersionStopException(VersionEnd.FAILED, "DataNode " + target.node()
              + " has no room for unit " + unit + " of the new version of " + old.id()
              + " any more")));
    }
    String id = parts.desk.newId();
    long deadline = Math.min(RepairCommand.DEADLINE_MS_MAX, MAKE_MS_EXTRA
        + 1_000 * length(code.dataUnits()) / parts.settings.nodeBytesPerSecond());
    RepairCommand work = RepairCommand.of(id, term)
        .group(made.id(), made.bytes())
        .code(conversion.codecName(), code.dataUnits(), conversion.combined().parityUnits(),
            code.cellBytes())
        .blocks(blocks())
        .live(making.helpers())
        .targets(targets)
        .topology(making.topology())
        .byDecoding(making.isByDecoding())
        .doubted(request.check() == VersionCheckMode.FULL || parts.gate.isDoubted(old.id()))
        .deadlineMs(deadline)
        .build();
    String lead = targets.get(0).node().uuid();
    bytes = bytes.plus(new VersionBytes(0, 0, 0, 0, making.movedBytes()));
    give(parts.desk.open(id, lead, term, deadline, now), units,
        parts.door.make(lead, new MakeCommand(work, parts.settings.nodeBytesPerSecond())));
  }

  /** Returns the unit of the new code that is a unit of the combined code. */
  private int newUnit(int combined) {
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      if (conversion.newUnit(unit) == combined) {
        return unit;
      }
    }
    throw new IllegalStateException(conversion + " has no new unit " + combined);
  }

  /** Returns the blocks of the combined code: old ones where there are any, else new ones. */
  private List<BlockRef> blocks() {
    BlockRef[] blocks = new BlockRef[conversion.combined().units()];
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      blocks[conversion.newUnit(unit)] = made.id().block(unit, length(unit));
    }
    for (int unit = 0; unit < conversion.from().units(); unit++) {
      if (conversion.oldUnit(unit) != Conversion.NONE) {
        blocks[conversion.oldUnit(unit)] = old.id().block(unit, length(unit));
      }
    }
    return List.of(blocks);
  }

  /** Takes the end of an order, and returns the units that have to be ordered again. */
  private Collection<Integer> take(OrderDesk.Order order, List<Integer> units,
      RepairResult result) {
    if (result == null) {
      parts.door.cancel(order.uuid(), order.id(), order.term());
      failedNodes.add(order.uuid());
      lastFailure = "DataNode " + order.uuid() + " has not reported in time";
      return units;
    }
    VersionReport report = result.version();
    if (report != null) {
      bytes = bytes.plus(new VersionBytes(0, report.linkedBytes(), report.copiedBytes(),
          report.madeBytes(), 0));
    }
    if (result.outcome() == RepairOutcome.REBUILT && isAllDone(units, result)) {
      units.forEach(open::remove);
      doneMs = parts.clockMs.getAsLong();
      return List.of();
    }
    failedNodes.add(result.failedNode() == null ? order.uuid() : result.failedNode());
    lastFailure = result.toString();
    return units;
  }

  /** Links are named by their indices in the command, made units by those in the combined code. */
  private boolean isAllDone(List<Integer> units, RepairResult result) {
    Set<Integer> done = new HashSet<>(result.rebuiltUnits());
    for (int i = 0; i < units.size(); i++) {
      int unit = units.get(i);
      int name = conversion.linkedFrom(unit) == Conversion.NONE ? conversion.newUnit(unit) : i;
      if (!done.contains(name)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the units that are done, and that no DataNode has reported for too long. */
  private Collection<Integer> unreported(BitSet reported, long now) {
    if (!open.isEmpty() || doneMs < 0 || now - doneMs < REPORT_MS_MAX || isDone(reported)) {
      return List.of();
    }
    doneMs = now;
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      if (length(unit) > 0 && !reported.get(unit)) {
        units.add(unit);
        open.put(unit, 0);
      }
    }
    lastFailure = "no DataNode has reported it to the NameNode";
    return units;
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
