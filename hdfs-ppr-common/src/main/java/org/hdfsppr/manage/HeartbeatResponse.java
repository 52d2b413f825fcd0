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

/** What a NameNode has to say to a DataNode. Immutable. */
@InterfaceAudience.Private
public final class HeartbeatResponse {
  /** Commands of one kind in an answer. */
  public static final int COMMANDS_MAX = 512;

  private final boolean active;
  private final long term;
  private final String blockPoolId;
  private final List<String> acknowledged;
  private final List<Command> commands;
  private final boolean wantsAllResident;
  private final List<RepairResult> unreadable;

  private HeartbeatResponse(Builder builder) {
    active = builder.active;
    term = builder.term;
    blockPoolId = builder.blockPoolId;
    acknowledged = Collections.unmodifiableList(new ArrayList<>(builder.acknowledged));
    commands = Collections.unmodifiableList(new ArrayList<>(builder.commands));
    wantsAllResident = builder.wantsAllResident;
    unreadable = Collections.unmodifiableList(new ArrayList<>(builder.unreadable));
  }

  /** A manager that schedules. */
  public static Builder active(long term, String blockPoolId) {
    return new Builder(true, term, blockPoolId);
  }

  /** A manager that does not: of a standby, or one that has left stock in charge. */
  public static Builder inactive(long term, String blockPoolId) {
    return new Builder(false, term, blockPoolId);
  }

  public boolean isActive() {
    return active;
  }

  /** The manager's term: each activation of a manager has a higher one than all before it. */
  public long term() {
    return term;
  }

  public String blockPoolId() {
    return blockPoolId;
  }

  /** Ids of repairs whose results need not be repeated. */
  public List<String> acknowledged() {
    return acknowledged;
  }

  /** All commands, in the order in which the DataNode has to begin with them. */
  public List<Command> commands() {
    return commands;
  }

  /** The repairs among the {@link #commands}. */
  public List<RepairCommand> repairs() {
    return commands(RepairCommand.class);
  }

  /** The cancellations among the {@link #commands}. */
  public List<CancelCommand> cancels() {
    return commands(CancelCommand.class);
  }

  private <C extends Command> List<C> commands(Class<C> kind) {
    return commands.stream().filter(kind::isInstance).map(kind::cast)
        .collect(Collectors.toList());
  }

  /** Whether the next heartbeat is to have the complete list of resident blocks. */
  public boolean wantsAllResident() {
    return wantsAllResident;
  }

  /**
   * Commands that cannot be carried out because this version does not understand them, as the
   * results that they come to.
   */
  public List<RepairResult> unreadable() {
    return unreadable;
  }

  @Override
  public String toString() {
    return (active ? "active" : "inactive") + " manager of " + blockPoolId + ", term " + term
        + ", acknowledged " + acknowledged + ", repairs " + repairs() + ", cancels " + cancels();
  }

  /** Collects what a response says. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final boolean active;
    private final long term;
    private final String blockPoolId;
    private final List<String> acknowledged = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<RepairResult> unreadable = new ArrayList<>();
    private boolean wantsAllResident;

    private Builder(boolean active, long term, String blockPoolId) {
      this.active = active;
      this.term = term;
      this.blockPoolId = Objects.requireNonNull(blockPoolId, "blockPoolId");
    }

    /**
     * The result of this repair has been taken note of. Also for repairs that nobody knows: they
     * would be repeated for ever.
     */
    public Builder acknowledge(String repairId) {
      acknowledged.add(repairId);
      return this;
    }

    /** Adds an order. */
    public Builder command(Command command) {
      commands.add(command);
      return this;
    }

    /** Asks for the complete list of resident blocks. */
    public Builder wantAllResident() {
      wantsAllResident = true;
      return this;
    }

    Builder unreadable(RepairResult result) {
      unreadable.add(result);
      return this;
    }

    public HeartbeatResponse build() {
      return new HeartbeatResponse(this);
    }
  }
}
