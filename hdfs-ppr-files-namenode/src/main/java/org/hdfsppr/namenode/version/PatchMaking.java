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
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.UnitDependence;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.wire.FailureCause;

/**
 * Makes a group of a new version that has the updates of a commit. All units stay on their nodes:
 *
 * <pre>
 *   data units with updates       copied and changed by their logs
 *   other data units              linked
 *   parity units                  copied and changed, once all of these data units are done, and
 *                                 after those that forward or collect changes for them;
 *                                 linked if they do not depend on a changed unit
 * </pre>
 *
 * <p>A lost unit is not made here. Until a repair has rebuilt it, the commit fails. Used by one
 * thread at a time.
 */
final class PatchMaking implements GroupWork {
  /** How often a unit is ordered at most. */
  static final int TRIES_MAX = 3;
  /**
   * How long an overloaded node gets no order, and how long a unit waits after a failure so that
   * the cause can pass, ms.
   */
  private static final long REST_MS = 1_000;
  /** For how long the order of a unit is repeated while a node is overloaded, ms. */
  private static final long OVERLOADED_MS_MAX = 300_000;
  /** How long a patch may take in addition to the time that its rate needs, ms. */
  private static final long PATCH_MS_EXTRA = 300_000;

  /** The group of the old version, and the group of the new version. Immutable. */
  static final class Groups {
    private final long oldInodeId;
    private final FileGroup old;
    private final FileGroup made;

    Groups(long oldInodeId, FileGroup old, FileGroup made) {
      this.oldInodeId = oldInodeId;
      this.old = old;
      this.made = made;
    }
  }

  /** An order that has not ended. */
  private static final class Given {
    private final OrderBook.Order order;
    private final NodeRef node;
    /** The index that results use for the unit. */
    private final int name;
    private final LinkLoads.Booking booking;

    Given(OrderBook.Order order, NodeRef node, int name, LinkLoads.Booking booking) {
      this.order = order;
      this.node = node;
      this.name = name;
      this.booking = booking;
    }
  }

  private final VersionContext context;
  private final EngineParts parts;
  private final Groups groups;
  private final Map<Integer, UnitPatch> patches = new TreeMap<>();
  /**
   * The ranges of bytes that change in a parity unit, from the first byte to the byte after the
   * last one.
   */
  private final NavigableMap<Long, Long> changed;
  private final LinearCode code;
  private final NodeNotes nodes;
  private final SoughtUnits sought;
  private final PowerCutDurability durability = new PowerCutDurability();
  private final OrderedUnits ordered = new OrderedUnits();
  /**
   * The changed ranges of each data unit, joined until there are no more than an order for parity
   * units may name.
   */
  private final Map<Integer, ByteRanges> ofParities = new TreeMap<>();
  private final String strategy;
  /** Null until all changed data units are done. Stays null if there are none. */
  private DeltaTree tree;
  /** The units that are not done, with how often each was tried. */
  private final Map<Integer, Integer> open = new TreeMap<>();
  /** The orders that have not ended, by the index of their unit. */
  private final Map<Integer, Given> orders = new HashMap<>();
  /** When a unit is ordered again whose node was overloaded or has failed, monotonic ms. */
  private final Map<Integer, Long> dueMs = new HashMap<>();
  /** When a unit's node was first found to have no room, monotonic ms. */
  private final Map<Integer, Long> fullSinceMs = new HashMap<>();
  /** The digest of the changes of each data unit, as far as its node has sent one. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  /** The nodes of the units that are done. */
  private final Map<Integer, NodeRef> done = new HashMap<>();
  private VersionBytes bytes = new VersionBytes(1, 0, 0, 0, 0);
  private long doneMs = -1;
  /**
   * Parity units that wait for the parity units whose nodes forward or collect changes for them.
   */
  private final Set<Integer> waiting = new TreeSet<>();

  /**
   * @param code the code of the group
   * @param strategy how changes get to parity units
   * @param patches the updates of the group's units; empty if the group stays as it is
   * @param located where the units of the old version are
   */
  PatchMaking(VersionContext context, LinearCode code, String strategy,
      Collection<UnitPatch> patches, Groups groups, OldUnits located) {
    this.context = context;
    this.parts = context.parts;
    this.groups = groups;
    this.nodes = new NodeNotes(parts.door);
    this.code = code;
    this.strategy = strategy;
    ByteRanges ranges = new ByteRanges();
    for (UnitPatch patch : patches) {
      this.patches.put(patch.unit(), patch);
      ByteRanges own = new ByteRanges();
      patch.ranges.forEach(own::add);
      // All data units together must not have more ranges than a command may name.
      own.joinTo(PatchCommand.RANGES_MAX / patches.size());
      own.ranges().forEach(ranges::add);
      ofParities.put(patch.unit(), own);
    }
    this.changed = ranges.ranges();
    List<Integer> staying = IntStream.range(0, code.dataUnits()).boxed()
        .filter(unit -> !this.patches.containsKey(unit)).collect(Collectors.toList());
    this.sought = new SoughtUnits(groups.old.id, parts.door, nodes, staying, located);
    for (int unit = 0; unit < code.units(); unit++) {
      if (length(unit) > 0) {
        open.put(unit, 0);
      }
    }
  }

  private long length(int unit) {
    return context.unitBytes(groups.old.bytes, unit);
  }

  @Override
  public int unitsForCompletion() {
    return GroupMaking.units(groups.made.bytes, context.code) - context.code.parityUnits;
  }

  @Override
  public Map<Integer, NodeRef> nodes() {
    Map<Integer, NodeRef> nodesOf = new HashMap<>();
    // Parity units that have no order yet stay where they are.
    open.keySet().forEach(unit -> sought.find(unit).ifPresent(node -> nodesOf.put(unit, node)));
    orders.forEach((unit, given) -> nodesOf.put(unit, given.node));
    nodesOf.putAll(done);
    return nodesOf;
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
  public boolean hasDigests() {
    return false;
  }

  @Override
  public BitSet made() {
    return ordered.units();
  }

  @Override
  public GroupDigests digests() {
    return new GroupDigests(groups.made.id);
  }

  @Override
  public boolean isDone(BitSet reported) {
    return open.isEmpty() && done.keySet().stream().allMatch(reported::get);
  }

  private String what() {
    return "the new version of " + groups.old.id;
  }

  @Override
  public void begin() throws VersionStopException {
    for (int unit : new ArrayList<>(open.keySet())) {
      if (isLinked(unit)) {
        link(unit);
      } else if (unit < code.dataUnits()) {
        patch(unit);
      }
    }
    parts.hook.reached(VersionPoint.LINKS_ORDERED, context.path);
    if (!patches.isEmpty()) {
      parts.hook.reached(VersionPoint.PATCHES_ORDERED, context.path);
    }
  }

  /** Returns whether no update changes a unit, so that it is linked and not patched. */
  private boolean isLinked(int unit) {
    return unit < code.dataUnits() ? !patches.containsKey(unit)
        : patches.keySet().stream().noneMatch(data -> UnitDependence.of(code, unit, data));
  }

  private void link(int unit) throws VersionStopException {
    NodeRef node = sought.node(unit);
    String id = parts.newOrderId();
    LinkCommand command = new LinkCommand(id, context.term, List.of(new LinkCommand.Link(
        groups.old.id.block(unit, length(unit)), groups.made.id.block(unit, length(unit)))),
        GroupCommands.LINK_MS_MAX);
    give(unit, new Given(order(id, node, GroupCommands.LINK_MS_MAX,
        () -> parts.door.link(node.uuid, command)), node, 0,
        parts.links.plan(LinkLoads.Work.PATCH, List.of(), List.of(), 0)));
  }

  private void patch(int unit) throws VersionStopException {
    NodeRef node = sought.node(unit);
    String id = parts.newOrderId();
    boolean isData = unit < code.dataUnits();
    PatchProto.Builder rest = PatchCommand.of(groups.old.id, groups.made.id, groups.old.bytes, unit,
        isData ? patches.get(unit).ranges : changed)
        .setCodec(context.code.codec).setDataUnits(context.code.dataUnits)
        .setParityUnits(context.code.parityUnits).setCellBytes(context.code.cellBytes)
        .setDeadlineMs(deadlineMs());
    PatchCommand command;
    if (isData) {
      LogPart log = log(patches.get(unit));
      command = new PatchCommand(id, context.term, rest,
          mayKnowChanges() ? log.withDigestSeed(seed()) : log, List.of());
    } else {
      tree.forwarder(unit).ifPresent(by -> rest.setForwarder(PatchCommand.keeper(
          new UnitHolder(by, by == unit ? node : done.get(by)))));
      tree.collector(unit).ifPresent(by -> rest.setCollector(PatchCommand.keeper(
          new UnitHolder(by, done.get(by)))));
      command = new PatchCommand(id, context.term, rest, null, sources(unit));
    }
    give(unit, new Given(order(id, node, command.deadlineMs,
        () -> parts.door.patch(node.uuid, command)), node, unit, isData
        ? parts.links.plan(LinkLoads.Work.PATCH, List.of(), List.of(), 0) : changes(node)));
  }

  /**
   * Returns the load that the changes of all data units put on the network when they go to the node
   * of a parity unit.
   */
  private LinkLoads.Booking changes(NodeRef parity) {
    Set<String> sending = patches.keySet().stream().map(done::get)
        .filter(Objects::nonNull).map(node -> node.uuid).collect(Collectors.toSet());
    return parts.links.plan(LinkLoads.Work.PATCH, sending, List.of(parity.uuid),
        changed.entrySet().stream()
            .mapToLong(range -> range.getValue() - range.getKey()).sum());
  }

  private static LogPart log(UnitPatch patch) {
    return new LogPart(patch.ticket, patch.first, patch.last);
  }

  /**
   * Returns whether the nodes of parity units may calculate the changes from update logs that they
   * hold themselves.
   */
  private boolean mayKnowChanges() {
    return CommitWays.mayKnowChanges(strategy);
  }

  private long seed() {
    return new GroupDigests(groups.made.id).seed();
  }

  /**
   * Returns the sources of a parity unit. The node of the parity unit finds out itself whether its
   * logs have the changes. It must not use a change that it cannot compare with what the data
   * unit's node has stored. Data units without changes are read where they are now; a node that
   * only seems silent may still serve reads.
   */
  private List<PatchSource> sources(int parity) {
    List<PatchSource> sources = tree.sources(parity);
    for (int i = 0; i < sources.size(); i++) {
      int unit = sources.get(i).unit;
      Optional<NodeRef> now = patches.containsKey(unit) ? Optional.empty() : sought.find(unit);
      if (now.isPresent()) {
        sources.set(i, PatchSource.unchanged(unit, now.get()));
      }
    }
    if (mayKnowChanges()) {
      sources.replaceAll(source -> {
        Integer digest = digests.get(source.unit);
        return digest == null ? source
            : source.withLog(log(patches.get(source.unit)).withDigest(seed(), digest));
      });
    }
    return sources;
  }

  /**
   * Returns the node of each unit that has bytes. For a changed data unit, it is the node that has
   * changed it.
   */
  private Map<Integer, NodeRef> places() throws VersionStopException {
    Map<Integer, NodeRef> places = new HashMap<>();
    for (int unit = 0; unit < code.units(); unit++) {
      if (length(unit) > 0) {
        places.put(unit, patches.containsKey(unit) ? done.get(unit) : sought.node(unit));
      }
    }
    return places;
  }

  /** Returns the parity units that change, in ascending order. */
  private List<Integer> parities() {
    return IntStream.range(code.dataUnits(), code.units()).boxed()
        .filter(unit -> length(unit) > 0 && !isLinked(unit)).collect(Collectors.toList());
  }

  private long deadlineMs() {
    return PATCH_MS_EXTRA + 1_000 * length(code.dataUnits())
        / Math.max(1, parts.settings.nodeBytesPerSecond);
  }

  /**
   * Registers an order. When its node has a place for it, the node is asked to fetch it at once.
   */
  private OrderBook.Order order(String id, NodeRef node, long deadlineMs, BooleanSupplier give) {
    return context.order(id, node.uuid, deadlineMs, () -> {
      boolean hasPlace = give.getAsBoolean();
      if (hasPlace) {
        parts.door.hurry(node.uuid);
      }
      return hasPlace;
    });
  }

  private void give(int unit, Given given) {
    ordered.kept(unit, given.node.uuid);
    orders.put(unit, given);
    long now = parts.clockMs.getAsLong();
    given.booking.begin(List.of(), now);
    given.order.send(now);
  }

  @Override
  public void advance(BitSet reported) throws VersionStopException, IOException {
    long now = parts.clockMs.getAsLong();
    Set<Integer> again = new TreeSet<>();
    for (int unit : new ArrayList<>(orders.keySet())) {
      OrderBook.Order order = orders.get(unit).order;
      RepairResult result = order.result();
      if (result != null || order.isLate(now) || nodes.isGone(order.uuid, now)) {
        context.takeBack(order);
        Given given = orders.remove(unit);
        given.booking.end();
        take(unit, given, result, again);
      } else {
        order.send(now);
      }
    }
    for (int unit : new ArrayList<>(dueMs.keySet())) {
      if (now >= dueMs.get(unit)) {
        dueMs.remove(unit);
        again.add(unit);
      }
    }
    if (!again.isEmpty()) {
      sought.locate(OldUnits.locate(parts.store, parts.door, groups.oldInodeId));
      for (int unit : again) {
        order(unit);
      }
    }
    if (tree == null && !patches.isEmpty()
        && patches.keySet().stream().allMatch(done::containsKey)) {
      beginParities();
    }
    for (int unit : new ArrayList<>(waiting)) {
      order(unit);
    }
    checkReported(reported, now);
  }

  private void order(int unit) throws VersionStopException {
    waiting.remove(unit);
    if (isLinked(unit)) {
      link(unit);
    } else if (unit >= code.dataUnits() && !done.keySet().containsAll(tree.before(unit))) {
      waiting.add(unit);
    } else {
      patch(unit);
    }
  }

  private void beginParities() throws VersionStopException {
    List<Integer> parities = parities();
    Map<Integer, List<NodeRef>> followers = new HashMap<>();
    // If the leader of the log does not hold the unit, it has sent no deltas to its followers.
    patches.forEach((unit, patch) -> followers.put(unit,
        patch.ticket.leader().uuid.equals(done.get(unit).uuid)
            ? patch.ticket.followers() : List.of()));
    tree = new DeltaTree(strategy, code, places(), ofParities, parities, followers);
    for (int unit : parities) {
      if (open.containsKey(unit)) {
        order(unit);
      }
    }
    parts.hook.reached(VersionPoint.PARITIES_ORDERED, context.path);
  }

  /**
   * Takes the result of an order. Adds the unit to {@code again} if it has to be ordered again at
   * once.
   */
  private void take(int unit, Given was, RepairResult result, Set<Integer> again)
      throws VersionStopException {
    long now = parts.clockMs.getAsLong();
    if (result == null) {
      nodes.failed("DataNode " + was.node.uuid
          + " has become silent, or has not reported in time");
    } else {
      VersionReport report = result.version;
      if (report != null) {
        bytes = bytes.plus(new VersionBytes(0, report.linkedBytes, report.copiedBytes,
            report.madeBytes, 0));
      }
      if (result.rebuiltUnits.contains(was.name)) {
        if (report != null && report.digests.containsKey(unit) && patches.containsKey(unit)) {
          digests.put(unit, report.digests.get(unit));
        }
        durability.made(report, now);
        open.remove(unit);
        fullSinceMs.remove(unit);
        sought.found(unit);
        done.put(unit, was.node);
        doneMs = now;
        return;
      }
      nodes.failed(result.toString());
      checkDoubt(result);
      // Either the node of the unit is overloaded, or another node is from which this one has to
      // read.
      if (result.cause == FailureCause.OVERLOADED
          && now - fullSinceMs.computeIfAbsent(unit, first -> now) < OVERLOADED_MS_MAX) {
        dueMs.put(unit, now + REST_MS);
        return;
      }
      if (sought.isDenied(unit, was.node.uuid, result)) {
        sought.seek(unit, now);
        dueMs.put(unit, now + REST_MS);
        return;
      }
    }
    if (open.merge(unit, 1, Integer::sum) >= TRIES_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "unit " + unit + " of " + what()
          + " was tried " + TRIES_MAX + " times in vain; at last: " + nodes.lastFailure());
    }
    dueMs.put(unit, result == null ? now : now + REST_MS);
    forwardAgain(unit, again);
  }

  /**
   * Orders those parity units again whose nodes forward or collect changes for this one: a node
   * that has restarted has lost the changes.
   */
  private void forwardAgain(int unit, Set<Integer> again) {
    if (tree == null || unit < code.dataUnits()) {
      return;
    }
    for (int by : tree.before(unit)) {
      if (done.remove(by) != null) {
        open.put(by, open.get(unit) - 1);
        again.add(by);
      }
    }
  }

  private void checkDoubt(RepairResult result) throws VersionStopException {
    if (result.cause == FailureCause.VERIFICATION) {
      parts.gate.doubt(groups.old.id, ScrubFinding.NO_UNIT);
      throw VersionStopException.forGood("the units of " + groups.old.id + " contradict each"
          + " other, or their new versions do (" + result + "); the repair manager finds out which"
          + " one is wrong; commit again after that");
    }
  }

  private void checkReported(BitSet reported, long now) throws VersionStopException {
    if (open.isEmpty() && !isDone(reported) && doneMs >= 0
        && now - doneMs >= GroupMaking.REPORT_MS_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "units of " + what()
          + " are made, and the NameNode does not hear of them");
    }
  }

  @Override
  public void cancel() {
    orders.values().forEach(given -> {
      given.booking.end();
      context.takeBack(given.order);
    });
    orders.clear();
    dueMs.clear();
    waiting.clear();
  }
}
