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

/** A repair manager's answer to a DataNode's heartbeat. Immutable. */
@InterfaceAudience.Private
public final class HeartbeatResponse {
  /** The most commands of one kind in an answer. */
  public static final int COMMANDS_MAX = 512;

  /** Whether the manager schedules repairs */
  public final boolean active;
  /**
   * The manager's term; each activation of a manager has a higher term than all earlier activations
   */
  public final long term;
  /** Block pool of the manager's NameNode */
  public final String blockPoolId;
  /** Ids of repairs whose results the DataNode need not repeat */
  public final List<String> acknowledged;
  /** All commands, in the order in which the DataNode has to start them */
  public final List<Command> commands;
  /** Whether the next heartbeat is to carry the complete list of resident blocks */
  public final boolean wantsAllResident;
  /** Whether the manager uses no resident blocks; older managers do not say it */
  public final boolean ignoresResident;
  /** Whether the next heartbeat is to carry the sender's {@link NodeSelf} */
  public final boolean wantsSelf;
  /** Whether the next heartbeat has to list all watched blocks that have been read */
  public final boolean wantsAllOldReads;
  /**
   * How much repairs press where users are busy, percent, see {@link org.hdfsppr.conf.Pressure}; 0
   * if the answer does not say it
   */
  public final int pressure;
  /** What a DataNode's link carries each way, bytes/s; 0 if the manager does not know it */
  public final long linkBytesPerSecond;
  /**
   * How long the manager keeps a call that waits for orders, ms; 0 if it takes none, as older
   * managers do
   */
  public final int orderWaitMs;
  /** Names the commands that this version does not understand and therefore cannot carry out. */
  public final List<RepairResult> unreadable;

  private HeartbeatResponse(Builder builder) {
    active = builder.active;
    term = builder.term;
    blockPoolId = builder.blockPoolId;
    acknowledged = Collections.unmodifiableList(new ArrayList<>(builder.acknowledged));
    commands = Collections.unmodifiableList(new ArrayList<>(builder.commands));
    wantsAllResident = builder.wantsAllResident;
    ignoresResident = builder.ignoresResident;
    wantsSelf = builder.wantsSelf;
    wantsAllOldReads = builder.wantsAllOldReads;
    pressure = builder.pressure;
    linkBytesPerSecond = builder.linkBytesPerSecond;
    orderWaitMs = builder.orderWaitMs;
    unreadable = Collections.unmodifiableList(new ArrayList<>(builder.unreadable));
  }

  /**
   * Starts the answer of a manager that schedules repairs.
   *
   * @param term the manager's term
   * @param blockPoolId block pool of its NameNode
   * @return a builder without commands
   */
  public static Builder active(long term, String blockPoolId) {
    return new Builder(true, term, blockPoolId);
  }

  /**
   * Starts the answer of a manager that does not schedule: its NameNode is a standby, or the
   * manager leaves repairs to stock HDFS.
   *
   * @param term the manager's term
   * @param blockPoolId block pool of its NameNode
   * @return a builder without commands
   */
  public static Builder inactive(long term, String blockPoolId) {
    return new Builder(false, term, blockPoolId);
  }

  /** @return the repairs among the {@link #commands} */
  public List<RepairCommand> repairs() {
    return commands(RepairCommand.class);
  }

  /** @return the cancellations among the {@link #commands} */
  public List<CancelCommand> cancels() {
    return commands(CancelCommand.class);
  }

  /** @return the checks of groups among the {@link #commands} */
  public List<ScrubCommand> scrubs() {
    return commands(ScrubCommand.class);
  }

  /** @return the links among the {@link #commands} */
  public List<LinkCommand> links() {
    return commands(LinkCommand.class);
  }

  /** @return the makings of blocks among the {@link #commands} */
  public List<MakeCommand> makes() {
    return commands(MakeCommand.class);
  }

  /** @return the patches of units among the {@link #commands} */
  public List<PatchCommand> patches() {
    return commands(PatchCommand.class);
  }

  private <C extends Command> List<C> commands(Class<C> kind) {
    return commands.stream().filter(kind::isInstance).map(kind::cast)
        .collect(Collectors.toList());
  }

  /** @return whether the answer says how much repairs press; older managers do not say it */
  public boolean saysPressure() {
    return pressure != 0;
  }

  @Override
  public String toString() {
    return (active ? "active" : "inactive") + " manager of " + blockPoolId + ", term " + term
        + ", acknowledged " + acknowledged + ", repairs " + repairs() + ", cancels " + cancels()
        + (scrubs().isEmpty() ? "" : ", checks " + scrubs())
        + (links().isEmpty() ? "" : ", links " + links())
        + (makes().isEmpty() ? "" : ", makings " + makes())
        + (patches().isEmpty() ? "" : ", patches " + patches());
  }

  /** Collects the parts of a response. Not thread-safe. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final boolean active;
    private final long term;
    private final String blockPoolId;
    private final List<String> acknowledged = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<RepairResult> unreadable = new ArrayList<>();
    private boolean wantsAllResident;
    private boolean ignoresResident;
    private boolean wantsSelf;
    private boolean wantsAllOldReads;
    private int pressure;
    private long linkBytesPerSecond;
    private int orderWaitMs;

    private Builder(boolean active, long term, String blockPoolId) {
      this.active = active;
      this.term = term;
      this.blockPoolId = Objects.requireNonNull(blockPoolId, "blockPoolId");
    }

    /**
     * Acknowledges the result of a repair. A manager also acknowledges results of repairs that it
     * does not know, because the DataNode would otherwise repeat them for ever.
     *
     * @param repairId id of the repair
     * @return this builder
     */
    public Builder acknowledge(String repairId) {
      acknowledged.add(repairId);
      return this;
    }

    /**
     * Adds an order.
     *
     * @param command the order; the DataNode starts it after all orders that were added earlier
     * @return this builder
     */
    public Builder command(Command command) {
      commands.add(command);
      return this;
    }

    /**
     * Asks for the complete list of resident blocks.
     *
     * @return this builder
     */
    public Builder wantAllResident() {
      wantsAllResident = true;
      return this;
    }

    /**
     * Asks the DataNode to say about itself what changes only when it starts again.
     *
     * @return this builder
     */
    public Builder wantSelf() {
      wantsSelf = true;
      return this;
    }

    /**
     * Asks for all watched blocks that have been read.
     *
     * @return this builder
     */
    public Builder wantAllOldReads() {
      wantsAllOldReads = true;
      return this;
    }

    /**
     * Says how much repairs press where users are busy.
     *
     * @param percent see {@link org.hdfsppr.conf.Pressure}
     * @param linkRate what a DataNode's link carries each way, bytes/s; 0 if an operator has not
     *     set it
     * @return this builder
     */
    public Builder press(int percent, long linkRate) {
      pressure = percent;
      linkBytesPerSecond = linkRate;
      return this;
    }

    /**
     * Says that the DataNode need not look for resident blocks, because the manager uses none.
     *
     * @return this builder
     */
    public Builder ignoreResident() {
      ignoresResident = true;
      return this;
    }

    /**
     * Says that the DataNode may wait for orders with {@link RepairManagerProtocol#awaitOrders}.
     *
     * @param ms how long the manager keeps such a call, ms; 0 if it takes none
     * @return this builder
     */
    public Builder orderWait(int ms) {
      orderWaitMs = ms;
      return this;
    }

    Builder unreadable(RepairResult result) {
      unreadable.add(result);
      return this;
    }

    /** @return the response */
    public HeartbeatResponse build() {
      return new HeartbeatResponse(this);
    }
  }
}
