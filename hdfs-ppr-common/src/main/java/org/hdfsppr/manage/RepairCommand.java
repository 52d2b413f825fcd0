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
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.ListedBlocks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.StripedLayout;

/**
 * A repair that a manager orders. It names the group, the nodes to read from and to write to, the
 * shape of the tree, and the deadline. Immutable.
 */
@InterfaceAudience.Private
public final class RepairCommand implements Command {
  /** The name of this kind of command in messages. */
  public static final String KIND = "repair";
  /**
   * The longest deadline: a day, in milliseconds. Until the deadline, a lost command keeps other
   * repairs of its group from starting.
   */
  public static final long DEADLINE_MS_MAX = 86_400_000;

  /** Id of the repair, unique within the term */
  public final String repairId;
  private final long term;
  /** Name of the group's codec */
  public final String codec;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /** The group with the holders of its live units, best holders first, and the units to rebuild */
  public final GroupSnapshot group;
  /**
   * The blocks of the code, in the code's order; empty if the code covers the internal blocks of
   * the group
   */
  public final List<BlockRef> blocks;
  /** The units to rebuild and their storages, at least one */
  public final List<CommandTarget> targets;
  /** Name of the tree's shape */
  public final String topology;
  /** True to repair from the first holders that suffice; false to use a recipe of the code */
  public final boolean byDecoding;
  /**
   * Says whether units of the group are known to contradict each other. The destination may then
   * rebuild a unit only if it checks every byte of the unit.
   */
  public final boolean doubted;
  /** Whether the group has no unit to spare, so that the repair does not yield to users */
  public final boolean urgent;
  /** Milliseconds that the repair may take, counted from the arrival of the command */
  public final long deadlineMs;

  private RepairCommand(Builder builder) {
    repairId = Objects.requireNonNull(builder.repairId, "repairId");
    term = builder.term;
    codec = Objects.requireNonNull(builder.codec, "codec");
    groupBytes = builder.groupBytes;
    targets = Collections.unmodifiableList(new ArrayList<>(builder.targets));
    topology = Objects.requireNonNull(builder.topology, "topology");
    byDecoding = builder.byDecoding;
    doubted = builder.doubted;
    urgent = builder.urgent;
    deadlineMs = builder.deadlineMs;
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("Repair " + repairId + " has no target");
    }
    if (deadlineMs < 1 || deadlineMs > DEADLINE_MS_MAX) {
      throw new IllegalArgumentException("Repair " + repairId + " has " + deadlineMs
          + " ms until its deadline, allowed are 1 to " + DEADLINE_MS_MAX);
    }
    blocks = Collections.unmodifiableList(new ArrayList<>(builder.blocks));
    group = new GroupSnapshot(builder.layout(), builder.live, targets.stream()
            .map(target -> new Holder(target.unit, target.node)).collect(Collectors.toList()),
        targets.get(0).node);
  }

  /**
   * Starts a command.
   *
   * @param repairId id of the repair, unique within the term
   * @param term the manager's term
   * @return a builder for the other parts of the command
   */
  public static Builder of(String repairId, long term) {
    return new Builder(repairId, term);
  }

  @Override
  public String kind() {
    return KIND;
  }

  /** Returns the same id as {@link #repairId}, because the command starts that repair. */
  @Override
  public String id() {
    return repairId;
  }

  @Override
  public long term() {
    return term;
  }

  /** @return the group that has lost a block */
  public GroupId groupId() {
    return group.id();
  }

  /** @return the node that is to lead the repair, which is the node of the first target */
  public NodeRef destination() {
    return group.destination;
  }

  /**
   * Leaves out targets.
   *
   * @param kept the targets of the new command, at least one of this command's; the node of the
   *     first one becomes the destination
   * @return the same command with these targets only
   */
  public RepairCommand withTargets(List<CommandTarget> kept) {
    return of(repairId, term).group(group.id(), groupBytes)
        .code(codec, group.dataUnits(), group.parityUnits(), group.cellBytes())
        .blocks(blocks).live(group.live).targets(kept).topology(topology)
        .byDecoding(byDecoding).doubted(doubted).urgent(urgent).deadlineMs(deadlineMs).build();
  }

  @Override
  public String toString() {
    return "repair " + repairId + " of term " + term + ": " + targets + " of " + group.id()
        + " by " + topology + (byDecoding ? ", decoding," : "")
        + (doubted ? ", checking all," : "") + (urgent ? ", urgent," : "")
        + " from " + group.live;
  }

  /** Collects the parts of a command. Not thread-safe. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String repairId;
    private final long term;
    private GroupId group;
    private long groupBytes;
    private String codec;
    private int dataUnits;
    private int parityUnits;
    private int cellBytes;
    private List<BlockRef> blocks = Collections.emptyList();
    private List<Holder> live = Collections.emptyList();
    private List<CommandTarget> targets = Collections.emptyList();
    private String topology;
    private boolean byDecoding;
    private boolean doubted;
    private boolean urgent;
    private long deadlineMs;

    private Builder(String repairId, long term) {
      this.repairId = repairId;
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
     * Sets the blocks of the code, if the code covers other blocks than the internal blocks of the
     * group. {@link #group} then names the group that has lost a block.
     *
     * @param ofSeveralGroups k data blocks, then m parity blocks
     * @return this builder
     */
    public Builder blocks(List<BlockRef> ofSeveralGroups) {
      blocks = ofSeveralGroups;
      return this;
    }

    private BlockLayout layout() {
      if (blocks.isEmpty()) {
        return new StripedLayout(group, groupBytes, dataUnits, parityUnits, cellBytes);
      }
      if (blocks.size() != dataUnits + parityUnits) {
        throw new IllegalArgumentException("Repair " + repairId + " names " + blocks.size()
            + " blocks for k=" + dataUnits + ", m=" + parityUnits);
      }
      return new ListedBlocks(group, blocks, dataUnits, cellBytes);
    }

    /**
     * Sets the units that can be read, with their nodes.
     *
     * @param holders the holders, best first: those that the scheduler has chosen, then all other
     *     holders
     * @return this builder
     */
    public Builder live(List<Holder> holders) {
      live = holders;
      return this;
    }

    /**
     * Sets the units to rebuild.
     *
     * @param rebuilt at least one unit with its storage; the node of the first target becomes the
     *     destination
     * @return this builder
     */
    public Builder targets(List<CommandTarget> rebuilt) {
      targets = rebuilt;
      return this;
    }

    /**
     * Sets the shape of the tree.
     *
     * @param name name of a topology
     * @return this builder
     */
    public Builder topology(String name) {
      topology = name;
      return this;
    }

    /**
     * Chooses between recipes of the code and plain decoding.
     *
     * @param decoding true to repair from the first holders that suffice; false to use a recipe of
     *     the code
     * @return this builder
     */
    public Builder byDecoding(boolean decoding) {
      byDecoding = decoding;
      return this;
    }

    /**
     * Marks a group whose units are known to contradict each other.
     *
     * @param isDoubted whether units of the group contradict each other
     * @return this builder
     */
    public Builder doubted(boolean isDoubted) {
      doubted = isDoubted;
      return this;
    }

    /**
     * Marks a group that has no unit to spare.
     *
     * @param isUrgent whether the repair goes on where users are busy
     * @return this builder
     */
    public Builder urgent(boolean isUrgent) {
      urgent = isUrgent;
      return this;
    }

    /**
     * Bounds the duration of the repair.
     *
     * @param ms milliseconds from the arrival of the command, 1 to {@link #DEADLINE_MS_MAX}
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
     * @throws IllegalArgumentException if there is no target, if the deadline is out of range, or
     *     if the blocks, the code and the group do not fit together
     */
    public RepairCommand build() {
      return new RepairCommand(this);
    }
  }
}
