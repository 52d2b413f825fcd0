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

/** A repair that a manager orders: of what, from and to which nodes, how, until when. Immutable. */
@InterfaceAudience.Private
public final class RepairCommand implements Command {
  /** The kind of these commands. */
  public static final String KIND = "repair";
  /** A day: nothing that is worth waiting for takes longer. */
  public static final long DEADLINE_MS_MAX = 86_400_000;

  private final String repairId;
  private final long term;
  private final String codec;
  private final long groupBytes;
  private final GroupSnapshot group;
  private final List<BlockRef> blocks;
  private final List<CommandTarget> targets;
  private final String topology;
  private final boolean byDecoding;
  private final boolean doubted;
  private final long deadlineMs;

  private RepairCommand(Builder builder) {
    repairId = Objects.requireNonNull(builder.repairId, "repairId");
    term = builder.term;
    codec = Objects.requireNonNull(builder.codec, "codec");
    groupBytes = builder.groupBytes;
    targets = Collections.unmodifiableList(new ArrayList<>(builder.targets));
    topology = Objects.requireNonNull(builder.topology, "topology");
    byDecoding = builder.byDecoding;
    doubted = builder.doubted;
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
            .map(target -> new Holder(target.unit(), target.node())).collect(Collectors.toList()),
        targets.get(0).node());
  }

  /** Starts a command for the repair with an id that no other one of the term has. */
  public static Builder of(String repairId, long term) {
    return new Builder(repairId, term);
  }

  @Override
  public String kind() {
    return KIND;
  }

  /** The same as {@link #repairId}. */
  @Override
  public String id() {
    return repairId;
  }

  public String repairId() {
    return repairId;
  }

  @Override
  public long term() {
    return term;
  }

  /** Name of the group's codec. */
  public String codec() {
    return codec;
  }

  /** Bytes of file data in the group. */
  public long groupBytes() {
    return groupBytes;
  }

  /** The group, with its holders best first, and what is to be rebuilt. */
  public GroupSnapshot group() {
    return group;
  }

  /** The blocks that the code is of; empty if these are the internal blocks of the group. */
  public List<BlockRef> blocks() {
    return blocks;
  }

  public GroupId groupId() {
    return group.id();
  }

  /** The node that is to carry it out: the first target's. */
  public NodeRef destination() {
    return group.destination();
  }

  public List<CommandTarget> targets() {
    return targets;
  }

  /** Name of the shape of the tree. */
  public String topology() {
    return topology;
  }

  /** Whether by the first of the holders that suffice, and not by a recipe of the code. */
  public boolean isByDecoding() {
    return byDecoding;
  }

  /**
   * Whether units of the group are known to contradict each other: then nothing may be rebuilt of
   * which not every byte is checked.
   */
  public boolean isDoubted() {
    return doubted;
  }

  /** How long it may take from its arrival on. */
  public long deadlineMs() {
    return deadlineMs;
  }

  @Override
  public String toString() {
    return "repair " + repairId + " of term " + term + ": " + targets + " of " + group.id()
        + " by " + topology + (byDecoding ? ", decoding," : "")
        + (doubted ? ", checking all," : "") + " from " + group.live();
  }

  /** Collects what a command says. */
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
    private long deadlineMs;

    private Builder(String repairId, long term) {
      this.repairId = repairId;
      this.term = term;
    }

    /**
     * The group.
     *
     * @param id its block pool, id and generation stamp
     * @param bytes of file data in it
     */
    public Builder group(GroupId id, long bytes) {
      group = id;
      groupBytes = bytes;
      return this;
    }

    /**
     * Its code.
     *
     * @param codecName such as {@code rs} or {@code lrc-l2}
     * @param k data units
     * @param m parity units
     * @param bytesOfCell bytes of a cell
     */
    public Builder code(String codecName, int k, int m, int bytesOfCell) {
      codec = codecName;
      dataUnits = k;
      parityUnits = m;
      cellBytes = bytesOfCell;
      return this;
    }

    /**
     * The blocks that the code is of, if they are not the internal blocks of the group: k data
     * blocks and then m parity blocks. The group is the one that has lost a block.
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

    /** The nodes that can be read, best first: those that the scheduler chose, then all others. */
    public Builder live(List<Holder> holders) {
      live = holders;
      return this;
    }

    /** What is to be rebuilt and where; the first one's node is the destination. */
    public Builder targets(List<CommandTarget> rebuilt) {
      targets = rebuilt;
      return this;
    }

    /** The shape of the tree. */
    public Builder topology(String name) {
      topology = name;
      return this;
    }

    /** Whether by the first of the holders that suffice, whatever recipes the code has. */
    public Builder byDecoding(boolean decoding) {
      byDecoding = decoding;
      return this;
    }

    /** Whether units of the group are known to contradict each other. */
    public Builder doubted(boolean isDoubted) {
      doubted = isDoubted;
      return this;
    }

    /** How long it may take from its arrival on, milliseconds. */
    public Builder deadlineMs(long ms) {
      deadlineMs = ms;
      return this;
    }

    /**
     * The command.
     *
     * @throws IllegalArgumentException naming what contradicts itself
     */
    public RepairCommand build() {
      return new RepairCommand(this);
    }
  }
}
