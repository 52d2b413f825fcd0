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
package org.hdfsppr.namenode.manage;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.scrub.ScrubGate;
import org.hdfsppr.plan.GroupId;

/**
 * Answers for the repair manager to services that let repairs go first, such as the background
 * checks. Thread-safe.
 */
@InterfaceAudience.Private
public final class ManagerGate implements ScrubGate {
  private final ManagerView manager;
  private final LongSupplier clockMs;
  private final RepairsFirst repairs = new RepairsFirst();

  /**
   * @param manager what the repair manager says
   * @param clockMs the time, monotonic, ms
   */
  public ManagerGate(ManagerView manager, LongSupplier clockMs) {
    this.manager = manager;
    this.clockMs = clockMs;
  }

  @Override
  public boolean isActive() {
    ManagerStatus status = manager.lastStatus();
    return status.state() != ManagerState.STANDBY
        && (status.state() != ManagerState.STARTING || status.isListening());
  }

  @Override
  public long term() {
    return manager.lastStatus().term();
  }

  @Override
  public synchronized Optional<String> whyNot() {
    return repairs.whyNot(manager.lastStatus(), clockMs.getAsLong());
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return manager.isDoubted(group);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    return manager.doubt(group, wrongUnit);
  }

  /**
   * Decides whether checks in the background have to wait for repairs. Groups that wait in vain,
   * for instance because too much is lost or units contradict each other, must not end all checks
   * for ever. So waiting groups count only for a while after a repair was under way or a group
   * came. Not thread-safe.
   */
  static final class RepairsFirst {
    /** For how long groups may wait without a repair until checks may run beside them, ms. */
    static final long QUIET_MS = 60_000;

    private long busyMs = Long.MIN_VALUE / 2;
    private int waiting;

    /**
     * Looks at the repairs. Call it often, as it notices only what it sees.
     *
     * @param nowMs the time now, monotonic, ms
     * @return why checks have to wait, as a sentence without a full stop; empty if they need not
     */
    Optional<String> whyNot(ManagerStatus status, long nowMs) {
      if (status.inFlight() > 0 || status.waiting() > waiting) {
        busyMs = nowMs;
      }
      waiting = status.waiting();
      if (!status.isInCharge() || status.isListening() || status.pause().isPresent()) {
        return Optional.of("the repair manager of this NameNode does not begin repairs: "
            + status.why());
      }
      return status.inFlight() > 0 || waiting > 0 && nowMs - busyMs < QUIET_MS
          ? Optional.of("repairs go first: " + waiting + " groups wait, " + status.inFlight()
              + " repairs are under way")
          : Optional.empty();
    }
  }
}
