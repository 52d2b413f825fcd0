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
package org.hdfsppr.namenode.files;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.ManagerGate;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.version.VersionGate;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.plan.GroupId;

/** Tells the engine of versions and the conversions what the repair manager knows. Thread-safe. */
@InterfaceAudience.Private
public final class VersionManagerGate implements VersionGate, ConvertGate {
  private final ManagerView manager;
  private final ManagerGate gate;

  /** @param manager the state of the repair manager */
  public VersionManagerGate(ManagerView manager) {
    this.manager = manager;
    this.gate = new ManagerGate(manager);
  }

  @Override
  public boolean isActive() {
    return gate.isActive();
  }

  @Override
  public long term() {
    return gate.term();
  }

  @Override
  public Optional<String> whyNot() {
    return gate.whyNot();
  }

  @Override
  public Set<String> nodes(Collection<GroupId> groups) {
    return manager.places(groups).values().stream().flatMap(units -> units.values().stream())
        .flatMap(Set::stream).collect(Collectors.toSet());
  }

  @Override
  public LinkLoads links() {
    return gate.links();
  }

  @Override
  public Optional<String> whyNoCommit() {
    // Commits refuse files that have lost a unit. So a commit need not wait for repairs, nor for
    // the end of a pause of the repair manager.
    ManagerStatus status = manager.lastStatus();
    return !status.inCharge || status.listening
        ? Optional.of("the repair manager of this NameNode is not in charge: " + status.why)
        : Optional.empty();
  }

  @Override
  public Optional<String> whyNoJobs() {
    ManagerStatus status = manager.lastStatus();
    // If the manager is paused or starting, jobs are taken, and wait until it goes on.
    return status.state == ManagerState.NOT_IN_CHARGE
        ? Optional.of("hdfs-ppr is not in charge of repairs here: " + status.why
            + " ('hdfs ppr -status', 'hdfs ppr -doctor')")
        : Optional.empty();
  }

  @Override
  public Optional<UnseenReads> unseenReads() {
    int dataNodes = manager.lastStatus().get(StatusNumber.DATA_NODES);
    // The two counts may be of different times, because the first one is that of the manager's last
    // cycle. So the difference may be negative.
    return dataNodes == 0 ? Optional.empty()
        : Optional.of(new UnseenReads(Math.max(0, dataNodes - manager.seeingReads()), dataNodes));
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return gate.isDoubted(group);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    return gate.doubt(group, wrongUnit);
  }
}
