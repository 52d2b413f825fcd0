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
package org.hdfsppr.namenode.manage.state;

import java.time.Clock;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.charge.PauseKeeper;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.charge.SchedulingAuthority;
import org.hdfsppr.namenode.manage.charge.UnreadRecords;
import org.hdfsppr.namenode.manage.core.CoreLosses;
import org.hdfsppr.namenode.manage.core.TrustedColumns;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;

/**
 * The state and the settings of the repair manager. The manager's parts share them, and read and
 * change them on the manager's thread. Which methods other threads may call is said in the class of
 * each field.
 */
@InterfaceAudience.Private
public final class ManagerKnowledge {
  /** The NameNode's queue of lost groups */
  public final ReconstructionQueue books;
  /** The DataNodes that run this project's plugin */
  public final DataNodeAgents agents;
  /** The settings */
  public final ManagerSettings settings;
  /** The counters of repairs */
  public final ManagerMetrics metrics;
  /** The time, monotonic, ms */
  public final LongSupplier clockMs;
  /** The groups that wait for a repair */
  public final RepairQueue queue = new RepairQueue();
  /** The state of each group */
  public final GroupBook groups = new GroupBook();
  /** The repairs under way */
  public final RepairTracker tracker;
  /** The groups whose units may contradict each other */
  public final Doubts doubts;
  /** The history of failed repairs, and notes of what was tried */
  public final RetryPolicy retries;
  /** The NameNode's DataNodes and policies, as of the last look */
  public final ClusterWatch cluster;
  /** Keeps what an operator has decided about all repairs */
  public final PauseKeeper pauses;
  /** Says which columns may be read */
  public final TrustedColumns trusted;
  /** What columns of CORE can do for groups */
  public final CoreLosses core;
  /** Decides whether this NameNode schedules repairs */
  public final SchedulingAuthority charge;

  /**
   * Makes the state of a NameNode that is not active, and that knows of no lost group.
   *
   * @param books the NameNode's queue of lost groups
   * @param namenode shows the NameNode's DataNodes and policies
   * @param agents the DataNodes that run this project's plugin
   * @param claims claims the groups of the policies that are scheduled here
   * @param settings the settings
   * @param metrics counts what the manager does
   * @param clockMs the time, monotonic, ms
   */
  public ManagerKnowledge(ReconstructionQueue books, NameNodeView namenode, DataNodeAgents agents,
      PolicyClaims claims, ManagerSettings settings, ManagerMetrics metrics,
      LongSupplier clockMs) {
    this.books = books;
    this.agents = agents;
    this.settings = settings;
    this.metrics = metrics;
    this.clockMs = clockMs;
    pauses = new PauseKeeper(Clock.systemUTC());
    tracker = new RepairTracker(clockMs);
    doubts = new Doubts(groups, clockMs, () -> pauses.workedMs(clockMs.getAsLong()));
    retries = new RetryPolicy(groups, clockMs);
    cluster = new ClusterWatch(namenode, agents);
    trusted = new TrustedColumns(groups::isDoubtOpen);
    core = new CoreLosses(books, tracker, groups, retries, settings.coreStrategy(), trusted);
    charge = new SchedulingAuthority(books, cluster, agents, claims, pauses,
        new UnreadRecords(namenode::unreadRecords), core::knowsAll);
  }
}
