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
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one parity file, in steps, from the request to the closed and checked file. A column has
 * only one equation, by which the parity unit is made, so that the making cannot check itself by
 * another one. Instead, all units are checked together by the equations of the parity file's own
 * code. Used by one thread at a time.
 */
final class ParityMaker implements SteppedMaking<ParityOutcome> {
  private static final Logger LOG = LoggerFactory.getLogger(ParityMaker.class);
  private static final FsPermission OWN = new FsPermission((short) 0600);
  /** The job of a parity file has no rate of its own; only the limits of all makings apply. */
  private static final long NO_RATE = 0;

  private final EngineParts parts;
  private final ParityRequest request;
  private final MakingTerm term;
  private final Phase phases;

  /** Null before the first step. */
  private MakingGuard guard;
  /** Null until there is a work file. */
  private FileMaking making;
  /** How the groups of the work file are made. */
  private FileMaking.Recipes recipes;
  private WorkFile work;
  private boolean isDeleted;
  /** Null until the last step. */
  private ParityOutcome outcome;

  ParityMaker(EngineParts parts, ParityRequest request, MakingTerm term) {
    this.parts = parts;
    this.request = request;
    this.term = term;
    this.phases = Phase.inOrder(
        Phase.once(this::begin),
        () -> guard.mayBegin(request.files),
        Phase.once(this::claim),
        Phase.once(this::create),
        () -> making.makeGroups(recipes),
        () -> making.complete(),
        Phase.once(this::compare),
        () -> making.checkAll(false),
        Phase.once(this::verified));
  }

  /** Takes a step. The last one also deletes what is unfinished, unless it throws an Error. */
  @Override
  public Progress step() {
    ParityOutcome end;
    try {
      Progress progress = phases.step();
      if (!progress.isDone()) {
        return progress;
      }
      end = ParityOutcome.made(work.inodeId, work.groups(), making.spent());
    } catch (VersionStopException e) {
      end = ParityOutcome.notMade(e.outcome(spent()));
    } catch (IOException | RuntimeException | AssertionError e) {
      end = ParityOutcome.notMade(isStopped() || e instanceof StandbyException
          ? MakingGuard.stopped(spent())
          : VersionOutcome.notPublished(VersionEnd.FAILED, e.toString().split("\n")[0], spent()));
    }
    cancel();
    if (!end.isMade() && work != null && !isStopped()) {
      delete();
    }
    outcome = end.isMade() ? end : ParityOutcome.notMade(end.outcome, left());
    return Progress.DONE;
  }

  private boolean isStopped() {
    return term.isStopped.getAsBoolean();
  }

  @Override
  public ParityOutcome outcome() {
    return outcome;
  }

  /** The requester deletes the unfinished file. */
  @Override
  public ParityOutcome failed(Throwable e) {
    return ParityOutcome.notMade(
        VersionOutcome.notPublished(VersionEnd.FAILED, e.toString(), VersionBytes.NONE), left());
  }

  private void cancel() {
    if (making != null) {
      making.cancel();
    }
  }

  private void begin() {
    guard = new MakingGuard(parts, parts.gate::whyNot, term.isStopped, term.isCancelled);
  }

  private void claim() throws VersionStopException {
    if (!term.claim.take()) {
      throw new VersionStopException(RefusalReason.BUSY, "a version of one of the files is"
          + " being made or cleared up; wait for it");
    }
    // From here on, this NameNode begins its next term only after this making has ended.
    guard.checkGoOn();
  }

  /** Returns the inode id of the unfinished file; empty if there is none, or if it is deleted. */
  private OptionalLong left() {
    return work == null || isDeleted ? OptionalLong.empty() : OptionalLong.of(work.inodeId);
  }

  /** Also lets the repair manager repair the file's groups, if there is a file. */
  @Override
  public void release() {
    try {
      cancel();
    } finally {
      try {
        if (making != null) {
          making.release();
        }
      } finally {
        term.claim.giveBack();
      }
    }
  }

  private VersionBytes spent() {
    return making == null ? VersionBytes.NONE : making.spent();
  }

  private void create() throws IOException, VersionStopException {
    List<TargetFile> files = request.files;
    for (TargetFile file : files) {
      for (FileGroup group : file.groups) {
        if (parts.gate.isDoubted(group.id)) {
          throw new VersionStopException(RefusalReason.DOUBTED, "units of " + group.id
              + " contradict each other; the repair manager finds out which one is wrong");
        }
      }
    }
    List<TargetFile> located = new ArrayList<>(files);
    located.addAll(request.beside);
    MemberUnits units = new MemberUnits(parts, located);
    units.locate();
    work = WorkFile.of(parts.store, request.place.create(new ParityPlace.Form(OWN,
        files.get(0).blockBytes, files.get(0).storagePolicy, request.policy.name),
        term.leaseHolder), term.leaseHolder);
    VersionContext context = new VersionContext(
        parts, new VersionContext.Job(request.jobId, NO_RATE), new VersionContext.MadeFile(
            work.path, work.inodeId, request.policy.code), term.number, term.news,
        guard.startMs());
    making = new FileMaking(context, work, guard, "the parity file " + work.path);
    parts.hook.reached(VersionPoint.CREATED, work.path);
    recipes = new FileMaking.Recipes() {
      @Override
      public int count() {
        return request.groups();
      }

      @Override
      public long bytes(int index) {
        return request.bytes(index);
      }

      @Override
      public GroupWork of(int index, FileGroup made) {
        return new GroupMaking(context, new ColumnRecipe(context, at(index, files),
            at(index, request.beside), made, units), made);
      }
    };
  }

  private void compare() throws IOException, VersionStopException {
    making.compare(parts.namespace.facts(work.path,
        UserGroupInformation.getLoginUser().getShortUserName()), request.policy.name);
  }

  private void verified() throws VersionStopException {
    parts.hook.reached(VersionPoint.VERIFIED, work.path);
    guard.checkGoOn();
  }

  private static List<FileGroup> at(int index, List<TargetFile> files) {
    return files.stream().filter(file -> index < file.groups.size())
        .map(file -> file.groups.get(index)).collect(Collectors.toList());
  }

  /**
   * Deletes the file that this attempt has made. If that fails, the requester deletes it. No
   * snapshot can prevent the deletion, because the file was never renamed.
   */
  private void delete() {
    try {
      HdfsFileStatus there = parts.store.namenode().getFileInfo(work.path);
      if (there != null && there.getFileId() == work.inodeId) {
        parts.store.namenode().delete(work.path, false);
      }
      isDeleted = true;
    } catch (IOException | RuntimeException | AssertionError e) {
      LOG.info("The unfinished {} is left for later: {}", work.path, e.toString());
    }
  }

  /**
   * Makes a group of a parity file. Each unit is the XOR of the units with the same index in those
   * groups of the member files that have the same index. A group that is too short to have the unit
   * is left out of the XOR.
   */
  static final class ColumnRecipe implements GroupRecipe {
    /** Hadoop's codec whose only parity unit is the XOR of the data units. */
    private static final String CODEC = "xor";
    /**
     * Codec by which a unit is copied: in Reed-Solomon with one data unit, the parity unit equals
     * the data unit.
     */
    private static final String COPY_CODEC = "rs";
    private static final String CHAIN = "rack";
    private static final String COPY_TOPOLOGY = "star";

    private final VersionContext context;
    private final EngineParts parts;
    /**
     * The groups of the member files that have the same index as this group. Files that are too
     * short have none.
     */
    private final List<FileGroup> members;
    private final List<FileGroup> beside;
    private final FileGroup made;
    private final MemberUnits located;

    /**
     * @param beside further groups that have blocks in the same columns, and that are not read
     * @param located where the units of all these groups are
     */
    ColumnRecipe(VersionContext context, List<FileGroup> members, List<FileGroup> beside,
        FileGroup made, MemberUnits located) {
      this.context = context;
      this.parts = context.parts;
      this.members = Collections.unmodifiableList(new ArrayList<>(members));
      this.beside = Collections.unmodifiableList(new ArrayList<>(beside));
      this.made = made;
      this.located = located;
    }

    @Override
    public void locate() throws IOException {
      located.locate();
    }

    /** Returns the indices, in the list of members, of the groups that have a block in a column. */
    private List<Integer> sources(int unit) {
      List<Integer> sources = new ArrayList<>();
      for (int i = 0; i < members.size(); i++) {
        if (context.unitBytes(members.get(i).bytes, unit) > 0) {
          sources.add(i);
        }
      }
      return sources;
    }

    @Override
    public MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes)
        throws VersionStopException {
      Map<Integer, List<UnitHolder>> holders = new TreeMap<>();
      Map<Integer, Collection<NodeRef>> columns = new TreeMap<>();
      for (int unit : wanted) {
        List<UnitHolder> column = column(unit, nodes);
        holders.put(unit, column);
        Set<NodeRef> holding = column.stream().map(holder -> holder.node)
            .collect(Collectors.toSet());
        beside.forEach(group -> located.of(group.id).stream()
            .filter(one -> one.unit == unit).forEach(one -> holding.add(one.node)));
        columns.put(unit, holding);
      }
      List<NodeRef> spare = parts.door.workers().stream().filter(nodes::canWork)
          .collect(Collectors.toList());
      // Each group begins with another node, so that the units of many groups are spread over all
      // nodes. Nodes that receive fewer bytes for other groups come first.
      Collections.rotate(spare, Long.hashCode(made.id.groupId));
      Map<NodeRef, Long> loads = new HashMap<>();
      spare.sort(Comparator.comparing(node -> load(loads, node)));
      Map<Integer, NodeRef> places = new ColumnPlaces(spare, columns, taken).choose()
          .orElseThrow(() -> noNodes(nodes));
      List<UnitPlace> placed = new ArrayList<>();
      List<Make> makes = new ArrayList<>();
      places.values().forEach(node -> receive(loads, node));
      places.forEach((unit, node) -> {
        placed.add(new UnitPlace(unit, node, UnitPlace.NONE));
        List<UnitHolder> order = inOrder(node, holders.get(unit), loads);
        order.subList(0, order.size() - 1).forEach(helper -> receive(loads, helper.node));
        makes.add(make(unit, node, order));
      });
      return new MakePlan(placed, makes);
    }

    /**
     * Returns how many bytes a node will receive by all plans that exist, including the present
     * one.
     */
    private long load(Map<NodeRef, Long> loads, NodeRef node) {
      return loads.computeIfAbsent(node, any -> parts.links.planned(any.uuid));
    }

    /** Adds the length of a unit to the bytes that a node will receive. */
    private void receive(Map<NodeRef, Long> loads, NodeRef node) {
      loads.put(node, load(loads, node)
          + context.unitBytes(made.bytes, context.code.dataUnits));
    }

    private VersionStopException noNodes(NodeNotes nodes) {
      String sentence = what() + " cannot be made now: too few DataNodes with the plugin hold no"
          + " block of the same column";
      return nodes.lastFailure().isEmpty()
          ? new VersionStopException(RefusalReason.NO_NODES, sentence)
          : new VersionStopException(VersionEnd.FAILED, sentence + "; before that: "
              + nodes.lastFailure());
    }

    /**
     * Returns the holders of the blocks of a column, in the order of the members. Members without a
     * block in the column are left out, and the index of a holder is its position here.
     */
    private List<UnitHolder> column(int unit, NodeNotes nodes) throws VersionStopException {
      List<UnitHolder> column = new ArrayList<>();
      for (int member : sources(unit)) {
        FileGroup group = members.get(member);
        Optional<UnitHolder> holder = located.of(group.id).stream()
            .filter(one -> one.unit == unit && nodes.isRead(one.node)).findFirst();
        if (holder.isEmpty()) {
          throw noUnit(unit, group, nodes);
        }
        column.add(new UnitHolder(column.size(), holder.get().node));
      }
      return column;
    }

    private VersionStopException noUnit(int unit, FileGroup group, NodeNotes nodes) {
      String sentence = what() + " cannot be made now: no DataNode has unit " + unit + " of "
          + group.id + "; wait until it is repaired";
      return nodes.lastFailure().isEmpty()
          ? new VersionStopException(RefusalReason.UNITS_LOST, sentence)
          : new VersionStopException(VersionEnd.FAILED, sentence + "; before that: "
              + nodes.lastFailure());
    }

    private Make make(int unit, NodeRef node, List<UnitHolder> column) {
      List<MakeSlot> slots = new ArrayList<>();
      sources(unit).forEach(member -> slots.add(MakeSlot.old(member)));
      slots.add(MakeSlot.ofNew(unit));
      boolean isCopy = column.size() == 1;
      return new Make(isCopy ? COPY_CODEC : CODEC, column.size(), slots,
          List.of(new UnitHolder(column.size(), node)), column,
          new Make.Route(isCopy ? COPY_TOPOLOGY : CHAIN, true, column.size()));
    }

    /**
     * Sorts the helpers by racks, the rack of the making node first. In each rack, the node that
     * receives the most bytes for other units comes last, because the last node of a chain only
     * sends.
     */
    private List<UnitHolder> inOrder(NodeRef target, List<UnitHolder> column, Map<NodeRef,
        Long> loads) {
      List<String> racks = new ArrayList<>();
      racks.add(target.rack);
      column.forEach(helper -> racks.add(helper.node.rack));
      List<UnitHolder> sorted = new ArrayList<>(column);
      sorted.sort(Comparator
          .<UnitHolder, Boolean>comparing(helper -> !helper.node.runsExtension())
          .thenComparingInt(helper -> racks.indexOf(helper.node.rack))
          .thenComparing(helper -> load(loads, helper.node)));
      return sorted;
    }

    @Override
    public LinkCommand link(String id, List<UnitPlace> places) {
      throw new IllegalStateException("No unit of " + what() + " is a link");
    }

    @Override
    public MakeCommand make(String id, Make make, List<CommandTarget> targets) {
      int unit = make.slots.get(make.dataUnits).unit;
      List<BlockRef> blocks = new ArrayList<>();
      for (MakeSlot slot : make.slots) {
        FileGroup group = slot.isNew ? made : members.get(slot.unit);
        blocks.add(group.id.block(unit, context.unitBytes(group.bytes, unit)));
      }
      RepairCommand work = new RepairCommand(RepairCommand.of(id, context.term, made.id, made.bytes)
          .setCodec(make.codec).setDataUnits(make.dataUnits).setParityUnits(make.parityUnits())
          .setCellBytes(context.code.cellBytes).setTopology(make.topology)
          .setByDecoding(make.byDecoding)
          .setDeadlineMs(GroupCommands.makeDeadlineMs(context, made.bytes)), blocks, make.helpers,
          targets);
      return new MakeCommand(work, context.nodeBytesPerSecond());
    }

    @Override
    public VersionStopException contradiction(RepairResult result) {
      return VersionStopException.forGood("blocks of which " + what() + " is made contradict each"
          + " other (" + result + ")");
    }

    @Override
    public boolean wantsDigests() {
      return true;
    }

    /**
     * No block is deleted because of a parity file. If a power cut loses a unit, a repair makes it
     * again.
     */
    @Override
    public boolean mustBeDurable() {
      return false;
    }

    @Override
    public String what() {
      return "the parity group " + made.id;
    }
  }

  /**
   * Chooses the nodes of units of a parity group. No node gets two units of the group, and no node
   * gets a unit if it has another block of the unit's column. As far as possible, the rack of a
   * unit has no other block of its column, and few units of the group. Depends on nothing but its
   * parameters. Used by one thread at a time.
   */
  static final class ColumnPlaces {
    private final List<NodeRef> candidates;
    private final Map<Integer, Collection<NodeRef>> columns;
    private final Map<NodeRef, Integer> unitOf = new HashMap<>();
    private final Map<Integer, NodeRef> nodeOf = new TreeMap<>();
    private final Map<String, Integer> unitsInRack = new HashMap<>();

    /**
     * @param candidates nodes that may have a unit, preferred ones first
     * @param columns the nodes with the other blocks of the column, for each unit that is to be
     *     placed
     * @param taken the nodes of the group's other units
     */
    ColumnPlaces(Collection<NodeRef> candidates, Map<Integer, Collection<NodeRef>> columns,
        Collection<NodeRef> taken) {
      this.candidates = new ArrayList<>(candidates);
      this.candidates.removeIf(taken::contains);
      this.columns = new TreeMap<>(columns);
      taken.forEach(node -> unitsInRack.merge(node.rack, 1, Integer::sum));
    }

    /**
     * Chooses a node for each unit.
     *
     * @return the node of each unit; empty if there are too few nodes
     */
    Optional<Map<Integer, NodeRef>> choose() {
      for (int unit : columns.keySet()) {
        if (!place(unit, new HashSet<>())) {
          return Optional.empty();
        }
      }
      return Optional.of(nodeOf);
    }

    /**
     * Places a unit. If all nodes that are possible for it are taken, moves other units to make
     * room. Returns false if that does not help.
     */
    private boolean place(int unit, Set<NodeRef> tried) {
      List<NodeRef> possible = possible(unit);
      for (NodeRef node : possible) {
        if (!unitOf.containsKey(node)) {
          put(unit, node);
          return true;
        }
      }
      for (NodeRef node : possible) {
        if (tried.add(node) && place(unitOf.get(node), tried)) {
          put(unit, node);
          return true;
        }
      }
      return false;
    }

    private void put(int unit, NodeRef node) {
      NodeRef before = nodeOf.put(unit, node);
      if (before != null) {
        unitsInRack.merge(before.rack, -1, Integer::sum);
        unitOf.remove(before, unit);
      }
      unitOf.put(node, unit);
      unitsInRack.merge(node.rack, 1, Integer::sum);
    }

    private List<NodeRef> possible(int unit) {
      Collection<NodeRef> column = columns.get(unit);
      Map<String, Integer> inColumn = new HashMap<>();
      column.forEach(node -> inColumn.merge(node.rack, 1, Integer::sum));
      List<NodeRef> possible = new ArrayList<>(candidates);
      possible.removeIf(column::contains);
      possible.sort(Comparator
          .<NodeRef>comparingInt(node -> inColumn.getOrDefault(node.rack, 0))
          .thenComparingInt(node -> unitsInRack.getOrDefault(node.rack, 0)));
      return possible;
    }
  }
}
