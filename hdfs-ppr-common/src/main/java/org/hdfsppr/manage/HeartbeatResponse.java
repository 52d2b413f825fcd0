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

/** What a NameNode has to say to a DataNode. Immutable. */
@InterfaceAudience.Private
public final class HeartbeatResponse {
  private final boolean active;
  private final long term;
  private final String blockPoolId;
  private final List<String> acknowledged;
  private final List<RepairCommand> repairs;
  private final List<CancelCommand> cancels;
  private final boolean wantsAllResident;
  private final List<RepairResult> unreadable;

  private HeartbeatResponse(Builder builder) {
    active = builder.active;
    term = builder.term;
    blockPoolId = builder.blockPoolId;
    acknowledged = Collections.unmodifiableList(new ArrayList<>(builder.acknowledged));
    repairs = Collections.unmodifiableList(new ArrayList<>(builder.repairs));
    cancels = Collections.unmodifiableList(new ArrayList<>(builder.cancels));
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

  public List<RepairCommand> repairs() {
    return repairs;
  }

  public List<CancelCommand> cancels() {
    return cancels;
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
        + ", acknowledged " + acknowledged + ", repairs " + repairs + ", cancels " + cancels;
  }

  /** Collects what a response says. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final boolean active;
    private final long term;
    private final String blockPoolId;
    private final List<String> acknowledged = new ArrayList<>();
    private final List<RepairCommand> repairs = new ArrayList<>();
    private final List<CancelCommand> cancels = new ArrayList<>();
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

    public Builder repair(RepairCommand command) {
      repairs.add(command);
      return this;
    }

    public Builder cancel(CancelCommand command) {
      cancels.add(command);
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
