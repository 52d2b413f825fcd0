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
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.wire.RequestBounds;

/**
 * Orders a DataNode to check whether the units of a block group agree. The node builds a chain over
 * all holders, in which each link carries the length of one unit, and receives the sums. Nothing is
 * written. A check is less important than anything else that the nodes do. Immutable.
 */
@InterfaceAudience.Private
public final class ScrubCommand implements Command {
  /** The name of this kind of command in messages. */
  public static final String KIND = "scrub";
  /**
   * How many checks a DataNode takes, with the one that runs. Those of small groups take
   * milliseconds, and orders and results go by heartbeats.
   */
  public static final int AT_A_TIME = 16;
  /** The lowest rate that a command may allow, bytes per second. */
  public static final long BYTES_PER_SECOND_MIN = RequestBounds.BYTES_PER_SECOND_MIN;
  /** The highest rate that a command may allow, bytes per second. */
  public static final long BYTES_PER_SECOND_MAX = RequestBounds.BYTES_PER_SECOND_MAX;

  private final String commandId;
  private final long term;
  /** Name of the group's codec */
  public final String codec;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /** The internal blocks of the group */
  public final StripedLayout layout;
  /**
   * One holder for each unit that can be read, in the order of the chain; the first one sends the
   * sums to the node that receives the command
   */
  public final List<Holder> holders;
  /** The most bytes of a unit that any node may read in a second */
  public final long bytesPerSecond;
  /** Milliseconds that the check may take, counted from the arrival of the command */
  public final long deadlineMs;

  private ScrubCommand(Builder builder) {
    commandId = Objects.requireNonNull(builder.commandId, "commandId");
    term = builder.term;
    codec = Objects.requireNonNull(builder.codec, "codec");
    groupBytes = builder.groupBytes;
    layout = new StripedLayout(builder.group, builder.groupBytes, builder.dataUnits,
        builder.parityUnits, builder.cellBytes);
    holders = Collections.unmodifiableList(new ArrayList<>(builder.holders));
    bytesPerSecond = within("bytes per second", builder.bytesPerSecond, BYTES_PER_SECOND_MIN,
        BYTES_PER_SECOND_MAX);
    deadlineMs = within("ms until its deadline", builder.deadlineMs, 1,
        RepairCommand.DEADLINE_MS_MAX);
    checkHolders();
  }

  private long within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException("Check " + commandId + " has " + value + " " + what
          + ", allowed are " + least + " to " + most);
    }
    return value;
  }

  private void checkHolders() {
    int seen = 0;
    for (Holder holder : holders) {
      int unit = holder.unit;
      if (unit < 0 || unit >= units() || layout.length(unit) == 0 || (seen & 1 << unit) != 0) {
        throw new IllegalArgumentException("Check " + commandId + " names unit " + unit
            + ", which is not there or named twice: " + holders);
      }
      seen |= 1 << unit;
    }
    if (holders.size() < 2) {
      throw new IllegalArgumentException("Check " + commandId + " names " + holders.size()
          + " units, which nothing can contradict");
    }
  }

  /**
   * Starts a command.
   *
   * @param commandId id of the check, unique within the term, also among repairs
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

  /** @return the group to check */
  public GroupId groupId() {
    return layout.id();
  }

  /** @return the number of all units, k + m */
  public int units() {
    return layout.dataUnits() + layout.parityUnits();
  }

  /** @return bytes of all units that the holders have */
  public long unitBytes() {
    return holders.stream().mapToLong(holder -> layout.length(holder.unit)).sum();
  }

  @Override
  public String toString() {
    return "check " + commandId + " of term " + term + ": " + groupId() + " of " + groupBytes
        + " bytes, " + codec + "-" + layout.dataUnits() + "-" + layout.parityUnits() + ", at "
        + bytesPerSecond + " bytes/s within " + deadlineMs + " ms, over " + holders;
  }

  /** Collects the parts of a command. Not thread-safe. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String commandId;
    private final long term;
    private GroupId group;
    private long groupBytes;
    private String codec;
    private int dataUnits;
    private int parityUnits;
    private int cellBytes;
    private List<Holder> holders = Collections.emptyList();
    private long bytesPerSecond;
    private long deadlineMs;

    private Builder(String commandId, long term) {
      this.commandId = commandId;
      this.term = term;
    }

    /**
     * Sets the group.
     *
     * @param id block pool, id and generation stamp
     * @param bytes bytes of file data in the group
     * @return this builder
     */
    public Builder group(GroupId id, long bytes) {
      group = id;
      groupBytes = bytes;
      return this;
    }

    /**
     * Sets the code of the group.
     *
     * @param codecName name of the codec, such as {@code rs} or {@code lrc-l2}
     * @param k data units
     * @param m parity units
     * @param bytesOfCell bytes of a cell
     * @return this builder
     */
    public Builder code(String codecName, int k, int m, int bytesOfCell) {
      codec = codecName;
      dataUnits = k;
      parityUnits = m;
      cellBytes = bytesOfCell;
      return this;
    }

    /**
     * Sets the units that can be read, with their nodes.
     *
     * @param chain one holder for each unit that can be read, at least two, in the order of the
     *     chain; the first one should be the node that receives the command
     * @return this builder
     */
    public Builder holders(List<Holder> chain) {
      holders = chain;
      return this;
    }

    /**
     * Bounds the rate of the check.
     *
     * @param most bytes of a unit that any node may read in a second, {@link
     *     #BYTES_PER_SECOND_MIN} to {@link #BYTES_PER_SECOND_MAX}
     * @return this builder
     */
    public Builder bytesPerSecond(long most) {
      bytesPerSecond = most;
      return this;
    }

    /**
     * Bounds the duration of the check. A second reading of wrong slices needs time, too: at least
     * 16 slices of each unit at the allowed rate.
     *
     * @param ms milliseconds from the arrival of the command, 1 to {@link
     *     RepairCommand#DEADLINE_MS_MAX}
     * @return this builder
     */
    public Builder deadlineMs(long ms) {
      deadlineMs = ms;
      return this;
    }

    /**
     * Builds the command.
     *
     * @return the command
     * @throws IllegalArgumentException if a number is out of range, if a unit has no bytes or is
     *     named twice, or if there are fewer than two units
     */
    public ScrubCommand build() {
      return new ScrubCommand(this);
    }
  }
}
