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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.wire.RequestBounds;

/**
 * Orders a DataNode to copy a unit of a block group to the new version of the group, and to change
 * ranges of the copy: those of a data unit by updates in logs, those of a parity unit by what the
 * changes of data units mean for it. A command may come again: a block that is there already with
 * its generation stamp and its length counts as made. Immutable.
 */
@InterfaceAudience.Private
public final class PatchCommand implements Command {
  /** The name of this kind of command in messages. */
  public static final String KIND = "patch";
  /** The most ranges of a command; a manager joins ranges that are near each other. */
  public static final int RANGES_MAX = 1024;
  /**
   * The most ranges of a source of a parity unit, with all ways together: managers cut ranges where
   * those of other units begin or end.
   */
  public static final int WAYS_MAX = 2 * RANGES_MAX;
  /** The most data units of a group that can be changed: a request has each of them twice. */
  public static final int DATA_UNITS_MAX = RequestBounds.LISTED_UNITS_MAX / 2;

  private final String commandId;
  private final long term;
  /** The group of the old version */
  public final GroupId old;
  /** The group of the new version, with the lengths of both */
  public final StripedLayout made;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /** Name of the codec */
  public final String codec;
  /** The unit that the receiving node copies and changes */
  public final int unit;
  /**
   * The first byte of each range of the unit that may change, and the byte after its last one; of a
   * parity unit of a code with sub-chunks, the ranges of the data units
   */
  public final NavigableMap<Long, Long> ranges;
  private final LogPart log;
  /** The data units of a parity unit that have bytes; empty for a data unit */
  public final List<PatchSource> sources;
  private final Holder forwarder;
  private final Holder collector;
  /** Milliseconds that the work may take, counted from the arrival of the command */
  public final long deadlineMs;

  private PatchCommand(Builder builder) {
    commandId = Objects.requireNonNull(builder.commandId, "commandId");
    term = builder.term;
    old = Objects.requireNonNull(builder.old, "old");
    made = Objects.requireNonNull(builder.made, "made");
    groupBytes = builder.groupBytes;
    codec = Objects.requireNonNull(builder.codec, "codec");
    unit = builder.unit;
    ranges = Collections.unmodifiableNavigableMap(new TreeMap<>(builder.ranges));
    log = builder.log;
    sources = Collections.unmodifiableList(new ArrayList<>(builder.sources));
    forwarder = builder.forwarder;
    collector = builder.collector;
    deadlineMs = builder.deadlineMs;
    check();
  }

  private void check() {
    boolean isParity = unit >= made.dataUnits();
    if (unit < 0 || unit >= made.dataUnits() + made.parityUnits() || made.length(unit) == 0
        || isParity == (log != null) || isParity == sources.isEmpty()
        || made.dataUnits() > DATA_UNITS_MAX) {
      throw new IllegalArgumentException("Command " + commandId + " patches unit " + unit + " of "
          + made.id() + " by " + log + " and " + sources);
    }
    if (!old.poolId.equals(made.id().poolId) || old.groupId == made.id().groupId) {
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

  /** Returns the byte after the last range. */
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
      // A change goes through the node of a unit that is listed before, so that there is no circle.
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
    // A range that no source has would stay as it was.
    if (!sources.isEmpty() && !ofSources.ranges().equals(ranges)) {
      throw new IllegalArgumentException("Command " + commandId + " changes " + ranges.size()
          + " ranges, and its sources have not changed in the same ones: " + sources);
    }
    checkKeeper("forwarder", forwarder, isForwarded);
    checkKeeper("collector", collector, isCollected);
    // The collector is in another rack than the unit and its forwarder.
    if (isCollected && (collector.unit == unit
        || isForwarded && forwarder.unit == collector.unit)) {
      throw new IllegalArgumentException("Command " + commandId + " of unit " + unit + " has the"
          + " forwarder " + forwarder + " and the collector " + collector);
    }
  }

  /** Checks that a node is named that keeps changes if one is needed, and only then. */
  private void checkKeeper(String what, Holder keeper, boolean isNeeded) {
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

  private boolean isParity(Holder holder) {
    return holder != null && holder.unit >= made.dataUnits()
        && holder.unit < made.dataUnits() + made.parityUnits();
  }

  /**
   * Says which number the new block of a data unit has in requests for changes. A request names
   * each number once, and has no parity units.
   *
   * @param unit the data unit
   * @param dataUnits k, at most {@link #DATA_UNITS_MAX}
   * @return the number; the old block has that of the unit
   */
  public static int numberOfNew(int unit, int dataUnits) {
    return dataUnits + unit;
  }

  /**
   * Starts a command.
   *
   * @param commandId id of the command, unique within the term, also among repairs
   * @param term the manager's term
   * @return a builder for the other parts of the command
   */
  public static Builder of(String commandId, long term) {
    return new Builder(commandId, term);
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
   * @param any a unit
   * @return its block in the old version
   */
  public BlockRef oldBlock(int any) {
    return old.block(any, made.length(any));
  }

  /** @return the updates of a data unit; empty for a parity unit */
  public Optional<LogPart> log() {
    return Optional.ofNullable(log);
  }

  /**
   * @return the parity unit whose node gets changes of data units as they are, and keeps them for
   *     the other parity units of its rack; empty if no change is forwarded
   */
  public Optional<Holder> forwarder() {
    return Optional.ofNullable(forwarder);
  }

  /** @return whether the receiving node gets these changes, and keeps them for others */
  public boolean isForwarder() {
    return forwarder != null && forwarder.unit == unit;
  }

  /**
   * @return the parity unit of another rack whose node has changes of data units of all racks as
   *     its forwarder, and adds them up for this parity unit; empty if no change is collected
   */
  public Optional<Holder> collector() {
    return Optional.ofNullable(collector);
  }

  @Override
  public String toString() {
    return "patch " + commandId + " of term " + term + " of unit " + unit + " of " + old + " to "
        + made.id() + ", " + ranges.size() + " ranges, within " + deadlineMs + " ms"
        + (log == null ? " by changes of " + sources
            + (forwarder == null ? "" : " forwarded by " + forwarder)
            + (collector == null ? "" : " collected by " + collector) : " by " + log);
  }

  /** Collects the parts of a command. Not thread-safe. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String commandId;
    private final long term;
    private GroupId old;
    private StripedLayout made;
    private long groupBytes;
    private String codec;
    private int unit = -1;
    private Map<Long, Long> ranges = Map.of();
    private LogPart log;
    private List<PatchSource> sources = List.of();
    private Holder forwarder;
    private Holder collector;
    private long deadlineMs;

    private Builder(String commandId, long term) {
      this.commandId = commandId;
      this.term = term;
    }

    /**
     * @param from the group of the old version
     * @param to the group of the new version
     * @param bytes bytes of file data in each of them
     * @return this builder
     */
    Builder groups(GroupId from, StripedLayout to, long bytes) {
      old = from;
      made = to;
      groupBytes = bytes;
      return this;
    }

    /**
     * @param from the group of the old version
     * @param to the group of the new version
     * @param bytes bytes of file data in each of them
     * @param codecName name of the codec
     * @param dataUnits k
     * @param parityUnits m
     * @param cellBytes bytes of a cell
     * @return this builder
     */
    public Builder groups(GroupId from, GroupId to, long bytes, String codecName, int dataUnits,
        int parityUnits, int cellBytes) {
      codec = codecName;
      return groups(from, new StripedLayout(to, bytes, dataUnits, parityUnits, cellBytes), bytes);
    }

    /**
     * @param index the unit to copy
     * @param changing the ranges that may change, see {@link PatchCommand#ranges}
     * @return this builder
     */
    public Builder unit(int index, Map<Long, Long> changing) {
      unit = index;
      ranges = changing;
      return this;
    }

    /**
     * @param part the updates of a data unit
     * @return this builder
     */
    public Builder log(LogPart part) {
      log = part;
      return this;
    }

    /**
     * @param all the data units of a parity unit that have bytes; one that a change goes through
     *     comes before
     * @return this builder
     */
    public Builder sources(List<PatchSource> all) {
      sources = all;
      return this;
    }

    /**
     * @param has the node that has the changes that are forwarded, that of the command or another
     *     one; null if none is
     * @return this builder
     */
    public Builder forwarder(Holder has) {
      forwarder = has;
      return this;
    }

    /**
     * @param has the node of another rack that has the changes that are collected; null if none is
     * @return this builder
     */
    public Builder collector(Holder has) {
      collector = has;
      return this;
    }

    /**
     * @param ms milliseconds that the work may take
     * @return this builder
     */
    public Builder deadlineMs(long ms) {
      deadlineMs = ms;
      return this;
    }

    /**
     * @return the command
     * @throws IllegalArgumentException if the parts contradict each other
     */
    public PatchCommand build() {
      return new PatchCommand(this);
    }
  }
}
