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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.scrub.ScrubGate;
import org.hdfsppr.plan.GroupId;

/**
 * Answers questions about repairs for services that let repairs go first, such as the background
 * checks. {@link LinkLoads} says at which DataNodes these services have to wait. Thread-safe.
 */
@InterfaceAudience.Private
public final class ManagerGate implements ScrubGate {
  private final ManagerView manager;

  /** @param manager the repair manager */
  public ManagerGate(ManagerView manager) {
    this.manager = manager;
  }

  @Override
  public boolean isActive() {
    ManagerStatus status = manager.lastStatus();
    return status.state != ManagerState.STANDBY
        && (status.state != ManagerState.STARTING || status.listening);
  }

  @Override
  public long term() {
    return manager.lastStatus().term;
  }

  @Override
  public Optional<String> whyNot() {
    ManagerStatus status = manager.lastStatus();
    return !status.inCharge || status.listening || status.pause.isPresent()
        ? Optional.of("the repair manager of this NameNode does not begin repairs: "
            + status.why)
        : Optional.empty();
  }

  @Override
  public LinkLoads links() {
    return manager.links();
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return manager.isDoubted(group);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    return manager.doubt(group, wrongUnit);
  }
}
