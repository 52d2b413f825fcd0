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
package org.hdfsppr.manage.version;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.CommandKind;
import org.hdfsppr.manage.FieldRules;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchForwarderProto;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchSourceProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * Orders a DataNode to copy a unit of a block group to the new version of the group, and to change
 * ranges of the copy. A data unit changes by the updates in its log. A parity unit changes by what
 * the changes of the data units mean for it. A command may arrive twice: a block that is there
 * already, with its generation stamp and its length, counts as made. Immutable.
 */
@InterfaceAudience.Private
public final class PatchCommand implements ManagerCommand.OfKind {
  /** Reads commands of this kind. */
  public static final class Kind extends CommandKind {
    /** For the service loader. */
    public Kind() {
      super(KIND, "patches", PatchCommand::parse);
    }
  }

  /** The name of this kind of command in messages. */
  public static final String KIND = "patch";
  /**
   * How many ranges a command has at most. If there are more, the NameNode joins ranges that are
   * near each other.
   */
  public static final int RANGES_MAX = 1024;
  /**
   * How many ranges a {@link PatchSource} has at most, those of all three ways together. It is more
   * than {@link #RANGES_MAX}, because the NameNode also cuts ranges where those of other units
   * begin or end.
   */
  public static final int WAYS_MAX = 2 * RANGES_MAX;
  /**
   * How many data units a group has at most. A request for changes lists each data unit twice: its
   * old block and its new one.
   */
  public static final int DATA_UNITS_MAX = RequestBounds.LISTED_UNITS_MAX / 2;

  private final String commandId;
  private final long term;
  /** The block group in the old version */
  public final GroupId old;
  /** The block group in the new version; the units of both have the same lengths */
  public final StripedLayout made;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /** Name of the codec */
  public final String codec;
  /** The index of the unit that the receiving DataNode copies and changes */
  public final int unit;
  /**
   * The ranges of the unit that may change: the first byte of each, and the byte after its last
   * one. For a parity unit of a code with sub-chunks, these are the ranges of the data units
   * instead
   */
  public final NavigableMap<Long, Long> ranges;
  private final LogPart log;
  /** For a parity unit, all data units that have bytes; empty for a data unit */
  public final List<PatchSource> sources;
  private final UnitHolder forwarder;
  private final UnitHolder collector;
  /** How many milliseconds the DataNode has for the command, counted from its arrival */
  public final long deadlineMs;

  private final PatchProto rest;

  /**
   * @param commandId id of the command, which no other command or repair of the term has
   * @param term the term of the NameNode, which is the time in which it is active
   * @param rest all other fields of the message: those that {@link #of} sets; the code of the
   *     group; {@code deadline_ms}; {@code forwarder}, if changes are forwarded to the unit's rack,
   *     the {@link #keeper} that has them, which may be the unit of this command; {@code
   *     collector}, if changes are collected, the {@link #keeper} of another rack that has them
   * @param log for a data unit, the updates that change it; null for a parity unit
   * @param sources for a parity unit, all data units that have bytes; if sums with the change of
   *     one are made at the DataNode of another, the other comes before it; empty for a data unit
   * @throws IllegalArgumentException if the parts contradict each other
   */
  public PatchCommand(String commandId, long term, PatchProto.Builder rest, LogPart log,
      List<PatchSource> sources) {
    this.commandId = Objects.requireNonNull(commandId, "commandId");
    this.term = term;
    old = new GroupId(rest.getBlockPoolId(), rest.getOldGroupId(), rest.getOldGenerationStamp());
    groupBytes = rest.getGroupBytes();
    made = new StripedLayout(
        new GroupId(rest.getBlockPoolId(), rest.getGroupId(), rest.getGenerationStamp()),
        groupBytes, rest.getDataUnits(), rest.getParityUnits(), rest.getCellBytes());
    codec = rest.getCodec();
    unit = rest.getUnit();
    ranges = FieldRules.ranges("ranges", RANGES_MAX, rest.getRangeBeginsList(),
        rest.getRangeLengthsList());
    this.log = log;
    this.sources = Collections.unmodifiableList(new ArrayList<>(sources));
    forwarder = rest.hasForwarder() ? holder(rest.getForwarder()) : null;
    collector = rest.hasCollector() ? holder(rest.getCollector()) : null;
    deadlineMs = rest.getDeadlineMs();
    check();
    this.rest = rest.clearLog().clearSources().build();
  }

  /**
   * Makes a message with the fields that commands for data units and for parity units have in
   * common.
   *
   * @param old the block group in the old version
   * @param made the block group in the new version
   * @param bytes bytes of file data in each of them
   * @param unit the index of the unit to copy
   * @param ranges the ranges that may change, see {@link #ranges}
   * @return a message with these fields
   * @throws IllegalArgumentException if the groups are of two pools
   */
  public static PatchProto.Builder of(GroupId old, GroupId made, long bytes, int unit,
      Map<Long, Long> ranges) {
    if (!old.poolId.equals(made.poolId)) {
      throw new IllegalArgumentException("A command patches " + old + " to " + made);
    }
    PatchProto.Builder rest = PatchProto.newBuilder()
        .setBlockPoolId(made.poolId)
        .setOldGroupId(old.groupId)
        .setOldGenerationStamp(old.generationStamp)
        .setGroupId(made.groupId)
        .setGenerationStamp(made.generationStamp)
        .setGroupBytes(bytes)
        .setUnit(unit);
    new TreeMap<>(ranges).forEach((from, to) ->
        rest.addRangeBegins(from).addRangeLengths(to - from));
    return rest;
  }

  /**
   * @param holder a parity unit and the DataNode that has it
   * @return the part of a message that names it as the forwarder or the collector
   */
  public static PatchForwarderProto keeper(UnitHolder holder) {
    return PatchForwarderProto.newBuilder()
        .setUnit(holder.unit)
        .setNode(WireRules.toProto(holder.node))
        .build();
  }

  private static UnitHolder holder(PatchForwarderProto keeper) {
    return new UnitHolder(keeper.getUnit(), WireRules.node(keeper.getNode()));
  }

  private void check() {
    boolean isParity = unit >= made.dataUnits();
    if (unit < 0 || unit >= made.dataUnits() + made.parityUnits() || made.length(unit) == 0
        || isParity == (log != null) || isParity == sources.isEmpty()
        || made.dataUnits() > DATA_UNITS_MAX) {
      throw new IllegalArgumentException("Command " + commandId + " patches unit " + unit + " of "
          + made.id() + " by " + log + " and " + sources);
    }
    if (old.groupId == made.id().groupId) {
      throw new IllegalArgumentException("Command " + commandId + " patches " + old + " to "
          + made.id());
    }
    if (deadlineMs < 1 || deadlineMs > RepairCommand.DEADLINE_MS_MAX) {
      throw new IllegalArgumentException("Command " + commandId + " has " + deadlineMs
          + " ms until its deadline, allowed are 1 to " + RepairCommand.DEADLINE_MS_MAX);
    }
    checkRanges();
    checkSources();
    if (log != null && (log.ticket.unit.unit != unit
        || !log.ticket.poolId().equals(old.poolId))) {
      throw new IllegalArgumentException("Command " + commandId + " patches unit " + unit + " by "
          + log);
    }
  }

  /** Checks that ranges are in order, and returns the byte after the last range. */
  private long checkOrder(NavigableMap<Long, Long> some) {
    long end = -1;
    for (Map.Entry<Long, Long> range : some.entrySet()) {
      if (range.getKey() <= end || range.getValue() <= range.getKey()) {
        throw new IllegalArgumentException("Command " + commandId + " has ranges " + some);
      }
      end = range.getValue();
    }
    return end;
  }

  private void checkRanges() {
    long end = checkOrder(ranges);
    if (ranges.isEmpty() || ranges.size() > RANGES_MAX || ranges.firstKey() < 0
        || end > made.length(unit)) {
      throw new IllegalArgumentException("Command " + commandId + " has " + ranges.size()
          + " ranges up to " + end + " of a unit of " + made.length(unit) + " bytes");
    }
  }

  private void checkSources() {
    ByteRanges ofSources = new ByteRanges();
    boolean isForwarded = false;
    boolean isCollected = false;
    int seen = 0;
    int changed = 0;
    for (PatchSource source : sources) {
      if (source.unit < 0 || source.unit >= made.dataUnits()
          || made.length(source.unit) == 0 || (seen & 1 << source.unit) != 0) {
        throw new IllegalArgumentException("Command " + commandId + " has sources " + sources);
      }
      seen |= 1 << source.unit;
      // The sum with a change is made at the node of a unit that is listed before it, so that no
      // two nodes wait for each other.
      if (source.isChanged() && source.via().isPresent()
          && (changed & 1 << source.via().getAsInt()) == 0) {
        throw new IllegalArgumentException("Command " + commandId + " has sources " + sources);
      }
      changed |= source.isChanged() ? 1 << source.unit : 0;
      checkWays(source);
      source.summed.forEach(ofSources::add);
      source.forwarded.forEach(ofSources::add);
      source.collected.forEach(ofSources::add);
      isForwarded |= !source.forwarded.isEmpty();
      isCollected |= !source.collected.isEmpty();
    }
    if (!sources.isEmpty() && changed == 0) {
      throw new IllegalArgumentException("Command " + commandId + " has no changed source");
    }
    // A range of the command in which no source has changed would silently stay as it was.
    if (!sources.isEmpty() && !ofSources.ranges().equals(ranges)) {
      throw new IllegalArgumentException("Command " + commandId + " changes " + ranges.size()
          + " ranges, and its sources have not changed in the same ones: " + sources);
    }
    checkKeeper("forwarder", forwarder, isForwarded);
    checkKeeper("collector", collector, isCollected);
    // The collector is in another rack, so it is neither this command's unit nor its forwarder.
    if (isCollected && (collector.unit == unit
        || isForwarded && forwarder.unit == collector.unit)) {
      throw new IllegalArgumentException("Command " + commandId + " of unit " + unit + " has the"
          + " forwarder " + forwarder + " and the collector " + collector);
    }
  }

  /**
   * Checks that the command names a forwarder or a collector if, and only if, changes come from
   * one.
   */
  private void checkKeeper(String what, UnitHolder keeper, boolean isNeeded) {
    if (isNeeded != (keeper != null) || isNeeded && !isParity(keeper)) {
      throw new IllegalArgumentException("Command " + commandId + " has the " + what + " "
          + keeper + ", and changes that come from one: " + isNeeded);
    }
  }

  private void checkWays(PatchSource source) {
    long end = Math.max(checkOrder(source.summed),
        Math.max(checkOrder(source.forwarded), checkOrder(source.collected)));
    int ways = source.summed.size() + source.forwarded.size() + source.collected.size();
    if (ways > WAYS_MAX || end > made.length(source.unit)) {
      throw new IllegalArgumentException("Command " + commandId + " has the source " + source
          + " of " + made.length(source.unit) + " bytes");
    }
    ByteRanges all = new ByteRanges();
    source.summed.forEach(all::add);
    for (NavigableMap<Long, Long> further : List.of(source.forwarded, source.collected)) {
      further.forEach((from, to) -> {
        if (all.add(from, to) < to - from) {
          throw new IllegalArgumentException("Command " + commandId + " has bytes " + from + " to "
              + to + " of unit " + source.unit + " twice");
        }
      });
    }
  }

  private boolean isParity(UnitHolder holder) {
    return holder != null && holder.unit >= made.dataUnits()
        && holder.unit < made.dataUnits() + made.parityUnits();
  }

  /**
   * Returns the index by which requests for changes refer to the new block of a data unit. They
   * refer to the old block by the index of the unit. A request has each index once, and no parity
   * units, so that the new blocks take the indices from k on.
   *
   * @param unit the data unit
   * @param dataUnits k, at most {@link #DATA_UNITS_MAX}
   * @return the index of the new block
   */
  public static int numberOfNew(int unit, int dataUnits) {
    return dataUnits + unit;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String id() {
    return commandId;
  }

  @Override
  public long term() {
    return term;
  }

  /** @return the block of the unit in the old version */
  public BlockRef from() {
    return oldBlock(unit);
  }

  /** @return the block of the unit in the new version */
  public BlockRef to() {
    return made.block(unit);
  }

  /**
   * @param any the index of a unit
   * @return the block of this unit in the old version
   */
  public BlockRef oldBlock(int any) {
    return old.block(any, made.length(any));
  }

  /** @return for a data unit, the updates that change it; empty for a parity unit */
  public Optional<LogPart> log() {
    return Optional.ofNullable(log);
  }

  /**
   * @return the parity unit whose DataNode gets changes of data units as they are, and passes them
   *     on to the other parity units of its rack; empty if no change is forwarded
   */
  public Optional<UnitHolder> forwarder() {
    return Optional.ofNullable(forwarder);
  }

  /** @return whether the receiving DataNode itself is the {@link #forwarder()} */
  public boolean isForwarder() {
    return forwarder != null && forwarder.unit == unit;
  }

  /**
   * @return the parity unit of another rack whose DataNode has the changes of data units of all
   *     racks, because it is the forwarder of its rack, and sends one sum of them for this parity
   *     unit; empty if no change is collected
   */
  public Optional<UnitHolder> collector() {
    return Optional.ofNullable(collector);
  }

  @Override
  public CommandProto toProto() {
    PatchProto.Builder body = rest.toBuilder();
    sources.forEach(source -> body.addSources(source.toProto()));
    if (log != null) {
      body.setLog(log.toProto());
    }
    CommandProto.Builder message = FieldRules.command(this, body.build());
    if (log == null) {
      message.setMustUnderstand(CommandFeatures.CHANGE_WAYS
          | (collector == null ? 0 : CommandFeatures.COLLECTED));
    }
    return message.build();
  }

  /**
   * Parses a command. The caller has checked that the command is of this kind, and that this
   * version knows all bits of must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException whose message names the wrong field
   */
  static PatchCommand parse(CommandProto command, String pool) {
    PatchProto proto = FieldRules.body(command, PatchProto.parser());
    FieldRules.pool(proto.getBlockPoolId(), pool);
    int k = WireRules.within("data_units", proto.getDataUnits(), 1, RequestBounds.UNITS_MAX - 1);
    int m = WireRules.within("parity_units", proto.getParityUnits(), 1, RequestBounds.UNITS_MAX
        - k);
    FieldRules.atMost("sources", proto.getSourcesCount(), k);
    FieldRules.group(proto.getOldGroupId());
    FieldRules.group(proto.getGroupId());
    FieldRules.groupBytes(proto.getGroupBytes());
    WireRules.name("codec", proto.getCodec());
    FieldRules.cellBytes(proto.getCellBytes());
    WireRules.within("unit", proto.getUnit(), 0, k + m - 1);
    List<PatchSource> sources = new ArrayList<>();
    for (PatchSourceProto source : proto.getSourcesList()) {
      sources.add(PatchSource.parse(source, k, WAYS_MAX, pool));
    }
    if (proto.hasForwarder()) {
      checkKeeper("forwarder.unit", proto.getForwarder(), k, m);
    }
    if (proto.hasCollector()
        != ((command.getMustUnderstand() & CommandFeatures.COLLECTED) != 0)) {
      throw new IllegalArgumentException("there is " + (proto.hasCollector() ? "a" : "no")
          + " collector, and must_understand is "
          + Long.toHexString(command.getMustUnderstand()));
    }
    if (proto.hasCollector()) {
      checkKeeper("collector.unit", proto.getCollector(), k, m);
    }
    return new PatchCommand(FieldRules.id(command.getCommandId()),
        FieldRules.term(command.getTerm()),
        proto.toBuilder(), proto.hasLog() ? LogPart.parse(proto.getLog()) : null, sources);
  }

  private static void checkKeeper(String name, PatchForwarderProto keeper, int k, int m) {
    WireRules.within(name, keeper.getUnit(), k, k + m - 1);
    FieldRules.node(keeper.getNode());
  }

  @Override
  public String toString() {
    return "patch " + commandId + " of term " + term + " of unit " + unit + " of " + old + " to "
        + made.id() + ", " + ranges.size() + " ranges, within " + deadlineMs + " ms"
        + (log == null ? " by changes of " + sources
            + (forwarder == null ? "" : " forwarded by " + forwarder)
            + (collector == null ? "" : " collected by " + collector) : " by " + log);
  }
}
